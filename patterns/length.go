package patterns

import "math"

// longestMessage is the upper bound of Lmax, because counts are C ints (paper, Sec. 3, "On maximum message size").
const longestMessage = 128 << 20

// Lmax returns the longest message length in bytes for the given bytes of memory per process: 1/128 of the memory, at
// most 128 MB = 2^27 bytes.
func Lmax(memoryPerProcess int64) int64 {
	return min(memoryPerProcess/128, longestMessage)
}

// Lengths returns the 21 message lengths in bytes, from 1 to lmax (paper, Sec. 3): 13 fixed ones up to 4 kB, then 8
// that grow by a constant factor, rounded to the nearest byte. With lmax = 4096 all 8 are 4096. Lengths returns nil if
// lmax is below 4096.
func Lengths(lmax int64) []int64 {
	const longestFixed = 4096
	if lmax < longestFixed {
		return nil
	}
	lengths := []int64{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, longestFixed}
	for k := 1.0; k <= 8; k++ {
		l := longestFixed * math.Pow(float64(lmax)/longestFixed, k/8)
		lengths = append(lengths, int64(math.Round(l)))
	}
	return lengths
}
