package whatif

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/mpi/sim"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/sim/machine"
	"github.com/effective-bandwidth/beff/sim/model"
)

// TestBounded compares b_eff computed from the busiest link with b_eff computed message by message, on the machine of
// docs/machines for which they differ most.
func TestBounded(t *testing.T) {
	text, err := os.ReadFile("../../docs/machines/dragonfly.yaml")
	require.NoError(t, err)
	m, err := machine.Parse("dragonfly", text)
	require.NoError(t, err)
	rated := func(exact bool) float64 {
		r, err := Simulate(m, 16, beff.Config{Rules: beff.Rules2001, Memory: int64(m.Memory), Seed: 1, Quick: true,
			Patterns: []string{"ring", "random"}, Methods: []string{"sendrecv"}}, exact, nil)
		require.NoError(t, err)
		require.Equal(t, map[bool]string{false: "busiest link", true: "message by message"}[exact],
			r.Model.Sharing)
		return beff.Figures.Values(r)["b_eff"].Value
	}
	bounded, followed := rated(false), rated(true)
	require.NotEqual(t, followed, bounded)
	require.InEpsilon(t, followed, bounded, 0.03)
}

// After a tenth of the work the predicted duration is right within 40 %, if finding a message's route takes 1 µs and a
// sample 30 µs, whatever the machine's simulated time is. The progress never decreases.
func TestProgress(t *testing.T) {
	text, err := os.ReadFile("../../docs/machines/dragonfly.yaml")
	require.NoError(t, err)
	m, err := machine.Parse("dragonfly", text)
	require.NoError(t, err)
	for _, processes := range []int{16, 256, 2048} {
		plan, err := beff.NewPlan(processes, beff.Config{Rules: beff.Rules2001, Memory: int64(m.Memory), Seed: 1})
		require.NoError(t, err)
		x, err := model.New(m, processes, 1)
		require.NoError(t, err)
		e := sim.New(x, 1)
		samples := time.Duration(0)
		clock := func() time.Time {
			return time.Unix(0, 0).Add(time.Duration(e.Worked())*time.Microsecond + samples*30*time.Microsecond)
		}
		var all []rating.Progress
		_, err = plan.Measure(e, rating.Observer[beff.Measured]{Now: e.Now,
			Progress: Progress(e, plan, clock, func(at rating.Progress) { samples++; all = append(all, at) })})
		require.NoError(t, err)
		require.Len(t, all, plan.Measurements())
		whole, last := clock().Sub(time.Unix(0, 0)).Seconds(), 0.0
		for _, at := range all {
			require.GreaterOrEqual(t, at.Part, last)
			last = at.Part
			if at.Elapsed.Seconds() > whole/10 {
				require.InDelta(t, 1, (at.Elapsed+at.Left).Seconds()/whole, 0.4, "%d processes: %+v", processes, at)
			}
		}
		require.Equal(t, 0.99, last)
	}
}
