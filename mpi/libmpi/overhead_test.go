//go:build mpi

package libmpi_test

import (
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/libmpi/internal/baseline"
)

// BenchmarkOverhead prints the one-way time of a 1-byte ping-pong by program against loops written by hand in C in the same process,
// both run in turn.
func BenchmarkOverhead(b *testing.B) {
	for b.Loop() {
		out, err := mpirun(b, 2, "overhead")
		require.NoError(b, err, out)
		fmt.Fprint(os.Stdout, "\n", out)
	}
}

const (
	pairs         = 9
	overheadLoops = 200_000
)

// overhead is what a rank of the benchmark does; rank 0 prints.
func overhead(e mpi.Engine) error {
	const size = 6 * (8<<20 + 16)
	var buffers [2]mpi.Buffer
	for i := range buffers {
		b, err := e.NewBuffer(size)
		if err != nil {
			return err
		}
		defer b.Free()
		buffers[i] = b
	}
	send, recv, peer := buffers[0].Bytes(), buffers[1].Bytes(), 1-e.World().Rank()
	if e.World().Rank() == 0 {
		fmt.Printf("%s %s, P = 2, one-way time of 1 byte, median of %d pairs (min … max)\n", e.Library().Library, e.Library().Version, pairs)
	}
	for _, c := range []struct {
		name   string
		marked bool
		byHand func(send, recv []byte, length, peer int, loops int64) float64
	}{
		{"plain Send and Recv", false, baseline.PingPong},
		{"with walk, marks and check", true, baseline.MarkedPingPong},
	} {
		r, err := e.Compile(pingPong(e, buffers, c.marked))
		if err != nil {
			return err
		}
		err = comparePairs(e, c.name, r, func() float64 { return c.byHand(send, recv, 1, peer, overheadLoops) })
		r.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

// pingPong is one loop for this rank.
func pingPong(e mpi.Engine, buffers [2]mpi.Buffer, marked bool) *mpi.Program {
	p := &mpi.Program{Comm: e.World(), Start: e.World()}
	rank := e.World().Rank()
	for i, from := range []int{rank, 1 - rank} {
		place := mpi.Place{Space: buffers[i], Length: 1, Peer: 1 - rank}
		if marked {
			place.Step, place.Mark = 8, mpi.Mark{Width: 1, Key: uint64(from) * 151, PerLoop: 7}
		}
		p.Place(place)
	}
	send, recv := mpi.Call{Op: mpi.Send, Send: mpi.One(0)}, mpi.Call{Op: mpi.Recv, Recv: mpi.One(1)}
	if marked {
		p.Call(mpi.Call{Op: mpi.Walk, Send: mpi.Span{First: 0, Count: 2}}, mpi.Call{Op: mpi.Stamp, Send: mpi.One(0)})
	}
	if rank == 0 {
		p.Call(send, recv)
	} else {
		p.Call(recv, send)
	}
	if marked {
		p.Call(mpi.Call{Op: mpi.Check, Recv: mpi.One(1)})
	}
	return p
}

// comparePairs runs program and hand-written loop in turn, each pair in the other order, and prints the medians.
func comparePairs(e mpi.Engine, name string, r mpi.Runner, byHand func() float64) error {
	var program, hand, ratio []float64
	for i := range pairs + 1 {
		var times [2]float64
		for j := range 2 {
			if (i+j)%2 == 0 {
				m, err := r.Run(mpi.Loops{Untimed: 1000, Timed: overheadLoops})
				if err != nil {
					return err
				}
				if m.Mismatch != nil {
					return m.Mismatch
				}
				times[0] = m.Seconds
			} else {
				if err := e.World().Barrier(); err != nil {
					return err
				}
				if times[1] = byHand(); times[1] < 0 {
					return fmt.Errorf("loop by hand: %v", times[1])
				}
			}
		}
		if i == 0 {
			continue // warm-up
		}
		program, hand, ratio = append(program, times[0]), append(hand, times[1]), append(ratio, times[0]/times[1])
	}
	if e.World().Rank() == 0 {
		const oneWay = 2 * overheadLoops
		fmt.Printf("%-28s program %.1f ns, by hand %.1f ns, ratio %.3f (%.3f … %.3f)\n", name,
			median(program)/oneWay*1e9, median(hand)/oneWay*1e9, median(ratio), slices.Min(ratio), slices.Max(ratio))
	}
	return nil
}

func median(x []float64) float64 {
	x = slices.Sorted(slices.Values(x))
	return x[len(x)/2]
}
