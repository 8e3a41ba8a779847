package measured

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
)

// tableOf returns a block with a row for each ratio of the call's times to the mock-up's, both with the noise of a
// machine that is in a slow state at times.
func tableOf(draw *rand.Rand, ratios ...float64) []Block {
	k := &kernel.Kernel{Class: kernel.CallAndMockUp, Builder: &kernel.Builder{}}
	b := Block{Kernel: "x", Component: kernel.Guidelines, Processes: 2}
	for _, ratio := range ratios {
		g := &Guideline{}
		for range Rounds {
			state := 1.0
			if draw.Float64() < 0.3 {
				state = 1.8
			}
			at := func(t float64) int64 { return int64(state * t * (1e6 + 5e4*draw.NormFloat64())) }
			g.Call, g.MockUp = append(g.Call, at(ratio)), append(g.MockUp, at(1))
		}
		row := Row{Guideline: g, Repetitions: Rounds}
		row.Derived = Derive(k, &b, &row)
		b.Rows = append(b.Rows, row)
	}
	return []Block{b}
}

// verdicts judges the guidelines of a table and returns the verdicts.
func verdicts(blocks []Block) (list []Keeping) {
	JudgeGuidelines(blocks, &settings.Settings{})
	for _, row := range blocks[0].Rows {
		list = append(list, row.Judgement.Verdict)
	}
	return list
}

// TestJudgeGuidelines draws tables of 300 rows that just keep their guideline. At most 5 % of the tables may have a row
// that is called violated. In at least 95 % of them a row that takes 20 % longer is found, and never another row.
func TestJudgeGuidelines(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 2))
	const rows, tables = 300, 100
	alarms, found, others := 0, 0, 0
	for range tables {
		if slices.Contains(verdicts(tableOf(draw, slices.Repeat([]float64{1.05}, rows)...)), Violated) {
			alarms++
		}
		list := verdicts(tableOf(draw, append(slices.Repeat([]float64{1}, rows-1), 1.2)...))
		if list[rows-1] == Violated {
			found++
		}
		if slices.Contains(list[:rows-1], Violated) {
			others++
		}
	}
	require.LessOrEqual(t, alarms, 10) // 5 are expected at most; more than 10 have a probability of 1 %
	require.GreaterOrEqual(t, found, 95)
	require.Zero(t, others)
}

// TestJudgement checks that verdicts come with the numbers from which they follow.
func TestJudgement(t *testing.T) {
	blocks := tableOf(rand.New(rand.NewPCG(3, 4)), 2, 1, 1.05)
	require.Equal(t, []Keeping{Violated, Kept, Undecided}, verdicts(blocks))
	worst := blocks[0].Rows[0]
	require.InDelta(t, 2, worst.Derived[0].Ratio, 0.1)
	require.Less(t, worst.Derived[0].RatioLow, worst.Derived[0].Ratio)
	require.InDelta(t, 3*worst.Judgement.Probability, worst.Judgement.Corrected, 1e-12)
	require.NoError(t, worst.Guideline.check(&kernel.Kernel{Class: kernel.CallAndMockUp}, &worst))
	require.Error(t, worst.Guideline.check(&kernel.Kernel{Class: kernel.Collective}, &worst))
	worst.Guideline.MockUp[3] = -1
	require.Error(t, worst.Guideline.check(&kernel.Kernel{Class: kernel.CallAndMockUp}, &worst))
}
