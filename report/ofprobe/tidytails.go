package ofprobe

import (
	"cmp"

	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/tidy"
)

// quantileLine is a quantile of a series.
type quantileLine struct {
	line
	q rating.Quantile
}

// quantilesTable returns the table of quantiles.
func quantilesTable(r *probe.Result) *tidy.Table {
	type x = quantileLine
	at := func(l *x) *line { return &l.line }
	return tidy.Of("probe_quantiles", "quantiles of the times of repetitions", append(placeFields(at), timeName(at),
		tidy.Float("percent", "", "percentage of the repetitions that took no longer",
			func(l *x) float64 { return l.q.Percent }),
		tidy.Float("value", "s", "the quantile; none: too few repetitions",
			func(l *x) float64 { return tidy.Known(l.q.Value) }),
		tidy.Float("value_low", "s", "lower end of its interval",
			func(l *x) float64 { return tidy.End(l.q.Interval, 0) }),
		tidy.Float("value_high", "s", "upper end", func(l *x) float64 { return tidy.End(l.q.Interval, 1) }),
		tidy.Int("needed", "", "repetitions that the quantile needs, if there are too few",
			func(l *x) int64 { return cmp.Or(l.q.Needed, tidy.None) }),
	), func(add func(*x)) {
		eachCounted(r, func(l line, s *measured.Statistics) {
			for _, q := range s.Quantiles {
				add(&x{l, q})
			}
		})
	})
}

// slowLine is one of the slowest calls of a row.
type slowLine struct {
	line
	*rating.SlowCall
}

// slowCallsTable returns the table of the slowest calls on files.
func slowCallsTable(r *probe.Result) *tidy.Table {
	type x = slowLine
	return tidy.Of("probe_slow_calls", "the slowest calls on files of each row",
		append(placeFields(func(l *x) *line { return &l.line }),
			tidy.SlowCalls(func(l *x) *rating.SlowCall { return l.SlowCall })...),
		func(add func(*x)) {
			for b, row := range r.Rows() {
				for k := range row.SlowCalls {
					add(&x{line{block: b, row: row}, &row.SlowCalls[k]})
				}
			}
		})
}

// timeName returns the column with the name of a time.
func timeName[T any](of func(*T) *line) tidy.Field[T] {
	return tidy.String("time", "name of the time in rows that have several: t_ovrl, t_pure, t_cpu, t_passive",
		func(x *T) string { return of(x).time })
}

// bucketLine is a bucket of a histogram.
type bucketLine struct {
	line
	low, high float64
	count     int64
}

// histogramsTable returns the table of the histograms' buckets.
func histogramsTable(r *probe.Result) *tidy.Table {
	type x = bucketLine
	return tidy.Of("probe_histograms", "histograms of the times of repetitions",
		append(placeFields(func(l *x) *line { return &l.line }), timeName(func(l *x) *line { return &l.line }),
			tidy.Float("from", "s", "least time of the bucket, by the timing of series",
				func(l *x) float64 { return l.low }),
			tidy.Float("to", "s", "largest time of the bucket", func(l *x) float64 { return l.high }),
			tidy.Int("count", "", "repetitions with times in the bucket", func(l *x) int64 { return l.count }),
		), func(add func(*x)) {
			eachCounted(r, func(l line, _ *measured.Statistics) {
				h := l.series.Counted.Max
				for i, c := range h.Counts {
					low, high := h.Ends(i)
					add(&x{l, float64(low) / 1e12, float64(high) / 1e12, c})
				}
			})
		})
}

// eachCounted calls do for each series whose times are counted.
func eachCounted(r *probe.Result, do func(line, *measured.Statistics)) {
	for b, row := range r.Rows() {
		for k := range min(len(row.Series), len(row.Statistics)) {
			if s := &row.Series[k]; s.Counted != nil {
				do(line{block: b, row: row, group: s.Group, time: s.Time, series: s}, &row.Statistics[k])
			}
		}
	}
}

// noiseLine is a process and the row in which it lost time.
type noiseLine struct {
	line
	rank int
}

// noiseTable returns the table of the time that each process lost.
func noiseTable(r *probe.Result) *tidy.Table {
	type x = noiseLine
	return tidy.Of("probe_noise", "time that processes lost while they only computed",
		append(placeFields(func(l *x) *line { return &l.line }),
			tidy.Int("rank", "", "rank of the process", func(l *x) int { return l.rank }),
			tidy.Float("share", "", "fraction of its time that it lost, 0 to 1",
				func(l *x) float64 { return l.row.Noise.Shares[l.rank] }),
			tidy.Float("longest", "s", "longest interruption",
				func(l *x) float64 { return l.row.Noise.Longest[l.rank] }),
			tidy.Float("period", "s", "time between interruptions; none: they weren't regular",
				func(l *x) float64 { return tidy.Known(l.row.Noise.Periods[l.rank]) }),
		), func(add func(*x)) {
			for b, row := range r.Rows() {
				for rank := 0; row.Noise != nil && rank < len(row.Noise.Shares); rank++ {
					add(&x{line{block: b, row: row}, rank})
				}
			}
		})
}
