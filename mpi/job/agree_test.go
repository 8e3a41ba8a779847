package job

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/local"
)

type choice struct {
	Name  string
	Size  int64
	Seed  uint64
	Parts []string
}

func TestDecideOn(t *testing.T) {
	const n = 4
	want := choice{"größer, \"so\"\n", math.MaxInt64, math.MaxUint64, []string{strings.Repeat("long ", 100_000), ""}}
	for root := range n {
		asked, got := make([]int, n), make([]choice, n)
		require.NoError(t, local.Run(n, func(e mpi.Engine) (err error) {
			rank := e.World().Rank()
			got[rank], err = DecideOn(e.World(), root, func() (choice, error) {
				asked[rank]++
				return want, nil
			})
			return err
		}))
		for rank := range n {
			require.Equal(t, want, got[rank], "rank %d, root %d", rank, root)
			require.Equal(t, rank == root, asked[rank] == 1, "only the root is asked")
		}
	}
}

// TestDecideOnFails checks that all processes return the root's failure in the same words, and can still communicate.
func TestDecideOnFails(t *testing.T) {
	const n = 3
	cause := errors.New("no space left")
	got := make([]error, n)
	require.NoError(t, local.Run(n, func(e mpi.Engine) error {
		c := e.World()
		_, got[c.Rank()] = DecideOn(c, 1, func() (choice, error) { return choice{}, fmt.Errorf("output: %w", cause) })
		return c.Barrier()
	}))
	for rank, err := range got {
		require.EqualError(t, err, "output: no space left")
		require.True(t, mpi.Agreed(err))
		require.Equal(t, rank == 1, errors.Is(err, cause), "the cause itself stays with the root")
	}
}

// TestDecideUnencodable checks that a value that JSON can't hold is an error on all processes, none of which hangs.
func TestDecideUnencodable(t *testing.T) {
	require.NoError(t, local.Run(2, func(e mpi.Engine) error {
		_, err := Decide(e.World(), func() (float64, error) { return math.NaN(), nil })
		require.ErrorContains(t, err, "NaN")
		require.True(t, mpi.Agreed(err))
		return e.World().Barrier()
	}))
}

type misuse struct{ error }

func (misuse) ExitCode() int { return 2 }

// TestExitCode checks that all ranks get the exit code of an error.
func TestExitCode(t *testing.T) {
	const n = 3
	codes := make([]int, n)
	for _, agree := range []func(mpi.Comm) error{
		func(c mpi.Comm) error {
			_, err := Decide(c, func() (int, error) { return 0, fmt.Errorf("flags: %w", misuse{errors.New("no")}) })
			return err
		},
		func(c mpi.Comm) error {
			if c.Rank() == 1 {
				return Agree(c, misuse{errors.New("flags: no")})
			}
			return Agree(c, nil)
		},
	} {
		require.NoError(t, local.Run(n, func(e mpi.Engine) error {
			err := agree(e.World())
			require.EqualError(t, err, "flags: no")
			require.True(t, mpi.Agreed(err))
			coder := ExitCoder(nil)
			require.ErrorAs(t, err, &coder)
			codes[e.World().Rank()] = coder.ExitCode()
			return nil
		}))
		require.Equal(t, []int{2, 2, 2}, codes)
	}
	require.NoError(t, local.Run(n, func(e mpi.Engine) error {
		coder := ExitCoder(nil)
		require.False(t, errors.As(Agree(e.World(), errors.New("any")), &coder), "an error without a code gets none")
		return nil
	}))
}

// TestAgree checks that all processes return the error of the lowest rank if several ranks have errors.
func TestAgree(t *testing.T) {
	const n = 4
	for _, failing := range [][]int{{}, {0}, {3}, {2, 1}, {3, 2, 1, 0}} {
		got := make([]error, n)
		require.NoError(t, local.Run(n, func(e mpi.Engine) error {
			rank := e.World().Rank()
			var own error
			if slices.Contains(failing, rank) {
				own = fmt.Errorf("rank %d failed", rank)
			}
			got[rank] = Agree(e.World(), own)
			return e.World().Barrier()
		}))
		for rank, err := range got {
			if len(failing) == 0 {
				require.NoError(t, err)
				continue
			}
			require.EqualError(t, err, fmt.Sprintf("rank %d failed", slices.Min(failing)), "on rank %d", rank)
			require.True(t, mpi.Agreed(err))
		}
	}
}

func TestDecide(t *testing.T) {
	for _, n := range []int{1, 2, 5} {
		require.NoError(t, local.Run(n, func(e mpi.Engine) error {
			c := e.World()
			for round := range 10 {
				got, err := Decide(c, func() (int, error) { return 100*c.Rank() + round, nil })
				if err != nil || got != round {
					return fmt.Errorf("rank %d: %d in round %d: %w", c.Rank(), got, round, err)
				}
			}
			return nil
		}))
	}
}
