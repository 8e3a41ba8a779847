package ofprobe

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/fabric"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/tidy"
	"github.com/effective-bandwidth/beff/report/words"
	"github.com/effective-bandwidth/beff/stats"
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

// mapLine is a node with its units, the lowest level first.
type mapLine struct {
	line
	node  string
	units []string
	alone int
}

// mapTable returns the table of the nodes with the units that the times of pairs reveal, from the first row with units.
// It is a map of the network.
func mapTable(r *probe.Result) *tidy.Table {
	fields := []tidy.Field[mapLine]{
		tidy.String("kernel", "whose times it follows from", func(x *mapLine) string { return x.block.Kernel }),
		tidy.Int("bytes", "B", "length of a message", func(x *mapLine) int64 { return x.row.Bytes }),
		tidy.String("node", "name of the node", func(x *mapLine) string { return x.node }),
	}
	for i, level := range fabric.Levels {
		fields = append(fields, tidy.String(level, "unit of nodes that are near each other", func(x *mapLine) string {
			if i < len(x.units) {
				return x.units[i]
			}
			return ""
		}))
	}
	fields = append(fields, tidy.Int("unsure", "", "passes that place the node differently",
		func(x *mapLine) int { return x.alone }))
	return tidy.Of("probe_map", "nodes, with units by their times", fields, func(add func(*mapLine)) {
		for _, x := range mapLines(r) {
			add(&x)
		}
	})
}

// mapLines returns the nodes with their units, by the first row in whose times there are units.
func mapLines(r *probe.Result) (list []mapLine) {
	for _, k := range kernelsOf(r) {
		for _, p := range pairRows(r, k) {
			names, of := p.nodes()
			levels, err := fabric.Find(p.squares(len(names), of))
			if err != nil { // no unit was found
				continue
			}
			for node, name := range names {
				x := mapLine{line: line{block: p.block, row: p.row}, node: name}
				for i, f := range levels {
					x.units = append(x.units, fmt.Sprintf("%s%d", fabric.Levels[i], f.Of[node]+1))
					x.alone = max(x.alone, f.Misplaced[node])
				}
				list = append(list, x)
			}
			return list
		}
	}
	return nil
}

// Map returns the groups of nodes that are near each other by the times of pairs, as a map that fabric.Parse reads. It
// is empty without groups, and if half of the passes place a node differently, as on a busy machine.
func Map(r *probe.Result) string {
	var b strings.Builder
	members := map[string][]string{}
	var order []string
	for _, x := range mapLines(r) {
		if 2*x.alone >= len(x.row.Pairs.There.Medians) {
			return ""
		}
		units := strings.Join(x.units, " ")
		if members[units] == nil {
			order = append(order, units)
		}
		members[units] = append(members[units], x.node)
	}
	for _, units := range order {
		fmt.Fprintf(&b, "%s %s\n", strings.Join(members[units], ","), units)
	}
	return b.String()
}

// squares returns the times between nodes in each pass: the first quartiles of the times of their ranks, in both
// directions.
func (p *pairRow) squares(nodes int, of []int) (list [][][]float64) {
	for pass := range p.row.Pairs.There.Medians {
		cells := map[[2]int][]float64{}
		for _, w := range p.ways() {
			a, b := of[w.from], of[w.to]
			if pass < len(w.samples.Medians) && a != b {
				t := w.samples.Medians[pass][w.pair]
				for _, way := range [][2]int{{a, b}, {b, a}} {
					cells[way] = append(cells[way], t)
				}
			}
		}
		square := make([][]float64, nodes)
		for i := range square {
			square[i] = make([]float64, nodes)
			for j := range square[i] {
				square[i][j] = stats.Quantile(stats.Sorted(cells[[2]int{i, j}]), 0.25)
			}
		}
		list = append(list, square)
	}
	return list
}

// cutLine is a pair of a step in a pass and a direction.
type cutLine struct {
	line
	cutRow
	from, to, step, shift, pass int
	back                        bool
	seconds                     float64
}

// cutTable returns the table of the times across cuts: a line for each pair, step, pass and direction.
func cutTable(r *probe.Result) *tidy.Table {
	type p = cutLine
	fields := slices.DeleteFunc(placeFields(func(x *p) *line { return &x.line }), func(f tidy.Field[p]) bool {
		return !slices.Contains([]string{"kernel", "component", "pass", "processes", "bytes"}, f.Name)
	})
	rank := func(x *p, rank int) int64 { return int64(x.cutRow.block.Groups[0][rank]) }
	host := func(x *p, rank int) string { return words.OneLine(x.hosts[rank]) }
	return tidy.Of("probe_cuts", "times of pairs across cuts", append(fields,
		tidy.String("cut", "how the processes are divided, such as halves or switch:NAME",
			func(x *p) string { return x.cutRow.block.Cut.Name }),
		tidy.Int("step", "", "counted from 0", func(x *p) int { return x.step }),
		tidy.Int("shift", "", "places by which the right processes are shifted", func(x *p) int { return x.shift }),
		tidy.Int("part", "", "pass over all steps, counted from 0", func(x *p) int { return x.pass }),
		tidy.Yes("back", "1: from right to left", func(x *p) bool { return x.back }),
		tidy.Int("from", "", "rank", func(x *p) int64 { return rank(x, x.from) }),
		tidy.Int("to", "", "rank", func(x *p) int64 { return rank(x, x.to) }),
		tidy.String("from_host", "host of from", func(x *p) string { return host(x, x.from) }),
		tidy.String("to_host", "host of to", func(x *p) string { return host(x, x.to) }),
		tidy.Int("repetitions", "", "messages that were timed", func(x *p) int64 { return x.cutRow.row.Repetitions }),
		tidy.Float("seconds", "s", "time of a message, or of one message each way",
			func(x *p) float64 { return x.seconds }),
	), func(add func(*p)) {
		for _, k := range kernelsOf(r) {
			for _, c := range cutRows(r, k) {
				c.addLines(add)
			}
		}
	})
}

// addLines adds the lines of a row.
func (c *cutRow) addLines(add func(*cutLine)) {
	for direction, passes := range c.row.Crossing.Directions() {
		for pass, steps := range passes {
			for k, step := range steps {
				for pair, t := range step {
					x := &cutLine{line: line{block: c.block, row: c.row}, cutRow: *c, step: k,
						shift: c.row.Crossing.Shifts[k], pass: pass, back: direction == 1, seconds: float64(t) / 1e12}
					if x.from, x.to = c.block.Cut.Ends(pair, x.shift); x.back {
						x.from, x.to = x.to, x.from
					}
					add(x)
				}
			}
		}
	}
}
