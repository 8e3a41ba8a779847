package patterns

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPartners compares pairs of 8 processes with a list made by hand, and checks the errors.
func TestPartners(t *testing.T) {
	for _, c := range []struct {
		processes, offset int
		want              [][]int
		err               string
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
		got, err := Partners(c.processes, c.offset)
		if c.err != "" {
			require.EqualError(t, err, c.err)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, c.want, got, "%d processes, offset %d", c.processes, c.offset)
	}
}

// TestPartnersAreMutual checks that each process is the partner of its partner: p(p(i)) = i ≠ p(i).
func TestPartnersAreMutual(t *testing.T) {
	for processes := 2; processes <= 48; processes += 2 {
		found := 0
		for offset := range processes + 1 {
			pairs, err := Partners(processes, offset)
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
			require.Len(t, partner, processes, "offset %d", offset)
			for i, p := range partner {
				require.Equal(t, i, partner[p])
				if offset > 0 {
					require.Equal(t, offset, int(math.Abs(float64(p-i))))
				}
			}
		}
		require.GreaterOrEqual(t, found, 2, "offsets 0 and N/2 fit")
	}
}
