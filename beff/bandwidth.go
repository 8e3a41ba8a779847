package beff

// Bandwidth returns the bandwidth of a sample of a result that Check passes, in bytes per second: all bytes of the
// pattern's loops, by the time of the slowest process.
func (r *Result) Bandwidth(s *Sample) float64 { return r.bandwidth(*s) }
