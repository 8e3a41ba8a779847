package patterns

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPartners holds the pairs of 8 processes by hand, and the refusals.
func TestPartners(t *testing.T) {
	for _, c := range []struct {
		processes, q int
		want         [][]int
		err          string
	}{
		{8, 0, [][]int{{0, 4}, {1, 5}, {2, 6}, {3, 7}}, ""},
		{8, 4, [][]int{{0, 4}, {1, 5}, {2, 6}, {3, 7}}, ""},
		{8, 1, [][]int{{0, 1}, {2, 3}, {4, 5}, {6, 7}}, ""},
		{8, 2, [][]int{{0, 2}, {1, 3}, {4, 6}, {5, 7}}, ""},
		{2, 0, [][]int{{0, 1}}, ""},
		{8, 3, nil, "the offset 3 makes no pairs of 8 processes: want 1, 2 or 4"},
		{8, -1, nil, "the offset -1 makes no pairs of 8 processes: want 1, 2 or 4"},
		{8, math.MaxInt, nil, "the offset 9223372036854775807 makes no pairs of 8 processes: want 1, 2 or 4"},
		{8, 8, nil, "the offset 8 makes no pairs of 8 processes: want 1, 2 or 4"},
		{6, 2, nil, "the offset 2 makes no pairs of 6 processes: want 1 or 3"},
		{2, 2, nil, "the offset 2 makes no pairs of 2 processes: want 1"},
		{7, 0, nil, "pairs need an even number of processes, this job has 7"},
		{1, 0, nil, "pairs need an even number of processes, this job has 1"},
		{0, 1, nil, "pairs need an even number of processes, this job has 0"},
	} {
		got, err := Partners(c.processes, c.q)
		if c.err != "" {
			require.EqualError(t, err, c.err)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, c.want, got, "%d processes, offset %d", c.processes, c.q)
	}
}

// TestPartnersProperty checks that each process has one partner, whose partner it is: p(p(i)) = i ≠ p(i).
func TestPartnersProperty(t *testing.T) {
	for processes := 2; processes <= 48; processes += 2 {
		found := 0
		for q := range processes + 1 {
			pairs, err := Partners(processes, q)
			if err != nil {
				continue
			}
			found++
			partner := map[int]int{}
			for _, p := range pairs {
				require.Len(t, p, 2)
				require.Less(t, p[0], p[1])
				partner[p[0]], partner[p[1]] = p[1], p[0]
			}
			require.Len(t, partner, processes, "offset %d", q)
			for i, p := range partner {
				require.Equal(t, i, partner[p])
				if q > 0 {
					require.Equal(t, q, int(math.Abs(float64(p-i))))
				}
			}
		}
		require.GreaterOrEqual(t, found, 2, "offsets 0 and N/2 fit")
	}
}

// TestTargetsGolden keeps the first draws as they are, so that runs of different releases can be compared.
func TestTargetsGolden(t *testing.T) {
	require.Equal(t, "[{3 616} {3 796} {0 41} {1 449} {0 183} {1 444} {3 121} {1 783}]",
		fmt.Sprint(Targets(1, 2, 4, 1000, 8, false)))
	require.Equal(t, "[{3 616} {3 796} {0 41} {1 449} {0 183} {2 444} {3 121} {1 783}]",
		fmt.Sprint(Targets(1, 2, 4, 1000, 8, true)))
}

// TestTargetsAreEven draws a million times: each process and each quarter of the slots within 5 σ of even, none
// beyond the last slot, and the process itself only if it may be.
func TestTargetsAreEven(t *testing.T) {
	const processes, slots, draws, me = 7, 64, 1_000_000, 3
	for _, self := range []bool{false, true} {
		byProcess, byQuarter := map[int]float64{}, map[int]float64{}
		for _, x := range Targets(1, me, processes, slots, draws, self) {
			require.True(t, x.Process >= 0 && x.Process < processes && x.Slot >= 0 && x.Slot < slots, "%v", x)
			byProcess[x.Process]++
			byQuarter[x.Slot*4/slots]++
		}
		others := processes
		if !self {
			others--
			require.Zero(t, byProcess[me])
			delete(byProcess, me)
		}
		require.Len(t, byProcess, others)
		for _, counts := range []map[int]float64{byProcess, byQuarter} {
			p := 1 / float64(len(counts))
			for x, n := range counts {
				require.InDelta(t, draws*p, n, 5*math.Sqrt(draws*p*(1-p)), "%d, self %t", x, self)
			}
		}
	}
	require.NotEqual(t, Targets(1, 0, 9, 50, 20, true), Targets(2, 0, 9, 50, 20, true), "the seed counts")
	require.NotEqual(t, Targets(1, 0, 9, 50, 20, true), Targets(1, 1, 9, 50, 20, true), "the rank counts")
}

// TestScattered checks that no slot is drawn twice, and that all are drawn if the draws suffice.
func TestScattered(t *testing.T) {
	for _, c := range [][3]int{{1, 1, 1}, {2, 1, 1}, {3, 5, 5}, {4, 1024, 256}, {5, 30, 30}, {16, 7, 7}, {6, 9, 4}} {
		processes, slots, draws := c[0], c[1], c[2]
		seen := map[Target]bool{}
		for rank := range processes {
			for _, x := range Scattered(rank, processes, slots, draws) {
				require.True(t, x.Process < processes && x.Slot < slots, "%v of %v", x, c)
				require.False(t, seen[x], "%v of %v", x, c)
				seen[x] = true
			}
		}
		require.Len(t, seen, processes*draws)
	}
}

// TestScatteredMany compares draws of a large job with the permutation in numbers of any length.
func TestScatteredMany(t *testing.T) {
	const processes, slots, draws = 1 << 20, 1<<22 - 3, 256
	all := big.NewInt(processes * slots)
	at := func(i int64) *big.Int {
		x := Scattered(int(i%processes), processes, slots, draws)[i/processes]
		return big.NewInt(int64(x.Slot)*processes + int64(x.Process))
	}
	step := new(big.Int).Sub(at(1), at(0))
	for i := int64(1); i < processes*draws; i = 3*i + 1 {
		want := new(big.Int).Mul(step, big.NewInt(i))
		require.Equal(t, want.Add(want, at(0)).Mod(want, all), at(i), "draw %d", i)
	}
}
