package beff

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/internal/scripted"
	"github.com/effective-bandwidth/beff/rating"
)

// A preview measures as much as 30 s allow. It leaves out the details and two methods, and returns the expected time if
// that isn't enough.
func TestPreview(t *testing.T) {
	for _, x := range []struct {
		step     float64 // seconds of a step
		patterns int     // number of words that select patterns
		methods  int
		within   bool
	}{{1e-5, 0, 0, true}, {3e-3, 2, 1, true}, {1, 2, 1, false}} {
		e := &scripted.Engine{Processes: 4, Cost: func(scripted.Step) float64 { return x.step }}
		c, expected, err := Preview(e, Config{Rules: Rules2001, Memory: 128 << 20, Quick: true}, e.Now)
		require.NoError(t, err)
		require.Len(t, c.Patterns, x.patterns, "%v", x)
		require.Len(t, c.Methods, x.methods, "%v", x)
		require.Equal(t, x.within, expected < LongestPreview)
		if x.within {
			plan, err := NewPlan(4, c)
			require.NoError(t, err)
			begin := e.Now()
			_, err = plan.Measure(e, rating.Observer[Measured]{Now: e.Now})
			require.NoError(t, err)
			require.Less(t, e.Now().Sub(begin), LongestPreview)
			require.InDelta(t, 1, expected.Seconds()/e.Now().Sub(begin).Seconds(), 0.5)
		}
	}
	named := Config{Rules: Rules2001, Memory: 128 << 20, Quick: true,
		Patterns: []string{"ring"}, Methods: []string{"alltoallv"}}
	e := &scripted.Engine{Processes: 4, Cost: func(scripted.Step) float64 { return 1 }}
	c, _, err := Preview(e, named, e.Now)
	require.NoError(t, err)
	require.Equal(t, named, c, "patterns and methods that the user names stay")
}
