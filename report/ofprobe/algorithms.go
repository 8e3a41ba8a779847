package ofprobe

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/suites"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/compare"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
)

// contest holds the ways in which a result does one collective operation on the same processes: by a call of the
// library, and by algorithms.
type contest struct {
	operation  string
	measuredOn string // the processes, as MeasuredOn describes them
	entrants   []entrant
	result     *probe.Result
}

// entrant is one of these ways. All ratios refer to the first one, which is the library's call if it was measured.
type entrant struct {
	kernel *Kernel
	block  *measured.Block
	rows   map[int64]*measured.Row // rows with figures, by their lengths
}

// newEntrant returns an entrant with its rows.
func newEntrant(k *Kernel, b *measured.Block) entrant {
	e := entrant{k, b, map[int64]*measured.Row{}}
	for i := range b.Rows {
		if row := &b.Rows[i]; row.Missing == "" {
			e.rows[row.Bytes] = row
		}
	}
	return e
}

// contests returns the contests of a result, in the order of the number of processes.
func contests(r *probe.Result) (list []*contest) {
	var library, algorithms []*Kernel
	for _, k := range kernelsOf(r) {
		switch {
		case operationOf(k) == "" || k.Multi:
		case k.Algorithm != nil:
			algorithms = append(algorithms, k)
		default:
			library = append(library, k)
		}
	}
	for _, k := range slices.Concat(library, algorithms) {
		for _, b := range k.Blocks {
			i := slices.IndexFunc(list, func(c *contest) bool {
				return c.operation == operationOf(k) && c.measuredOn == MeasuredOn(b)
			})
			if i < 0 {
				i = len(list)
				list = append(list, &contest{operation: operationOf(k), measuredOn: MeasuredOn(b), result: r})
			}
			c := list[i]
			if last := len(c.entrants) - 1; last < 0 || c.entrants[last].kernel != k { // the first pass
				c.entrants = append(c.entrants, newEntrant(k, b))
			}
		}
	}
	return slices.DeleteFunc(list, func(c *contest) bool {
		return len(c.entrants) < 2 || c.entrants[len(c.entrants)-1].kernel.Algorithm == nil
	})
}

// operationOf returns the operation of a kernel if there are algorithms for it, otherwise "".
func operationOf(k *Kernel) string {
	switch {
	case k.Algorithm != nil:
		return k.Algorithm.Operation
	case k.Component == kernel.MPI1 && len(suites.Algorithms(k.Name)) > 0:
		return k.Name
	}
	return ""
}

// span is a range of lengths at which the same entrants are the fastest.
type span struct {
	first, last int64
	fastest     []int     // the fastest entrant and those that don't differ significantly from it, in their order
	gains       []float64 // the base's time divided by the fastest one's, at each length
}

// time returns the time of an entrant at a length, with its interval, or no point if it has none.
func (c *contest) time(i int, bytes int64) chart.Point {
	e := c.entrants[i]
	if row := e.rows[bytes]; row != nil {
		return timeOf(c.result, e.kernel, e.kernel.Times()[0], row)
	}
	return chart.Point{}
}

// spans returns the ranges of lengths that at least two entrants have.
func (c *contest) spans() (list []span) {
	for _, row := range c.entrants[0].block.Rows {
		best, there := chart.Point{}, 0
		for i := range c.entrants {
			if t := c.time(i, row.Bytes); t.Y > 0 {
				if there++; best.Y == 0 || t.Y < best.Y {
					best = t
				}
			}
		}
		base := c.time(0, row.Bytes).Y
		if there < 2 || base <= 0 {
			continue
		}
		var fastest []int
		for i := range c.entrants {
			if t := c.time(i, row.Bytes); t.Y > 0 && (t.Y == best.Y || cmp.Or(t.Low, t.Y) < cmp.Or(best.High, best.Y)) {
				fastest = append(fastest, i)
			}
		}
		if last := len(list) - 1; last >= 0 && slices.Equal(list[last].fastest, fastest) {
			list[last].last, list[last].gains = row.Bytes, append(list[last].gains, base/best.Y)
			continue
		}
		list = append(list, span{row.Bytes, row.Bytes, fastest, []float64{base / best.Y}})
	}
	return list
}

// names returns the names of a span's entrants.
func (c *contest) names(x span) string {
	return strings.Join(lists.Each(x.fastest, func(i int) string { return c.entrants[i].kernel.Title() }), ", ")
}

// base returns the name of the first entrant.
func (c *contest) base() string { return c.entrants[0].kernel.Title() }

// lengths returns a span's lengths in words.
func (x span) lengths() string {
	if x.first == x.last {
		return words.Count(int(x.first), "byte")
	}
	return fmt.Sprintf("%d to %d bytes", x.first, x.last)
}

// gain returns how many times as fast as the base the fastest is, on average, or 0 if the base is among the fastest.
func (x span) gain() float64 {
	if x.fastest[0] == 0 {
		return 0
	}
	return compare.GeometricMean(x.gains)
}

// Contests returns a line for each range of lengths of each operation that algorithms and the library did: the fastest
// of them on the most processes.
func Contests(r *probe.Result) (lines []string) {
	for _, c := range largest(contests(r)) {
		for _, x := range c.spans() {
			line := fmt.Sprintf("%s on %s, %s: %s", c.operation, c.measuredOn, x.lengths(), c.names(x))
			if gain := x.gain(); gain > 0 {
				line += fmt.Sprintf(" (%.2f times as fast as %s)", gain, c.base())
			}
			lines = append(lines, line)
		}
	}
	return lines
}

// algorithmSections returns a section for each operation that algorithms and the library did.
func algorithmSections(r *probe.Result, figures []*document.Figure) (sections []document.Section) {
	byOperation := map[string]*document.Table{}
	for _, c := range contests(r) {
		id := contestID(c.operation)
		t := byOperation[c.operation]
		if t == nil {
			t = &document.Table{ID: id + "-table",
				Caption: "The fastest call or algorithm at each length. If intervals overlap, all of them are named. " +
					"The last column is empty if " + c.base() + " is one of them.",
				Columns: document.Heads("measured on", "lengths", "fastest", "times as fast as "+c.base()+" []")}
			byOperation[c.operation] = t
			sections = append(sections, document.Section{ID: id, Title: c.operation + ": library against algorithms",
				Blocks: slices.Concat([]document.Block{t}, parts.FiguresWithPrefix(figures, ratioID(c.operation)),
					[]document.Block{document.Paragraph(contestNote(r))})})
		}
		for _, x := range c.spans() {
			t.Add(c.measuredOn, x.lengths(), c.names(x), parts.Number(x.gain(), 2))
		}
	}
	return sections
}

// largest returns the contest of each operation on the most processes, which comes last.
func largest(all []*contest) (list []*contest) {
	for _, c := range all {
		i := slices.IndexFunc(list, func(other *contest) bool { return other.operation == c.operation })
		if i < 0 {
			list = append(list, c)
			continue
		}
		list[i] = c
	}
	return list
}

// contestID returns the ID of the section of an operation.
func contestID(operation string) string { return "probe-contest-" + strings.ToLower(operation) }

// ratioID returns the ID of the figure of an operation.
func ratioID(operation string) string { return contestID(operation) + "-ratio" }

// contestNote explains the times of a contest.
func contestNote(r *probe.Result) string {
	if r.Settings.Series.Timing == "" {
		return "The root is process 0 in all repetitions. A process that finishes a repetition early begins the next " +
			"one without waiting for the others. Use --timing max to time each repetition separately."
	}
	return "The root is process 0 in all repetitions. Each repetition begins when all processes are ready."
}

// contestPlots returns the pictures of operations on the most processes: how many times as fast as the library's call
// each algorithm is, over the message length.
func contestPlots(r *probe.Result) (list []chart.Picture) {
	for _, c := range largest(contests(r)) {
		var curves []curve
		for i, e := range c.entrants {
			curves = append(curves, curve{name: e.kernel.Title(), block: e.block,
				point: func(row *measured.Row) chart.Point {
					return chart.PointOf(c.time(0, row.Bytes).Y / c.time(i, row.Bytes).Y)
				}})
		}
		list = append(list, plot(ratioID(c.operation), c.operation+" on "+c.measuredOn+": speed against "+c.base(),
			chart.Ratio.Named("times as fast as "+c.base()), curves))
	}
	return list
}
