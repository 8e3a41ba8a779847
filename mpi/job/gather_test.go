package job

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/local"
)

// Gather returns values of any length in the order of the ranks.
func TestGather(t *testing.T) {
	type value struct{ Text string }
	const ranks = 5
	require.NoError(t, local.Run(ranks, func(e mpi.Engine) error {
		c := e.World()
		all, err := Gather(c, value{strings.Repeat("é", c.Rank())})
		if c.Rank() > 0 {
			require.Nil(t, all)
			return err
		}
		for rank := range ranks {
			require.Equal(t, strings.Repeat("é", rank), all[rank].Text)
		}
		return err
	}))
}

// A value that JSON can't hold is an error of all processes.
func TestGatherUnencodable(t *testing.T) {
	require.NoError(t, local.Run(2, func(e mpi.Engine) error {
		c := e.World()
		_, err := Gather(c, []float64{1, math.NaN()}[c.Rank()])
		require.ErrorContains(t, err, "NaN")
		require.True(t, mpi.Agreed(err))
		return c.Barrier()
	}))
}
