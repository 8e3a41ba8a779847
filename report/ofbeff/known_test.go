package ofbeff

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
)

// layersOf returns the layers of a type in a figure.
func layersOf[T chart.Layer](f *document.Figure) (list []T) {
	for _, l := range f.Drawing.(*chart.Chart).Layers {
		if x, ok := l.(T); ok {
			list = append(list, x)
		}
	}
	return list
}

// figured draws the pictures of samples.
func figured(pictures func(*samples) []chart.Picture, s *samples) []*document.Figure {
	return chart.Figures(pictures(s)...)
}

// exchange returns the seconds that an exchange of l bytes by method m takes on a fixture's cluster: 1 µs and 0.1 ns
// for each byte, and a tenth of this more for each further method.
func exchange(l int64, m int) float64 { return (1 + 0.1*float64(m)) * (1e-6 + 1e-10*float64(l)) }

// If results differ in one aspect, the only notice names it, with the value of each result.
func TestNoticeNamesDifference(t *testing.T) {
	for text, change := range map[string]func(*beff.Result){
		"the rules differ: a 2001, b 3.6":                   func(r *beff.Result) { r.Rules = beff.Rules36 },
		"the engines differ: a MPI, b embedded engine":      func(r *beff.Result) { r.Engine.Engine = "local" },
		"the longest messages differ: a 7 bytes, b 8 bytes": func(r *beff.Result) { r.Lmax = 8 },
		"the numbers of processes differ: a 8, b 9":         func(r *beff.Result) { r.Processes = 9 },
		"b is NOT VALID for comparison":                     func(r *beff.Result) { r.Valid = false },
	} {
		a, b := fixture.Cluster("a").Result(), fixture.Cluster("b").Result()
		a.Lmax, b.Lmax, a.Engine.Engine, b.Engine.Engine = 7, 7, "libmpi", "libmpi"
		change(b)
		list := compared(t, a, b).Document.Notices
		require.Len(t, list, 1)
		require.Equal(t, text, list[0].Text)
	}
}

// newSamples returns nil for a result in which a list is empty, or with more than 2^20 measurements.
func TestMostMeasurements(t *testing.T) {
	of := func(patterns, lengths, methods, repetitions int) *samples {
		r := &beff.Result{Patterns: make([]beff.Pattern, patterns), Lengths: make([]int64, lengths),
			Methods: make([]string, methods), Repetitions: repetitions}
		return newSamples(r)
	}
	for _, n := range [][4]int{{1, 1, 1, 1}, {1, 1, 1, 1 << 20}, {2, 1, 2, 1 << 18}, {1 << 10, 1 << 10, 1, 1}} {
		require.NotNil(t, of(n[0], n[1], n[2], n[3]), "%v", n)
	}
	for _, n := range [][4]int{{0, 1, 1, 1}, {1, 0, 1, 1}, {1, 1, 0, 1}, {1, 1, 1, 0}, {1, 1, 1, 1<<20 + 1},
		{2, 1, 2, 1<<18 + 1}, {1 << 10, 1<<10 + 1, 1, 1}, {1, 1, 1, -1}} {
		require.Nil(t, of(n[0], n[1], n[2], n[3]), "%v", n)
	}
}

// machine returns the samples of a cluster's result with some methods and some patterns.
func machine(methods []string, patterns ...string) *samples {
	m := fixture.Cluster("a")
	m.Config.Methods, m.Config.Patterns = methods, patterns
	return newSamples(m.Result())
}

// Each dot is a method's mean bandwidth over all lengths, for each ring, and for the randoms if any were measured.
func TestMethodDots(t *testing.T) {
	two, all := []string{"sendrecv", "nonblocking"}, []string(nil)
	require.Empty(t, figured(methodDots, machine([]string{"sendrecv"})))
	require.Empty(t, figured(methodDots, machine(all, "ping-pong")))
	for _, c := range []struct {
		s    *samples
		dots int
	}{
		{machine(two), 2 * 7}, {machine(all), 3 * 7}, {machine(all, "ring"), 3 * 6},
		{machine(all, "ring", "random-01"), 3 * 7},
		{machine(all, "random-01"), 3}, {machine(two, "ring-1[*]8fix"), 2},
	} {
		list := figured(methodDots, c.s)
		require.Len(t, list, 1)
		dots := layersOf[chart.Marks](list[0])
		require.Len(t, dots, c.dots)
	}
	s := machine(all, "ring")
	dots := layersOf[chart.Marks](figured(methodDots, s)[0])
	for m := range 3 {
		sum := 0.0
		for _, l := range s.Lengths {
			sum += float64(l) / exchange(l, m)
		}
		require.InEpsilon(t, sum/21, dots[m].Values()[0].X, 1e-9, "method %d", m)
	}
	// A method without samples has no dots.
	r := fixture.Cluster("a").Result()
	r.Samples = slices.DeleteFunc(r.Samples, func(s beff.Sample) bool { return s.Method == 1 })
	require.Len(t, layersOf[chart.Marks](figured(methodDots, newSamples(r))[0]), 2*7)
}

// If two or more methods were measured, each has a chart of rings and randoms over the mean of the rings by the best
// method.
func TestBandwidthsOfMethods(t *testing.T) {
	for _, c := range []struct {
		s    *samples
		want int
	}{{machine([]string{"sendrecv"}), 0}, {machine([]string{"sendrecv", "nonblocking"}), 1}, {machine(nil), 1},
		{machine([]string{"sendrecv"}, "ring-1[*]8fix"), 0}, {machine(nil, "ping-pong"), 0}} {
		require.Len(t, figured(ringGroup.each, c.s), c.want)
	}
	s := machine(nil)
	charts := fixture.Charts(figured(ringGroup.each, s)[0])
	require.Len(t, charts, len(s.Methods))
	for m, c := range charts {
		curve := layersOf[chart.Curve](&document.Figure{Drawing: c})[1] // the first one is the mean of the randoms
		for l, p := range curve.Points {
			require.InEpsilon(t, exchange(s.Lengths[l], 0)/exchange(s.Lengths[l], m), p.Y, 1e-9)
			require.EqualValues(t, s.Lengths[l], p.X)
		}
	}
	r := fixture.Cluster("a").Result()
	r.Samples = slices.DeleteFunc(r.Samples, func(s beff.Sample) bool { return s.Method == 1 })
	charts = fixture.Charts(figured(ringGroup.each, newSamples(r))[0])
	require.Len(t, charts, 2, "no chart for a method without samples")
}

// Without rings, pictures and tables show bandwidths instead of ratios.
func TestWithoutRings(t *testing.T) {
	s := machine(nil, "ping-pong", "worst-cycle")
	f := figured(detailGroup.best, s)[0]
	require.Equal(t, "Detail patterns: bandwidth per process, best method", f.Title)
	worst := layersOf[chart.Curve](f)[0]
	require.InEpsilon(t, s.best(0, 3), worst.Points[3].Y, 1e-9)
	require.NotContains(t, f.Caption, "mean")
	table := patternsSection(s).Blocks[1].(*document.Table)
	require.Equal(t, []string{"worst cycle", "MB/s"}, []string{table.Rows[0][0].Text, table.Columns[1].Unit})
	require.Equal(t, "-", detailSection(s).Blocks[0].(*document.Table).Rows[0][6].Text)
}

// Tables show the bandwidths of patterns divided by the mean of the rings.
func TestOverRings(t *testing.T) {
	s := machine(nil)
	details := detailSection(s).Blocks[0].(*document.Table)
	by := func(rows [][]document.Cell, name string) []document.Cell {
		return rows[slices.IndexFunc(rows, func(row []document.Cell) bool { return row[0].Text == name })]
	}
	row := by(details.Rows, "random pattern 7")
	require.Equal(t, "random-07", row[1].Text)
	require.InEpsilon(t, s.Derived.Randoms/s.Derived.Rings, *row[6].Value, 1e-9)
	table := patternsSection(s).Blocks[1].(*document.Table)
	require.InEpsilon(t, 1/1.5, *by(table.Rows, "random pattern 7")[1].Value, 1e-9)
	require.InEpsilon(t, 1, *by(table.Rows, "1 ring of 8 processes")[1].Value, 1e-9)
}

// Latencies are drawn for messages up to 4 kB. They are the time of an exchange in the rings, 1.5 times this time in
// the randoms, and the time of one message of the ping-pong pair.
func TestLatencies(t *testing.T) {
	s := machine(nil)
	f := figured(latencies, s)[0]
	curves := layersOf[chart.Curve](f)
	require.Len(t, curves, 1+6+1)
	for i, c := range curves {
		usable := 0
		for l, p := range c.Points {
			if !p.Usable() {
				continue
			}
			usable++
			want := exchange(s.Lengths[l], 0)
			switch i {
			case 0:
				want *= 1.5
			case 7: // the pair's exchange is two messages, one after the other
				want /= 2
			}
			require.InEpsilon(t, want, p.Y, 1e-9, "curve %d, length %d", i, l)
		}
		require.Equal(t, 13, usable, "1 byte to 4 kB")
	}
	require.InEpsilon(t, s.Derived.LatencyPingPong, curves[7].Points[0].Y, 1e-9)
	r := fixture.Cluster("a").Result()
	r.Lengths = slices.Clone(r.Lengths)
	r.Lengths[13] = 4097
	longer := layersOf[chart.Curve](figured(latencies, newSamples(r))[0])[1].Points
	require.True(t, longer[12].Usable())
	require.False(t, longer[13].Usable())
	require.Len(t, layersOf[chart.Curve](figured(latencies, machine(nil, "ping-pong"))[0]), 1)
}

// The third repetition takes longer by 2 % of the first method's time, so its bandwidth is 0.02/1.02 below the best.
// With the second method, whose time is a tenth longer, it is 0.02/1.12, and so on. Equal lengths share a box.
func TestSpreadOfRepetitions(t *testing.T) {
	for memory, lengths := range map[int64]int{4 << 30: 21, 512 << 10: 13} {
		m := fixture.Cluster("a")
		m.Config.Memory = memory
		s := newSamples(m.Result())
		f := figured(repetitionSpread, s)[0]
		dots := layersOf[chart.Quartiles](f)
		require.Len(t, dots, lengths)
		last := 0.0
		for i, q := range dots {
			require.Greater(t, q.X, last)
			last = q.X
			times := 1
			if i == 12 {
				times = 22 - lengths
			}
			require.Len(t, q.Sorted, 36*3*times)
			for j, x := range q.Sorted {
				method := 2 - j/(36*times)
				require.InEpsilon(t, 100*0.02/(1.02+0.1*float64(method)), x, 1e-9)
			}
		}
		legend := f.Drawing.(*chart.Chart).Legend
		require.Equal(t, []chart.Layer{chart.Whisker{From: chart.Point{X: 0, Y: 0.5}, To: chart.Point{X: 1, Y: 0.5}}},
			legend[3].Icon, "across the icon")
		require.Equal(t, chart.MarkIcon(chart.Style{Colour: chart.Ink, Shape: chart.MarkShapes,
			Width: chart.LineWidth}), legend[0].Icon, "the first shape that stands for no method")
	}
	m := fixture.Cluster("a")
	m.SlowerPerRepetition = 0.0001
	for _, q := range byLength(newSamples(m.Result())) {
		require.EqualValues(t, 0.1, q.Sorted[0], "less is drawn as 0.1 %")
	}
	require.Empty(t, figured(repetitionSpread, newSamples(m.Result())), "a model without noise")
	r := fixture.Cluster("a").Result()
	r.Lengths = slices.Clone(r.Lengths)
	r.Lengths[0] = 0
	require.Len(t, byLength(newSamples(r)), 20, "the axis has no place for length 0")
	m.Config.Quick = true
	require.Empty(t, figured(repetitionSpread, newSamples(m.Result())), "one repetition has no spread")
}

// Machines with different numbers of processes are compared by their figures per process.
func TestRatioPerProcess(t *testing.T) {
	more := fixture.Cluster("b")
	more.Processes, more.PerByte = 16, 0.5e-10
	a, b := fixture.Cluster("a").Result(), more.Result()
	for _, pair := range [][2]*beff.Result{{a, b}, {b, a}} {
		o := compared(t, pair[0], pair[1]).Pairs[0]
		x, y := pair[0].Derived, pair[1].Derived
		require.InEpsilon(t, y.BEffPerProcess/x.BEffPerProcess, o.Main.Ratio(), 1e-12)
		require.InEpsilon(t, x.BEffPerProcess, o.Groups[0].Rows[0].First.Value, 1e-12)
		require.InEpsilon(t, y.BEffPerProcess, o.Groups[0].Rows[0].Second.Value, 1e-12)
		interval := o.Groups[0].Rows[0].Interval()
		require.True(t, interval.Known && interval.Holds(o.Main.Ratio()))
	}
}

// Readers can sort the patterns of a report by their bandwidths.
func TestSortable(t *testing.T) {
	for _, section := range Document(fixture.Cluster("a").Result(), nil).Sections {
		if section.ID == "averages-patterns" {
			require.True(t, section.Blocks[0].(*document.Table).Sortable)
			return
		}
	}
	t.Fatal("there are no patterns")
}
