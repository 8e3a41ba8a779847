package rating

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// Wrong data come first, then the early end of a run, which explains other unmet criteria.
func TestUnmet(t *testing.T) {
	data, early := Criterion{Name: RightData}, Criterion{Name: Complete}
	met, missed, class := Criterion{Name: Complete, Reached: true}, Criterion{Name: "a"}, Criterion{Class: "C"}
	for _, c := range [][2][]Criterion{
		{{data, met, missed, class}, {data, missed}},
		{{data, early, missed}, {data, early}},
		{{missed, early, missed}, {early}},
		{{met, class}, nil},
	} {
		require.Equal(t, c[1], Unmet(c[0]))
		require.Equal(t, c[0][0].Name == RightData, Verdict{Criteria: c[0]}.WrongData())
	}
}

func TestValid(t *testing.T) {
	yes, no := Criterion{Reached: true}, Criterion{}
	require.True(t, Valid(nil))
	require.True(t, Valid([]Criterion{yes, yes}))
	for i := range 3 {
		require.False(t, Valid(slices.Insert([]Criterion{yes, yes}, i, no)))
	}
}
