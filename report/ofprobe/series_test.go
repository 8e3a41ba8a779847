package ofprobe

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/compare"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
	"github.com/effective-bandwidth/beff/report/tidy"
)

// seriesResult returns a result of adaptive lengths in two passes: 1 µs, 1 ns a byte, and 5 µs more above 256 bytes,
// ±10 %.
func seriesResult() *probe.Result {
	r := fixture.ProbeCluster().Result
	precision := settings.Default.Precision
	r.Settings.Series.Precision, r.Settings.Passes = &precision, 2
	r.Settings.Rows.Adaptive = &settings.Adaptive{Max: 1024, Difference: 0.1, Stride: 64, MaxLengths: 100}
	r.Clock = &measured.Clock{Resolution: 1e-9, Reading: 3e-8}
	for pass := 1; pass <= 2; pass++ {
		b := measured.Block{Kernel: "Sendrecv", Component: kernel.MPI1, Processes: 4, Pass: pass}
		for _, bytes := range []int64{0, 64, 128, 256, 512, 1024, 384, 320} {
			t := int64(pass) * (1e6 + 1000*bytes)
			if bytes > 256 {
				t += 5e6
			}
			b.Rows = append(b.Rows, measured.Row{Bytes: bytes, Repetitions: 5, Checked: 1, Series: []measured.Series{{
				Ended: settings.Precise, Max: []int64{t, t * 101 / 100, t, t * 99 / 100, t}}}})
		}
		r.Blocks = append(r.Blocks, b)
	}
	probe.Rederive(&r)
	return &r
}

// cellsOf returns the texts of the cells of a table's rows.
func cellsOf(t *document.Table) (list []string) {
	for _, row := range t.Rows {
		var cells []string
		for _, c := range row {
			cells = append(cells, c.Text)
		}
		list = append(list, strings.Join(cells, " | "))
	}
	return list
}

func TestSeriesReport(t *testing.T) {
	r := seriesResult()
	require.NoError(t, r.Check())
	k := kernelsOf(r)[0]
	blocks := seriesBlocks(r, k)
	require.Len(t, blocks, 3)
	rows := cellsOf(blocks[0].(*document.Table))
	require.Equal(t, "4 processes, pass 1 | 256 | 5 | precision | 1.256 | 0.011 | 0.9 | 1.243 | 1.256 | 1.264 | "+
		"1.268 | "+
		"1.269 | 2", rows[3], "sorted by length")
	require.Equal(t, document.List{
		"On 4 processes, pass 1, the time jumps by +5 µs above 256 bytes (measured at 256 and 320 bytes).",
		"On 4 processes, pass 2, the time jumps by +5 µs above 256 bytes (measured at 256 and 320 bytes)."}, blocks[1])
	rows = cellsOf(blocks[2].(*document.Table))
	require.Len(t, rows, 8)
	require.Equal(t, "4 processes | 0 | 2 | 1.000 | 1.500 | 2.000 | 66.7", rows[0])
}

// The figure has a bar for each interval, a mark for each length that was added, and a line where the time jumps.
func TestSeriesFigure(t *testing.T) {
	r := seriesResult()
	figures := Figures(r)
	c := figures[0].Drawing.(*chart.Chart)
	bars, marks := 0, 0
	for _, l := range c.Layers {
		switch m := l.(type) {
		case chart.Whisker:
			bars++
			require.Less(t, m.From.Y, m.To.Y)
		case chart.Marks:
			marks += len(m.Points)
		}
	}
	require.Equal(t, 2*7, bars, "length 0 has no place")
	require.Equal(t, 2*2, marks, "384 and 320")
	require.Contains(t, figures[0].Caption, "Bars are the intervals with a confidence of 95 %.")
	require.Equal(t, 2, c.Curves(), "two passes")
	require.Len(t, c.Legend, 1, "the added lengths once")
}

// Each picture appears in the report, whose parts select theirs by the ends of the IDs, and is fit to be read.
func TestFigures(t *testing.T) {
	results := fixture.Probed()
	results["series"], results["pairs"] = seriesResult(), &PairsCluster().Result
	for name, r := range results {
		figures := Figures(r)
		require.ElementsMatch(t, fixture.FigureIDs(figures), fixture.FigureIDs(Document(r, figures).Figures()),
			"%s: the section that shows a picture lists the end of its ID, as kernelFigures in document.go does", name)
		fixture.RequireAllGood(t, name, figures)
	}
}

func TestSeriesCSV(t *testing.T) {
	var b bytes.Buffer
	tables := Report{seriesResult()}.Tables()
	require.NoError(t, tidy.CSV(&b, tables[1]))
	lines := strings.Split(b.String(), "\n")
	require.True(t, strings.HasSuffix(lines[0], ",mean,mean_low,mean_high,median,median_low,median_high,min,max,"+
		"deviation,p90,p99,outliers,timing,ended,checked,defects,missing"), lines[0])
	require.Contains(t, lines[1], ",loop,precision,")
	require.Contains(t, lines[1], ",,,", "five have no interval of the median")
	b.Reset()
	require.NoError(t, tidy.CSV(&b, tables[0]))
	lines = strings.Split(b.String(), "\n")
	require.Len(t, lines, 1+2*8*5+1)
	require.Equal(t, "Sendrecv,MPI1,,0,,,,1,4,0,0,,,,,1,1,0.00000101,,", lines[2])
}

// Changed figures of a series are found.
func TestSeriesIsProven(t *testing.T) {
	stated := seriesResult()
	changed := copied(stated)
	changed.Blocks[0].Rows[1].Statistics = append([]measured.Statistics{}, stated.Blocks[0].Rows[1].Statistics...)
	require.NoError(t, sameRows(changed, stated))
	changed.Blocks[0].Rows[1].Statistics[0].MeanInterval = []float64{1e-6, 2e-6}
	require.ErrorContains(t, sameRows(changed, stated),
		"statistics[0].mean_interval[0] is 1e-06, the samples give")
}

// The reason why a series ended follows from its times: these are precise to 2.5 %.
func TestEndingsAreProven(t *testing.T) {
	require.NoError(t, sameRows(seriesResult(), seriesResult()))
	for _, ended := range []settings.Ending{settings.AtMost, settings.OutOfTime} {
		r := seriesResult()
		r.Blocks[1].Rows[2].Series[0].Ended = ended
		require.EqualError(t, sameRows(r, seriesResult()),
			"Sendrecv of 4 processes, 128 bytes: series[0]: it ended by "+
				string(ended)+", its times give precision")
	}
	r := seriesResult()
	r.Settings.Series.Precision.Relative = 0.001
	require.ErrorContains(t, sameRows(r, r), "it ended by precision, its times give time")
	r.Blocks[0].Rows[0].Offsets = &measured.Offsets{}
	require.ErrorContains(t, sameRows(r, r), "64 bytes", "offsets are taken off once more after the decision")
}

// Results that both have series are compared by their intervals.
func TestSeriesCompared(t *testing.T) {
	first, second := seriesResult(), seriesResult()
	first.Blocks, second.Blocks = first.Blocks[:1], second.Blocks[:1]
	for i := range second.Blocks[0].Rows[:7] {
		x := &second.Blocks[0].Rows[i].Series[0]
		for j := range x.Max {
			x.Max[j] /= 2
		}
	}
	probe.Rederive(second)
	c, err := Compared([]string{"a", "b"}, sidesOf(first, second))
	require.NoError(t, err)
	row := c.Pairs[0].Groups[0].Rows[0]
	require.InEpsilon(t, 2, row.Ratio(), 1e-9)
	in := row.Interval()
	require.True(t, in.Known && in.Holds(2))
	// Each time has ±0.89 %, 2.776 times the deviation of a mean of 5. The ratio has 8 degrees of freedom, so t =
	// 2.306.
	half := 0.00886 / 2.776 * math.Sqrt2 * 2.306
	require.InEpsilon(t, 2*(1-half), in.Low, 1e-3)
	require.InEpsilon(t, 2*(1+half), in.High, 1e-3)
	sections := c.Document.Sections
	table := sections[3].Blocks[0].(*document.Table)
	last := len(table.Columns) - 1
	require.Equal(t, "significant", table.Columns[last].Name)
	require.Equal(t, "yes", table.Rows[0][last].Text)
	require.Equal(t, "no", table.Rows[7][last].Text, "the last length is the same")
	method := fmt.Sprint(sections[len(sections)-1].Blocks)
	require.Contains(t, method, "Repetitions are the passes or runs")
	require.NotContains(t, method, "There is only one sample of each length")
	require.True(t, c.Pairs[0].Main.Interval().Known)
	require.Contains(t, sections[2].Blocks[1], "smallest difference in speed")
}

// passesOf returns a result whose passes take so many times as long as the first one of the fixture.
func passesOf(factors ...float64) *probe.Result {
	p := fixture.ProbeCluster()
	for i, factor := range factors {
		b := p.Add(kernel.MPI1, "PingPong", settings.Plain, 2, 1)
		if len(factors) > 1 {
			b.Pass = i + 1
		}
		for j := range b.Rows {
			for g := range b.Rows[j].Derived {
				d := &b.Rows[j].Derived[g]
				d.Min, d.Max, d.Mean, d.Bandwidth = d.Min*factor, d.Max*factor, d.Mean*factor, d.Bandwidth/factor
			}
		}
	}
	p.Result.Settings.Passes = len(factors)
	return &p.Result
}

// Passes of a run are its repetitions: a row is their geometric mean, and the comparison uses their spread. The same
// holds for the runs of a side.
func TestPassesAndRunsCompared(t *testing.T) {
	for _, sides := range [][][]*probe.Result{
		{{passesOf(1, 1.01, 0.99)}, {passesOf(1.5, 1.52, 1.48)}},
		{{passesOf(1), passesOf(1.01), passesOf(0.99)}, {passesOf(1.5), passesOf(1.52), passesOf(1.48)}},
		{{passesOf(1, 1.01), passesOf(0.99)}, {passesOf(1.5, 1.52, 1.48)}},
	} {
		c, err := Compared([]string{"a", "b"}, sides)
		require.NoError(t, err)
		o := c.Pairs[0]
		require.Len(t, o.Groups, 1)
		require.Empty(t, o.OnlyFirst)
		require.Empty(t, o.OnlySecond)
		require.Equal(t, "PingPong (MPI1), 2 processes", o.Groups[0].Name)
		require.Len(t, o.Groups[0].Rows, len(fixture.ProbeLengths))
		want := compare.Difference{First: compare.OfMean([]float64{1, 1.01, 0.99}),
			Second: compare.OfMean([]float64{1.5, 1.52, 1.48})}
		for _, r := range o.Groups[0].Rows {
			require.InEpsilon(t, 1/want.Ratio(), r.Ratio(), 1e-9)
			require.InEpsilon(t, 1/want.Interval().High, r.Interval().Low, 1e-9)
			require.True(t, r.Significant)
		}
		require.InEpsilon(t, 1/want.Interval().Low, o.Main.Interval().High, 1e-9, "all rows of a pass vary together")
		require.NoError(t, c.Document.Validate())
		if len(sides[0]) > 1 {
			require.Contains(t, fmt.Sprint(c.Document.Sections), "If a side has several runs")
			require.Contains(t, c.Document.Facts[0].Value, "mean of ")
		}
	}
}

// Two runs without series have only the spread of their distance, those with series at least the spread of the series.
// A kernel that one run of a side lacks is compared by the others.
func TestTwoRunsCompared(t *testing.T) {
	two := []*probe.Result{passesOf(1), passesOf(1.02)}
	c, err := Compared([]string{"a", "b"}, [][]*probe.Result{two, two})
	require.NoError(t, err)
	in := c.Pairs[0].Main.Interval()
	require.True(t, in.Known)
	// Each mean has the deviation log(1.02)/2 and one degree of freedom: of both together there are two, t = 4.303.
	require.InEpsilon(t, 4.303*math.Sqrt2*math.Log(1.02)/2, math.Log(in.High), 1e-3)

	one := seriesResult()
	side := []*probe.Result{one, one}
	c, err = Compared([]string{"a", "b"}, [][]*probe.Result{side, side})
	require.NoError(t, err)
	single, err := Compared([]string{"a", "b"}, sidesOf(one, one))
	require.NoError(t, err)
	for _, main := range []compare.Difference{c.Pairs[0].Main, single.Pairs[0].Main} {
		require.True(t, main.Interval().Known)
		require.EqualValues(t, 1, main.Ratio())
	}
	require.InEpsilon(t, math.Log(single.Pairs[0].Main.Interval().High)/math.Sqrt2,
		math.Log(c.Pairs[0].Main.Interval().High), 0.05, "two runs with the same spread each")

	more := passesOf(1)
	more.Blocks = append(more.Blocks, seriesResult().Blocks[0])
	more.Blocks[1].Pass = 0
	c, err = Compared([]string{"a", "b"}, [][]*probe.Result{{more, passesOf(1)}, {more}})
	require.NoError(t, err)
	require.Len(t, c.Pairs[0].Groups, 2)
}

// A row that has no spread, such as one of two repetitions, doesn't take the overall ratio's away.
func TestRowWithoutSpread(t *testing.T) {
	first, second := seriesResult(), seriesResult()
	first.Blocks, second.Blocks = first.Blocks[:1], second.Blocks[:1]
	full, err := Compared([]string{"a", "b"}, sidesOf(first, second))
	require.NoError(t, err)
	row := &first.Blocks[0].Rows[0]
	row.Repetitions = 2
	for i := range row.Series {
		row.Series[i].Max = row.Series[i].Max[:2]
	}
	probe.Rederive(first)
	c, err := Compared([]string{"a", "b"}, sidesOf(first, second))
	require.NoError(t, err)
	require.False(t, c.Pairs[0].Groups[0].Rows[0].Interval().Known)
	require.True(t, c.Pairs[0].Main.Interval().Known)
	require.GreaterOrEqual(t, c.Pairs[0].Main.Interval().High, full.Pairs[0].Main.Interval().High*0.999)
}

// How a probe measured decides which others it may be judged by, or averaged with.
func TestWay(t *testing.T) {
	way := func(change func(*probe.Result)) string {
		r := passesOf(1)
		change(r)
		e := Report{Result: r}.Entry()
		return e.Basis().Way
	}
	first := way(func(*probe.Result) {})
	require.Equal(t, "IMB user's guide 4.0, caches used", first)
	require.Equal(t, first, way(func(r *probe.Result) {
		r.Settings.Series.Timing, r.Settings.Method = "loop",
			"guide"
	}))
	seen := map[string]bool{first: true}
	for _, change := range []func(*probe.Result){
		func(r *probe.Result) { r.Settings.Series.Precision = &settings.Precision{} },
		func(r *probe.Result) { r.Settings.Memory.CacheSize = 1 << 20 },
		func(r *probe.Result) { r.Settings.Series.Timing = settings.ByMax },
		func(r *probe.Result) { r.Settings.Method = settings.ByIMB2021 },
	} {
		require.False(t, seen[way(change)])
		seen[way(change)] = true
	}
}
