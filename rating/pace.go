package rating

// Slope returns the seconds by which each further byte prolongs a message, from some lengths in rising order and what
// they took: that between the longest and one of a quarter of its bytes, if the difference is clear, else that of a
// usual machine. Short messages say nothing of it, because noise is more than their bytes. It is for guesses of the
// time left.
func Slope(lengths []int64, seconds []float64) float64 {
	const (
		usual   = 1 / 4e9
		slowest = 1 / 1e6
		clear   = 1.5 // times as long
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
