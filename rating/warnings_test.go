package rating_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/mpi/sim"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/rating"
)

// The results of all benchmarks warn of hosts whose processes share processors in the same words, with a host's name.
func TestCrowdedWarning(t *testing.T) {
	plan, err := beff.NewPlan(2, beff.Config{Rules: beff.Rules2001, Memory: 1 << 20})
	require.NoError(t, err)
	io, err := beffio.NewPlan(2, beffio.Config{Rules: beffio.RulesPaper, Duration: time.Hour, Memory: 256 << 20,
		TotalMemory: 1 << 30, MaxBytes: 1 << 42})
	require.NoError(t, err)
	warnings := map[string]func(rating.Run) []rating.Warning{
		beff.Benchmark: func(run rating.Run) []rating.Warning {
			return beff.NewResult(plan, &beff.Measured{}, run).Warnings
		},
		beffio.Benchmark: func(run rating.Run) []rating.Warning {
			return beffio.NewResult(io, &beffio.Measured{}, beffio.Run{Run: run}).Warnings
		},
		probe.Benchmark: func(run rating.Run) []rating.Warning {
			return probe.NewResult(&probe.Plan{Processes: 2}, &measured.Outcome{}, probe.Run{Run: run}).Warnings
		},
	}
	for processors, crowded := range map[int]bool{0: false, 1: true, 2: false} {
		placement := []job.Placement{{Host: "roomy", Ranks: "0", Processes: 1, Processors: 1},
			{Host: "narrow", Ranks: "1-2", Processes: 2, Processors: processors}}
		want := rating.CrowdedWarning(placement)
		require.Equal(t, crowded, len(want) == 1)
		for benchmark, listOf := range warnings {
			list := listOf(rating.Run{Library: mpi.Library{Engine: "libmpi"}, Layout: job.Layout{Placement: placement}})
			if i := slices.IndexFunc(list, func(w rating.Warning) bool { return w.Code == "crowded" }); crowded {
				require.GreaterOrEqual(t, i, 0, benchmark)
				require.Equal(t, want[0], list[i], benchmark)
				require.Contains(t, list[i].Text, "on 1 of 2 hosts, such as narrow, ", benchmark)
			} else {
				require.Negative(t, i, benchmark)
			}
		}
	}
}

// Unknown facts make a criterion unmet: whether each process has its own processor, and which library was measured. For
// models both are met.
func TestNotKnown(t *testing.T) {
	plan, err := beff.NewPlan(2, beff.Config{Rules: beff.Rules2001, Memory: 1 << 20})
	require.NoError(t, err)
	io, err := beffio.NewPlan(2, beffio.Config{Rules: beffio.RulesPaper, Duration: time.Hour, Memory: 256 << 20,
		TotalMemory: 1 << 30, MaxBytes: 1 << 42})
	require.NoError(t, err)
	unknown := func(criteria []rating.Criterion) (names []string) {
		for _, c := range criteria {
			if c.Unknown {
				require.False(t, c.Reached)
				require.False(t, rating.Valid([]rating.Criterion{c}))
				names = append(names, c.Name)
			}
		}
		return names
	}
	var none rating.Run
	named := rating.Run{Library: mpi.Library{Engine: "libmpi"}}
	model := rating.Run{Library: mpi.Library{Engine: "sim", Stated: sim.Kind}}
	for want, run := range map[string]rating.Run{"processors library": none, "processors": named, "": model} {
		require.Equal(t, want, strings.Join(unknown(beff.NewResult(plan, &beff.Measured{}, run).Criteria), " "))
	}
	require.Equal(t, []string{"library"}, unknown(beffio.NewResult(io, &beffio.Measured{}, beffio.Run{}).Criteria))
}
