package local

import (
	"fmt"

	"github.com/effective-bandwidth/beff/mpi"
)

// page is the alignment of buffers in bytes, whose memory is allocated in multiples of it. So small buffers of two
// ranks share no cache line.
const page = 4096

// buffer is memory of one rank, with the position of its walk.
type buffer struct {
	memory []byte
	walked int
	_      [line - 32]byte
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
	return &buffer{memory: memory[:size:size]}, nil
}

func (b *buffer) Size() int64 { return int64(len(b.memory)) }

func (b *buffer) Bytes() []byte { return b.memory }

func (b *buffer) Free() { b.memory = nil }

// next returns length bytes at the walk's position and moves the position on by step. The walk starts again at 0 if the
// bytes don't fit.
func (b *buffer) next(length, step int) []byte {
	if b.walked+length > len(b.memory) {
		b.walked = 0
	}
	at := b.walked
	b.walked += step
	return b.memory[at : at+length : at+length]
}
