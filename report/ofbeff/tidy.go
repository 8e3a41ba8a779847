package ofbeff

import (
	"cmp"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/report/tidy"
)

// Tables returns the samples.
func (of Report) Tables() []*tidy.Table {
	type s = beff.Sample
	r := cmp.Or(of.Result, new(beff.Result))
	return []*tidy.Table{tidy.Of("b_eff_samples", "measurements of b_eff", []tidy.Field[s]{
		tidy.Int("pass", "", "complete pass, counted from 0", func(x *s) int { return x.Pass }),
		tidy.String("pattern", "name of the pattern", func(x *s) string { return r.Patterns[x.Pattern].Name }),
		tidy.String("kind", "ring, random or detail", func(x *s) string { return string(r.Patterns[x.Pattern].Kind) }),
		tidy.Int("processes", "", "processes that send or receive",
			func(x *s) int { return r.Patterns[x.Pattern].Processes }),
		tidy.Int("messages", "", "messages of all processes in a loop",
			func(x *s) int64 { return r.Patterns[x.Pattern].Messages }),
		tidy.String("method", "sendrecv, alltoallv or nonblocking", func(x *s) string { return r.Methods[x.Method] }),
		tidy.Int("repetition", "", "counted from 0, in each pass", func(x *s) int { return x.Repetition }),
		tidy.Int("bytes", "B", "length of a message", func(x *s) int64 { return r.Lengths[x.Length] }),
		tidy.Int("loops", "", "loops between two readings of the clock", func(x *s) int64 { return x.Loops }),
		tidy.Float("seconds", "s", "all loops in the slowest process", func(x *s) float64 { return x.Seconds }),
		tidy.Float("seconds_min", "s", "the same in the quickest process that has messages",
			func(x *s) float64 { return x.Min }),
		tidy.Float("seconds_mean", "s", "the same, averaged over the processes that have messages",
			func(x *s) float64 { return tidy.Known(x.Mean) }),
		tidy.Float("bandwidth", "B/s", "bytes · messages · loops / seconds", r.Bandwidth),
	}, tidy.Each(r.Samples))}
}
