package conformance

import (
	"bytes"
	"encoding/binary"
	"fmt"
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

// marks returns the marks of a place of the given length in a loop. It is a second implementation of mpi.Mark's
// definition.
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

// check returns the mismatch that Check must find: the first wrong mark, or nil.
func check(data []byte, m mpi.Mark, loop int64) *mpi.Mismatch {
	for k := range marks(m, int64(len(data)), loop) {
		found := data[k.at:][:len(k.want)]
		if !bytes.Equal(found, k.want) {
			return &mpi.Mismatch{Loop: loop, Chunk: k.chunk, AtEnd: k.atEnd, Expected: number(k.want),
				Found: number(found)}
		}
	}
	return nil
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

func stamps(p *process) error {
	b, err := p.NewBuffer(200)
	if err != nil {
		return err
	}
	defer b.Free()
	for i, c := range markTable {
		program := mpi.Program{Comm: p.world}
		place := program.Place(mpi.Place{Space: b, Offset: 11, Length: c.length, Mark: c.mark})
		program.Call(mpi.Call{Op: mpi.Stamp, Send: mpi.One(place)})
		r, err := p.Compile(&program)
		if err != nil {
			return fmt.Errorf("compile: row %d: %w", i, err)
		}
		// The last loops are 0, 3 and 5.
		for run, n := range []mpi.Loops{{Timed: 1}, {Untimed: 1, Timed: 2}, {Timed: 2}} {
			clear(b.Bytes())
			if err := p.runRight(r, n); err != nil {
				return err
			}
			want := make([]byte, 200)
			stamp(want[11:11+c.length], c.mark, []int64{0, 3, 5}[run])
			if !bytes.Equal(b.Bytes(), want) {
				p.errorf("%d bytes with %+v in run %d are\n%x instead of\n%x", c.length, c.mark, run, b.Bytes()[8:],
					want[8:])
			}
		}
		r.Close()
	}
	return nil
}

// checks corrupts each byte of each place in turn.
func checks(p *process) error {
	b, err := p.NewBuffer(200)
	if err != nil {
		return err
	}
	defer b.Free()
	for i, c := range markTable {
		program := mpi.Program{Comm: p.world}
		program.Place(mpi.Place{Space: b, Length: 8, Mark: mpi.Mark{Width: 8, Key: 99}})
		place := program.Place(mpi.Place{Space: b, Offset: 13, Length: c.length, Mark: c.mark})
		program.Call(mpi.Call{Op: mpi.Check, Recv: mpi.One(place)})
		r, err := p.Compile(&program)
		if err != nil {
			return fmt.Errorf("compile: row %d: %w", i, err)
		}
		data := b.Bytes()[13 : 13+c.length]
		for loop := range c.length + 2 {
			fill(data, p.rank, i, int(loop))
			if loop <= c.length {
				stamp(data, c.mark, loop)
			}
			if loop < c.length {
				data[loop] ^= 0x40
			}
			if err := p.checkOnce(r, place, check(data, c.mark, loop)); err != nil {
				return fmt.Errorf("row %d: %w", i, err)
			}
		}
		r.Close()
	}
	return nil
}

// checkOnce runs one loop and compares its mismatch with want, which lacks the rank and the place.
func (p *process) checkOnce(r mpi.Runner, place int, want *mpi.Mismatch) error {
	m, err := r.Run(once)
	if err != nil {
		return fmt.Errorf("run: %w", err)
	}
	if want != nil {
		want.Rank, want.Place = p.rank, place
	}
	p.sameMismatch(m.Mismatch, want)
	return nil
}

func (p *process) sameMismatch(found, want *mpi.Mismatch) {
	switch {
	case found == nil && want == nil:
	case found == nil || want == nil || *found != *want:
		p.errorf("mismatch %+v instead of %+v", found, want)
	}
}

// wrongKey lets the last process stamp with a key that its right neighbour doesn't expect.
func wrongKey(p *process) error {
	left, _ := neighbours(p.world)
	sent := keyOf(p.rank)
	if p.rank == p.size-1 {
		sent.Key += 7
	}
	return p.ring(p.world, sent, true, func(r mpi.Runner, data []byte) error {
		return p.runWrong(r, left == p.size-1, 0, keyOf(left).Key)
	})
}

func wrongData(p *process) error { return p.wrongData(p.world) }

// wrongDataSplit does it on communicators with ranks that differ from those of the world.
func wrongDataSplit(p *process) error {
	c, err := p.world.Split(p.rank%2, -p.rank)
	if err != nil {
		return err
	}
	if err := p.wrongData(c); err != nil {
		return err
	}
	return c.Free()
}

// wrongData lets the last process of c send right data in some loops and wrong data after them.
func (p *process) wrongData(c mpi.Comm) error {
	left, _ := neighbours(c)
	sent := keyOf(c.Rank())
	return p.ring(c, sent, false, func(r mpi.Runner, data []byte) error {
		stamp(data, sent, 0)
		if err := p.runRight(r, mpi.Loops{Untimed: 4, Timed: 1}); err != nil {
			return err
		}
		if c.Rank() == c.Size()-1 {
			sent.Key += 7
			stamp(data, sent, 0)
		}
		return p.runWrong(r, left == c.Size()-1, 5, keyOf(left).Key)
	})
}

func keyOf(rank int) mpi.Mark { return mpi.Mark{Width: 8, Key: uint64(1000 * (rank + 1))} }

// ring calls run with the runner of a ring exchange of 20 bytes and with the memory that it sends. If stamped is set
// the program stamps that memory with sent.
func (p *process) ring(c mpi.Comm, sent mpi.Mark, stamped bool, run func(r mpi.Runner, data []byte) error) error {
	b, err := p.NewBuffer(100)
	if err != nil {
		return err
	}
	defer b.Free()
	left, right := neighbours(c)
	program := mpi.Program{Comm: c, Start: p.world}
	program.Place(mpi.Place{Space: b, Length: 8})
	send := mpi.One(program.Place(mpi.Place{Space: b, Offset: 10, Length: 20, Peer: right, Mark: sent}))
	recv := mpi.One(program.Place(mpi.Place{Space: b, Offset: 40, Length: 20, Peer: left, Mark: keyOf(left)}))
	if stamped {
		program.Call(mpi.Call{Op: mpi.Stamp, Send: send})
	}
	program.Call(mpi.Call{Op: mpi.Sendrecv, Send: send, Recv: recv}, mpi.Call{Op: mpi.Check, Recv: recv})
	r, err := p.Compile(&program)
	if err != nil {
		return fmt.Errorf("compile: %w", err)
	}
	defer r.Close()
	return run(r, b.Bytes()[10:30])
}

// runWrong runs twice, starting with the given loop number. The receiver must see the first wrong mark of each run, and
// all processes must finish.
func (p *process) runWrong(r mpi.Runner, receiver bool, loop int64, want uint64) error {
	for _, n := range []mpi.Loops{{Untimed: 2, Timed: 3}, {Timed: 4}} {
		m, err := r.Run(n)
		if err != nil {
			return fmt.Errorf("run: %w", err)
		}
		if receiver {
			p.sameMismatch(m.Mismatch, &mpi.Mismatch{Rank: p.rank, Place: 2, Loop: loop, Expected: want,
				Found: want + 7})
		} else {
			p.sameMismatch(m.Mismatch, nil)
		}
		loop += n.Untimed + n.Timed
	}
	return nil
}
