package patterns

import (
	"fmt"
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// ringsOfRelease returns the sizes of the rings that release 3.6 cuts P processes into when rings of m are wanted.
// Their number is r = max(1, min(floor(P/m + 0.4), floor(P/2))), computed here in fractions without rounding. The rings
// are as equal as possible: some have floor(P/r) processes, the others one more. If both sizes occur, the even ones
// come first.
func ringsOfRelease(processes, wanted int) []int {
	exact := new(big.Rat).Add(big.NewRat(int64(processes), int64(wanted)), big.NewRat(2, 5))
	number := int(new(big.Int).Div(exact.Num(), exact.Denom()).Int64())
	number = max(1, min(number, processes/2))
	low := processes / number
	var sizes []int
	for i := range number {
		size := low
		if i < processes-low*number {
			size++
		}
		sizes = append(sizes, size)
	}
	slices.SortStableFunc(sizes, func(a, b int) int { return a%2 - b%2 })
	return sizes
}

// The wanted sizes of the six ring patterns are 2, 4, 8, a quarter of the processes but at least 16, half of them but
// at least 32, and all of them; no ring is larger than the job. In one loop each process sends two messages, but one in
// a ring of 2.
func TestRingPartitions(t *testing.T) {
	for processes := 2; processes <= 300; processes++ {
		list := rings(processes)
		require.Len(t, list, 6)
		for i, wanted := range []int{2, 4, 8, max(16, processes/4), max(32, processes/2), processes} {
			sizes := ringsOfRelease(processes, min(wanted, processes))
			name := fmt.Sprintf("ring-%d*%dfix", len(sizes), sizes[0])
			if last := sizes[len(sizes)-1]; last != sizes[0] {
				name = fmt.Sprintf("ring-%d*%d&%+d", len(sizes), sizes[0], last-sizes[0])
			}
			require.Equal(t, name, list[i].Name, "%d processes, rings of %d", processes, wanted)
			messages, first := int64(0), 0
			for _, size := range sizes {
				for place := range size {
					before, after := first+(place+size-1)%size, first+(place+1)%size
					want := []Exchange{{Dest: before, Source: after}, {Dest: after, Source: before}}
					if size == 2 {
						want = want[:1]
					}
					messages += int64(len(want))
					require.Equal(t, want, list[i].Exchanges(first+place), "%d processes, %s", processes, name)
				}
				first += size
			}
			require.Equal(t, messages, list[i].Messages)
			require.Equal(t, Topology{Dims: []int{processes}, Periodic: []bool{true}}, list[i].Topology)
		}
	}
}
