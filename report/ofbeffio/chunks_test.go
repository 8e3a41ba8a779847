package ofbeffio

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot/vg"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
)

// chunkTypes returns the bandwidths of each type by chunk size.
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

// chunks returns the plot of the types' bandwidths over the chunk size.
func chunks(id string, types [][]chunkPoint, mpart int64) chart.Plot {
	p, _ := overChunks(types, mpart)
	p.ID, p.Caption = id, "Chunks."
	return p
}

// TestHostileInput draws a picture with numbers that an untrusted file may have.
func TestHostileInput(t *testing.T) {
	var types [][]chunkPoint
	for i := range fixture.HostileNames {
		x := fixture.HostileNumbers[i%len(fixture.HostileNumbers)]
		types = append(types, []chunkPoint{{1 << 10, x}, {1 << 20, 1e6}})
	}
	f := chunks("chunks", types, math.MinInt64).Figure()
	fixture.RequireReadable(t, f, chart.PageWidth)
}

// TestGolden pins gonum's drawing as well: its version is fixed.
func TestGolden(t *testing.T) {
	got := fixture.Svg(t, chunks("chunks", chunkTypes()[:2], 2<<20).Figure(), 8*vg.Centimeter)
	fixture.Golden(t, "chunks.svg", got)
}

func TestIOFigures(t *testing.T) {
	fixture.RequireAllGood(t, "io", chart.Figures(chunks("chunks", chunkTypes(), 4<<20),
		chunks("chunks-few", [][]chunkPoint{nil, {{1 << 10, 3e6}}, {{2 << 20, 5e6}}}, 2<<20)))
}

// A label that ends in +8 begins with the size to which 8 bytes are added.
func TestChunksInWords(t *testing.T) {
	x := chunks("chunks", chunkTypes(), 4<<20).X
	require.Equal(t, []string{"1k", "1k+8", "32k+8", "4M"},
		[]string{x.Format(1), x.Format(2), x.Format(5), x.Format(10)})
}

func TestIONothing(t *testing.T) {
	require.Nil(t, chunks("a", nil, 0).Figure())
	require.Nil(t, chunks("a", [][]chunkPoint{{{0, 1}, {12345, 1}, {1 << 10, math.NaN()}}}, 0).Figure())
}

// The second pattern of type 0 with chunks of 1M is a point, so no line is vertical.
func TestLooseChunk(t *testing.T) {
	p := chunks("chunks", chunkTypes(), 4<<20)
	last := p.Series[len(p.Series)-1]
	require.Equal(t, "2 MB in memory", last.Name)
	require.True(t, last.Dots)
	for _, s := range p.Series {
		found := map[float64]bool{}
		for _, pt := range s.Points {
			require.False(t, found[pt.X], "%s at %v", s.Name, pt.X)
			found[pt.X] = true
		}
	}
}
