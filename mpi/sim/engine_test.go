package sim

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/sim/machine"
	"github.com/effective-bandwidth/beff/sim/model"
)

const plain = `
name: plain
processes_per_node: 1
memory_per_process: 1 GiB
endpoint: {overhead: 1us, latency: 2us, bandwidth: 1 GB/s, scan: 0.5us}
link: {bandwidth: 100 GB/s}
topology: {kind: full}
`

func engineOf(t *testing.T, processes int, settings ...string) *Engine {
	t.Helper()
	m, err := machine.Parse("plain", []byte(plain), settings...)
	require.NoError(t, err)
	x, err := model.New(m, processes, 1)
	require.NoError(t, err)
	return New(x, 1)
}

// ring returns a program in which each process sends to its right neighbor, then to its left one.
func ring(t *testing.T, e *Engine, calls ...mpi.Call) *mpi.Program {
	t.Helper()
	b, err := e.NewBuffer(1000)
	require.NoError(t, err)
	n := e.World().Size()
	p := &mpi.Program{Comm: e.World(), Loop: calls, Traffic: &mpi.Traffic{
		Each: func(yield func(round, from, to int)) {
			for rank := range n {
				yield(0, rank, (rank+1)%n)
				yield(1, rank, (rank+n-1)%n)
			}
		}}}
	for _, peer := range []int{1, n - 1, n - 1, 1} {
		p.Place(mpi.Place{Space: b, Length: 1000, Peer: peer})
	}
	return p
}

func TestMethods(t *testing.T) {
	e := engineOf(t, 8)
	for _, c := range []struct {
		calls []mpi.Call
		want  float64 // µs of a loop
	}{
		{[]mpi.Call{{Op: mpi.Sendrecv, Send: mpi.One(0), Recv: mpi.One(2)},
			{Op: mpi.Sendrecv, Send: mpi.One(1), Recv: mpi.One(3)}}, 2 * (4 + 1)},
		{[]mpi.Call{{Op: mpi.Irecv, Recv: mpi.One(2)}, {Op: mpi.Isend, Send: mpi.One(0)}, {Op: mpi.Irecv,
			Recv: mpi.One(3)}, {Op: mpi.Isend, Send: mpi.One(1)}, {Op: mpi.Waitall}}, 4 + 2},
		{[]mpi.Call{{Op: mpi.Alltoallv, Send: mpi.Span{Count: 2}, Recv: mpi.Span{First: 2, Count: 2}}},
			4 + 2 + 8*0.5},
	} {
		before := e.Now()
		r, err := e.Compile(ring(t, e, c.calls...))
		require.NoError(t, err)
		m, err := r.Run(mpi.Loops{Untimed: 1, Timed: 10})
		require.NoError(t, err)
		require.InEpsilon(t, 10*c.want*1e-6, m.Seconds, 1e-9)
		require.Equal(t, &mpi.Spread{Max: m.Seconds, Min: m.Seconds, Mean: m.Seconds}, m.All)
		require.InEpsilon(t, 11*c.want*1e-6, e.Now().Sub(before).Seconds(), 1e-3)
	}
	require.Equal(t, int64(3*16), e.Worked()) // each program has another pattern of 8 processes with 2 messages
}

func TestRefusals(t *testing.T) {
	e := engineOf(t, 4)
	p := ring(t, e, mpi.Call{Op: mpi.Sendrecv, Send: mpi.One(0), Recv: mpi.One(2)})
	p.Traffic = nil
	_, err := e.Compile(p)
	require.ErrorContains(t, err, "messages of all processes")
	_, err = e.Compile(&mpi.Program{Comm: e.World(), Loop: []mpi.Call{{Op: mpi.Barrier}}})
	require.ErrorAs(t, err, new(*mpi.UnsupportedError))
	r, err := e.Compile(&mpi.Program{})
	require.NoError(t, err)
	_, err = r.Run(mpi.Loops{})
	require.Error(t, err)
	e.Abort(1)
	_, err = r.Run(mpi.Loops{Timed: 1})
	require.ErrorIs(t, err, mpi.ErrAborted)
}
