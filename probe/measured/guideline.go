package measured

import (
	"cmp"
	"fmt"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/stats"
)

// Guideline holds the times of both sides of a guideline, which were measured in turn: in each round one batch of
// repetitions of the call and one of the mock-up, the call first in every other round.
type Guideline struct {
	// Picoseconds of a repetition of the call in each round: the median of a batch, in the slowest process.
	Call []int64 `json:"picoseconds_call"`
	// The same of the mock-up.
	MockUp []int64 `json:"picoseconds_mockup"`
}

const (
	// Rounds is the number of rounds of a row. Of 32 the first of 300 rows needs 27 on one side (Holm, 5 %).
	Rounds = 32
	// confidence is that of the interval of a ratio by itself.
	confidence = 0.95
	// Together is the largest probability that any guideline of a result is called violated and isn't.
	Together = 0.05
)

// ratios returns the ratio of each round.
func (g *Guideline) ratios() []float64 {
	list := make([]float64, len(g.Call))
	for i, t := range g.Call {
		list[i] = float64(t) / float64(g.MockUp[i])
	}
	return list
}

// times returns the figures of a row: the medians of both times and of their ratio. The interval is that of a median,
// whatever the distribution is.
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

// check returns an error unless the times can be those of a row of a kernel.
func (g *Guideline) check(k *kernel.Kernel, row *Row) error {
	switch {
	case g == nil:
		return nil
	case k.Class != kernel.Guided || len(row.Samples)+len(row.Series) > 0 || row.Pairs != nil || row.Noise != nil:
		return fmt.Errorf("times of a guideline, of a kernel of class %s", k.Class)
	case len(g.Call) == 0 || len(g.Call) != len(g.MockUp) || len(g.Call) > Rounds:
		return fmt.Errorf("%d times of a guideline's call, %d of its mock-up", len(g.Call), len(g.MockUp))
	}
	for i := range g.Call {
		if g.Call[i] <= 0 || g.MockUp[i] <= 0 {
			return fmt.Errorf("times of a guideline: %d and %d", g.Call[i], g.MockUp[i])
		}
	}
	return nil
}

// Judgement says whether a row's guideline is kept.
type Judgement struct {
	// 0 to 1: of as many rounds or more in which the call took longer than the mock-up by more than the tolerance, if
	// it takes longer by that in half of all rounds.
	Probability float64 `json:"probability" jsonschema:"minimum=0"`
	// 0 to 1: the same times the number of the result's rows that it stands against (Holm).
	Corrected float64 `json:"corrected" jsonschema:"minimum=0"`
	// Violated: the corrected probability is 5 % or less. Kept: the interval ends at the tolerance or below. Else it is
	// undecided.
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

// JudgeGuidelines sets the judgements of all rows of guidelines in blocks, whose figures have been derived. A sign
// test asks each row, because it holds whatever disturbs single rounds; Holm's rule keeps the probability that any
// "violated" of the whole table is wrong. Kept is by each row's own interval.
func JudgeGuidelines(blocks []Block, s *settings.Settings) {
	tolerance := cmp.Or(s.Tolerance, settings.Default.Tolerance)
	var rows []*Row
	var wrong []float64
	for i := range blocks {
		for row := range lists.Elements(blocks[i].Rows) {
			if row.Judgement = nil; row.Guideline == nil || len(row.Derived) == 0 {
				continue
			}
			above := 0
			for _, ratio := range row.Guideline.ratios() {
				if ratio > tolerance {
					above++
				}
			}
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
