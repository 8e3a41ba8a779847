package beff_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/internal/scripted"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/rating"
)

// A rating with another longest message than 1/128 of the available memory is of another class. --memory once changed
// b_eff by a factor of 2.7, and all ratings were valid and ranked together.
func TestLimited(t *testing.T) {
	const mib = 1 << 20
	for _, c := range []struct {
		memory, available int64
		class             string
	}{
		{gib, gib, ""}, {gib, gib + gib/20, ""}, {gib, gib - gib/20, ""}, {gib, 0, ""},
		{gib, 2 * gib, "Lmax = 8 MiB"}, {256 * mib, 12 * gib, "Lmax = 2 MiB"}, {gib, gib / 2, "Lmax = 8 MiB"},
		{16 * gib, 64 * gib, ""}, // both are at 128 MiB
	} {
		plan, err := beff.NewPlan(4, beff.Config{Rules: beff.Rules2001, Memory: c.memory, Seed: 1})
		require.NoError(t, err)
		s := &scripted.Engine{Processes: 4, Cost: scripted.Linear(1e-6, 1e9)}
		m, err := plan.Measure(s, rating.Observer[beff.Measured]{Now: s.Now})
		require.NoError(t, err)
		r := beff.NewResult(plan, m, known(plan.Processes, rating.Run{Layout: job.Layout{Memory: c.available}}))
		require.True(t, r.Valid, "in its class")
		require.Equal(t, c.class, rating.ClassOf(r.Criteria), "%d of %d", c.memory, c.available)
		require.Equal(t, c.class != "", r.Limited() > 0)
		last := r.Criteria[len(r.Criteria)-1]
		require.Equal(t, c.available > 0, last.Name == "lmax", "old documents lack the available memory")
	}
	// In old results the memory per process is the memory of the first host over its processes.
	old := &beff.Result{Lmax: 2 * mib, Machine: rating.Machine{Host: rating.Host{Memory: 8 * gib},
		Placement: []job.Placement{{Processes: 8}, {Processes: 4}}}}
	require.EqualValues(t, gib, old.MemoryShare())
	require.EqualValues(t, 2*mib, old.Limited())
	old.Lmax = 8 * mib
	require.Zero(t, old.Limited())
	require.Equal(t, 8, old.PerNode())
	require.Zero(t, (&beff.Result{Lmax: mib}).Limited(), "nothing is known")
}
