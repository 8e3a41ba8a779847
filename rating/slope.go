package rating

// Slope returns the seconds by which each further byte prolongs a message, for estimates of the time left. lengths
// rise, and seconds are the times of these messages. Slope takes the longest message and one of a quarter of its bytes.
// If the difference isn't clear, as in short messages, where noise exceeds the effect of the bytes, it is a usual
// machine's.
func Slope(lengths []int64, seconds []float64) float64 {
	const (
		usual   = 1 / 4e9
		slowest = 1 / 1e6
		clear   = 1.5 // ratio of times
		short   = 4096
	)
	last := len(lengths) - 1
	if last < 0 || lengths[last] < short {
		return usual
	}
	for i := last - 1; i >= 0; i-- {
		if lengths[i] > lengths[last]/4 {
			continue
		}
		if seconds[last] < clear*seconds[i] {
			break
		}
		return min((seconds[last]-seconds[i])/float64(lengths[last]-lengths[i]), slowest)
	}
	return usual
}
