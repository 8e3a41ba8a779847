package local_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/local"
)

// size is the size in bytes of b_eff's buffer for messages of up to 8 MB (paper, Sec. 3). It is larger than the caches,
// so that no message is read from them.
const size = 6 * (8<<20 + 16)

// lengths holds the lengths of messages in bytes.
var lengths = []int64{1, 1 << 10, 64 << 10, 1 << 20, 8 << 20}

// ring makes the program of one exchange of b_eff: to the left neighbour, from the right one, with walk and marks.
func ring(e mpi.Engine, size, length int64, call mpi.Op) (mpi.Runner, error) {
	out, err := e.NewBuffer(size)
	if err != nil {
		return nil, err
	}
	in, err := e.NewBuffer(size)
	if err != nil {
		return nil, err
	}
	world := e.World()
	n, me := world.Size(), world.Rank()
	left, right := (me+n-1)%n, (me+1)%n
	step := (length + 7) / 8 * 8
	p := mpi.Program{Comm: world, Start: world}
	s := mpi.One(p.Place(mpi.Place{Space: out, Length: length, Step: step, Peer: left,
		Mark: mpi.Mark{Width: 1, Key: uint64(me), PerLoop: 1}}))
	r := mpi.One(p.Place(mpi.Place{Space: in, Length: length, Step: step, Peer: right,
		Mark: mpi.Mark{Width: 1, Key: uint64(right), PerLoop: 1}}))
	p.Call(mpi.Call{Op: mpi.Walk, Send: s, Recv: r}, mpi.Call{Op: mpi.Stamp, Send: s})
	if call == mpi.Isend {
		p.Call(mpi.Call{Op: mpi.Irecv, Recv: r}, mpi.Call{Op: mpi.Isend, Send: s}, mpi.Call{Op: mpi.Waitall})
	} else {
		p.Call(mpi.Call{Op: call, Send: s, Recv: r})
	}
	p.Call(mpi.Call{Op: mpi.Check, Recv: r})
	return e.Compile(&p)
}

// run measures b.N loops of the program that each rank makes. bytes is the number of bytes that all ranks move in one
// loop.
func run(b *testing.B, ranks int, bytes int64, program func(e mpi.Engine) (mpi.Runner, error)) {
	seconds := make([]float64, ranks)
	err := local.Run(ranks, func(e mpi.Engine) error {
		x, err := program(e)
		if err != nil {
			return err
		}
		m, err := x.Run(mpi.Loops{Untimed: 1 + int64(b.N)/10, Timed: int64(b.N)})
		if m.Mismatch != nil {
			return m.Mismatch
		}
		seconds[e.World().Rank()] = m.Seconds
		return err
	})
	require.NoError(b, err)
	loop := seconds[0] / float64(b.N)
	b.ReportMetric(loop*1e9, "ns/loop")
	b.ReportMetric(float64(bytes)/loop/1e6, "MB/s")
	b.ReportMetric(0, "ns/op") // it would include the set-up
}

// BenchmarkExchange measures the main purpose of this engine: two ranks on two cores, each of which sends and receives.
func BenchmarkExchange(b *testing.B) {
	for _, op := range []mpi.Op{mpi.Sendrecv, mpi.Isend, mpi.Alltoallv} {
		for _, length := range lengths {
			b.Run(fmt.Sprintf("%v/%d", op, length), func(b *testing.B) {
				run(b, 2, 2*length, func(e mpi.Engine) (mpi.Runner, error) { return ring(e, size, length, op) })
			})
		}
	}
}

// BenchmarkCopy measures the upper limit of two cores: each copies from the other's buffer, and neither waits.
func BenchmarkCopy(b *testing.B) {
	for _, length := range []int{64 << 10, 1 << 20, 8 << 20} {
		b.Run(fmt.Sprint(length), func(b *testing.B) {
			var out, in [2][]byte
			for i := range out {
				out[i], in[i] = make([]byte, size), make([]byte, size)
				clear(out[i])
				clear(in[i])
			}
			b.ResetTimer()
			var both sync.WaitGroup
			for i := range out {
				both.Go(func() {
					for n, at := 0, 0; n < b.N; n, at = n+1, at+length {
						if at+length > size {
							at = 0
						}
						copy(in[i][at:at+length], out[1-i][at:at+length])
					}
				})
			}
			both.Wait()
			b.ReportMetric(2*float64(length)*float64(b.N)/b.Elapsed().Seconds()/1e6, "MB/s")
		})
	}
}

// BenchmarkFile writes 1 MB in each call of each rank, in chunks that are interleaved with the other ranks' chunks.
// Collective calls do it in two phases, the others with one system call for each chunk. The file stays in the system's
// cache.
func BenchmarkFile(b *testing.B) {
	for _, op := range []mpi.Op{mpi.FileWriteAtAll, mpi.FileWriteAt, mpi.FileReadAtAll, mpi.FileReadAt} {
		for _, chunk := range []int64{64, 1 << 10, 32 << 10, 1 << 20} {
			for _, ranks := range []int{2, 4} {
				b.Run(fmt.Sprintf("%v/%d/P=%d", op, chunk, ranks), func(b *testing.B) {
					path := b.TempDir() + "/file"
					run(b, ranks, int64(ranks)<<20,
						func(e mpi.Engine) (mpi.Runner, error) { return interleaved(e, path, chunk, op) })
				})
			}
		}
	}
}

func interleaved(e mpi.Engine, path string, chunk int64, op mpi.Op) (mpi.Runner, error) {
	w := e.World()
	f, err := e.(mpi.Files).OpenFile(w, path, mpi.ReadWrite|mpi.Create, nil)
	if err != nil {
		return nil, err
	}
	if err := f.SetView(mpi.View{Block: chunk, Slots: w.Size(), Slot: w.Rank()}, nil); err != nil {
		return nil, err
	}
	m, err := e.NewBuffer(1 << 20)
	if err != nil {
		return nil, err
	}
	p := mpi.Program{Comm: w, Start: w}
	memory := mpi.One(p.Place(mpi.Place{Space: m, Length: 1 << 20}))
	file := mpi.One(p.Place(mpi.Place{Space: f, Length: 1 << 20}))
	p.Call(mpi.Call{Op: mpi.FileWriteAtAll, Send: memory, Recv: file}, mpi.Call{Op: mpi.Barrier})
	if op.Reads() {
		x, err := e.Compile(&p)
		if err != nil {
			return nil, err
		}
		if _, err := x.Run(once); err != nil {
			return nil, err
		}
		p.Loop[0] = mpi.Call{Op: op, Send: file, Recv: memory}
		return e.Compile(&p)
	}
	p.Loop[0].Op = op
	return e.Compile(&p)
}
