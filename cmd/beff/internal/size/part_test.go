package size

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPart(t *testing.T) {
	for text, want := range map[string]Part{"2%": 0.02, "0.02": 0.02, " 2.5 % ": 0.025} {
		var p Part
		require.NoError(t, p.UnmarshalText([]byte(text)), text)
		require.InDelta(t, float64(want), float64(p), 1e-12, text)
	}
	for _, text := range []string{"", "%", "2", "0", "-1%", "100%", "NaN", "x%"} {
		require.ErrorContains(t, new(Part).UnmarshalText([]byte(text)), "is not a fraction", text)
	}
}
