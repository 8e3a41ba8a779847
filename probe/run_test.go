package probe_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/measured"
)

// The list of warnings of a run without warnings is empty and not null, as the schema demands.
func TestNoWarnings(t *testing.T) {
	plan, err := probe.NewPlan(2, probe.Config{Selections: named(t, "PingPong")})
	require.NoError(t, err)
	r := probe.NewResult(plan, &measured.Outcome{}, probe.Run{})
	require.NotNil(t, r.Warnings)
	require.Empty(t, r.Warnings)
}
