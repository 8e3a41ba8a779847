package sim

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
)

// collectiveOf returns a program of a call with the given number of bytes for each process.
func collectiveOf(e mpi.Engine, comm mpi.Comm, op mpi.Op, bytes int64) (*mpi.Program, error) {
	processes, me := comm.Size(), comm.Rank()
	all := bytes * int64(processes)
	b, err := e.NewBuffer(2 * all)
	if err != nil {
		return nil, err
	}
	p := &mpi.Program{Comm: comm, Start: comm}
	sides := func(parts mpi.Parts, offset int64) mpi.Span {
		s := mpi.Span{First: len(p.Places), Count: 1}
		switch parts {
		case mpi.Vector, mpi.Sparse:
			s.Count = processes
			apart := bytes
			if _, same := op.Blocks(); same && offset == 0 {
				apart = 0
			}
			for peer := range processes {
				p.Place(mpi.Place{Space: b, Offset: offset + int64(peer)*apart, Length: bytes, Peer: peer,
					Type: mpi.Float32})
			}
		case mpi.Equal:
			p.Place(mpi.Place{Space: b, Offset: offset, Length: all, Type: mpi.Float32})
		default:
			p.Place(mpi.Place{Space: b, Offset: offset, Length: bytes, Peer: me, Type: mpi.Float32})
		}
		return s
	}
	c := mpi.Call{Op: op, Root: processes - 1}
	if of := op.Blocking(); of != mpi.Barrier && of != mpi.DupFree {
		send, recv := op.Parts()
		c.Send, c.Recv = sides(send, 0), sides(recv, all)
		there, back := op.AtRoot()
		c.Rotate = (there || back) && !op.Persistent()
	}
	p.Call(c)
	if op.Starts() {
		p.Call(mpi.Call{Op: mpi.Wait})
	}
	return p, nil
}

// TestNonblocking compares each nonblocking collective call to its blocking form. Without computing they take exactly
// the same time. With computing they take no longer than both in succession, and no less than either.
func TestNonblocking(t *testing.T) {
	for _, progress := range []string{"always", "calls"} {
		for _, processes := range []int{1, 2, 3, 5, 8, 12} {
			onRanks(t, processes, func(e mpi.Engine) error {
				for _, op := range mpi.Ops() {
					if op.Family() != mpi.NonblockingCollective {
						continue
					}
					for _, bytes := range []int64{8, 1 << 10, 1 << 16} {
						seconds := func(of mpi.Op, beside ...mpi.Call) float64 {
							p, err := collectiveOf(e, e.World(), of, bytes)
							require.NoError(t, err)
							p.Loop[0].Rotate = p.Loop[0].Rotate && !op.Persistent()
							p.Loop = append(p.Loop[:1:1], append(beside, p.Loop[1:]...)...)
							m, err := measure(e, p, mpi.Loops{Timed: 20})
							require.NoError(t, err)
							slowest := []float64{m.Seconds}
							require.NoError(t, e.World().Allreduce(slowest, mpi.Max))
							return slowest[0] / 20
						}
						alone := seconds(op.Blocking())
						require.InDelta(t, alone, seconds(op), 1e-15, "%v, %d bytes", op, bytes)
						beside := seconds(op, mpi.Call{Op: mpi.Compute, Seconds: alone})
						require.GreaterOrEqual(t, beside, alone*(1-1e-9), "%v, %d bytes", op, bytes)
						require.LessOrEqual(t, beside, 2*alone*(1+1e-9), "%v, %d bytes", op, bytes)
					}
				}
				return nil
			}, "endpoint.progress="+progress)
		}
	}
}

// TestNonblockingOverlap compares a barrier of 8 processes during a longer computation with its closed form: the
// computation, and the two overheads of each of three messages.
func TestNonblockingOverlap(t *testing.T) {
	onRanks(t, 8, func(e mpi.Engine) error {
		p := &mpi.Program{Comm: e.World(), Start: e.World()}
		p.Call(mpi.Call{Op: mpi.Ibarrier}, mpi.Call{Op: mpi.Exploit, Times: 500}, mpi.Call{Op: mpi.Wait})
		m, err := measure(e, p, mpi.Loops{Timed: 100})
		require.InEpsilon(t, 100*(100e-6+3*2e-6), m.Seconds, 1e-9)
		return err
	})
}
