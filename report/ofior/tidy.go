package ofior

import (
	"github.com/effective-bandwidth/beff/ior"
	"github.com/effective-bandwidth/beff/lists"
	"github.com/effective-bandwidth/beff/report/tidy"
)

// Tables returns the samples.
func (r Report) Tables() []*tidy.Table {
	of := r.Result
	if of == nil {
		of = new(ior.Result)
	}
	type s = ior.Sample
	test := func(x *s) *ior.Settings { return &of.Tests[x.Test] }
	seconds := func(name, about string, get func(*s) float64) tidy.Field[s] {
		return tidy.Float(name, "s", about, get)
	}
	return []*tidy.Table{tidy.Of("ior_phases", "phases of tests of files by IOR's method", []tidy.Field[s]{
		tidy.Int("test", "", "number of the test, counted from 0",
			func(x *s) int64 { return int64(x.Test) }).As(tidy.Apart),
		tidy.String("name", "what the test is for", func(x *s) string { return test(x).Name }),
		tidy.String("access", "write or read; of metadata also stat, delete and find",
			func(x *s) string { return string(x.Access) }).As(tidy.Apart),
		tidy.String("api", "MPIIO or POSIX", func(x *s) string { return string(test(x).API) }),
		tidy.Int("transfer", "B", "of a transfer", func(x *s) int64 { return test(x).Transfer }).As(tidy.Axis),
		tidy.Int("block", "B", "of a block", func(x *s) int64 { return test(x).Block }),
		tidy.Int("segments", "", "blocks of each process", func(x *s) int64 { return test(x).Segments }),
		tidy.Int("repetition", "", "counted from 0", func(x *s) int64 { return int64(x.Repetition) }).As(tidy.Axis),
		tidy.Int("bytes", "B", "moved by all processes", func(x *s) int64 { return x.Bytes }),
		tidy.Int("transfers", "", "of all processes; of metadata files", func(x *s) int64 { return x.Transfers }),
		tidy.Int("found", "", "files that find has found", func(x *s) int64 { return x.Found }),
		seconds("seconds", "from the first opening to the last closing", func(x *s) float64 { return x.Seconds }),
		seconds("open", "in which files were opened", func(x *s) float64 { return x.Open }),
		seconds("move", "in which data were moved", func(x *s) float64 { return x.Move }),
		seconds("close", "in which files were closed", func(x *s) float64 { return x.Close }),
		seconds("latency", "of a transfer, the mean of the process with the least one",
			func(x *s) float64 { return x.Latency }),
		tidy.Int("wrong", "", "transfers whose data were wrong", func(x *s) int64 { return x.Wrong }),
		tidy.Float("rate", "1/s", "transfers / move", func(x *s) float64 { return tidy.Known(x.Rate()) }),
		tidy.Float("bandwidth", "B/s", "bytes / seconds", func(x *s) float64 { return tidy.Known(x.Bandwidth()) }).
			As(tidy.Main),
	}, lists.Elements(of.Samples))}
}
