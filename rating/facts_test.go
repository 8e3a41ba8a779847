package rating

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestValid(t *testing.T) {
	yes, no := Criterion{Reached: true}, Criterion{}
	require.True(t, Valid(nil))
	require.True(t, Valid([]Criterion{yes, yes}))
	for i := range 3 {
		require.False(t, Valid(slices.Insert([]Criterion{yes, yes}, i, no)))
	}
}
