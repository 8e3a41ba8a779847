package conformance

import (
	"bytes"
	"encoding/binary"
	"iter"

	"github.com/effective-bandwidth/beff/mpi"
)

// mark is one mark of a place: its position and its expected value.
type mark struct {
	chunk int64
	atEnd bool
	at    int64  // offset in the place
	want  []byte // little-endian
}

// marks returns the marks of a place of the given length in a loop. It implements mpi.Mark's definition independently
// of the engines.
func marks(m mpi.Mark, length, loop int64) iter.Seq[mark] {
	return func(yield func(mark) bool) {
		chunk, width := m.Chunk, int64(m.Width)
		if chunk == 0 {
			chunk = length
		}
		for c := int64(0); width > 0 && c*chunk < length; c++ {
			value := m.Key + uint64(loop)*m.PerLoop + uint64(c)*m.PerChunk
			begin := mark{c, false, c * chunk, binary.LittleEndian.AppendUint64(nil, value)[:width]}
			end := mark{c, true, (c+1)*chunk - width, binary.LittleEndian.AppendUint64(nil, ^value)[:width]}
			if !yield(begin) || chunk >= 2*width && !yield(end) {
				return
			}
		}
	}
}

// stamp does the same as Stamp.
func stamp(data []byte, m mpi.Mark, loop int64) {
	for k := range marks(m, int64(len(data)), loop) {
		copy(data[k.at:], k.want)
	}
}

// check counts the wrong chunks of a place, and keeps the first wrong mark of the run. seen contains the place and the
// loop.
func (a *referenceProcess) check(data []byte, m mpi.Mark, seen mpi.Mismatch) {
	last := int64(-1)
	for k := range marks(m, int64(len(data)), seen.Loop) {
		found := data[k.at:][:len(k.want)]
		if bytes.Equal(found, k.want) {
			continue
		}
		seen.Chunk, seen.AtEnd, seen.Expected, seen.Found = k.chunk, k.atEnd, number(k.want), number(found)
		a.wrong(seen, k.chunk != last)
		last = k.chunk
	}
}

// compare counts the chunks of a place that differ from data between marks of 8 bytes.
func (a *referenceProcess) compare(s step, data []byte) {
	place := a.location(s, s.Recv.First)
	chunk := int(place.Mark.Chunk)
	for begin := 0; begin < len(data); begin += chunk {
		want, have := data[begin:][:chunk], place.take()[begin:][:chunk]
		for at := 8; at < chunk-8; at += 8 {
			if !bytes.Equal(want[at:at+8], have[at:at+8]) {
				a.wrong(mpi.Mismatch{Place: s.Recv.First, Loop: s.loop, Chunk: int64(begin / chunk), Inside: int64(at),
					Expected: number(want[at:][:8]), Found: number(have[at:][:8])}, true)
				break
			}
		}
	}
}

// wrong keeps the first mismatches of a run, and counts wrong chunks.
func (a *referenceProcess) wrong(m mpi.Mismatch, another bool) {
	if a.seen.Mismatch == nil {
		a.seen.Mismatch = &m
	} else if another && len(a.seen.Further)+1 < mpi.MaxMismatches {
		a.seen.Further = append(a.seen.Further, m)
	}
	if another {
		a.seen.Wrong++
	}
}

// number returns the number in little-endian bytes.
func number(data []byte) uint64 {
	var wide [8]byte
	copy(wide[:], data)
	return binary.LittleEndian.Uint64(wide[:])
}

// markTable has places at the limits of the definition of mpi.Mark.
var markTable = []struct {
	length int64
	mark   mpi.Mark
}{
	{0, mpi.Mark{}},
	{9, mpi.Mark{Key: 5, PerLoop: 1}},
	{1, mpi.Mark{Width: 1, Key: 7, PerLoop: 1}},
	{2, mpi.Mark{Width: 1, Key: 0x1ff, PerLoop: 3}},
	{3, mpi.Mark{Width: 1, Key: 250, PerLoop: 5}},
	{8, mpi.Mark{Width: 1}},
	{8, mpi.Mark{Width: 8, Key: 1, PerLoop: 1}},
	{15, mpi.Mark{Width: 8, Key: 1 << 63, PerLoop: 1 << 62}},
	{16, mpi.Mark{Width: 8, Key: 0x0123456789abcdef}},
	{17, mpi.Mark{Width: 8, Key: ^uint64(0), PerLoop: 1}},
	{100, mpi.Mark{Width: 8, Key: 0x0123456789abcdef, PerLoop: 0x0101010101010101}},
	{100, mpi.Mark{Width: 8, Key: 3, Chunk: 100, PerLoop: 2, PerChunk: 9}},
	{4, mpi.Mark{Width: 1, Key: 254, Chunk: 1, PerLoop: 7, PerChunk: 1}},
	{6, mpi.Mark{Width: 1, Key: 1, Chunk: 2, PerLoop: 1, PerChunk: 100}},
	{9, mpi.Mark{Width: 1, Key: 2, Chunk: 3, PerChunk: 1}},
	{32, mpi.Mark{Width: 8, Key: 4, Chunk: 8, PerLoop: 1, PerChunk: 1}},
	{36, mpi.Mark{Width: 8, Key: 5, Chunk: 12, PerChunk: 1 << 40}},
	{64, mpi.Mark{Width: 8, Key: 6, Chunk: 16, PerLoop: 1000, PerChunk: 1}},
	{60, mpi.Mark{Width: 8, Key: ^uint64(0), Chunk: 20, PerLoop: 1, PerChunk: 1}},
}

// stamps stamps each place of the table, at an odd position, in loops 0, 3 and 5.
func stamps(x *script) {
	for _, c := range markTable {
		x.begin()
		x.Call(mpi.Call{Op: mpi.Stamp, Send: x.put(mpi.Place{Offset: 3, Length: c.length, Mark: c.mark})})
		x.run(once, mpi.Loops{Untimed: 1, Timed: 2}, mpi.Loops{Timed: 2})
	}
}

// checks stamps each place of the table, changes each of its bytes in turn, and checks it. Then it checks bytes without
// stamps.
func checks(x *script) {
	for _, c := range markTable {
		for at := range c.length + 2 {
			x.begin()
			place := x.put(mpi.Place{Length: c.length, Mark: c.mark})
			if at <= c.length {
				x.Call(mpi.Call{Op: mpi.Stamp, Send: place})
			}
			if at < c.length {
				x.spoil(place, at)
			}
			x.Call(mpi.Call{Op: mpi.Check, Recv: place})
		}
	}
}

// spoil adds a stamp that changes byte at of a place.
func (x *script) spoil(span mpi.Span, at int64) {
	place := x.Places[span.First]
	x.Call(mpi.Call{Op: mpi.Stamp, Send: x.put(mpi.Place{Space: place.Space, Offset: place.Offset + at, Length: 1,
		Mark: mpi.Mark{Width: 1, Key: 0x5a}})})
}

// compares compares places whose chunks are right, or differ in one byte between the marks or in a mark.
func compares(x *script) {
	const chunk, chunks = 40, 3
	for spoiled := int64(-1); spoiled < chunk*chunks; spoiled++ {
		x.begin()
		from, into := x.to(0, chunk*chunks), x.put(mpi.Place{Length: chunk * chunks,
			Mark: mpi.Mark{Width: 8, Key: 5, PerLoop: 7, Chunk: chunk, PerChunk: 11}})
		x.Call(mpi.Call{Op: mpi.Copy, Send: from, Recv: into}, mpi.Call{Op: mpi.Stamp, Send: into})
		if spoiled >= 0 {
			x.spoil(into, spoiled)
		}
		x.Call(mpi.Call{Op: mpi.Compare, Send: from, Recv: into})
	}
}

// wrongMarks is a ring in which the last process sends other marks than its right neighbour expects, in all loops or
// only after the first loop.
func wrongMarks(x *script) {
	key := func(rank int) mpi.Mark { return mpi.Mark{Width: 8, Key: uint64(1000 * (rank + 1))} }
	for _, late := range []bool{false, true} {
		x.begin()
		sent := key(x.rank)
		switch {
		case x.rank < x.size-1:
		case late:
			sent.PerLoop = 7
		default:
			sent.Key += 7
		}
		send := x.put(mpi.Place{Length: 20, Peer: x.right, Mark: sent})
		recv := x.put(mpi.Place{Length: 20, Peer: x.left, Mark: key(x.left)})
		x.Before = []mpi.Call{{Op: mpi.Stamp, Send: send}} // with the number of the pass's first loop
		x.Call(mpi.Call{Op: mpi.Sendrecv, Send: send, Recv: recv}, mpi.Call{Op: mpi.Check, Recv: recv})
		x.run(mpi.Loops{Timed: 5}, mpi.Loops{Untimed: 2, Timed: 3}, mpi.Loops{Timed: 4})
	}
}

func (p *process) sameMismatch(found, want *mpi.Mismatch) {
	switch {
	case found == nil && want == nil:
	case found == nil || want == nil || *found != *want:
		p.errorf("mismatch %+v instead of %+v", found, want)
	}
}
