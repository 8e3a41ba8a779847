package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/report/accept"
	"github.com/effective-bandwidth/beff/report/compare"
	"github.com/effective-bandwidth/beff/report/document"
)

// The link of a comparison's first page has the address of its last section, which has the verdict of the sheet.
func TestLinkToVerdict(t *testing.T) {
	made := &document.Document{Sections: []document.Section{{ID: "a"}}}
	addVerdicts(made, []*accept.Acceptance{{Evidence: new(accept.Sheet).Evidence(time.Time{})}})
	require.Equal(t, "#"+made.Sections[1].ID, made.Lead.Links[0].Address)
}

// The error of a gate mentions intervals that come from the repetitions of single runs, but not intervals of three
// runs.
func TestIntervalOfGate(t *testing.T) {
	const unless = "if runs differ as the repetitions do; three runs per side would show it)"
	one := compare.Sampled{Value: 1, Deviation: 0.01, Degrees: 1000, Runs: 1}
	three := compare.Sampled{Value: 1, Deviation: 0.01, Degrees: 2, Runs: 3}
	alone := interval(compare.Difference{First: one, Second: one})
	beside := interval(compare.Difference{First: three, Second: one})
	require.Contains(t, alone, "95 % interval 0.97")
	require.Contains(t, alone, unless)
	require.Contains(t, beside, "95 % interval 0.9")
	require.NotContains(t, beside, unless)
	require.Empty(t, interval(compare.Difference{First: compare.Sampled{Value: 1}, Second: one}), "it isn't known")
}
