package beff_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/internal/scripted"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/rating"
)

// a step is a call of a scripted machine: its message length, what it costs in the state of the moment, and how long it
// took.
type step struct {
	bytes   float64
	state   [2]float64 // latency, and factor of all times
	seconds float64
}

// onScript measures a plan on a scripted machine of a kind. It also returns the seconds that the run has met the state
// that it met less, at lengths where the two differ by more than visible; 0 if it has met one alone, 1 or more for
// machines without states.
func onScript(t *testing.T, c beff.Config, k *kind, r *rand.Rand) (*beff.Result, float64) {
	seconds := beff.Covered.Seconds() // which an adaptive run takes at most
	if c.Rules != beff.RulesAdaptive {
		seconds = 30 // of a full pass
	}
	e := &scripted.Engine{Processes: 2}
	begin, state := e.Now(), k.begin(r, seconds)
	var steps []step
	e.Cost = func(s scripted.Step) float64 {
		latency, slower := state(e.Now().Sub(begin).Seconds())
		method := map[mpi.Op]float64{mpi.Sendrecv: 1.01, mpi.Alltoallv: 1.2, mpi.Isend: 1}[s.Method]
		seconds := (float64(s.Messages)*latency + float64(s.Bytes)/simulatedBandwidth) * slower * method * k.noise(r)
		steps = append(steps, step{float64(s.Bytes) / float64(max(s.Messages, 1)), [2]float64{latency, slower},
			seconds * float64(s.Loops.Timed+s.Loops.Untimed)})
		return seconds
	}
	plan, err := beff.NewPlan(e.Processes, c)
	require.NoError(t, err)
	m, err := plan.Measure(e, rating.Observer[beff.Measured]{Now: e.Now})
	require.NoError(t, err)
	x, met := beff.NewResult(plan, m, rating.Run{}), less(steps)
	if strings.HasPrefix(k.name, "drift") && x.WallSeconds < seconds/2 {
		met = 0 // it has met a part of the drift alone
	}
	return x, met
}

// less returns the seconds in the state that was met less, of two states.
func less(steps []step) float64 {
	var states [][2]float64
	for _, s := range steps {
		if !slices.Contains(states, s.state) {
			if states = append(states, s.state); len(states) > 2 {
				return 1
			}
		}
	}
	if len(states) < 2 {
		return 0
	}
	var met [2]float64
	for _, s := range steps {
		time := func(i int) float64 { return (states[i][0] + s.bytes/simulatedBandwidth) * states[i][1] }
		if math.Abs(math.Log(time(0)/time(1))) > visible {
			met[slices.Index(states, s.state)] += s.seconds
		}
	}
	return min(met[0], met[1])
}

// glimpse is the time in seconds that a run must see of a state to have met it.
const glimpse = 0.3

// adapted counts adaptive runs on machines of a kind: parts of the runs.
type adapted struct {
	ratio   float64 // mean of b_eff over that of full runs
	seconds float64 // median
	full    float64 // mean seconds of a full run
	passes  float64 // mean
	width   float64 // median of half of the interval
	held    float64 // whose interval holds the mean of full runs
	claims  float64 // that say ±2 % and aren't noisy,
	right   float64 // and are within 2 % of the mean of full runs,
	alone   float64 // or aren't, and met one state alone,
	wrong   float64 // or aren't, though they met both
	missed  float64 // whose interval misses though they met both, and that aren't noisy
}

// adapt measures n adaptive and some full runs on machines of a kind.
func adapt(t *testing.T, k *kind, n, full int) (a adapted) {
	const asked = 0.02
	config := beff.Config{Rules: beff.Rules2001, Memory: 256 << 20}
	adaptive := beff.Config{Rules: beff.RulesAdaptive, Memory: 256 << 20, Within: asked}
	r := rand.New(rand.NewPCG(20261122, 15))
	truth, one := 0.0, 1/float64(n)
	whole := *k
	if k.quiet {
		whole.begin = calm
	}
	for range full {
		x, _ := onScript(t, config, &whole, r)
		truth += math.Log(x.Derived.BEff) / float64(full)
		a.full += x.WallSeconds / float64(full)
	}
	var seconds, widths []float64
	count := func(part *float64, is bool) {
		if is {
			*part += one
		}
	}
	for range n {
		x, met := onScript(t, adaptive, k, r)
		in, distance := x.Derived.BEffInterval, math.Log(x.Derived.BEff)-truth
		a.ratio += distance * one
		a.passes += float64(len(x.Runs())) * one
		seconds, widths = append(seconds, x.WallSeconds), append(widths, in.Part(x.Derived.BEff))
		held := in.Low <= math.Exp(truth) && math.Exp(truth) <= in.High
		claims, right := !x.Noisy && in.Part(x.Derived.BEff) <= asked, math.Abs(distance) <= asked
		count(&a.held, held)
		count(&a.claims, claims)
		count(&a.right, claims && right)
		count(&a.alone, claims && !right && met < glimpse)
		count(&a.wrong, claims && !right && met >= glimpse)
		count(&a.missed, !held && !x.Noisy && met >= glimpse)
	}
	slices.Sort(seconds)
	slices.Sort(widths)
	a.ratio, a.seconds, a.width = math.Exp(a.ratio), seconds[n/2], widths[n/2]
	return a
}

// A machine whose state lasts for two seconds is in both of them during a run, which says that it doesn't know b_eff
// within 2 %, unless it has met one state alone.
func TestAdaptiveStates(t *testing.T) {
	k := kind{"", false, states(2, simulatedLatency, 1.2), normal(0.02), false, false}
	a := adapt(t, &k, 3, 2)
	require.Zero(t, a.wrong)
	require.Zero(t, a.missed)
}

// An adaptive run ends within its interval, in less than 20 s, and its ±2 % hold the mean of full runs, unless
// it is noisy or has met one state alone.
func TestAdaptive(t *testing.T) {
	n, full := 5, 3
	if *machines > 0 {
		n, full = *machines, 50
		fmt.Print("| machines | b_eff over that of full runs | seconds | full run | passes | half width | holds the " +
			"mean of full runs | says 2 % | and is right | met one state alone | wrong | misses, met both, not noisy " +
			"|\n|---|---|---|---|---|---|---|---|---|---|---|---|\n")
	}
	more := []kind{
		{"all times 1 or 1.2, 0.5 s each", true, states(0.5, simulatedLatency, 1.2), normal(0.02), false, false},
		{"all times 1 or 1.05, 2 s each", true, states(2, simulatedLatency, 1.05), normal(0.02), false, false},
	}
	for _, k := range append(kinds(), more...) {
		if *machines == 0 && !(k.steady && k.holds) {
			continue
		}
		t.Run(k.name, func(t *testing.T) {
			a := adapt(t, &k, n, full)
			if *machines > 0 {
				fmt.Printf("| %s | %.3f | %.1f | %.1f | %.1f | %.2g %% |", k.name, a.ratio, a.seconds, a.full, a.passes,
					100*a.width)
				for _, part := range []float64{a.held, a.claims, a.right, a.alone, a.wrong, a.missed} {
					fmt.Printf(" %.0f %% |", 100*part)
				}
				fmt.Println()
				return
			}
			require.Greater(t, a.right, 0.7)
			require.Less(t, a.seconds, 20.)
		})
	}
}

// On a machine that makes many samples ten times as long b_eff is never above its samples.
func TestAdaptiveDisturbed(t *testing.T) {
	k := kind{name: "disturbed", begin: calm, noise: func(r *rand.Rand) float64 {
		if r.IntN(3) == 0 {
			return 10
		}
		return 1
	}}
	config := beff.Config{Rules: beff.RulesAdaptive, Memory: 256 << 20, Within: 0.02, AtMost: 30 * time.Second}
	for seed := range uint64(3) {
		r := rand.New(rand.NewPCG(1, seed))
		disturbed, _ := onScript(t, config, &k, r)
		same := kind{begin: calm, noise: func(*rand.Rand) float64 { return 1 }}
		quiet, _ := onScript(t, config, &same, r)
		require.LessOrEqual(t, disturbed.Derived.BEff, 1.02*quiet.Derived.BEff)
	}
}

// A machine without noise ends an adaptive run that has no limit of time.
func TestAdaptiveWithoutNoise(t *testing.T) {
	k := kind{name: "no noise", begin: calm, noise: func(*rand.Rand) float64 { return 1 }}
	config := beff.Config{Rules: beff.RulesAdaptive, Memory: 256 << 20, Within: 0.02}
	x, _ := onScript(t, config, &k, rand.New(rand.NewPCG(1, 2)))
	require.True(t, x.Complete)
	require.NotNil(t, x.Derived.BEffInterval)
}

// An adaptive run is as good as a full one where each loop costs something to begin with, and where short loops spread
// more than long ones.
func TestAdaptiveLoops(t *testing.T) {
	const (
		begins  = 1e-4 // seconds
		spreads = 3e-3 // of a loop that takes a second
	)
	rate := func(c beff.Config, seed uint64) float64 {
		r := rand.New(rand.NewPCG(3, seed))
		e := &scripted.Engine{Processes: 2}
		e.Cost = func(s scripted.Step) float64 {
			seconds := float64(s.Messages)*simulatedLatency + float64(s.Bytes)/simulatedBandwidth
			loops := float64(s.Loops.Timed)
			return seconds + begins/loops + math.Sqrt(seconds/loops)*spreads*r.ExpFloat64()
		}
		c.Memory = 256 << 20
		plan, err := beff.NewPlan(e.Processes, c)
		require.NoError(t, err)
		m, err := plan.Measure(e, rating.Observer[beff.Measured]{Now: e.Now})
		require.NoError(t, err)
		return beff.NewResult(plan, m, rating.Run{}).Derived.BEff
	}
	for seed := range uint64(3) {
		full := rate(beff.Config{Rules: beff.Rules2001}, seed)
		adaptive := rate(beff.Config{Rules: beff.RulesAdaptive, Within: 0.02}, seed)
		t.Logf("adaptive/full %.4f", adaptive/full)
		require.InDelta(t, 1, adaptive/full, 0.01)
	}
}
