package job_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi/job"
)

// TestLowest has two nodes, each with two sockets of two cores. Ranks are dealt out to the nodes in turn.
func TestLowest(t *testing.T) {
	l := &job.Layout{Ranks: [][]int{{0, 2, 4, 6, 8}, {1, 3, 5, 7}},
		Placement: []job.Placement{{Host: "a"}, {Host: "b"}}}
	localities := []job.Locality{
		{Core: 0, Socket: 0, NICs: 0b01}, {Core: 2, Socket: 2, NICs: 0b11},
		{Core: 1, Socket: 0, NICs: 0b01}, {Core: 3, Socket: 2, NICs: 0b11},
		{Core: 2, Socket: 2, NICs: 0b10}, {Core: 0, Socket: 0, NICs: 0b11},
		{Core: 3, Socket: 2, NICs: 0b10}, {Core: 1, Socket: 0, NICs: 0b11},
		{Core: 3, Socket: 2, NICs: 0b10},
	}
	for per, want := range map[job.Part][]int{
		job.PerNode: {0, 1}, job.PerSocket: {0, 1, 4, 5}, job.PerCore: {0, 1, 2, 3, 4, 5, 6, 7},
		job.PerNIC: {0, 1, 3, 4}, // b's devices are near all its ranks, so its first two ranks have one each
	} {
		list, err := l.Lowest(per, localities)
		require.NoError(t, err)
		require.Equal(t, want, list, per)
	}
	list, err := l.Lowest(job.PerNode, nil)
	require.NoError(t, err)
	require.Equal(t, []int{0, 1}, list)
}

func TestLowestRefused(t *testing.T) {
	l := &job.Layout{Ranks: [][]int{{0, 1}}, Placement: []job.Placement{{Host: "a"}}}
	refused := func(per job.Part, localities []job.Locality, want string) {
		_, err := l.Lowest(per, localities)
		require.ErrorContains(t, err, want)
	}
	free := []job.Locality{{Core: 0, Socket: 0}, {Core: job.Anywhere, Socket: 0}}
	refused(job.PerCore, free, "process 1 isn't bound to one: bind processes, such as with mpirun --bind-to core")
	refused(job.PerNIC, free, "no network device of a is known")
	refused(job.PerSocket, nil, "not known")
}
