package probe

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Each class of kernels is measured in some way.
func TestMeasurings(t *testing.T) {
	for _, k := range Kernels {
		if m := measurings[k.Class]; k.Class != Pairs && !m.series {
			require.NotNil(t, m.measure, "%s %s", k.Component, k.Name)
			require.NotNil(t, m.sample, "%s %s", k.Component, k.Name)
		}
	}
}
