package ofbeff

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/patterns"
)

// Every pattern has a unique name in words.
func TestNames(t *testing.T) {
	for _, processes := range []int{2, 3, 4, 5, 7, 8, 12, 14, 23, 64, 1000} {
		list, err := patterns.BEff(processes, 1)
		require.NoError(t, err)
		seen := map[string]bool{}
		for _, p := range list {
			name := nameOf(beff.Pattern{Name: p.Name, Processes: p.Processes})
			require.NotRegexp(t, `[*&#]|^ring-|^random-|cart|best-|-pong$`, name)
			require.False(t, seen[name], "%d: %s", processes, name)
			seen[name] = true
		}
	}
	for code, name := range map[string]string{
		"ring-32*2fix":        "32 rings of 2 processes",
		"ring-1*12fix#3":      "1 ring of 12 processes (3)",
		"random-07":           "random pattern 7",
		"random-30":           "random pattern 30",
		"bisection-worst":     "worst bisection",
		"cart3d-cyclic-dim2":  "3-D cyclic, dimension 2",
		"something-else":      "something-else",
		"ring-99999999999*2&": "ring-99999999999*2&",
	} {
		require.Equal(t, name, nameOf(beff.Pattern{Name: code, Processes: 12}))
	}
	require.Equal(t, "2 rings of 5 and 1 of 4 processes", nameOf(beff.Pattern{Name: "ring-3*5&-1", Processes: 14}))
	require.Equal(t, "1 ring of 2 and 1 of 3 processes", nameOf(beff.Pattern{Name: "ring-2*2&+1", Processes: 5}))
}
