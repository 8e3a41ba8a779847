package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// noises holds the shapes of noise that machines are simulated with: each returns the deviation of one repetition,
// relative to the time, with a standard deviation of about 1.
var noises = []struct {
	name string
	draw func(r *rand.Rand) float64
}{
	{"normal", func(r *rand.Rand) float64 { return r.NormFloat64() }},
	{"exponential", func(r *rand.Rand) float64 { return r.ExpFloat64() }},
	{"log-normal", func(r *rand.Rand) float64 { return math.Exp(r.NormFloat64()) / 2.2 }},
	{"bursts", func(r *rand.Rand) float64 {
		if r.IntN(50) == 0 {
			return 20 * r.ExpFloat64()
		}
		return r.NormFloat64()
	}},
}

func TestScratch(t *testing.T) {
	const passes, reps, size = 3, 9, 0.05
	for _, noise := range noises {
		for _, n := range []int{5, 6, 8, 16, 64} {
			machines := map[int]int{5: 4000, 6: 4000, 8: 4000, 16: 4000, 64: 100}[n]
			falseV, falseE, lv, le := 0, 0, 0.0, 0.0
			r := rand.New(rand.NewPCG(1, uint64(n)))
			for range machines {
				var edges []Edge
				for i := range n {
					for j := i + 1; j < n; j++ {
						e := Edge{U: i, V: j}
						for range passes {
							var list []float64
							for range reps {
								list = append(list, math.Log(math.Max(0.1, 1+size*noise.draw(r))))
							}
							v := medianOf(list)
							if noise.name == "bursts" && r.IntN(30) == 0 {
								v += r.ExpFloat64()
							}
							e.Values = append(e.Values, v)
						}
						edges = append(edges, e)
					}
				}
				o := Rule{Level: 0.01, Least: 0}.Pairs(n, edges)
				if len(o.From) > 0 {
					falseV++
				}
				if len(o.Edges) > 0 {
					falseE++
				}
				lv += o.FromLimit
				le += o.EdgeLimit
			}
			t.Logf("%-12s n=%3d: false nodes %.4f links %.4f, limits %.4f %.4f", noise.name, n, float64(falseV)/float64(machines), float64(falseE)/float64(machines), lv/float64(machines), le/float64(machines))
		}
	}
}
