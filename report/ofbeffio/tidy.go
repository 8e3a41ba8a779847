package ofbeffio

import (
	"cmp"
	"math"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/tidy"
)

// Tables returns the samples, the opening and closing of files, and the times of single calls.
func (r Report) Tables() []*tidy.Table {
	of := cmp.Or(r.Result, new(beffio.Result))
	return []*tidy.Table{sampleTable(of), fileTable(of), quantilesTable(of), slowCallsTable(of)}
}

// sampleTable returns the table of all measured patterns.
func sampleTable(r *beffio.Result) *tidy.Table {
	type s = beffio.Sample
	of := func(x *s) beffio.Pattern {
		if p := r.Pattern(x.Pattern); p != nil {
			return *p
		}
		return beffio.Pattern{Type: -1}
	}
	return tidy.Of("b_eff_io_samples", "patterns of b_eff_io", []tidy.Field[s]{
		tidy.Int("partition", "", "processes", func(x *s) int { return r.Partitions[x.Partition] }),
		tidy.String("access", "write, rewrite or read", func(x *s) beffio.Access { return x.Access }),
		tidy.Int("pattern", "", "number of the pattern", func(x *s) int { return x.Pattern }),
		tidy.String("type", "scatter, shared, separated, segmented or seg_coll",
			func(x *s) string { return of(x).Type.String() }),
		tidy.Int("chunk", "B", "contiguous chunk on disk; none: fills up the segment",
			func(x *s) int64 { return cmp.Or(of(x).Disk, tidy.None) }),
		tidy.Int("memory_chunk", "B", "bytes that one call moves; none fills up the segment",
			func(x *s) int64 { return cmp.Or(of(x).Memory, tidy.None) }),
		tidy.Int("units", "", "weight: units of time", func(x *s) int { return of(x).Units }),
		tidy.Int("pass", "", "pass over reading, counted from 0", func(x *s) int { return x.Pass }),
		tidy.Int("round", "", "round of an adaptive run, counted from 0", func(x *s) int { return x.Round }),
		tidy.Int("bytes", "B", "moved by all processes", func(x *s) int64 { return x.Bytes }),
		tidy.Int("calls", "", "calls of all processes", func(x *s) int64 { return x.Calls }),
		tidy.Int("repetitions", "", "calls of process 0", func(x *s) int64 { return x.Repetitions }),
		tidy.Float("seconds", "s", "from the barrier before the view is set to the barrier after the sync",
			func(x *s) float64 { return x.Seconds }),
		tidy.Float("scheduled", "s", "share of the time", func(x *s) float64 { return x.Scheduled }),
		tidy.Float("view", "s", "until all processes have set the view; none: the version didn't measure it",
			func(x *s) float64 { return tidy.Known(x.View) }),
		tidy.Float("io", "s", "in MPI-IO calls; this and the next columns are the most of any process",
			func(x *s) float64 { return x.IO }),
		tidy.Float("barrier", "s", "in barriers", func(x *s) float64 { return x.Barrier }),
		tidy.Float("broadcast", "s", "in broadcasts of the decision whether another call follows",
			func(x *s) float64 { return x.Broadcast }),
		tidy.Float("sync", "s", "in MPI_File_sync", func(x *s) float64 { return x.Sync }),
		tidy.Float("last_io", "s", "in the last of the calls", func(x *s) float64 { return x.LastIO }),
		tidy.Float("last_barrier", "s", "in the last barrier, with its broadcast",
			func(x *s) float64 { return x.LastBarrier }),
		tidy.Float("marks", "s", "in writing or checking marks", func(x *s) float64 { return x.Marks }),
		tidy.Yes("out_of_bytes", "1: ended when its share of --max-bytes was used",
			func(x *s) bool { return x.OutOfBytes }),
		tidy.Yes("out_of_time", "1: ended before it had repeated the calls of the initial write",
			func(x *s) bool { return x.OutOfTime }),
		tidy.Int("errors", "", "chunks that differ from the data written", func(x *s) int64 { return x.Errors }),
		tidy.Float("bandwidth", "B/s", "bytes / seconds; none where data were wrong", func(x *s) float64 {
			if x.Errors > 0 || !(x.Seconds > 0) {
				return math.NaN()
			}
			return float64(x.Bytes) / x.Seconds
		}),
	}, tidy.Each(r.Samples))
}

// fileTable returns the table of the pattern types' files.
func fileTable(r *beffio.Result) *tidy.Table {
	type f = beffio.FileSample
	pages := func(get func(*rating.Pages) int64) func(*f) int64 {
		return func(x *f) int64 {
			if x.Pages == nil {
				return tidy.None
			}
			return get(x.Pages)
		}
	}
	return tidy.Of("b_eff_io_files", "opening and closing of b_eff_io's files", []tidy.Field[f]{
		tidy.Int("partition", "", "processes", func(x *f) int { return r.Partitions[x.Partition] }),
		tidy.String("access", "write, rewrite or read", func(x *f) beffio.Access { return x.Access }),
		tidy.String("type", "pattern type", func(x *f) string { return x.Type }),
		tidy.Int("pass", "", "pass over reading, counted from 0", func(x *f) int { return x.Pass }),
		tidy.Int("round", "", "round of an adaptive run, counted from 0", func(x *f) int { return x.Round }),
		tidy.Float("open", "s", "opening the file, with a barrier", func(x *f) float64 { return x.Open }),
		tidy.Float("close", "s", "closing the file, with a barrier", func(x *f) float64 { return x.Close }),
		tidy.Int("pages", "", "pages that were examined before and after reading",
			pages(func(p *rating.Pages) int64 { return p.Looked })),
		tidy.Int("pages_before", "", "examined pages in memory before reading",
			pages(func(p *rating.Pages) int64 { return p.Before })),
		tidy.Int("pages_after", "", "examined pages in memory after reading",
			pages(func(p *rating.Pages) int64 { return p.After })),
		tidy.Int("fetched", "B", "bytes from storage meanwhile, if they are counted",
			pages(func(p *rating.Pages) int64 { return p.Fetched })),
	}, tidy.Each(r.Files))
}

// call identifies the calls whose times were counted together.
type call struct {
	processes int
	access    beffio.Access
	pattern   int
	typ       patterns.IOType
}

// callsOf returns the columns that identify calls.
func callsOf[T any](of func(*T) call) []tidy.Field[T] {
	return []tidy.Field[T]{
		tidy.Int("partition", "", "processes", func(x *T) int { return of(x).processes }),
		tidy.String("access", "write, rewrite or read", func(x *T) beffio.Access { return of(x).access }),
		tidy.Int("pattern", "", "number of the pattern; none: a file is opened or closed",
			func(x *T) int { return of(x).pattern }),
		tidy.String("type", "scatter, shared, separated, segmented or seg_coll",
			func(x *T) string { return of(x).typ.String() }),
	}
}

// quantileLine is a quantile of a pattern's calls.
type quantileLine struct {
	call
	*beffio.Tail
	q rating.Quantile
}

// quantilesTable returns the table of quantiles.
func quantilesTable(r *beffio.Result) *tidy.Table {
	type x = quantileLine
	return tidy.Of("b_eff_io_quantiles", "quantiles of the times of calls of b_eff_io",
		append(callsOf(func(l *x) call { return l.call }),
			tidy.Int("calls", "", "calls of all processes", func(l *x) int64 { return l.Calls }),
			tidy.Float("percent", "", "percentage of the calls that took no longer",
				func(l *x) float64 { return l.q.Percent }),
			tidy.Float("value", "s", "the quantile; none: too few calls",
				func(l *x) float64 { return tidy.Known(l.q.Value) }),
			tidy.Float("value_low", "s", "lower end of its interval",
				func(l *x) float64 { return tidy.End(l.q.Interval, 0) }),
			tidy.Float("value_high", "s", "upper end", func(l *x) float64 { return tidy.End(l.q.Interval, 1) }),
			tidy.Float("max", "s", "time of the slowest call", func(l *x) float64 { return l.Max }),
		), func(add func(*x)) {
			for p := range lists.Elements(r.Derived.Partitions) {
				for t := range lists.Elements(p.Tails) {
					for _, q := range t.Quantiles {
						at := call{p.Processes, t.Access, t.Pattern, r.Pattern(t.Pattern).Type}
						add(&x{at, t, q})
					}
				}
			}
		})
}

// slowLine is one of the slowest calls.
type slowLine struct {
	call
	beffio.SlowCall
}

// slowCallsTable returns the table of the slowest calls.
func slowCallsTable(r *beffio.Result) *tidy.Table {
	type x = slowLine
	return tidy.Of("b_eff_io_slow_calls", "the slowest calls of each pattern of b_eff_io",
		append(append(callsOf(func(l *x) call { return l.call }),
			tidy.String("call", "name of the MPI call", func(l *x) string { return l.Call })),
			tidy.SlowCalls(func(l *x) *rating.SlowCall { return &l.SlowCall.SlowCall })...), func(add func(*x)) {
			for n, processes := range r.Partitions {
				for _, s := range r.SlowCalls(n) {
					add(&x{call{processes, s.Access, s.Pattern, s.Type}, s})
				}
			}
		})
}
