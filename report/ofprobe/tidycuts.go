package ofprobe

import (
	"slices"

	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/report/tidy"
	"github.com/effective-bandwidth/beff/report/words"
)

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
