package probe

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/suites"
)

// Each class of kernels is measured in some way.
func TestMeasurings(t *testing.T) {
	for _, k := range suites.Kernels {
		if m := measurings[k.Class]; k.Class != kernel.Pairs && !m.series {
			require.NotNil(t, m.measure, "%s %s", k.Component, k.Name)
			require.NotNil(t, m.sample, "%s %s", k.Component, k.Name)
		}
	}
}
