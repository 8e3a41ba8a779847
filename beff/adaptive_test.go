package beff_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/internal/scripted"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/rating"
)

// onScript returns the result of a run on a scripted machine of this kind.
func onScript(t *testing.T, c beff.Config, k *kind, r *rand.Rand) *beff.Result {
	e := &scripted.Engine{Processes: 2}
	begin, state := e.Now(), k.begin(r, beff.Covered.Seconds())
	e.Cost = func(s scripted.Step) float64 {
		latency, slower := state(e.Now().Sub(begin).Seconds())
		method := map[mpi.Op]float64{mpi.Sendrecv: 1.01, mpi.Alltoallv: 1.2, mpi.Isend: 1}[s.Method]
		return (float64(s.Messages)*latency + float64(s.Bytes)/simulatedBandwidth) * slower * method * k.noise(r)
	}
	c.Rules, c.Memory = beff.Rules2001, 256<<20
	plan, err := beff.NewPlan(e.Processes, c)
	require.NoError(t, err)
	m, err := plan.Measure(e, rating.Observer[beff.Measured]{Now: e.Now})
	require.NoError(t, err)
	return beff.NewResult(plan, m, known(plan.Processes, rating.Run{}))
}

// An adaptive run makes as many passes as its interval needs. On a quiet machine three are enough. If states last, the
// run continues until its time is up, and reports the interval that it reached.
func TestAdaptive(t *testing.T) {
	r := rand.New(rand.NewPCG(20261122, 15))
	for _, k := range []kind{{begin: calm, noise: normal(0)}, {begin: calm, noise: normal(0.02)}} {
		x := onScript(t, beff.Config{Within: 0.02}, &k, r)
		require.Len(t, x.Runs(), rating.MinPasses)
		require.LessOrEqual(t, x.Derived.BEffInterval.RelativeHalfWidth(x.Derived.BEff), 0.02)
		require.True(t, x.Valid && x.Complete && !x.Noisy, x.Signs)
		require.Equal(t, beff.LongestAdaptive.Seconds(), x.AtMost)
	}
	k := kind{begin: states(10, simulatedLatency, 1.5), noise: normal(0.02)}
	x := onScript(t, beff.Config{Within: 0.02, AtMost: 5 * time.Minute}, &k, r)
	require.Greater(t, len(x.Runs()), rating.MinPasses)
	require.Less(t, x.WallSeconds, 300.)
	require.True(t, x.Valid && x.Complete)
	at := map[string]bool{}
	for _, s := range x.Signs {
		at[s.Name] = s.Quiet
	}
	require.Contains(t, at, "within")
	require.False(t, at["within"])
}
