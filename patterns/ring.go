package patterns

import "fmt"

// partition cuts consecutive ranks into rings: firsts rings of size first, then seconds rings of size second.
type partition struct{ firsts, first, seconds, second int }

// rings returns the six ring patterns (paper, Sec. 3, "On communication
// patterns").
func rings(processes int) []Pattern {
	topology := Topology{Dims: []int{processes}, Periodic: []bool{true}}
	sizes := [...]int{2, 4, 8, max(16, processes/4), max(32, processes/2), processes}
	list := make([]Pattern, len(sizes))
	for i, size := range sizes {
		c := cut(processes, min(size, processes))
		list[i] = Pattern{
			Name:      c.name(),
			Kind:      KindRing,
			Processes: processes,
			Messages:  int64(c.firsts)*ringMessages(c.first) + int64(c.seconds)*ringMessages(c.second),
			Topology:  topology,
			exchanges: c.exchanges,
		}
	}
	return list
}

// cut divides processes into rings of about the wanted size, as equal as possible and none smaller than 2. Their number
// is floor(processes/size + 0.4), computed here in integers. If the smaller of the two sizes is odd, the larger rings
// come first (HLRS release 3.6).
func cut(processes, size int) partition {
	r := max(1, min((5*processes+2*size)/(5*size), processes/2))
	low := processes / r
	highs := processes - low*r
	if low%2 == 1 && highs > 0 {
		return partition{highs, low + 1, r - highs, low}
	}
	return partition{r - highs, low, highs, low + 1}
}

// name returns the name that HLRS release 3.6 gives the pattern: the number of rings, the size of the first, and the
// difference in size of the second group.
func (c partition) name() string {
	suffix := "fix"
	if c.seconds > 0 {
		suffix = fmt.Sprintf("&%+d", c.second-c.first)
	}
	return fmt.Sprintf("ring-%d*%d%s", c.firsts+c.seconds, c.first, suffix)
}

func (c partition) exchanges(rank int) []Exchange {
	start, size := 0, c.first
	if split := c.firsts * c.first; rank >= split {
		start, size = split, c.second
	}
	start += (rank - start) / size * size
	left, right := neighbours(rank-start, size)
	return pingPong(nil, start+left, start+right)
}

// neighbours returns the places before and after place k in a ring of n.
func neighbours(k, n int) (left, right int) {
	return (k + n - 1) % n, (k + 1) % n
}

// ringMessages returns the number of messages of one loop in a ring of n: two per process, or one per process in a ring
// of 2, where pingPong drops the pong.
func ringMessages(n int) int64 {
	if n == 2 {
		return 2
	}
	return 2 * int64(n)
}
