package whatif

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/sim/machine"
)

// TestBounded compares b_eff by the busiest link, which bounds messages, with b_eff of messages that are followed, on
// the one of the notebook's designs for which they differ most.
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
