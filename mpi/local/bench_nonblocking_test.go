package local_test

import (
	"fmt"
	"testing"

	"github.com/effective-bandwidth/beff/mpi"
)

// BenchmarkNonblocking compares nonblocking collective calls, each with its Wait, with their blocking forms on two
// ranks: long data take equally long, and 8 bytes about 2.4 times as long. length is the number of bytes of one
// process's data.
func BenchmarkNonblocking(b *testing.B) {
	for _, starting := range mpi.Ops() {
		if starting.Family() != mpi.NonblockingCollective {
			continue
		}
		for _, length := range []int64{8, 1 << 20} {
			if starting == mpi.Ibarrier && length > 8 {
				continue
			}
			for _, op := range []mpi.Op{starting.Blocking(), starting} {
				b.Run(fmt.Sprintf("%v/%d", op, length), func(b *testing.B) {
					run(b, 2, length, func(e mpi.Engine) (mpi.Runner, error) { return collective(e, op, length) })
				})
			}
		}
	}
}

// collective makes the program of one collective call, with parts of length bytes.
func collective(e mpi.Engine, op mpi.Op, length int64) (mpi.Runner, error) {
	world := e.World()
	n := int64(world.Size())
	p := mpi.Program{Comm: world, Start: world}
	side := func(parts mpi.Parts) (mpi.Span, error) {
		b, err := e.NewBuffer(n * length)
		if err != nil {
			return mpi.Span{}, err
		}
		place := mpi.Place{Space: b, Length: length, Type: mpi.Float32}
		switch parts {
		case mpi.Whole:
			return mpi.One(p.Place(place)), nil
		case mpi.Equal:
			place.Length *= n
			return mpi.One(p.Place(place)), nil
		}
		first := len(p.Places)
		for i := range n {
			place.Offset, place.Peer = i*length, int(i)
			p.Place(place)
		}
		return mpi.Span{First: first, Count: int(n)}, nil
	}
	call := mpi.Call{Op: op}
	send, recv := op.Parts()
	if send != mpi.No {
		var err error
		if call.Send, err = side(send); err != nil {
			return nil, err
		}
		if call.Recv, err = side(recv); err != nil {
			return nil, err
		}
	}
	p.Call(call)
	if op.Starts() {
		p.Call(mpi.Call{Op: mpi.Wait, Of: 0})
	}
	return e.Compile(&p)
}

// BenchmarkPut compares puts into another rank's window, each with its flush, with copies by the same core. The target
// waits in a barrier meanwhile.
func BenchmarkPut(b *testing.B) {
	for _, length := range []int64{8, 1 << 10, 64 << 10, 1 << 20} {
		for _, op := range []mpi.Op{mpi.Copy, mpi.Put, mpi.Get} {
			b.Run(fmt.Sprintf("%v/%d", op, length), func(b *testing.B) {
				run(b, 2, length, func(e mpi.Engine) (mpi.Runner, error) { return onesided(e, op, length, nil) })
			})
		}
	}
}

// BenchmarkStrided puts 32768 blocks of 4 bytes whose distance is a multiple of their length (spec pgas, section 2).
func BenchmarkStrided(b *testing.B) {
	const count, block = 32768, 4
	for _, stride := range []int64{0, 1, 2, 4, 8, 16, 32} {
		var pieces []mpi.Piece
		if stride > 0 {
			pieces = mpi.Strided(count, block, stride*block)
		}
		b.Run(fmt.Sprint(stride), func(b *testing.B) {
			run(b, 2, count*block, func(e mpi.Engine) (mpi.Runner, error) {
				return onesided(e, mpi.Put, count*block, pieces)
			})
		})
	}
}

// onesided makes the program in which rank 0 moves data between its memory and the window of rank 1, or copies them.
func onesided(e mpi.Engine, op mpi.Op, length int64, pieces []mpi.Piece) (mpi.Runner, error) {
	world := e.World()
	target := mpi.Place{Length: length, Pieces: pieces, Peer: 1}
	out, err := e.NewBuffer(length)
	if err != nil {
		return nil, err
	}
	in, err := e.NewBuffer(target.Extent())
	if err != nil {
		return nil, err
	}
	w, err := e.(mpi.Windows).NewWindow(world, in)
	if err != nil {
		return nil, err
	}
	p := mpi.Program{Comm: world, Start: world}
	if world.Rank() > 0 {
		p.After = []mpi.Call{{Op: mpi.Barrier}}
		return e.Compile(&p)
	}
	target.Space = w
	if op == mpi.Copy {
		target.Space = in
	}
	from, into := mpi.One(p.Place(mpi.Place{Space: out, Length: length})), mpi.One(p.Place(target))
	p.Call(mpi.Call{Op: op, Send: from, Recv: into})
	p.After = []mpi.Call{{Op: mpi.Barrier}}
	if op != mpi.Copy {
		p.Call(mpi.Call{Op: mpi.WinFlush, Recv: into})
	}
	return e.Compile(&p)
}
