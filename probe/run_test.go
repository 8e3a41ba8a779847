package probe_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/measured"
)

// The document of a run without a warning has a list without one, as the schema wants it, and not null.
func TestNoWarnings(t *testing.T) {
	plan, err := probe.NewPlan(2, probe.Config{Selections: named(t, "PingPong")})
	require.NoError(t, err)
	r := probe.NewResult(plan, &measured.Outcome{}, probe.Run{})
	require.NotNil(t, r.Warnings)
	require.Empty(t, r.Warnings)
}
