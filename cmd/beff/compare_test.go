package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/report/versus"
)

// A gate that fails by what the repetitions of single runs say tells so; with three runs of a side it needn't.
func TestIntervalOfGate(t *testing.T) {
	const unless = "if runs differ as the repetitions do; three runs of a side tell)"
	one := versus.Sampled{Value: 1, Deviation: 0.01, Degrees: 1000, Runs: 1}
	three := versus.Sampled{Value: 1, Deviation: 0.01, Degrees: 2, Runs: 3}
	alone := interval(versus.Difference{First: one, Second: one})
	beside := interval(versus.Difference{First: three, Second: one})
	require.Contains(t, alone, "95 % interval 0.97")
	require.Contains(t, alone, unless)
	require.Contains(t, beside, "95 % interval 0.9")
	require.NotContains(t, beside, unless)
	require.Empty(t, interval(versus.Difference{First: versus.Sampled{Value: 1}, Second: one}), "it isn't known")
}
