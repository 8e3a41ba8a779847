package ofbeff

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/internal/scripted"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/rating"
)

// With the defaults a rating is valid on any number of processes, or beff warns before the first sample that it won't
// be valid.
func TestValidOrWarned(t *testing.T) {
	for _, c := range []struct {
		processes, processors int
		valid                 bool
	}{{2, 2, true}, {3, 3, true}, {4, 4, true}, {7, 7, true}, {64, 64, true}, {7, 2, false}} {
		plan, err := beff.NewPlan(c.processes, beff.Config{Rules: beff.Rules2001, Memory: 1 << 30,
			AtMost: beff.Covered})
		require.NoError(t, err)
		run := rating.Run{Library: mpi.Library{Engine: "local", Library: "beff"}, Layout: job.Layout{Memory: 1 << 30,
			Placement: []job.Placement{{Host: "a", Processes: c.processes, Processors: c.processors}}}}
		require.Equal(t, c.valid, len(PlanRemarks(plan, run)) == 0, "%v", c)
		e := &scripted.Engine{Processes: c.processes, Cost: scripted.Linear(1e-6, 1e9)}
		m, err := plan.Measure(e, rating.Observer[beff.Measured]{Now: e.Now})
		require.NoError(t, err)
		require.Equal(t, c.valid, beff.NewResult(plan, m, run).Valid, "%v", c)
	}
	proven, err := beff.NewPlan(2, beff.Config{Rules: beff.Rules2001, Memory: 1 << 30, Prove: true,
		MessageMemory: mpi.MessageMemory{Buffers: "cuda:device"}})
	require.NoError(t, err)
	require.Contains(t, PlanRemarks(proven, rating.Run{}),
		"this rating will not be valid: the times contain the checks of data (--prove): leave out --prove")
	_, err = beff.NewPlan(1, beff.Config{Rules: beff.Rules2001, Memory: 1 << 30})
	require.Error(t, err)
}
