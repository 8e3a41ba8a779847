package kernel

// Blocks are the parts of an operation's data, one for each rank, next to each other in the order of the ranks.
type Blocks struct {
	Counts, Starts []int64 // bytes
	Total, Longest int64
}

// Blocks returns the block of each rank. A block is as long as the row's length, or ⌊length·factor⌋ bytes if the ranks
// have factors (MPIBlib manual, 4.5).
func (s *Setup) Blocks() Blocks {
	b := Blocks{Counts: make([]int64, s.Size()), Starts: make([]int64, s.Size())}
	for i := range b.Counts {
		b.Counts[i] = s.Bytes
		if s.Options.Factors != nil {
			b.Counts[i] = int64(float64(s.Bytes) * s.Options.Factors[i])
		}
		b.Starts[i] = b.Total
		b.Total += b.Counts[i]
		b.Longest = max(b.Longest, b.Counts[i])
	}
	return b
}
