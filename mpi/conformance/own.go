package conformance

import (
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
)

// copies copies within one buffer, and compares all of it.
func copies(p *process) error {
	for _, length := range lengths[:len(lengths)-1] {
		b, err := p.NewBuffer(2*length + 3*gap)
		if err != nil {
			return err
		}
		from, into := int64(gap), length+2*gap
		program := mpi.Program{Comm: p.world}
		send := program.Place(mpi.Place{Space: b, Offset: from, Length: length})
		recv := program.Place(mpi.Place{Space: b, Offset: into, Length: length})
		program.Call(mpi.Call{Op: mpi.Copy, Send: mpi.One(send), Recv: mpi.One(recv)})
		want := p.image(b.Size(), p.rank, 0)
		copy(b.Bytes(), want)
		copy(want[into:into+length], want[from:])
		if err := p.runProgram(&program, once); err != nil {
			return err
		}
		p.same(fmt.Sprintf("a copy of %d bytes", length), b.Bytes(), want)
		b.Free()
	}
	return nil
}

// compares compares places whose chunks are right, or differ in one byte: between the marks, or in a mark.
func compares(p *process) error {
	const chunk, chunks = 40, 3
	m := mpi.Mark{Width: 8, Key: 5, PerLoop: 7, Chunk: chunk, PerChunk: 11}
	for spoiled := -1; spoiled < chunk*chunks; spoiled++ {
		b, err := p.NewBuffer(2 * chunk * chunks)
		if err != nil {
			return err
		}
		image := p.image(chunk*chunks, p.rank, 0)
		want, have := b.Bytes()[:len(image)], b.Bytes()[len(image):]
		copy(want, image)
		copy(have, image)
		stamp(have, m, 0)
		in, wrong := spoiled%chunk, int64(0)
		var first *mpi.Mismatch
		if spoiled >= 0 {
			have[spoiled] ^= 1
		}
		if spoiled >= 0 && in >= m.Width && in < chunk-m.Width {
			wrong = 1
			at := in / 8 * 8
			whole := spoiled / chunk * chunk
			first = &mpi.Mismatch{Rank: p.rank, Place: 1, Chunk: int64(spoiled / chunk), Inside: int64(at),
				Expected: number(want[whole+at:][:8]), Found: number(have[whole+at:][:8])}
		}
		program := mpi.Program{Comm: p.world}
		from := program.Place(mpi.Place{Space: b, Length: int64(len(image))})
		into := program.Place(mpi.Place{Space: b, Offset: int64(len(image)), Length: int64(len(image)), Mark: m})
		program.Call(mpi.Call{Op: mpi.Compare, Send: mpi.One(from), Recv: mpi.One(into)})
		r, err := p.Compile(&program)
		if err != nil {
			return err
		}
		got, err := r.Run(once)
		if err != nil {
			return err
		}
		p.sameWrong(got, wrong, first)
		r.Close()
		b.Free()
	}
	return nil
}

// combines combines elements three times, of all types with all operations.
func combines(p *process) error {
	margin := make([]byte, gap)
	for _, n := range []int64{0, 1, 10003} {
		for _, kind := range []mpi.Type{mpi.Int32, mpi.Int64, mpi.Float32, mpi.Float64} {
			for _, op := range []mpi.Reduction{mpi.Sum, mpi.Max, mpi.Min} {
				var mine, before, after []byte
				for i := range n {
					start, value := int64(40+i%3), element(p.rank, i)
					result := pairwise(op, pairwise(op, pairwise(op, start, value), value), value)
					mine, before = encode(mine, kind, value), encode(before, kind, start)
					after = encode(after, kind, result)
				}
				b, err := p.NewBuffer(int64(3*gap + 2*len(mine)))
				if err != nil {
					return err
				}
				copy(b.Bytes(), slices.Concat(margin, mine, margin, before, margin))
				program := mpi.Program{Comm: p.world}
				length := int64(len(mine))
				send := program.Place(mpi.Place{Space: b, Offset: gap, Length: length, Type: kind})
				recv := program.Place(mpi.Place{Space: b, Offset: 2*gap + length, Length: length, Type: kind})
				program.Call(mpi.Call{Op: mpi.Combine, Send: mpi.One(send), Recv: mpi.One(recv), Reduce: op})
				if err := p.runProgram(&program, mpi.Loops{Untimed: 1, Timed: 2}); err != nil {
					return err
				}
				p.same(fmt.Sprintf("%d elements of type %d, operation %d", n, kind, op), b.Bytes(),
					slices.Concat(margin, mine, margin, after, margin))
				b.Free()
			}
		}
	}
	return nil
}

// scribbles writes and reads lines, and compares all memory: that of two places, and what lies around them.
func scribbles(p *process) error {
	for _, length := range []int64{0, 1, mpi.Line, mpi.Line + 1, 10*mpi.Line - 1} {
		b, err := p.NewBuffer(2*length + 3*gap)
		if err != nil {
			return err
		}
		program := mpi.Program{Comm: p.world}
		first := program.Place(mpi.Place{Space: b, Offset: gap, Length: length})
		program.Place(mpi.Place{Space: b, Offset: length + 2*gap, Length: length})
		two := mpi.Span{First: first, Count: 2}
		program.Call(mpi.Call{Op: mpi.Scribble, Send: two, Tag: 200 + p.rank}, mpi.Call{Op: mpi.Skim, Recv: two})
		want := p.image(b.Size(), p.rank, 0)
		copy(b.Bytes(), want)
		for _, place := range program.Places {
			for at := int64(0); at < length; at += mpi.Line {
				want[place.Offset+at] = byte(200 + p.rank)
			}
		}
		if err := p.runProgram(&program, mpi.Loops{Untimed: 1, Timed: 2}); err != nil {
			return err
		}
		p.same(fmt.Sprintf("lines of %d bytes", length), b.Bytes(), want)
		b.Free()
	}
	return nil
}

// ownRefused compiles copies and combinations that can't be right.
func ownRefused(p *process) error {
	b, err := p.NewBuffer(64)
	if err != nil {
		return err
	}
	defer b.Free()
	for _, op := range []mpi.Op{mpi.Copy, mpi.Combine} {
		for name, spoil := range map[string]func(program *mpi.Program){
			"different lengths": func(program *mpi.Program) { program.Places[0].Length = 8 },
			"different types":   func(program *mpi.Program) { program.Places[0].Type = mpi.Float64 },
			"overlap":           func(program *mpi.Program) { program.Places[0].Offset = 24 },
			"pieces":            func(program *mpi.Program) { program.Places[0].Pieces = mpi.Strided(2, 8, 16) },
			"no place":          func(program *mpi.Program) { program.Loop[0].Recv = mpi.Span{} },
		} {
			program := selfProgram(p.world, b, op)
			program.Places[0].Type, program.Places[1].Type = mpi.Int64, mpi.Int64
			spoil(program)
			p.mustRefuse(program, fmt.Sprintf("%v, %s", op, name))
		}
	}
	p.mustRefuse(selfProgram(p.world, b, mpi.Combine), "bytes combined")
	return nil
}

// dupFree duplicates and frees communicators, with messages in between.
func dupFree(p *process) error {
	return p.onHalves(func(c mpi.Comm) error {
		left, right := neighbours(c)
		x := p.exchange(c)
		for i := range 3 {
			x.call(mpi.Call{Op: mpi.DupFree})
			x.call(mpi.Call{Op: mpi.Sendrecv, Send: x.send(right, 100, i), Recv: x.recv(left, 100, i)})
		}
		return x.run(once, mpi.Loops{Untimed: 2, Timed: 5})
	})
}
