package beff_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/internal/scripted"
	"github.com/effective-bandwidth/beff/rating"
)

// The progress of an adaptive run never decreases. After the first tenth of the run, neither the progress nor the time
// left is off by more than three tenths of the run. Only machines whose noise lets the run predict its length are
// tested.
func TestAdaptiveProgress(t *testing.T) {
	const maxOff, tenth = 0.3, 0.1
	untested := map[string]bool{"independent noise, 2 %": true, "independent noise, 10 %": true,
		"skewed noise: 1 + 5 % exponential": true, "drift of up to ±5 %": true,
		"disturbed for 0.5 s, 3 times as long": true}
	for _, k := range kinds() {
		if !untested[k.name] {
			continue
		}
		delete(untested, k.name)
		r := rand.New(rand.NewPCG(7, 7))
		e := &scripted.Engine{Processes: 2}
		begin, state := e.Now(), k.begin(r, 90)
		e.Cost = func(s scripted.Step) float64 {
			latency, slower := state(e.Now().Sub(begin).Seconds())
			return (float64(s.Messages)*latency + float64(s.Bytes)/simulatedBandwidth) * slower * k.noise(r)
		}
		plan, err := beff.NewPlan(2, beff.Config{Rules: beff.Rules2001, Memory: 256 << 20, Within: 0.02})
		require.NoError(t, err)
		var all []rating.Progress
		_, err = plan.Measure(e, rating.Observer[beff.Measured]{Now: e.Now,
			Progress: func(p rating.Progress) { all = append(all, p) }})
		require.NoError(t, err)
		whole, last, off, left := e.Now().Sub(begin).Seconds(), 0.0, 0.0, 0.0
		for _, p := range all {
			require.GreaterOrEqual(t, p.Part, last, k.name)
			last = p.Part
			if at := p.Elapsed.Seconds() / whole; at >= tenth {
				off = max(off, math.Abs(p.Part-at))
				left = max(left, math.Abs((p.Elapsed+p.Left).Seconds()/whole-1))
			}
		}
		require.Less(t, off, maxOff, k.name)
		require.Less(t, left, maxOff, k.name)
		require.Greater(t, last, 0.97, k.name)
	}
	require.Empty(t, untested)
}
