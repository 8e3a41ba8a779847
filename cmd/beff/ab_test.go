package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Flags of settings may have values that begin with a dash, before the command alone.
func TestABLine(t *testing.T) {
	require.Equal(t, []string{"ab", "--a=--x 1", "--b=", "--", "run", "--a", "-b"},
		sidesJoined([]string{"ab", "--a", "--x 1", "--b", "", "--", "run", "--a", "-b"}))
	require.Equal(t, []string{"run", "--a", "b"}, sidesJoined([]string{"run", "--a", "b"}))
}
