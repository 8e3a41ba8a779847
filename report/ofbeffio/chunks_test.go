package ofbeffio

import (
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

// chunkTypes returns bandwidths of each type over chunks.
func chunkTypes() [][]chunkPoint {
	list := make([][]chunkPoint, len(beffio.Types()))
	for _, row := range patterns.IO(4 << 20) {
		b := 1e9 / (1 + 2e5/float64(row.Disk)) / float64(1+row.Type) / float64(1+row.Disk%16/8)
		if row.Units > 0 {
			list[row.Type] = append(list[row.Type], chunkPoint{row.Disk, b})
		}
	}
	list[1][2].bandwidth = 0
	return list
}

// chunks returns a picture of types.
func chunks(id string, types [][]chunkPoint, mpart int64) chart.Plot {
	p, _ := overChunks(types, mpart)
	p.ID, p.Caption = id, "Chunks."
	return p
}

// TestHostileInput feeds numbers of strangers to the picture over chunks.
func TestHostileInput(t *testing.T) {
	var types [][]chunkPoint
	for i := range drawn.HostileNames {
		x := drawn.HostileNumbers[i%len(drawn.HostileNumbers)]
		types = append(types, []chunkPoint{{1 << 10, x}, {1 << 20, 1e6}})
	}
	f := chunks("chunks", types, math.MinInt64).Figure()
	drawn.Pictures(t, "hostile", []*document.Figure{f})
	drawn.RequireReadable(t, f, chart.PageWidth)
}

// TestGolden pins gonum's drawing as well: its version is fixed.
func TestGolden(t *testing.T) {
	got := drawn.Svg(t, chunks("chunks", chunkTypes()[:2], 2<<20).Figure(), 8*vg.Centimeter)
	golden.Equal(t, "chunks.svg", got)
}

func TestIOFigures(t *testing.T) {
	drawn.RequireAllGood(t, "io", chart.Figures(chunks("chunks", chunkTypes(), 4<<20),
		chunks("chunks-few", [][]chunkPoint{nil, {{1 << 10, 3e6}}, {{2 << 20, 5e6}}}, 2<<20)))
}

// A chunk of 8 bytes more says of what.
func TestChunksInWords(t *testing.T) {
	x := chunks("chunks", chunkTypes(), 4<<20).X
	require.Equal(t, []string{"1k", "1k+8", "32k+8", "4M"}, []string{x.Say(1), x.Say(2), x.Say(5), x.Say(10)})
}

func TestIONothing(t *testing.T) {
	require.Nil(t, chunks("a", nil, 0).Figure())
	require.Nil(t, chunks("a", [][]chunkPoint{{{0, 1}, {12345, 1}, {1 << 10, math.NaN()}}}, 0).Figure())
}

// Chunks of 32 bytes, which imported files of release 2.1 may have, are drawn before those of 1 kB and compared
// (finding A15 of a review: they were in the table alone).
func TestSmallChunks(t *testing.T) {
	r := fixture.Imported(t, fixture.Foreign(t))
	n := r.Rated()
	for _, f := range append(Overlay([]string{"a", "b"}, []view{newView(r), newView(r)}),
		access(r, n, beffio.Write).Figure(), access(r, n, beffio.Read).Figure()) {
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
	c, err := Compared([]string{"a", "b"}, alone(r, r))
	require.NoError(t, err)
	var names []string
	for _, d := range c.Pairs[0].Groups[0].Rows {
		names = append(names, d.Name)
	}
	require.Contains(t, names, "write, chunks of 32 B")
	require.Contains(t, names, "read, chunks of 32 B")

	own := fixture.IOCluster().Result()
	require.Equal(t, 0.5, access(own, own.Rated(), beffio.Write).Figure().Drawing.(*chart.Chart).X.Scale.Min)
	require.Empty(t, smallClasses(newView(own), newView(r)), "both must have them")
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
