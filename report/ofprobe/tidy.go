package ofprobe

import (
	"cmp"
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/report/tidy"
	"github.com/effective-bandwidth/beff/report/words"
)

// Tables returns the measured times, the rows with their figures, the times of pairs, and the tables derived from them.
func (r Report) Tables() []*tidy.Table {
	result := cmp.Or(r.Result, new(probe.Result))
	return []*tidy.Table{sampleTable(result), rowTable(result), pairTable(result), cutTable(result),
		quantilesTable(result), histogramsTable(result), slowCallsTable(result), noiseTable(result),
		impactsTable(result), mapTable(result)}
}

// line is a line of a table: a measurement in a row of a block.
type line struct {
	block      *measured.Block
	row        *measured.Row
	group      int
	time       string // name of one of several times of a row
	repetition int64  // counted from 0, or tidy.None for all of them
	series     *measured.Series
	sample     measured.Sample // the times of all repetitions, in a line without a series
}

// placeFields has the columns that identify the measured row.
func placeFields[T any](of func(*T) *line) []tidy.Field[T] {
	return []tidy.Field[T]{
		tidy.String("kernel", "name of the kernel", func(x *T) string { return of(x).block.Kernel }).AsKey(),
		tidy.String("component", "such as MPI1", func(x *T) kernel.Component { return of(x).block.Component }).AsKey(),
		tidy.String("mode", "aggregate or non-aggregate", func(x *T) settings.Mode { return of(x).block.Mode }).AsKey(),
		tidy.Yes("multi", "1: several groups at the same time", func(x *T) bool { return of(x).block.Multi }).AsKey(),
		tidy.String("completion", "when a PGAS transfer counts as complete",
			func(x *T) settings.Completion { return of(x).block.Completion }).AsKey(),
		tidy.String("window_kind", "how the memory of windows was obtained: create, allocate or dynamic",
			func(x *T) settings.WindowKind { return of(x).block.WindowKind }).AsKey(),
		tidy.String("target", "compute: targets compute",
			func(x *T) settings.TargetWork { return of(x).block.Target }).AsKey(),
		tidy.Int("pass", "", "pass through all tables, counted from 1", func(x *T) int64 {
			return int64(max(1, of(x).block.Pass))
		}),
		tidy.Int("processes", "", "processes of a group", func(x *T) int { return of(x).block.Processes }).AsKey(),
		tidy.Int("group", "", "counted from 0", func(x *T) int { return of(x).group }),
		tidy.Int("bytes", "B", "length of a message", func(x *T) int64 { return of(x).row.Bytes }).AsKey(),
		tidy.Int("stride", "", "distance of the starts of two blocks, in blocks",
			func(x *T) int64 { return cmp.Or(of(x).row.Stride, tidy.None) }).AsKey(),
		tidy.Int("partitions", "", "parts of a message",
			func(x *T) int64 { return cmp.Or(of(x).row.Partitions, tidy.None) }).AsKey(),
		tidy.Float("delay", "s", "how late the last part of a message is",
			func(x *T) float64 { return tidy.Known(of(x).block.Delay) }).AsKey(),
	}
}

func itself(x *line) *line { return x }

// sampleTable returns the table of all measured times except the pairs'.
func sampleTable(r *probe.Result) *tidy.Table {
	time := func(of func(*line) float64, in func(*measured.Series) []int64) func(*line) float64 {
		return func(x *line) float64 {
			if x.series == nil {
				return tidy.Known(of(x))
			}
			if list := in(x.series); x.repetition < int64(len(list)) {
				return float64(list[x.repetition]) / 1e12
			}
			return math.NaN()
		}
	}
	return tidy.Of("probe_samples", "measured times of probes", append(placeFields(itself),
		timeName(itself),
		tidy.Int("repetition", "", "counted from 0; none: all repetitions together",
			func(x *line) int64 { return x.repetition }),
		tidy.Int("repetitions", "", "between two readings of the clock", func(x *line) int64 {
			if x.series != nil {
				return 1
			}
			return max(x.row.Repetitions, 1)
		}),
		tidy.Float("seconds", "s", "all of these repetitions in the slowest process, or by the timing of series",
			time(func(x *line) float64 { return x.sample.Max },
				func(s *measured.Series) []int64 { return s.Max })),
		tidy.Float("seconds_min", "s", "the same in the quickest process",
			time(func(x *line) float64 { return x.sample.Min }, func(s *measured.Series) []int64 { return s.Min })),
		tidy.Float("seconds_mean", "s", "the same, averaged over all processes",
			time(func(x *line) float64 { return x.sample.Mean }, func(s *measured.Series) []int64 { return s.Mean })),
	), func(add func(*line)) {
		for b, row := range r.Rows() {
			addSamples(b, row, add)
		}
	})
}

// addSamples adds the times of a row.
func addSamples(b *measured.Block, row *measured.Row, add func(*line)) {
	x := line{block: b, row: row}
	for i := range row.Series {
		x.series = &row.Series[i]
		x.time, x.group = x.series.Time, x.series.Group
		for n := range x.series.Max {
			x.repetition = int64(n)
			add(&x)
		}
	}
	x.series, x.repetition = nil, tidy.None
	for group, s := range row.Samples {
		x.group = group
		for _, part := range partsOf(s) {
			x.time, x.sample = part.name, part.Sample
			add(&x)
		}
	}
}

// part is one of the times of a sample.
type part struct {
	name string
	measured.Sample
}

// partsOf returns the times of a sample: the whole one, and those that have names.
func partsOf(s measured.Sample) (list []part) {
	if s.Max > 0 || s.Min > 0 || s.Mean > 0 {
		list = append(list, part{"", s})
	}
	for _, t := range []struct {
		name    string
		seconds float64
	}{{"t_ovrl", s.Overlapped}, {"t_pure", s.Pure}, {"t_cpu", s.Compute}, {"t_passive", s.Passive}} {
		if t.seconds > 0 {
			list = append(list, part{t.name, measured.Sample{Max: t.seconds}})
		}
	}
	return list
}

// figures has the figures of a row, by their names in the document.
var figures = []struct {
	name, unit, about string
	of                func(*kernel.Times) float64
}{
	{"t_min", "s", "a repetition, or half of one, in the quickest process",
		func(t *kernel.Times) float64 { return t.Min }},
	{"t_max", "s", "of the slowest process", func(t *kernel.Times) float64 { return t.Max }},
	{"t_avg", "s", "the mean of all processes", func(t *kernel.Times) float64 { return t.Mean }},
	{"t_ovrl", "s", "communication while computing", func(t *kernel.Times) float64 { return t.Overlapped }},
	{"t_pure", "s", "communication without computing", func(t *kernel.Times) float64 { return t.Pure }},
	{"t_cpu", "s", "computing", func(t *kernel.Times) float64 { return t.Compute }},
	{"t_init", "s", "starting a nonblocking call", func(t *kernel.Times) float64 { return t.Starting }},
	{"t_test", "s", "MPI_Test while computing", func(t *kernel.Times) float64 { return t.Testing }},
	{"t_wait", "s", "MPI_Wait after computing", func(t *kernel.Times) float64 { return t.Waited }},
	{"t_passive", "s", "Truly_passive_put while the target computes",
		func(t *kernel.Times) float64 { return t.Passive }},
	{"t_usual", "s", "the usual calls for the same purpose", func(t *kernel.Times) float64 { return t.Usual }},
	{"t_last", "s", "from a message's last part to its end", func(t *kernel.Times) float64 { return t.Last }},
	{"t_made", "s", "making a persistent request", func(t *kernel.Times) float64 { return t.Made }},
	{"t_freed", "s", "freeing a persistent request", func(t *kernel.Times) float64 { return t.Freed }},
	{"t_session", "s", "MPI_Session_init", func(t *kernel.Times) float64 { return t.Session }},
	{"t_group", "s", "MPI_Group_from_session_pset", func(t *kernel.Times) float64 { return t.Group }},
	{"t_comm", "s", "MPI_Comm_create_from_group", func(t *kernel.Times) float64 { return t.Comm }},
	{"t_again", "s", "another session while one is open", func(t *kernel.Times) float64 { return t.Again }},
	{"starts_to_pay", "", "starts after which making the request has paid",
		func(t *kernel.Times) float64 { return t.Starts }},
	{"noise", "", "fraction of its time that the worst process lost", func(t *kernel.Times) float64 { return t.Noise }},
	{"longest_detour", "s", "the longest interruption", func(t *kernel.Times) float64 { return t.Detour }},
	{"period", "s", "time between interruptions", func(t *kernel.Times) float64 { return t.Period }},
	{"t_mockup", "s", "the mock-up of a guideline", func(t *kernel.Times) float64 { return t.MockUp }},
	{"ratio", "", "ratio of a guideline's call to its mock-up", func(t *kernel.Times) float64 { return t.Ratio }},
	{"ratio_low", "", "lower end of its interval", func(t *kernel.Times) float64 { return t.RatioLow }},
	{"ratio_high", "", "upper end", func(t *kernel.Times) float64 { return t.RatioHigh }},
	{"bandwidth", "B/s", "bandwidth by the kernel's rule", func(t *kernel.Times) float64 { return t.Bandwidth }},
	{"bandwidth_perceived", "B/s", "a message divided by the time from its last part to its end",
		func(t *kernel.Times) float64 { return t.Perceived }},
	{"rate", "1/s", "messages", func(t *kernel.Times) float64 { return t.Rate }},
	{"fairness", "", "messages of the slowest thread divided by messages of the quickest",
		func(t *kernel.Times) float64 { return t.Fairness }},
	{"bandwidth_min", "B/s", "bandwidth of the slowest origin",
		func(t *kernel.Times) float64 { return t.BandwidthMin }},
	{"bandwidth_max", "B/s", "bandwidth of the quickest origin",
		func(t *kernel.Times) float64 { return t.BandwidthMax }},
	{"bandwidth_all", "B/s", "bandwidth of all origins together",
		func(t *kernel.Times) float64 { return t.BandwidthAll }},
	{"bandwidth_steps", "B/s", "bandwidth of all pairs across a cut, averaged over the steps",
		func(t *kernel.Times) float64 { return t.BandwidthSteps }},
	{"bandwidth_best", "B/s", "bandwidth of all pairs in the best step",
		func(t *kernel.Times) float64 { return t.BandwidthBest }},
	{"bandwidth_both", "B/s", "bandwidth of both directions of a pair",
		func(t *kernel.Times) float64 { return t.BandwidthBoth }},
}

// statistics has the statistics of a row's main series, by their names in the document.
var statistics = []struct {
	name, about string
	of          func(*measured.Statistics) float64
}{
	{"mean", "mean of the repetitions' times in a series", func(x *measured.Statistics) float64 { return x.Mean }},
	{"mean_low", "lower end of its interval",
		func(x *measured.Statistics) float64 { return tidy.End(x.MeanInterval, 0) }},
	{"mean_high", "upper end", func(x *measured.Statistics) float64 { return tidy.End(x.MeanInterval, 1) }},
	{"median", "median of the same times", func(x *measured.Statistics) float64 { return x.Median }},
	{"median_low", "lower end of its interval",
		func(x *measured.Statistics) float64 { return tidy.End(x.MedianInterval, 0) }},
	{"median_high", "upper end", func(x *measured.Statistics) float64 { return tidy.End(x.MedianInterval, 1) }},
	{"min", "least of the same times", func(x *measured.Statistics) float64 { return x.Min }},
	{"max", "largest", func(x *measured.Statistics) float64 { return x.Max }},
	{"deviation", "standard deviation of the same times", func(x *measured.Statistics) float64 { return x.Deviation }},
	{"p90", "90 % of the times are not above it", func(x *measured.Statistics) float64 { return x.P90 }},
	{"p99", "99 % of the times are not above it", func(x *measured.Statistics) float64 { return x.P99 }},
}

// rowTable returns the table of all rows: a line for each group.
func rowTable(r *probe.Result) *tidy.Table {
	fields := append(placeFields(itself),
		tidy.String("cut", "how the processes are divided, such as halves or switch:NAME", func(x *line) string {
			if x.block.Cut == nil {
				return ""
			}
			return x.block.Cut.Name
		}).AsKey(),
		tidy.Int("repetitions", "", "timed repetitions", func(x *line) int64 { return x.row.Repetitions }))
	for _, f := range figures {
		of := f.of
		fields = append(fields, tidy.Float(f.name, f.unit, f.about, func(x *line) float64 {
			if x.group >= len(x.row.Derived) {
				return math.NaN()
			}
			return tidy.Known(of(&x.row.Derived[x.group]))
		}))
	}
	fields = append(fields, tidy.Float("overlap", "", "fraction that was hidden, 0 to 1", func(x *line) float64 {
		if x.group >= len(x.row.Derived) {
			return math.NaN()
		}
		t := &x.row.Derived[x.group]
		if t.Overlapped == 0 && t.Last == 0 {
			return math.NaN()
		}
		return t.Overlap
	}))
	for _, f := range statistics {
		of := f.of
		fields = append(fields, tidy.Float(f.name, "s", f.about, func(x *line) float64 {
			if s := x.row.Main(x.group); s != nil {
				return of(s)
			}
			return math.NaN()
		}))
	}
	fields = append(fields,
		tidy.Int("outliers", "", "repetitions far above the others", func(x *line) int64 {
			if s := x.row.Main(x.group); s != nil {
				return int64(s.Outliers)
			}
			return tidy.None
		}),
		tidy.String("timing", "how the clocks of a series were read", func(x *line) string {
			return words.Either(len(x.row.Series) > 0, string(r.Settings.Clocked()), "")
		}),
		tidy.String("ended", "what ended the series", func(x *line) string {
			if len(x.row.Series) == 0 {
				return ""
			}
			return string(x.row.Series[0].Ended)
		}),
		tidy.Int("checked", "", "repetitions whose data were checked", func(x *line) int64 { return x.row.Checked }),
		tidy.Int("defects", "", "wrong bytes or sums in them", func(x *line) int64 { return x.row.Defects }),
		tidy.String("missing", "reason for missing figures",
			func(x *line) string { return x.row.Missing }))
	return tidy.Of("probe_rows", "figures of probes", fields, func(add func(*line)) {
		for b, row := range r.Rows() {
			for group := range max(1, len(row.Derived)) {
				add(&line{block: b, row: row, group: group})
			}
		}
	})
}

// confidence is the confidence of the intervals of pairs' means.
const confidence = 0.95

// pairLine is a way of a pair, in a pass over all pairs.
type pairLine struct {
	line
	way
	hosts  []string
	number int // of the pass over all pairs, counted from 0
}

// pairTable returns the table of the times of pairs: a line for each way and each median.
func pairTable(r *probe.Result) *tidy.Table {
	type p = pairLine
	host := func(hosts []string, rank int) string {
		if rank < len(hosts) {
			return hosts[rank]
		}
		return ""
	}
	fields := slices.DeleteFunc(placeFields(func(x *p) *line { return &x.line }), func(f tidy.Field[p]) bool {
		return slices.Contains([]string{"group", "stride", "partitions", "delay", "mode", "completion", "window_kind",
			"target"}, f.Name)
	})
	return tidy.Of("probe_pairs", "times of pairs of processes", append(fields,
		tidy.Int("from", "", "rank", func(x *p) int { return x.from }),
		tidy.Int("to", "", "rank", func(x *p) int { return x.to }),
		tidy.String("from_host", "host of from", func(x *p) string { return host(x.hosts, x.from) }),
		tidy.String("to_host", "host of to", func(x *p) string { return host(x.hosts, x.to) }),
		tidy.Int("part", "", "pass over all pairs, counted from 0", func(x *p) int { return x.number }),
		tidy.Int("repetitions", "", "repetitions of all parts", func(x *p) int64 {
			return x.samples.Count(x.row.Repetitions, x.pair)
		}),
		tidy.Float("median", "s", "time of a round trip in this part, or of one way if directions differ",
			func(x *p) float64 { return x.samples.Medians[x.number][x.pair] }),
		tidy.Float("mean", "s", "mean over the repetitions of all parts",
			func(x *p) float64 { return x.samples.Means[x.pair] }),
		tidy.Float("half_width", "s", "half of the mean's 95 % interval, computed from the means of the parts",
			func(x *p) float64 { return x.samples.Half(x.pair, confidence) }),
		tidy.Float("deviation", "s", "standard deviation over the repetitions of all parts",
			func(x *p) float64 { return x.samples.Deviations[x.pair] }),
	), func(add func(*p)) {
		for _, k := range kernelsOf(r) {
			for _, of := range pairRows(r, k) {
				for _, w := range of.ways() {
					for n := range w.samples.Medians {
						add(&p{line{block: of.block, row: of.row}, w, of.hosts, n})
					}
				}
			}
		}
	})
}
