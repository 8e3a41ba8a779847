package conformance

import (
	"bytes"
	"math"

	"github.com/effective-bandwidth/beff/mpi"
)

func buffers(p *process) {
	for _, size := range []int64{0, 1, 7, 8, 4096, 1<<20 + 1} {
		b, err := p.NewBuffer(size)
		p.must(err)
		data := b.Bytes()
		if b.Size() != size || int64(len(data)) != size {
			p.errorf("%d bytes: size %d, %d bytes", size, b.Size(), len(data))
		}
		if !bytes.Equal(data, make([]byte, len(data))) {
			p.errorf("%d bytes are not all zero", size)
		}
		want := make([]byte, len(data))
		fill(want, p.rank, 0, 0)
		copy(data, want)
		if !bytes.Equal(b.Bytes(), want) {
			p.errorf("%d bytes don't keep what is written", size)
		}
		b.Free()
	}
}

// bufferAgain allocates memory after memory with data in it was freed. The new memory must be zero.
func bufferAgain(p *process) {
	for range 10 {
		b, err := p.NewBuffer(10000)
		p.must(err)
		if bytes.Count(b.Bytes(), []byte{0}) != 10000 {
			p.errorf("memory that was used before is not zeroed")
		}
		fill(b.Bytes(), 1, 2, 3)
		b.Free()
	}
}

func bufferRefused(p *process) {
	for _, size := range []int64{-1, math.MinInt64, 1 << 62} {
		if b, err := p.NewBuffer(size); err == nil {
			p.errorf("asked for %d bytes, and got a buffer of %d", size, b.Size())
		}
	}
}

// bufferFolded sends a folded buffer to the right, which must arrive as its memory repeated.
func bufferFolded(p *process) {
	const size, fold = 3*mpi.FoldUnit + 1000, mpi.FoldUnit
	e, folds := p.Engine.(mpi.Folder)
	if !folds {
		return
	}
	if b, err := e.NewFolded(size, fold-1); err == nil {
		p.errorf("got a buffer of %d bytes in %d", b.Size(), fold-1)
	}
	b, err := e.NewFolded(size, fold)
	p.must(err)
	p.ends = append(p.ends, b.Free)
	data := b.Bytes()
	if int64(len(data)) != size || !bytes.Equal(data, make([]byte, size)) {
		p.errorf("%d bytes of %d, or they aren't all zero", len(data), size)
	}
	fill(data[:fold], p.rank, 0, 0)
	into, left := p.buffer(size), (p.rank+p.size-1)%p.size
	p.runProgram(&mpi.Program{Comm: p.world, Places: []mpi.Place{
		{Space: b, Length: size, Peer: (p.rank + 1) % p.size}, {Space: into, Length: size, Peer: left}},
		Loop: []mpi.Call{{Op: mpi.Sendrecv, Send: mpi.One(0), Recv: mpi.One(1)}}}, once)
	want := make([]byte, fold)
	fill(want, left, 0, 0)
	for at := 0; at < size; at += fold {
		if n := min(fold, size-at); !bytes.Equal(into.Bytes()[at:at+n], want[:n]) {
			p.errorf("the bytes after %d don't repeat the memory", at)
		}
	}
}
