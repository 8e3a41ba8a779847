package libmpi_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
)

// BenchmarkPersistent prints the time of a start and a wait of a persistent MPI_Allreduce by program and by a loop
// written by hand in C, in turn in the same process.
func BenchmarkPersistent(b *testing.B) {
	for b.Loop() {
		out, err := mpirun(b, 2, "persistent")
		require.NoError(b, err, out)
		fmt.Fprint(os.Stdout, "\n", out)
	}
}

// persistent is the work of a rank of BenchmarkPersistent. Rank 0 prints.
func persistent(e mpi.Engine) error {
	if !e.Supports(mpi.AllreduceInit) {
		return nil
	}
	hand, err := openByHand()
	if err != nil {
		return err
	}
	if e.World().Rank() == 0 {
		fmt.Printf("%s %s, P = 2, MPI_Start and MPI_Wait of MPI_Allreduce_init, median of %d pairs (min … max)\n",
			e.Library().Library, e.Library().Version, pairs)
	}
	for _, c := range []struct{ bytes, loops int64 }{{8, 100_000}, {4096, 50_000}, {1 << 20, 500}} {
		var buffers [2]mpi.Buffer
		for i := range buffers {
			if buffers[i], err = e.NewBuffer(c.bytes); err != nil {
				return err
			}
			defer buffers[i].Free()
		}
		p := &mpi.Program{Comm: e.World(), Start: e.World()}
		for _, b := range buffers {
			p.Place(mpi.Place{Space: b, Length: c.bytes, Type: mpi.Float32})
		}
		p.Call(mpi.Call{Op: mpi.AllreduceInit, Send: mpi.One(0), Recv: mpi.One(1)}, mpi.Call{Op: mpi.Wait})
		r, err := e.Compile(p)
		if err != nil {
			return err
		}
		err = comparePairs(e, comparison{
			name: fmt.Sprintf("%d bytes", c.bytes), runner: r, per: float64(c.loops),
			loops: mpi.Loops{Untimed: 100, Timed: c.loops},
			byHand: func() float64 {
				return hand.Persistent(&buffers[0].Bytes()[0], &buffers[1].Bytes()[0], int32(c.bytes/4), c.loops)
			},
			reset: func() error { return nil },
		})
		if r.Close(); err != nil {
			return err
		}
	}
	return nil
}
