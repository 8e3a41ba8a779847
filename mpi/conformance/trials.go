package conformance

import (
	"bytes"
	"fmt"

	"github.com/effective-bandwidth/beff/mpi"
)

// A collective call is tested with known contents of each process' memory before and after it. Every byte is compared.
// Tables describe the blocking calls. Their variants, which package mpi knows, must do the same.

// variant returns the call of a family that does the work of a blocking one.
func variant(of mpi.Op, family mpi.Family) (mpi.Op, bool) {
	for _, op := range mpi.Ops() {
		if op.Family() == family && op.Blocking() == of {
			return op, true
		}
	}
	return of, false
}

// trial is a collective call in a program, with its memory and the expected effect of a call on that.
type trial struct {
	call   mpi.Call
	memory *areas
	apply  func(root int)
	form   mpi.Form // of all elements
}

// run runs the call three times over two runs of a program, and compares all memory after each run.
func (t trial) run(p *process, c mpi.Comm) error {
	b, err := p.NewBuffer(int64(len(t.image())))
	if err != nil {
		return err
	}
	defer b.Free()
	copy(b.Bytes(), t.image())
	r, err := p.Compile(t.program(c, b))
	if err != nil {
		return fmt.Errorf("compile %v: %w", t.call.Op, err)
	}
	defer r.Close()
	root := t.call.Root
	for _, n := range []mpi.Loops{{Timed: 1}, {Untimed: 1, Timed: 1}} {
		if err := p.runRight(r, n); err != nil {
			return fmt.Errorf("%v: %w", t.call.Op, err)
		}
		for range n.Untimed + n.Timed {
			t.apply(root)
			if t.call.Rotate {
				root = (root + 1) % c.Size()
			}
		}
		if !bytes.Equal(b.Bytes(), t.image()) {
			p.errorf("%+v, form %d: the memory of %d bytes is wrong after %+v", t.call, t.form, b.Size(), n)
		}
	}
	return nil
}

// program returns the program of the call. If the call opens a request, a nonblocking barrier is open at the same time.
func (t trial) program(c mpi.Comm, b mpi.Buffer) *mpi.Program {
	program := &mpi.Program{Comm: c, Start: c}
	for _, place := range t.memory.places {
		place.Space = b
		place.Form, place.Offset = t.form, place.Offset*t.form.Stride()
		program.Place(place)
	}
	t.call.Send, t.call.Recv = t.memory.send, t.memory.recv
	program.Call(t.call)
	if t.call.Op.Starts() {
		program.Call(mpi.Call{Op: mpi.Ibarrier}, mpi.Call{Op: mpi.Wait, Of: 0}, mpi.Call{Op: mpi.Waitall})
	}
	return program
}

// image returns the memory as its form has it: each element of a place is moved on by the gaps before it.
func (t trial) image() []byte {
	if t.form.Stride() == 1 {
		return t.memory.data
	}
	data := bytes.Repeat([]byte{0xa5}, len(t.memory.data)*int(t.form.Stride()))
	for _, place := range t.memory.places {
		unit := place.Type.Size()
		for at := int64(0); at < place.Length; at += unit {
			copy(data[(place.Offset+at)*t.form.Stride():], t.memory.data[place.Offset+at:][:unit])
		}
	}
	return data
}

// areas is the memory of one process: the data to send, then room for the data to receive, with gaps around all places.
type areas struct {
	data       []byte
	places     []mpi.Place // without their space
	send, recv mpi.Span
}

// add appends a place with these bytes, and returns its index.
func (a *areas) add(data []byte, peer int, kind mpi.Type) int {
	a.data = append(a.data, make([]byte, gap)...)
	for len(a.data)%int(kind.Size()) != 0 {
		a.data = append(a.data, 0)
	}
	a.places = append(a.places, mpi.Place{Offset: int64(len(a.data)), Length: int64(len(data)), Peer: peer, Type: kind})
	a.data = append(a.data, data...)
	return len(a.places) - 1
}

// addBlocks appends the blocks of one side: one place for each, from the last to the first, or one place for all.
func (a *areas) addBlocks(blocks [][]byte, apart bool) mpi.Span {
	if !apart {
		return mpi.One(a.add(bytes.Join(blocks, nil), 0, mpi.Byte))
	}
	first := len(a.places)
	for peer := len(blocks) - 1; peer >= 0; peer-- {
		a.add(blocks[peer], peer, mpi.Byte)
	}
	return mpi.Span{First: first, Count: len(blocks)}
}

// roots returns calls with a fixed root and with one that rotates.
func roots(size int) []mpi.Call {
	return []mpi.Call{{Root: 0}, {Root: size - 1}, {Root: size - 1, Rotate: true}}
}

// onHalves calls do with all processes, then with both halves of them at the same time.
func (p *process) onHalves(do func(c mpi.Comm) error) error {
	if err := do(p.world); err != nil {
		return err
	}
	c, err := p.world.Split(p.rank%2, -p.rank)
	if err != nil {
		return err
	}
	if err := do(c); err != nil {
		return err
	}
	return c.Free()
}
