package beffio

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// On any number of processes the default time gives a rating that meets all criteria about its measurements.
func TestDefaultIsValid(t *testing.T) {
	for _, rules := range []Rules{RulesPaper, Rules21} {
		for _, processes := range []int{1, 2, 3, 4, 7, 64} {
			r := rate(t, Config{Rules: rules, Memory: 1 << 30, MaxBytes: 1 << 50}, processes,
				disk{write: 1e9, read: 1e9, call: 1e-5})
			for _, c := range r.Criteria {
				require.True(t, c.Reached || c.Name == "library", "%s, %d processes: %s: %s", rules, processes, c.Name,
					c.Text)
			}
		}
	}
}
