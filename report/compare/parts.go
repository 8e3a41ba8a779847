package compare

import (
	"cmp"
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/lists"
)

// Part is the contribution of one part of the measurements to a difference.
type Part struct {
	Name string
	Log  float64 // its part of the natural logarithm of the ratio
	// Points is its part of the difference, in percentage points: those of all parts sum up to 100·(ratio-1).
	Points float64
}

// Gap holds the natural logarithm of the ratio of two ratings, and the ways in which it is split.
type Gap struct {
	Log  float64
	Ways []Way
}

// Way is one way to split a gap: its parts, the largest first.
type Way struct {
	Caption string // without parts: why there are none
	Parts   []Part
	Most    int // parts that are shown
}

// GapOf returns the gap between two sides. The logarithm of the ratio of two geometric means is the mean of the
// logarithms over all pairs of runs, each of which splits exactly. split calls add with each part of the logarithm of a
// pair, which counts as a share of all, and with the part's name in each way.
func GapOf[R any](a, b []R, ways []Way,
	split func(x, y R, share float64, add func(log float64, names ...string))) *Gap {
	gap := &Gap{Ways: ways}
	logs := lists.Of(len(ways), func(i int) map[string]float64 { return map[string]float64{} })
	for _, x := range a {
		for _, y := range b {
			split(x, y, 1/float64(len(a)*len(b)), func(log float64, names ...string) {
				gap.Log += log
				for i, name := range names {
					logs[i][name] += log
				}
			})
		}
	}
	for i := range ways {
		ways[i].Parts = Ranked(logs[i], gap.Log)
	}
	return gap
}

// LogMean returns the logarithmic mean, which is between the geometric and the arithmetic mean.
func LogMean(x, y float64) float64 {
	d := math.Log(x / y)
	if math.Abs(d) < 1e-7 { // the quotient would lose all digits; the geometric mean is right to 1e-15
		return math.Sqrt(x * y)
	}
	return (x - y) / d
}

// Ranked returns the parts, given as logarithms by name, the largest first. sum is the logarithm of the whole ratio.
// A logarithm's part of the difference is LogMean(ratio, 1) times it, which stays finite where the ratio is near 1.
func Ranked(parts map[string]float64, sum float64) []Part {
	points := 100 * LogMean(math.Exp(sum), 1)
	var list []Part
	for name, log := range parts {
		list = append(list, Part{name, log, points * log})
	}
	slices.SortFunc(list, func(p, q Part) int {
		return cmp.Or(-cmp.Compare(math.Abs(p.Log), math.Abs(q.Log)), cmp.Compare(p.Name, q.Name))
	})
	return list
}

// GeometricMean returns the geometric mean, 0 if there are no ratios.
func GeometricMean(ratios []float64) float64 {
	if len(ratios) == 0 {
		return 0
	}
	return math.Exp(lists.SumOf(ratios, math.Log) / float64(len(ratios)))
}
