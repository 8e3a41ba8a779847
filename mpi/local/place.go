package local

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/effective-bandwidth/beff/mpi"
)

// place is a place of a compiled program.
type place struct {
	index  int
	memory []byte  // memory that contains the place: a buffer, or its peer's part of a window
	walker *walker // of its space; nil for a file
	window *window // nil for a buffer or a file
	file   *file   // nil: no file
	paths  *paths  // nil: no path
	length int     // bytes of its message
	step   int
	data   []byte  // from its first to its last byte, at the current position
	layout *layout // of data; nil if it is one run
	at     int64   // position in the file
	mark   mark
	kind   mpi.Type
	peer   int
	moves  *mpi.Place // the place, if it advances
	_      [2*line - 200]byte
}

// put moves the place to position at of its memory.
func (p *place) put(at int) {
	end := at + cap(p.data)
	p.data = p.memory[at:end:end]
}

// pack copies the place's message into the slice to, and returns to.
func (p *place) pack(to []byte) []byte {
	if p.layout != nil {
		p.layout.gather(to, p.data)
	} else {
		copy(to, p.data)
	}
	return to
}

// walk moves the place to its next position, if it walks.
func (p *place) walk() {
	if p.step > 0 {
		p.put(p.walker.next(p.length, p.step))
	}
}

// advance moves the place to its position in a loop.
func (p *place) advance(loop int64) {
	at := p.moves.At(loop)
	if p.file != nil || p.paths != nil {
		p.at = at
		return
	}
	p.put(int(at))
}

// mark is an mpi.Mark of a compiled program.
type mark struct {
	width                  int
	key, perLoop, perChunk uint64
	chunk, chunks          int
	ends                   bool // chunks are long enough for a mark at their end, too
}

func newMark(m mpi.Mark, length int) mark {
	if m.Width == 0 || length == 0 {
		return mark{}
	}
	chunk := length
	if m.Chunk > 0 {
		chunk = int(m.Chunk)
	}
	return mark{
		width: m.Width, key: m.Key, perLoop: m.PerLoop, perChunk: m.PerChunk,
		chunk: chunk, chunks: length / chunk, ends: chunk >= 2*m.Width,
	}
}

// stamp writes the marks of a loop into data.
func (m *mark) stamp(data []byte, loop int64) {
	value := m.key + uint64(loop)*m.perLoop
	for c := range m.chunks {
		end := (c + 1) * m.chunk
		m.put(data[c*m.chunk:], value)
		if m.ends {
			m.put(data[end-m.width:], ^value)
		}
		value += m.perChunk
	}
}

// check returns the number of chunks with a wrong mark, and the first wrong mark of each of the first MaxMismatches
// such chunks. The caller fills in rank and place.
func (m *mark) check(data []byte, loop int64) (wrong int64, list []mpi.Mismatch) {
	value := m.key + uint64(loop)*m.perLoop
	for c := range m.chunks {
		found, want := m.get(data[c*m.chunk:]), m.cut(value)
		atEnd := found == want && m.ends
		if atEnd {
			found, want = m.get(data[(c+1)*m.chunk-m.width:]), m.cut(^value)
		}
		if found != want {
			wrong++
			if len(list) < mpi.MaxMismatches {
				list = append(list, mpi.Mismatch{Loop: loop, Chunk: int64(c), AtEnd: atEnd, Expected: want,
					Found: found})
			}
		}
		value += m.perChunk
	}
	return wrong, list
}

// compare returns the number of chunks whose bytes between their marks differ from want, and the first different bytes
// of each of the first MaxMismatches such chunks. It leaves out chunks with a wrong mark, which check counts.
func (m *mark) compare(want, data []byte, loop int64) (wrong int64, list []mpi.Mismatch) {
	single := *m
	if single.chunks == 0 { // without marks
		single.chunk, single.chunks = max(len(data), 1), min(len(data), 1)
	}
	chunk := single.chunk
	single.chunks = 1
	for c := 0; (c+1)*chunk <= len(data); c++ {
		begin, end := c*chunk+m.width, (c+1)*chunk
		if m.ends {
			end -= m.width
		}
		if begin >= end || bytes.Equal(want[begin:end], data[begin:end]) {
			continue
		}
		single.key = m.key + uint64(c)*m.perChunk
		if marked, _ := single.check(data[c*chunk:(c+1)*chunk], loop); m.width > 0 && marked > 0 {
			continue
		}
		wrong++
		if len(list) == mpi.MaxMismatches {
			continue
		}
		for begin+8 < end && bytes.Equal(want[begin:begin+8], data[begin:begin+8]) {
			begin += 8
		}
		var expected, found [8]byte
		copy(expected[:], want[begin:end])
		copy(found[:], data[begin:end])
		list = append(list, mpi.Mismatch{Loop: loop, Chunk: int64(c), Inside: int64(begin - c*chunk),
			Expected: binary.LittleEndian.Uint64(expected[:]), Found: binary.LittleEndian.Uint64(found[:])})
	}
	return wrong, list
}

func (m *mark) put(at []byte, value uint64) {
	if m.width == 1 {
		at[0] = byte(value)
		return
	}
	binary.LittleEndian.PutUint64(at, value)
}

func (m *mark) get(at []byte) uint64 {
	if m.width == 1 {
		return uint64(at[0])
	}
	return binary.LittleEndian.Uint64(at)
}

// cut returns the part of value that fits into a mark.
func (m *mark) cut(value uint64) uint64 {
	if m.width == 1 {
		return value & 0xff
	}
	return value
}

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

// next returns the walk's position for a place of length bytes, and moves the walk forward by step. If the place
// doesn't fit there, the walk starts again at 0.
func (w *walker) next(length, step int) int {
	if w.walked+length > w.size {
		w.walked = 0
	}
	at := w.walked
	w.walked += step
	return at
}
