package pairs

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/probe/fabric"
)

// tables is the number of tables of each line of the study in docs/studies/cuts.md.
var tables = flag.Int("cuts", 0, "tables of each line of the study of cuts, which is printed; 0: few, not printed")

// noises are distributions of the logarithm of a pair's time in a pass.
var noises = []struct {
	name string
	draw func(r *rand.Rand) float64
}{
	{"normal, 2 %", func(r *rand.Rand) float64 { return 0.02 * r.NormFloat64() }},
	{"normal, 10 %", func(r *rand.Rand) float64 { return 0.1 * r.NormFloat64() }},
	{"exponential tail, 10 %", func(r *rand.Rand) float64 { return math.Log1p(0.1 * r.ExpFloat64()) }},
	{"normal, 2 %, 1 in 50 twice as long", func(r *rand.Rand) float64 {
		x := 0.02 * r.NormFloat64()
		if r.IntN(50) == 0 {
			x += math.Ln2
		}
		return x
	}},
}

// drawnCut returns times of a cut between halves of nodes, with noise and with steps and processes that differ. Pairs
// for which slow returns true take factor times as long. It also returns the places, on switches of 16 nodes.
func drawnCut(r *rand.Rand, side, steps int, directed bool, noise func(*rand.Rand) float64,
	slow func(left, right int) bool, factor float64) (*CutTimes, *Cut, Places) {
	c := &Cut{Name: fabric.Halves, By: fabric.ByMap, Sets: []CutSet{{Side: side}}}
	t := c.NewTimes(c.Shifts(steps), directed)
	at := Places{}
	for i := range 2 * side {
		at.Ranks, at.Hosts = append(at.Ranks, i), append(at.Hosts, fmt.Sprintf("n%03d", i))
		at.Units = append(at.Units, []string{fmt.Sprintf("s%02d", i/16)})
	}
	effects := make([]float64, 2*side)
	for i := range effects {
		effects[i] = 0.01 * r.NormFloat64()
	}
	for _, list := range t.Directions() {
		for k, shift := range t.Shifts {
			step := 0.05 * r.NormFloat64()
			for p := range list {
				for pair := range side {
					left, right := c.Ends(pair, shift)
					x := step + effects[left] + effects[right] + noise(r)
					if slow(left, right) {
						x += math.Log(factor)
					}
					list[p][k][pair] = int64(2e9 * math.Exp(x))
				}
			}
		}
	}
	return t, c, at
}

// If a switch's cable takes twice as long, the switch is named. Otherwise next to nothing is named, whatever the noise:
// fewer than 1 in 100 tables have a finding.
func TestSlowCables(t *testing.T) {
	side, steps, n := 64, 32, 8
	if *tables > 0 {
		side, steps, n = 256, 64, *tables
		fmt.Print("| times | tables | with a finding, nothing slow | a cable named | its switch named |\n" +
			"|---|---|---|---|---|\n")
	}
	const port, leaf = 5, 3
	slow := func(left, right int) bool { return left/16 == leaf && right%16 == port }
	for _, noise := range noises {
		r := rand.New(rand.NewPCG(20261126, uint64(side)))
		alarms, found, named := 0, 0, 0
		for i := range n {
			times, c, at := drawnCut(r, side, steps, i%2 == 1, noise.draw, func(int, int) bool { return false }, 1)
			if a := JudgeCut(times, c, 1<<24, at, 0); len(a.Findings) > 0 {
				alarms++
			}
			times, c, at = drawnCut(r, side, steps, i%2 == 1, noise.draw, slow, 2)
			a := JudgeCut(times, c, 1<<24, at, 0)
			if a.Worst.Stands && slow(min(a.Worst.From, a.Worst.To), max(a.Worst.From, a.Worst.To)) {
				found++
			}
			if b := a.Shared; b != nil && b.Name == fmt.Sprintf("s%02d", leaf) && !b.Processes {
				named++
			}
		}
		if *tables > 0 {
			part := func(x int) string { return fmt.Sprintf("%.1f %%", 100*float64(x)/float64(n)) }
			fmt.Printf("| %s | %d | %s | %s | %s |\n", noise.name, n, part(alarms), part(found), part(named))
			continue
		}
		require.LessOrEqual(t, alarms, 1, noise.name)
		require.Equal(t, n, found, noise.name)
		require.Equal(t, n, named, noise.name)
	}
}

// A slow node is named as slow, a switch with only slow nodes as the unit that they share, and a link that is slow in
// one direction as a direction.
func TestCutFindings(t *testing.T) {
	quiet := func(r *rand.Rand) float64 { return 0.01 * r.NormFloat64() }
	r := rand.New(rand.NewPCG(1, 1))
	times, c, at := drawnCut(r, 32, 0, true, quiet, func(left, right int) bool { return right == 40 }, 2)
	a := JudgeCut(times, c, 1, at, 0)
	require.Len(t, a.Findings, 1)
	require.Equal(t, Slow, a.Findings[0].Trouble)
	require.Equal(t, "n040", a.Findings[0].From)
	require.InEpsilon(t, 1, a.Findings[0].Excess, 0.1)
	require.Nil(t, a.Shared)

	times, c, at = drawnCut(r, 64, 0, false, quiet, func(left, _ int) bool { return left/16 == 1 }, 1.5)
	a = JudgeCut(times, c, 1, at, 0)
	require.Len(t, a.Findings, 16)
	require.Equal(t, &SharedUnit{Level: "switch", Name: "s01", Slow: 16, Processes: true, Share: 0.125}, a.Shared)

	times, c, at = drawnCut(r, 32, 0, true, quiet, func(int, int) bool { return false }, 1)
	for p := range times.Back { // one link, only right to left
		times.Back[p][3][7] *= 3
	}
	a = JudgeCut(times, c, 1, at, 0)
	require.Len(t, a.Findings, 1)
	require.Equal(t, Direction, a.Findings[0].Trouble)
	require.Equal(t, [2]string{"n042", "n007"}, [2]string{a.Findings[0].From, a.Findings[0].To})
	require.Equal(t, [3]int{42, 7, 3}, [3]int{a.Worst.From, a.Worst.To, a.Worst.Shift})
	require.Len(t, a.Worst.Excess, CutPasses)
	require.True(t, a.Worst.Stands)

	times.Back[0][3][7] /= 3 // in two of three passes: a disturbance
	a = JudgeCut(times, c, 1, at, 0)
	require.Empty(t, a.Findings)
	require.False(t, a.Worst.Stands)
	require.NotEqual(t, [2]int{42, 7}, [2]int{a.Worst.From, a.Worst.To}, "another one is slower in its best pass")
}

// Each process meets all of the other side once, and both ends of a pair agree.
func TestCutSteps(t *testing.T) {
	c := &Cut{Name: "switches", By: fabric.ByMap, Sets: []CutSet{{"a", 3}, {"b", 1}, {"c", 2}}}
	require.Equal(t, []int{0, 1, 2}, c.Shifts(0))
	require.Equal(t, []int{0, 1}, c.Shifts(2))
	met := map[[2]int]int{}
	for _, shift := range c.Shifts(0) {
		for pair := range c.Links() {
			left, right := c.Ends(pair, shift)
			met[[2]int{left, right}]++
			peer, is := c.Meets(left, shift)
			require.True(t, is)
			require.Equal(t, right, peer)
			peer, is = c.Meets(right, shift)
			require.False(t, is)
			require.Equal(t, left, peer)
		}
	}
	require.Len(t, met, 9+1+4)
	require.Equal(t, []int{0, 25, 50, 75}, (&Cut{Sets: []CutSet{{Side: 100}}}).Shifts(4))
	require.Len(t, (&Cut{Sets: []CutSet{{Side: 1 << 15}}}).Shifts(0), 32, "links have a limit")
}
