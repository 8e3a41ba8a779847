package compare

import (
	"fmt"
	"math"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/words"
	"github.com/effective-bandwidth/beff/stats"
)

// Turns compares two settings whose runs were made in pairs, one of each, in random order: a state of the machine that
// lasts meets both. The log of each pair's ratio is one value; its mean is looked at after each pair, by a bound that
// holds for all looks together (Pocock; see stats.Sequential). From stats.LeastRanks pairs on the middle by ranks takes
// its place: a machine that changes its state within a pair gives a ratio that tells nothing of the settings.
type Turns struct {
	Most   int     // pairs that are planned
	Within float64 // half of an interval of the ratio that is narrow enough, as a part
}

// Standing is what pairs say so far.
type Standing struct {
	rating.Told // of the second setting to the first; ends are NaN as long as too little is known
	Pairs       int
	Within      float64
	Over        bool // no further pair is needed, or planned
}

// Standing returns what the ratios of pairs, of which larger is better, say. The interval has a confidence of 95 %,
// however often it is looked at.
func (t Turns) Standing(ratios []float64) Standing {
	const wrong = (1 - confidence) / 2
	logs := lists.Each(ratios, math.Log)
	none := math.NaN()
	s := Standing{Told: rating.Told{Ratio: none, Low: none, High: none}, Pairs: len(ratios), Within: t.Within}
	if len(logs) == 0 {
		return s
	}
	// Pairs that are alike to the last digit are those of a model: less than a millionth is no spread of a machine.
	seen := stats.Sequential{Looks: t.Most}.See(logs, 1e-6)
	half := seen.Half(wrong)
	middle, low, high := seen.Mean, seen.Mean-half, seen.Mean+half
	if len(logs) >= stats.LeastRanks {
		middle, low, high = stats.SignedRank(logs, stats.Boundary(wrong, seen.Looks))
		half = max(middle-low, high-middle)
	}
	s.Ratio, s.Low, s.High = math.Exp(middle), math.Exp(low), math.Exp(high)
	s.Over = half <= math.Log1p(t.Within) || len(ratios) >= t.Most
	return s
}

// Differs reports whether one setting is surely ahead.
func (s Standing) Differs() bool { return s.Order() == rating.Larger || s.Order() == rating.Smaller }

// Equal reports whether they are equal: the difference is less than what it should be known to.
func (s Standing) Equal() bool { return s.Low >= 1/(1+s.Within) && s.High <= 1+s.Within }

// Words says what stands, of settings by their names.
func (s Standing) Words(first, second, figure string) string {
	pairs := words.Count(s.Pairs, "pair")
	by := fmt.Sprintf("%+.2f %%", 100*(s.Ratio-1))
	in := fmt.Sprintf("95 %%: %+.2f to %+.2f %%; %s", 100*(s.Low-1), 100*(s.High-1), pairs)
	if s.High > 3 { // which percent hide
		by = rating.Rounded(s.Ratio, 3) + " times"
		in = fmt.Sprintf("95 %%: %s to %s times; %s", rating.Rounded(s.Low, 3), rating.Rounded(s.High, 3), pairs)
	}
	switch {
	case math.IsNaN(s.Low):
		return fmt.Sprintf("%s: not known after %s: it takes %d", figure, pairs, stats.LeastFound)
	case s.Differs() && s.Equal():
		return fmt.Sprintf("%s: %s and %s differ by less than %.3g %%: %s (%s)", figure, first, second, 100*s.Within,
			by, in)
	case s.Differs():
		return fmt.Sprintf("%s: %s is %s than %s: %s (%s)", figure, second,
			map[bool]string{true: "better", false: "worse"}[s.Ratio > 1], first, by, in)
	case s.Equal():
		return fmt.Sprintf("%s: %s and %s are equal within %.3g %%: %s (%s)", figure, first, second, 100*s.Within,
			by, in)
	}
	return fmt.Sprintf("%s: undecided: %s against %s: %s (%s)", figure, second, first, by, in)
}
