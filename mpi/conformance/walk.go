package conformance

import (
	"bytes"
	"fmt"

	"github.com/effective-bandwidth/beff/mpi"
)

// walked is the expected content of a space after walks and stamps. It is a second implementation of mpi.Space's
// definition of the walk.
type walked struct {
	data []byte
	next int64
}

// take returns the position of a place and walks on. A place without a step stays at its offset.
func (w *walked) take(place mpi.Place) int64 {
	if place.Step == 0 {
		return place.Offset
	}
	if w.next+place.Length > int64(len(w.data)) {
		w.next = 0
	}
	at := w.next
	w.next = at + place.Step
	return at
}

// walker is a program that lets places walk and stamps them, so that their positions can be seen in memory.
type walker struct {
	program mpi.Program
	spaces  []*walked // by place
	send    int       // number of places in Walk's Send; the rest is in its Recv
	loop    int64
}

// place adds a place in space, with marks of its own.
func (w *walker) place(space *walked, place mpi.Place) {
	w.spaces = append(w.spaces, space)
	place.Mark = mpi.Mark{Width: 1, Key: uint64(10 * len(w.spaces)), PerLoop: 1}
	w.program.Place(place)
}

func (w *walker) calls() {
	n := len(w.spaces)
	w.program.Call(mpi.Call{Op: mpi.Walk, Send: mpi.Span{First: 0, Count: w.send},
		Recv: mpi.Span{First: w.send, Count: n - w.send}},
		mpi.Call{Op: mpi.Stamp, Send: mpi.Span{First: 0, Count: n}})
}

// run does the same as a run of the program.
func (w *walker) run(loops int64) {
	for ; loops > 0; loops-- {
		at := make([]int64, len(w.spaces))
		for i, place := range w.program.Places {
			at[i] = w.spaces[i].take(place)
		}
		for i, place := range w.program.Places {
			stamp(w.spaces[i].data[at[i]:at[i]+place.Length], place.Mark, w.loop)
		}
		w.loop++
	}
}

// walk lets two programs walk through the same memory in turn.
func walk(p *process) error {
	b, c, space, other, err := p.twoSpaces()
	if err != nil {
		return err
	}
	defer b.Free()
	defer c.Free()
	first := &walker{program: mpi.Program{Comm: p.world}, send: 2}
	first.place(space, mpi.Place{Space: b, Length: 24, Step: 32})
	first.place(other, mpi.Place{Space: c, Length: 10, Step: 16})
	first.place(space, mpi.Place{Space: b, Length: 16, Step: 24})
	first.calls()
	second := &walker{program: mpi.Program{Comm: p.world}, send: 1}
	second.place(space, mpi.Place{Space: b, Length: 40, Step: 40})
	second.place(space, mpi.Place{Space: b, Length: 128, Step: 8}) // all of it: always at 0
	second.place(space, mpi.Place{Space: b, Length: 1, Step: 100}) // a step far beyond the end
	second.calls()
	turns := []*walker{first, second, first, second, first}
	return p.runWalkers(turns, []mpi.Buffer{b, c}, []*walked{space, other})
}

// walkWithoutStep has places that stay among places that walk.
func walkWithoutStep(p *process) error {
	b, c, space, other, err := p.twoSpaces()
	if err != nil {
		return err
	}
	defer b.Free()
	defer c.Free()
	w := &walker{program: mpi.Program{Comm: p.world}, send: 2}
	w.place(space, mpi.Place{Space: b, Length: 8, Step: 16})
	w.place(space, mpi.Place{Space: b, Offset: 13, Length: 8})
	w.place(other, mpi.Place{Space: c, Offset: 50, Length: 8})
	w.calls()
	return p.runWalkers([]*walker{w, w}, []mpi.Buffer{b, c}, []*walked{space, other})
}

// twoSpaces returns two buffers and their expected contents.
func (p *process) twoSpaces() (b, c mpi.Buffer, space, other *walked, err error) {
	if b, err = p.NewBuffer(128); err != nil {
		return
	}
	c, err = p.NewBuffer(64)
	return b, c, &walked{data: make([]byte, 128)}, &walked{data: make([]byte, 64)}, err
}

// runWalkers runs the programs in turn, compiled once, and compares all memory after each run.
func (p *process) runWalkers(turns []*walker, buffers []mpi.Buffer, want []*walked) error {
	compiled := map[*walker]mpi.Runner{}
	for _, w := range turns {
		if compiled[w] != nil {
			continue
		}
		r, err := p.Compile(&w.program)
		if err != nil {
			return fmt.Errorf("compile: %w", err)
		}
		defer r.Close()
		compiled[w] = r
	}
	for turn, w := range turns {
		n := mpi.Loops{Untimed: int64(turn % 3), Timed: int64(1 + turn%2)}
		w.run(n.Untimed + n.Timed)
		if err := p.runRight(compiled[w], n); err != nil {
			return err
		}
		for i, b := range buffers {
			if !bytes.Equal(b.Bytes(), want[i].data) {
				p.errorf("run %d: buffer %d is\n%x instead of\n%x", turn, i, b.Bytes(), want[i].data)
			}
		}
	}
	return nil
}
