package beff

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/internal/scripted"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/patterns"
)

// A process without exchanges has nothing to do, except in Alltoallv, which all processes of a communicator call
// together.
func TestStepOfIdleProcess(t *testing.T) {
	e := &scripted.Engine{Processes: 3}
	idle := side{comm: e.World()}
	require.False(t, idle.takesPart())
	for _, method := range []Method{Sendrecv, Nonblocking} {
		require.Equal(t, &mpi.Program{}, idle.step(method, 8, 1))
	}
	require.Equal(t, []mpi.Call{{Op: mpi.Alltoallv}}, idle.step(Alltoallv, 8, 1).Calls())
	require.Equal(t, &mpi.Program{}, side{}.step(Alltoallv, 8, 1), "outside of the communicator")
}

// The calls of each method (paper, Sec. 3): one exchange after the other, one call for all, or all started and one
// wait. Sent data are stamped before the calls, received data are checked after them.
func TestStepsOfMethods(t *testing.T) {
	e := &scripted.Engine{Processes: 4}
	b, err := e.NewBuffer(1 << 20)
	require.NoError(t, err)
	s := side{comm: e.World(), send: b, recv: b, exchanges: []patterns.Exchange{{Dest: 3, Source: 1},
		{Dest: 1, Source: 3}, {Dest: patterns.None, Source: 2}, {Dest: 2, Source: patterns.None}}}
	span := func(first, count int) mpi.Span { return mpi.Span{First: first, Count: count} }
	sends, recvs := span(0, 3), span(3, 3)
	for method, want := range map[Method][]mpi.Call{
		Sendrecv: {
			{Op: mpi.Stamp, Send: span(0, 1)}, {Op: mpi.Sendrecv, Send: span(0, 1), Recv: span(3, 1)},
			{Op: mpi.Check, Recv: span(3, 1)},
			{Op: mpi.Stamp, Send: span(1, 1)}, {Op: mpi.Sendrecv, Tag: 1, Send: span(1, 1), Recv: span(4, 1)},
			{Op: mpi.Check, Recv: span(4, 1)},
			{Op: mpi.Recv, Tag: 2, Recv: span(5, 1)}, {Op: mpi.Check, Recv: span(5, 1)},
			{Op: mpi.Stamp, Send: span(2, 1)}, {Op: mpi.Send, Tag: 3, Send: span(2, 1)},
		},
		Alltoallv: {{Op: mpi.Stamp, Send: sends}, {Op: mpi.Alltoallv, Send: sends, Recv: recvs},
			{Op: mpi.Check, Recv: recvs}},
		Nonblocking: {
			{Op: mpi.Stamp, Send: sends},
			{Op: mpi.Irecv, Recv: span(3, 1)}, {Op: mpi.Isend, Send: span(0, 1)},
			{Op: mpi.Irecv, Tag: 1, Recv: span(4, 1)}, {Op: mpi.Isend, Tag: 1, Send: span(1, 1)},
			{Op: mpi.Irecv, Tag: 2, Recv: span(5, 1)}, {Op: mpi.Isend, Tag: 3, Send: span(2, 1)},
			{Op: mpi.Waitall}, {Op: mpi.Check, Recv: recvs},
		},
	} {
		p := s.step(method, 1000, 7)
		require.Equal(t, append([]mpi.Call{{Op: mpi.Walk, Send: sends, Recv: recvs}}, want...), p.Calls(), "%v", method)
		for i, peer := range []int{3, 1, 2, 1, 3, 2} {
			require.Equal(t, peer, p.Places[i].Peer)
			require.EqualValues(t, 1000, p.Places[i].Length)
			require.EqualValues(t, 1000, p.Places[i].Step)
		}
	}
	// The walk's step is the length, rounded up to 8.
	for length, step := range map[int64]int64{1: 8, 7: 8, 8: 8, 9: 16, 1001: 1008} {
		require.Equal(t, step, s.step(Sendrecv, length, 1).Places[0].Step)
	}
	// Sender and receiver compute the same mark: rank 0 expects first the mark of rank 1's first message to it.
	require.Equal(t, mark(1000, 1, 0, 7), s.step(Sendrecv, 1000, 7).Places[3].Mark)
}

// Marks of neighbouring senders, exchanges and measurements, and of one loop and the next, differ by odd numbers, so
// their lowest bits differ.
func TestOddMarks(t *testing.T) {
	first := mark(8, 4, 2, 6).Key
	for _, other := range []uint64{mark(8, 5, 2, 6).Key, mark(8, 3, 2, 6).Key, mark(8, 4, 3, 6).Key,
		mark(8, 4, 2, 7).Key, first + mark(8, 4, 2, 6).PerLoop} {
		require.NotEqual(t, first%2, other%2)
	}
}

// Six messages at the same time don't overlap, wherever the walk is when a new length begins. For longer messages the
// walk must start at a multiple of their length.
func TestRewinds(t *testing.T) {
	overlaps := func(size, length, at int64) bool {
		var starts []int64
		for range maxMessages {
			if at+length > size {
				at = 0
			}
			for _, s := range starts {
				if at < s+length && s < at+length {
					return true
				}
			}
			starts, at = append(starts, at), at+stepOf(length)
		}
		return false
	}
	for _, lmax := range []int64{1 << 13, 10007, 1 << 14} {
		size, longOverlap := (&Plan{Lmax: lmax}).BufferSize(), false
		for length := lmax / 2; length <= lmax; length += 97 {
			overlap := false
			for at := int64(0); at <= size; at += word {
				overlap = overlap || overlaps(size, length, at)
			}
			require.False(t, overlap && !rewinds(size, length), "%d of %d", length, lmax)
			longOverlap = longOverlap || overlap
		}
		require.True(t, longOverlap && rewinds(size, lmax), "the longest ones may overlap")
		require.False(t, rewinds(size, lmax*4/5))
	}
}
