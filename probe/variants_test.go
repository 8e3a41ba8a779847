package probe

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/probe/suites"
)

func TestRelayedProcesses(t *testing.T) {
	k, _, _ := suites.Find(kernel.MPIB, "Relayed")
	counts := func(processes, relays int) []int {
		p := Plan{Config: Config{Settings: settings.Settings{Blocks: settings.Blocks{Relays: relays}}},
			Processes: processes}
		p.enroll()
		return p.counts(k)
	}
	require.Equal(t, []int{3}, counts(3, 0))
	require.Equal(t, []int{4}, counts(9, 0))
	require.Equal(t, []int{7}, counts(9, 5))
	_, err := NewPlan(6, Config{Selections: []Selection{{Kernel: k, Named: true}},
		Settings: settings.Settings{Blocks: settings.Blocks{Relays: 5}}})
	require.EqualError(t, err, "Relayed needs at least 7 processes, this job has 6: start it with -n 7 or more")
}

// Factors that no kernel takes are refused.
func TestFactorsForNothing(t *testing.T) {
	k, _, _ := suites.Find(kernel.MPI1, "Scatter")
	_, err := NewPlan(2, Config{Selections: []Selection{{Kernel: k}},
		Settings: settings.Settings{Blocks: settings.Blocks{Factors: "speed"}}})
	require.ErrorContains(t, err, "factors are for kernels with blocks of different lengths")
}
