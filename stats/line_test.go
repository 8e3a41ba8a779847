package stats

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// linear returns times, in µs, on a network with 1 µs and 1 GB/s. jumps has the µs that lengths above a length add.
func linear(jumps map[int64]float64) func(int64) Point {
	return func(x int64) Point {
		t := 1 + float64(x)/1000
		for above, more := range jumps {
			if x > above {
				t += more
			}
		}
		return Point{X: x, T: t}
	}
}

// refined measures all lengths that a refinement selects. splits has the lengths after the first ones.
func refined(r Refinement, measure func(int64) Point) (points []Point, splits []int64) {
	for _, x := range r.Start() {
		points = append(points, measure(x))
	}
	for {
		x, ok := r.Next(points)
		if !ok {
			return points, splits
		}
		points, splits = append(points, measure(x)), append(splits, x)
	}
}

var refinement = Refinement{Min: 0, Max: 204800, Rough: 0.1, Stride: 64, MaxLengths: 100}

func TestRefinement(t *testing.T) {
	require.Equal(t, []int64{0, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072, 204800},
		refinement.Start())
	points, splits := refined(refinement, linear(nil))
	require.Len(t, points, 14)
	require.Empty(t, splits, "a straight line")

	points, splits = refined(refinement, linear(map[int64]float64{4096: 5}))
	require.Equal(t, []int64{6144, 5120, 4608, 4352, 4224, 4160}, splits)
	require.Len(t, points, 20)
	steps := refinement.Steps(points)
	require.Len(t, steps, 1)
	require.EqualValues(t, 4096, steps[0].Above)
	require.EqualValues(t, 4160, steps[0].To)
	require.InDelta(t, 5, steps[0].By, 1e-9)

	points, _ = refined(refinement, linear(map[int64]float64{4096: 5, 65536: 20}))
	require.Len(t, points, 30)
	steps = refinement.Steps(points)
	require.Len(t, steps, 2)
	require.EqualValues(t, 65536, steps[1].Above)
	require.InDelta(t, 20, steps[1].By, 1e-9)
}

// A bend costs nothing, because each gap is explained by one of its neighbours.
func TestBend(t *testing.T) {
	bent := func(x int64) Point { return Point{X: x, T: 1 + float64(x)/1000 + float64(max(0, x-4096))/100} }
	_, splits := refined(refinement, bent)
	require.Empty(t, splits)
}

// A jump that the intervals explain is no jump.
func TestNoise(t *testing.T) {
	measure := linear(map[int64]float64{4096: 5})
	_, splits := refined(refinement, func(x int64) Point { p := measure(x); p.Half = 1.9; return p })
	require.Empty(t, splits)
	_, splits = refined(refinement, func(x int64) Point { p := measure(x); p.Half = 1.7; return p })
	require.NotEmpty(t, splits)
}

// The refinement always ends, and its lengths are all different and Min + k·Stride, or Max.
func TestRefinementEnds(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		r := Refinement{Min: random.Int64N(100), Rough: random.Float64() / 5, Stride: 1 + random.Int64N(100),
			MaxLengths: 2 + random.IntN(200)}
		r.Max = r.Min + random.Int64N(1<<uint(random.IntN(20)))
		start := len(r.Start())
		points, _ := refined(r, func(x int64) Point { return Point{X: x, T: random.ExpFloat64(), Half: 0.1} })
		require.LessOrEqual(t, len(points), max(start, r.MaxLengths))
		var lengths []int64
		for _, p := range points {
			require.True(t, p.X == r.Max || (p.X-r.Min)%r.Stride == 0, "%+v %d", r, p.X)
			lengths = append(lengths, p.X)
		}
		slices.Sort(lengths)
		require.Len(t, slices.Compact(lengths), len(points))
	}
	require.Equal(t, []int64{7}, Refinement{Min: 7, Max: 7, Stride: 64}.Start())
	require.Equal(t, []int64{7, 8}, Refinement{Min: 7, Max: 8, Stride: 64}.Start())
}

// Only a time that is more than ten times off its neighbours' line is reported, not its neighbours.
func TestLineOutliers(t *testing.T) {
	times := func(list ...float64) (points []Point) {
		for i, x := range list {
			points = append(points, Point{X: int64(i), T: x})
		}
		return points
	}
	zeros := make([]float64, 5)
	require.Equal(t, zeros, LineOutliers(times(1, 2, 3, 4, 5)))
	require.Equal(t, []float64{0, 0, 11, 0, 0}, LineOutliers(times(1, 2, 33, 4, 5)))
	require.Equal(t, zeros, LineOutliers(times(1, 2, 29, 4, 5)))
	require.Equal(t, []float64{0, 0, 1. / 30, 0, 0}, LineOutliers(times(1, 2, 0.1, 4, 5)))
	require.Equal(t, []float64{0, 0, 0, 0, 400}, LineOutliers(times(1, 2, 3, 4, 2000)),
		"the last point, by the line through the two before")
	require.Equal(t, []float64{100, 0, 0, 0, 0}, LineOutliers(times(200, 2, 3, 4, 5)),
		"the line is no lower than the lower neighbour")
	require.Equal(t, []float64{0, 0}, LineOutliers(times(1, 200)), "no two neighbours")
	require.Empty(t, LineOutliers(nil))
}
