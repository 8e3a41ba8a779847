package beff_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/scripted"
	"github.com/effective-bandwidth/beff/rating"
)

// onScript measures a plan on a scripted machine of a kind.
func onScript(t *testing.T, c beff.Config, k *kind, r *rand.Rand) *beff.Result {
	const seconds = 30 // of a full run
	e := &scripted.Engine{Processes: 2}
	begin, state := e.Now(), k.begin(r, seconds)
	e.Cost = func(s scripted.Step) float64 {
		latency, slower := state(e.Now().Sub(begin).Seconds())
		method := map[mpi.Op]float64{mpi.Sendrecv: 1.01, mpi.Alltoallv: 1.2, mpi.Isend: 1}[s.Method]
		return (float64(s.Messages)*latency + float64(s.Bytes)/simulatedBandwidth) * slower * method * k.noise(r)
	}
	plan, err := beff.NewPlan(e.Processes, c)
	require.NoError(t, err)
	m, err := plan.Measure(e, rating.Observer[beff.Measured]{Now: e.Now})
	require.NoError(t, err)
	return beff.NewResult(plan, m, rating.Run{})
}

// An adaptive run ends within its interval, in a fraction of the time, and its ±2 % hold the mean of full runs.
func TestAdaptive(t *testing.T) {
	n, full := 5, 3
	if *machines > 0 {
		n, full = *machines, 50
		fmt.Print("| machines | b_eff over that of full runs | seconds | full run | rounds | within 2 % of full " +
			"runs | noisy | missed by 2 %, not noisy |\n|---|---|---|---|---|---|---|---|\n")
	}
	config := beff.Config{Rules: beff.Rules2001, Memory: 256 << 20}
	adaptive := beff.Config{Rules: beff.RulesAdaptive, Memory: 256 << 20, Within: 0.02, AtMost: time.Minute}
	for _, k := range kinds()[:9] {
		if *machines == 0 && !k.holds {
			continue
		}
		r := rand.New(rand.NewPCG(20261122, 15))
		truth, long := 0.0, 0.0
		for range full {
			x := onScript(t, config, &k, r)
			truth += math.Log(x.Derived.BEff) / float64(full)
			long += x.WallSeconds / float64(full)
		}
		held, ratio, seconds, rounds, noisy, unmarked := 0, 0.0, 0.0, 0, 0, 0
		for range n {
			x := onScript(t, adaptive, &k, r)
			distance := math.Log(x.Derived.BEff) - truth
			ratio += distance / float64(n)
			seconds += x.WallSeconds / float64(n)
			rounds += x.Repetitions
			if math.Abs(distance) <= 0.02 {
				held++
			}
			if x.Noisy {
				noisy++
			} else if math.Abs(distance) > 0.02 {
				unmarked++
			}
		}
		part := float64(held) / float64(n)
		if *machines > 0 {
			fmt.Printf("| %s | %.3f | %.1f | %.1f | %.1f | %.0f %% | %.0f %% | %.0f %% |\n", k.name, math.Exp(ratio),
				seconds, long, float64(rounds)/float64(n), 100*part, 100*float64(noisy)/float64(n),
				100*float64(unmarked)/float64(n))
			continue
		}
		require.Greater(t, part, 0.7, k.name)
		require.Less(t, seconds, long/2, k.name)
	}
}

// A machine without noise ends an adaptive run that has no limit of time.
func TestAdaptiveWithoutNoise(t *testing.T) {
	k := kind{name: "no noise", begin: calm, noise: func(*rand.Rand) float64 { return 1 }}
	config := beff.Config{Rules: beff.RulesAdaptive, Memory: 256 << 20, Within: 0.02}
	x := onScript(t, config, &k, rand.New(rand.NewPCG(1, 2)))
	require.True(t, x.Complete)
	require.NotNil(t, x.Derived.BEffInterval)
}
