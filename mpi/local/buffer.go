package local

import (
	"fmt"

	"github.com/effective-bandwidth/beff/mpi"
)

// page is what buffers begin at, so that small ones of two ranks don't share a line.
const page = 4096

// buffer is memory of one rank, with its walk.
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
	clear(memory) // so that no first touch of a page falls into a measurement
	return &buffer{memory: memory[:size:size]}, nil
}

func (b *buffer) Size() int64 { return int64(len(b.memory)) }

func (b *buffer) Bytes() []byte { return b.memory }

func (b *buffer) Free() { b.memory = nil }

// next hands out length bytes at the walk's position and moves it on by step.
func (b *buffer) next(length, step int) []byte {
	if b.walked+length > len(b.memory) {
		b.walked = 0
	}
	at := b.walked
	b.walked += step
	return b.memory[at : at+length : at+length]
}
