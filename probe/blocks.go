package probe

// blocks are the parts of an operation's data, one for each rank, next to each other in the order of the ranks.
type blocks struct {
	counts, starts []int64 // bytes
	total, longest int64
}

// blocks returns the parts of a row: of the row's length each, or by the factors of its processes (manual, 4.5:
// ⌊length·factor⌋).
func (s *scene) blocks() blocks {
	b := blocks{counts: make([]int64, s.size()), starts: make([]int64, s.size())}
	for i := range b.counts {
		b.counts[i] = s.bytes
		if s.factors != nil {
			b.counts[i] = int64(float64(s.bytes) * s.factors[i])
		}
		b.starts[i] = b.total
		b.total += b.counts[i]
		b.longest = max(b.longest, b.counts[i])
	}
	return b
}
