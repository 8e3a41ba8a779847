package compare

import (
	"fmt"
	"math"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/words"
	"github.com/effective-bandwidth/beff/stats"
)

// PairedRuns compares two settings whose runs were made in pairs, one of each, in random order, so that a lasting state
// of the machine affects both. The logarithm of each pair's ratio is one value. The mean is looked at after each pair,
// with bounds that hold for all looks together (Pocock; see stats.Sequential). With stats.MinRanks or more pairs, the
// median by ranks replaces the mean, because a pair in which the machine changes its state has a ratio without meaning.
type PairedRuns struct {
	MaxPairs int     // number of planned pairs
	Within   float64 // half-width of the ratio's interval that is narrow enough, as a fraction
}

// PairedResult is the intermediate result of pairs.
type PairedResult struct {
	rating.Comparison // second setting against the first; ends are NaN until enough is known
	Pairs             int
	Within            float64
	Over              bool // no further pair is needed or planned
}

// Result evaluates the ratios of pairs, of which larger is better. The interval has a confidence of 95 % for any
// number of looks.
func (t PairedRuns) Result(ratios []float64) PairedResult {
	const wrong = (1 - confidence) / 2
	logs := lists.Each(ratios, math.Log)
	none := math.NaN()
	s := PairedResult{Pairs: len(ratios), Within: t.Within}
	s.Comparison = rating.Comparison{Ratio: none, Low: none, High: none, P: none}
	if len(logs) == 0 {
		return s
	}
	// Pairs that agree to the last digit come from a model: a machine's spread isn't below a millionth.
	seen := stats.Sequential{Looks: t.MaxPairs}.Test(logs, 1e-6)
	half := seen.Half(wrong)
	middle, low, high := seen.Mean, seen.Mean-half, seen.Mean+half
	if len(logs) >= stats.MinRanks {
		middle, low, high = stats.SignedRank(logs, stats.Boundary(wrong, seen.Looks))
		half = max(middle-low, high-middle)
	}
	s.Ratio, s.Low, s.High = math.Exp(middle), math.Exp(low), math.Exp(high)
	s.Over = half <= math.Log1p(t.Within) || len(ratios) >= t.MaxPairs
	return s
}

// Differs reports whether one setting is surely ahead.
func (s PairedResult) Differs() bool {
	return s.Order() == rating.Larger || s.Order() == rating.Smaller
}

// Equal reports whether the settings are equal within s.Within.
func (s PairedResult) Equal() bool { return s.Low >= 1/(1+s.Within) && s.High <= 1+s.Within }

// Words describes the result for settings with these names.
func (s PairedResult) Words(first, second, figure string) string {
	pairs := words.Count(s.Pairs, "pair")
	by := fmt.Sprintf("%+.2f %%", 100*(s.Ratio-1))
	in := fmt.Sprintf("95 %%: %+.2f to %+.2f %%; %s", 100*(s.Low-1), 100*(s.High-1), pairs)
	if s.High > 3 { // too large for percent
		by = rating.Rounded(s.Ratio, 3) + " times"
		in = fmt.Sprintf("95 %%: %s to %s times; %s", rating.Rounded(s.Low, 3), rating.Rounded(s.High, 3), pairs)
	}
	switch {
	case math.IsNaN(s.Low):
		return fmt.Sprintf("%s: not known after %s: it takes %d", figure, pairs, stats.MinMeasured)
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
