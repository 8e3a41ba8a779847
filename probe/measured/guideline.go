package measured

import (
	"cmp"
	"fmt"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/stats"
)

// Guideline holds the times of both sides of a guideline, which were measured by turns. Each round has one batch of
// repetitions of the call and one of the mock-up; the call comes first in every other round.
type Guideline struct {
	// Picoseconds of a repetition of the call in each round: the median of a batch, on the slowest process.
	Call []int64 `json:"picoseconds_call"`
	// Picoseconds of a repetition of the mock-up in each round, found in the same way.
	MockUp []int64 `json:"picoseconds_mockup"`
}

const (
	// Rounds is the number of rounds of a row. By Holm's method at 5 %, the clearest of 300 rows is significant if 27
	// of its 32 rounds are on one side.
	Rounds = 32
	// confidence is the confidence level of the interval of a single ratio.
	confidence = 0.95
	// Together is the largest probability that any guideline of a result is wrongly called violated.
	Together = 0.05
)

// ratios returns the ratio of each round. A model in which empty messages aren't sent has times of 0.
func (g *Guideline) ratios() []float64 {
	list := make([]float64, len(g.Call))
	for i, t := range g.Call {
		list[i] = float64(max(t, 1)) / float64(max(g.MockUp[i], 1))
	}
	return list
}

// times returns the figures of a row: the medians of both times and of their ratio. The interval of the median holds
// for any distribution.
func (g *Guideline) times() kernel.Times {
	median := func(list []int64) float64 {
		return stats.Middle(lists.Each(list, func(v int64) float64 { return float64(v) * 1e-12 }))
	}
	t := kernel.Times{Max: median(g.Call), MockUp: median(g.MockUp)}
	var in stats.Interval
	t.Ratio, in = stats.Median(stats.Sorted(g.ratios()), confidence)
	if in.Known {
		t.RatioLow, t.RatioHigh = in.Low, in.High
	}
	return t
}

// check returns an error unless the times can belong to a row of the kernel.
func (g *Guideline) check(k *kernel.Kernel, row *Row) error {
	switch {
	case g == nil:
		return nil
	case k.Class != kernel.CallAndMockUp || len(row.Samples)+len(row.Series) > 0 || row.Pairs != nil ||
		row.Noise != nil:
		return fmt.Errorf("times of a guideline, of a kernel of class %s", k.Class)
	case len(g.Call) == 0 || len(g.Call) != len(g.MockUp) || len(g.Call) > Rounds:
		return fmt.Errorf("%d times of a guideline's call, %d of its mock-up", len(g.Call), len(g.MockUp))
	}
	for i := range g.Call {
		if g.Call[i] < 0 || g.MockUp[i] < 0 {
			return fmt.Errorf("times of a guideline: %d and %d", g.Call[i], g.MockUp[i])
		}
	}
	return nil
}

// Judgement is the verdict on a row's guideline.
type Judgement struct {
	// Probability (0 to 1) of at least as many slow rounds, if a round were slow with probability 1/2. In a slow round
	// the call takes longer than the mock-up by more than the tolerance.
	Probability float64 `json:"probability" jsonschema:"minimum=0"`
	// Probability corrected for the number of rows of the result by Holm's method (0 to 1).
	Corrected float64 `json:"corrected" jsonschema:"minimum=0"`
	// Violated if the corrected probability is 5 % or less, kept if the interval ends at the tolerance or below, and
	// otherwise undecided.
	Verdict Keeping `json:"verdict" jsonschema:"enum=violated,enum=kept,enum=undecided"`
}

// Keeping is a verdict on a guideline.
type Keeping string

// The verdicts.
const (
	Violated  Keeping = "violated"
	Kept      Keeping = "kept"
	Undecided Keeping = "undecided"
)

// JudgeGuidelines sets the judgements of all rows of guidelines in blocks, whose figures have been derived. Each row is
// judged by a sign test, which holds whatever disturbs single rounds. Holm's method bounds the probability that any
// "violated" in the whole table is wrong. Whether a guideline is kept follows from the row's own interval.
func JudgeGuidelines(blocks []Block, s *settings.Settings) {
	tolerance := cmp.Or(s.Tolerance, settings.Default.Tolerance)
	var rows []*Row
	var wrong []float64
	for i := range blocks {
		for row := range lists.Elements(blocks[i].Rows) {
			if row.Judgement = nil; row.Guideline == nil || len(row.Derived) == 0 {
				continue
			}
			above := lists.Count(row.Guideline.ratios(), func(ratio float64) bool { return ratio > tolerance })
			rows, wrong = append(rows, row), append(wrong, stats.Sign(above, len(row.Guideline.Call)))
		}
	}
	for i, corrected := range stats.Adjusted(wrong) {
		row := rows[i]
		t := &row.Derived[0]
		row.Judgement = &Judgement{Probability: wrong[i], Corrected: corrected, Verdict: Undecided}
		switch {
		case corrected <= Together:
			row.Judgement.Verdict = Violated
		case t.RatioHigh > 0 && t.RatioHigh <= tolerance:
			row.Judgement.Verdict = Kept
		}
	}
}
