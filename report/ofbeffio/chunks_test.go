package ofbeffio

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/internal/drawn"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
	"github.com/effective-bandwidth/beff/report/internal/golden"
)

func chunkCurves() []ChunkCurve {
	var list []ChunkCurve
	for _, row := range patterns.IO(4 << 20) {
		if int(row.Type) == len(list) {
			list = append(list, ChunkCurve{Type: row.Type})
		}
		c := &list[row.Type]
		b := 1e9 / (1 + 2e5/float64(row.Disk)) / float64(1+row.Type) / float64(1+row.Disk%16/8)
		if row.Units > 0 {
			c.Points = append(c.Points, ChunkPoint{row.Disk, b})
		}
	}
	list[1].Points[2].Bandwidth = 0
	return list
}

func partitionCurves(n int) []PartitionCurve {
	var list []PartitionCurve
	for i := range n {
		c := PartitionCurve{Name: fmt.Sprintf("system %d", i+1)}
		for p := 512; p >= 2; p /= 2 + i%2 {
			c.Points = append(c.Points, PartitionPoint{p, 1e9 * (1 - math.Exp(-float64(p)/100)) * float64(i+3)})
		}
		list = append(list, c)
	}
	return list
}

// TestHostileInput feeds names and numbers of strangers to the figures of b_eff_io.
func TestHostileInput(t *testing.T) {
	var curves []PartitionCurve
	var chunks []ChunkCurve
	for i, name := range drawn.HostileNames {
		x := drawn.HostileNumbers[i%len(drawn.HostileNumbers)]
		curves = append(curves, PartitionCurve{name, []PartitionPoint{{i, x}, {math.MaxInt, 1e6}, {i, 1e9}}})
		chunks = append(chunks, ChunkCurve{patterns.IOType(i - 3), []ChunkPoint{{1 << 10, x}, {1 << 20, 1e6}}})
	}
	for _, f := range []*document.Figure{
		Partitions("partitions", "Partitions.", curves),
		Chunks("chunks", "Chunks.", chunks, math.MinInt64),
	} {
		drawn.Pictures(t, "hostile", []*document.Figure{f})
		drawn.RequireReadable(t, f, chart.PageWidth)
	}
}

// TestGolden pins gonum's drawing as well: its version is fixed.
func TestGolden(t *testing.T) {
	got := drawn.Svg(t, Chunks("chunks", "Chunks.", chunkCurves()[:2], 2<<20), 8*vg.Centimeter)
	golden.Equal(t, "chunks.svg", got)
}

func TestIOFigures(t *testing.T) {
	drawn.RequireAllGood(t, "io", []*document.Figure{
		Chunks("chunks", "Chunks.", chunkCurves(), 4<<20),
		Chunks("chunks-few", "Chunks.", []ChunkCurve{{patterns.Shared, []ChunkPoint{{1 << 10, 3e6}}},
			{99, []ChunkPoint{{2 << 20, 5e6}}}}, 2<<20),
		Partitions("partitions", "Partitions.", partitionCurves(5)),
		Partitions("partitions-many", "Partitions.", partitionCurves(14)),
	})
}

func TestIONothing(t *testing.T) {
	require.Nil(t, Chunks("a", "b", nil, 0))
	require.Nil(t, Chunks("a", "b", []ChunkCurve{{0, []ChunkPoint{{0, 1}, {12345, 1}, {1 << 10, math.NaN()}}}}, 0))
	require.Nil(t, Partitions("a", "b", []PartitionCurve{{"x", []PartitionPoint{{0, 1}, {-1, 1}, {1, -1}}}}))
}

func TestCurveCaps(t *testing.T) {
	f := Partitions("partitions", "Partitions.", partitionCurves(14))
	require.Equal(t, chart.MostCurves, drawn.Count[chart.Curve](f))
	require.Contains(t, f.Caption, "first 12 of 14 systems")
}

// Chunks of 32 bytes, which imported files of release 2.1 may have, are drawn before those of 1 kB and compared
// (finding A15 of a review: they were in the table alone).
func TestSmallChunks(t *testing.T) {
	r := fixture.Imported(t, fixture.Foreign(t))
	for _, f := range append(accesses(r, r.Rated()), Overlay([]string{"a", "b"}, []*beffio.Result{r, r},
		[]int{r.Rated(), r.Rated()})...) {
		c := f.Drawing.(*chart.Chart)
		if !strings.Contains(f.ID, "chunks") && !strings.HasPrefix(f.ID, "beffio-") {
			continue
		}
		require.Equal(t, plot.Tick{Value: 1, Label: "32"}, c.X.Scale.Ticks[0], f.ID)
		require.Equal(t, plot.Tick{Value: 3, Label: "1k"}, c.X.Scale.Ticks[1], f.ID)
		drawnThere := slices.ContainsFunc(layersOf[chart.Curve](f), func(x chart.Curve) bool {
			return slices.ContainsFunc(x.Points, func(p chart.Point) bool { return p.X == 1 && p.Usable() })
		})
		require.True(t, drawnThere, f.ID)
		drawn.RequireReadable(t, f, chart.PageWidth)
	}
	c, err := Compare([]string{"a", "b"}, alone(r, r))
	require.NoError(t, err)
	var names []string
	for _, d := range c.Others[0].Differences {
		names = append(names, d.Name)
	}
	require.Contains(t, names, "write, chunks of 32 B")
	require.Contains(t, names, "read, chunks of 32 B")

	own := fixture.IOCluster().Result()
	require.Equal(t, 0.5, accesses(own, own.Rated())[0].Drawing.(*chart.Chart).X.Scale.Min)
	require.Empty(t, smallClasses(newView(own, own.Rules), newView(r, own.Rules)), "both must have them")
}

// layersOf returns the layers of a type in a figure.
func layersOf[T chart.Layer](f *document.Figure) (list []T) {
	for _, l := range f.Drawing.(*chart.Chart).Layers {
		if x, ok := l.(T); ok {
			list = append(list, x)
		}
	}
	return list
}
