package ofprobe

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
)

// probed returns a machine's result. The kernels are the same for any latency.
func probed(latency float64) *probe.Result {
	p := fixture.ProbeCluster()
	p.Latency = latency
	p.Add(kernel.MPI1, "PingPong", settings.Plain, 2, 1)
	p.Add(kernel.MPI1, "Allreduce", settings.Plain, 2, 1)
	p.Add(kernel.MPI1, "Allreduce", settings.Plain, 4, 1)
	p.Add(kernel.EXT, "Unidir_Put", settings.Aggregate, 2, 1)
	p.Add(kernel.EXT, "Unidir_Put", settings.NonAggregate, 2, 1)
	p.Add(kernel.MPI1, "Barrier", settings.Plain, 2, 1)
	p.Add(kernel.MPI1, "Barrier", settings.Plain, 4, 1)
	return &p.Result
}

// each returns sides of one run each.
func each(rs ...*probe.Result) [][]*probe.Result {
	return lists.Each(rs, func(r *probe.Result) []*probe.Result { return []*probe.Result{r} })
}

// A side of several runs is drawn by the geometric means that the table has, with the interval between its runs.
func TestProbeOverlayOfRuns(t *testing.T) {
	a, b, fast, slow := probed(1e-6), probed(2e-6), probed(1e-6), probed(4e-6)
	of := func(sides ...[]*probe.Result) []*document.Figure { return Overlay([]string{"a", "b"}, sides) }
	points := func(f *document.Figure) (ys []float64) {
		for _, l := range f.Drawing.(*chart.Chart).Layers {
			if c, is := l.(chart.Curve); is && strings.HasPrefix(c.Name, "b") {
				for _, pt := range c.Points {
					ys = append(ys, pt.Y)
				}
			}
		}
		return ys
	}
	want := []*document.Figure{}
	for _, r := range []*probe.Result{fast, slow} {
		want = append(want, of([]*probe.Result{a}, []*probe.Result{r})[0])
	}
	got := points(of([]*probe.Result{a}, []*probe.Result{fast, slow})[0])
	require.NotEmpty(t, got)
	for i, y := range got {
		require.InEpsilon(t, math.Sqrt(points(want[0])[i]*points(want[1])[i]), y, 1e-9)
	}
	slow.Blocks = slow.Blocks[:1] // what a run lacks isn't drawn
	require.Len(t, of([]*probe.Result{a}, []*probe.Result{b, slow}), 2)
}

// One picture for each kernel that both have, with a curve for each result and mode.
func TestProbeOverlay(t *testing.T) {
	a, b := probed(1e-6), probed(2e-6)
	list := Overlay([]string{"a", "b"}, each(a, b))
	require.Equal(t, []string{"compare-mpi1-pingpong-time", "compare-mpi1-pingpong-bandwidth",
		"compare-mpi1-allreduce-time",
		"compare-ext-unidir-put-time", "compare-ext-unidir-put-bandwidth", "compare-mpi1-barrier-processes"},
		fixture.FigureIDs(list))
	require.Contains(t, list[2].Caption, "Allreduce (IMB-MPI1): time over message length.")
	require.Equal(t, []string{"a, 2 processes, aggregate", "b, 2 processes, aggregate", "a, 2 processes, non-aggregate",
		"b, 2 processes, non-aggregate"}, fixture.CurveNames(list[3]))
	require.Equal(t, "a, 4 processes", fixture.CurveNames(list[2])[0],
		"the most processes that both have")

	b.Blocks = b.Blocks[1:3] // Allreduce, whose 4 processes are left out, too
	b.Blocks = b.Blocks[:1]
	list = Overlay([]string{"a", "b"}, each(a, b))
	require.Equal(t, []string{"compare-mpi1-allreduce-time"}, fixture.FigureIDs(list))
	require.Equal(t, "a, 2 processes", fixture.CurveNames(list[0])[0])
}

// A picture whose points are all at one length, or on one number of processes, is none.
func TestProbeOverlayOfOnePlace(t *testing.T) {
	a, b := probed(1e-6), probed(2e-6)
	for _, r := range []*probe.Result{a, b} {
		r.Blocks = append(r.Blocks[1:2:2], r.Blocks[5], r.Blocks[5])
		r.Blocks[0].Rows = r.Blocks[0].Rows[2:3]
	}
	require.Empty(t, Overlay([]string{"a", "b"}, each(a, b)))
}

// Measured results are dots, simulated ones lines.
func TestProbeOverlayOfModels(t *testing.T) {
	a, b := probed(1e-6), probed(2e-6)
	b.Engine = mpi.Library{Engine: "sim", Stated: mpi.EngineKind{Simulated: true}}
	list := Overlay([]string{"a", "b"}, each(a, b))
	require.Contains(t, list[0].Caption, "Dots are measured, lines simulated.")
	var dots []bool
	for _, l := range list[0].Drawing.(*chart.Chart).Layers {
		if c, is := l.(chart.Curve); is {
			dots = append(dots, c.Dots)
		}
	}
	require.Equal(t, []bool{true, false}, dots)
}

// Curves of results with series have a bar for each interval, other curves have none.
func TestProbeOverlayOfSeries(t *testing.T) {
	a, b := seriesResult(), seriesResult()
	bars := func() (list []string) {
		figure := Overlay([]string{"a", "b"}, each(a, b))[0]
		for _, l := range figure.Drawing.(*chart.Chart).Layers {
			if bar, is := l.(chart.Whisker); is {
				require.Less(t, bar.From.Y, bar.To.Y)
				list = append(list, bar.Name)
			}
		}
		require.Equal(t, len(list) > 0, strings.Contains(figure.Caption, "Bars are the intervals of each result."))
		return list
	}
	require.Equal(t, append(slices.Repeat([]string{"a, 4 processes, pass 2"}, 7),
		slices.Repeat([]string{"b, 4 processes, pass 2"}, 7)...), bars(), "length 0 has no place")
	for i := range b.Blocks {
		b.Blocks[i].Rows = probed(1e-6).Blocks[1].Rows
	}
	require.Len(t, bars(), 7)
	a.Blocks = b.Blocks
	require.Empty(t, bars())
}

// Results that can't be compared have no picture, and the number of those left out is shown.
func TestProbeOverlayOfFewAndMany(t *testing.T) {
	a, none := probed(1e-6), &probe.Result{}
	require.Empty(t, Overlay(nil, nil))
	require.Empty(t, Overlay([]string{"a"}, each(a)))
	require.Empty(t, Overlay([]string{"a", "b"}, each(a, none)))
	require.Empty(t, Overlay([]string{"a", "b"}, each(none, a)))
	var names []string
	var many []*probe.Result
	for i := range 14 {
		names, many = append(names, fmt.Sprint("system ", i)), append(many, a)
	}
	list := Overlay(names, each(many...))
	require.Contains(t, list[0].Caption, "Only the first 12 of 14 curves are drawn.")
	require.Contains(t, list[len(list)-1].Caption, "Only the first 12 of 14 systems are drawn.")
}
