package ofprobe

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/probe/suites"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
	"github.com/effective-bandwidth/beff/stats"
)

// tailed returns a result of Bcast whose repetitions take 1 µs, and one in a hundred of them longer.
func tailed(slow int64) *probe.Result {
	p := fixture.ProbeCluster()
	p.Result.Settings.Series.Quantiles = []float64{50, 99.5, 99.999}
	b := p.Add(kernel.MPI1, "Bcast", settings.Plain, 4, 1)
	b.Rows = b.Rows[1:2]
	row, h := &b.Rows[0], new(stats.Histogram)
	for i := range int64(1000) {
		h.Add(1e6+i, 99)
		h.Add(slow+slow*i/1000, 1)
	}
	row.Samples, row.Repetitions = nil, h.N()
	row.Series = []measured.Series{{Counted: &measured.Counted{Max: h}, Ended: settings.AtMost}}
	k, _, _ := suites.Find(kernel.MPI1, "Bcast")
	row.Derive(&p.Result.Settings, k, b)
	return &p.Result
}

// Tails have a table with their intervals, or with the repetitions that these need, and a picture with the quantiles as
// marks.
func TestTails(t *testing.T) {
	r := tailed(10e6)
	k := kernelsOf(r)[0]
	blocks := tailBlocks(r, k)
	require.Len(t, blocks, 1)
	text := ""
	for _, c := range blocks[0].(*document.Table).Rows[0] {
		text += c.Text + "|"
	}
	require.Contains(t, text, "|14.987|14.549 to 15.434|")
	require.Contains(t, text, "too few repetitions: 368,887 are needed")
	p := tailPlot(r, k)
	require.Len(t, p.Series, 1)
	marks := 0
	for _, pt := range p.Series[0].Points {
		marks += pt.Mark
	}
	require.Equal(t, 2, marks, "the third quantile isn't known")
	require.LessOrEqual(t, len(p.Series[0].Points), 100)
	require.NotNil(t, p.Figure())

	rows := 0
	for range quantilesTable(r).Rows {
		rows++
	}
	require.Equal(t, 3, rows)
	require.False(t, histogramsTable(r).Empty())
	require.True(t, noiseTable(r).Empty())
}

// Comparisons test tails as well as medians: here the medians are alike, and the tail of the second is twice as long.
// The mean over all kernels only uses the times.
func TestComparedTails(t *testing.T) {
	c, err := Compared([]string{"a", "b"}, [][]*probe.Result{{tailed(10e6)}, {tailed(20e6)}})
	require.NoError(t, err)
	groups := c.Pairs[0].Groups
	require.Len(t, groups, 3, "times, P50, P99.5")
	require.InEpsilon(t, 1, groups[0].Rows[0].Ratio(), 1e-3)
	require.InEpsilon(t, 0.5, groups[2].Rows[0].Ratio(), 1e-3)
	require.True(t, groups[2].Rows[0].Significant)
	require.False(t, groups[1].Rows[0].Significant)
	require.True(t, strings.HasSuffix(groups[2].Name, "P99.5"))
	require.InEpsilon(t, 1, c.Pairs[0].Main.Ratio(), 1e-3)
}

// Rows of noise name the process that lost most.
func TestNoiseOfRows(t *testing.T) {
	p := fixture.ProbeCluster()
	b := p.Add(kernel.Noise, "Detour", settings.Plain, 4, 1)
	b.Rows = b.Rows[:1]
	h := new(stats.Histogram)
	h.Add(1e9, 100)
	row := &b.Rows[0]
	row.Samples, row.Series = nil, nil
	row.Noise = &rating.Noise{Method: rating.Detours, Seconds: 1, Bin: 1e-4, Shares: []float64{0, 0.1, 0.01, 0},
		Longest: []float64{0, 1e-3, 1e-4, 0}, Periods: []float64{0, 10e-3, 0, 0}, Worst: 1, Detours: h}
	k, _, _ := suites.Find(kernel.Noise, "Detour")
	row.Derive(&p.Result.Settings, k, b)
	require.Equal(t, kernel.Times{Noise: 0.1, Detour: 1e-3, Period: 10e-3}, row.Derived[0])
	blocks := noiseBlocks(&p.Result, kernelsOf(&p.Result)[0])
	require.Contains(t, blocks[0].(document.List)[0], "process 1 lost 10 % of its time to other work on its "+
		"processor, up to 1 ms at once, every 10 ms")
	require.Equal(t, "1", blocks[1].(*document.Table).Rows[0][1].Text)
	require.NotNil(t, noisePlot(kernelsOf(&p.Result)[0]).Figure())
}
