package hlrs

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/patterns"
)

// Each detail pattern has a name of the original, and each of these names has a pattern.
func TestOriginalNames(t *testing.T) {
	details := map[string]bool{}
	for _, processes := range []int{2, 24} { // with one dimension of more than one process, and with three
		all, err := patterns.BEff(processes, 1)
		require.NoError(t, err)
		for _, p := range all {
			if p.Kind == patterns.KindDetail {
				details[p.Name] = true
			}
		}
	}
	require.Equal(t, slices.Sorted(maps.Keys(details)), slices.Sorted(maps.Keys(detailNames)),
		"the rows of detailNames in beff36.go")
}
