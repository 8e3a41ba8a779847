package ofbeffio

import (
	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/tidy"
)

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
