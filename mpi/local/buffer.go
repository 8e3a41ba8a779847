package local

import (
	"fmt"

	"github.com/effective-bandwidth/beff/mpi"
)

// page is the unit in bytes in which the memory of buffers is allocated, so that small buffers of two ranks share no
// cache line.
const page = 4096

// buffer is memory of one rank, with the position of its walk.
type buffer struct {
	memory []byte
	walker
	lent bool // memory belongs to a window, which releases it
	_    [line - 48]byte
}

// walker is the position of a space's walk.
type walker struct {
	size   int // bytes of the space
	walked int
}

var _ mpi.Buffer = (*buffer)(nil)

func newBuffer(size int64) (b *buffer, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("new buffer: %d bytes: %v", size, cause)
		}
	}()
	memory := make([]byte, (size+page-1)/page*page)
	clear(memory) // so that no page is touched for the first time during a measurement
	return &buffer{memory: memory[:size:size], walker: walker{size: int(size)}}, nil
}

func (b *buffer) Size() int64 { return int64(len(b.memory)) }

func (b *buffer) Bytes() []byte { return b.memory }

func (b *buffer) Free() {
	if !b.lent {
		b.memory = nil
	}
}

// next returns the walk's position for a place of length bytes, and moves the walk by step. The walk starts again at 0
// if the place doesn't fit.
func (w *walker) next(length, step int) int {
	if w.walked+length > w.size {
		w.walked = 0
	}
	at := w.walked
	w.walked += step
	return at
}
