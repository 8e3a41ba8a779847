package patterns

import "slices"

// details returns the patterns that are measured only for the detailed analysis. The paper (Sec. 3) names them, and
// HLRS release 3.6 defines their ranks.
func details(processes int) []Pattern {
	even := processes / 2 * 2
	return slices.Concat(
		[]Pattern{
			worstCycle(processes),
			pairs("bisection-best", even, func(rank int) int { return rank ^ 1 }),
			pairs("bisection-worst", even, func(rank int) int { return even - 1 - rank }),
			onePair(),
		},
		cartesians("cart2d", cartesianDims(processes, 2)),
		cartesians("cart3d", cartesianDims(processes, 3)),
	)
}

// worstCycle returns the ring in the order 0, n-1, 1, n-2, 2, and so on.
func worstCycle(n int) Pattern {
	rankAt := func(place int) int {
		if place%2 == 0 {
			return place / 2
		}
		return n - 1 - place/2
	}
	return Pattern{
		Name:      "worst-cycle",
		Kind:      KindDetail,
		Processes: n,
		Messages:  ringMessages(n),
		exchanges: func(rank int) []Exchange {
			place := min(2*rank, 2*(n-1-rank)+1)
			left, right := neighbours(place, n)
			return pingPong(nil, rankAt(left), rankAt(right))
		},
	}
}

// pairs returns a bisection of an even number of processes: one message from the lower to the upper rank of each pair,
// then one back.
func pairs(name string, even int, partner func(rank int) int) Pattern {
	return Pattern{
		Name:      name,
		Kind:      KindDetail,
		Processes: even,
		Messages:  int64(even),
		exchanges: func(rank int) []Exchange {
			other := partner(rank)
			if rank < other {
				return pingPong(nil, other, None)
			}
			return pingPong(nil, None, other)
		},
	}
}

// onePair returns the "simple ping-pong between the first two MPI processes" (paper, Sec. 3).
func onePair() Pattern {
	p := pairs("ping-pong", 2, func(rank int) int { return 1 - rank })
	p.SendrecvOnly = true
	return p
}
