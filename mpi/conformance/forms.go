package conformance

import (
	"bytes"
	"fmt"

	"github.com/effective-bandwidth/beff/mpi"
)

// formTable has the forms of elements that aren't those of all other cases.
var formTable = []mpi.Form{mpi.Joined, mpi.Apart, mpi.ApartJoined}

// formUnits holds lengths of blocks in bytes. What a library does with longer ones, a ring shows.
var formUnits = []int64{0, 8, 5000}

// forms moves elements of all forms: around the ring, by collective calls, and within a process.
func forms(p *process) error {
	for _, form := range formTable {
		for _, kind := range []mpi.Type{mpi.Byte, mpi.Int32, mpi.Float64} {
			if err := p.ringOf(form, kind); err != nil {
				return err
			}
		}
		if err := p.onForms(form, mpi.Collective, formUnits); err != nil {
			return err
		}
		if err := p.advancingForm(form); err != nil {
			return err
		}
		for _, kind := range reductionTypes {
			if err := p.combineOf(form, kind); err != nil {
				return err
			}
		}
	}
	return nil
}

// nonblockingForms does it with nonblocking calls.
func nonblockingForms(p *process) error {
	for _, form := range formTable {
		if err := p.onForms(form, mpi.NonblockingCollective, formUnits); err != nil {
			return err
		}
	}
	return nil
}

// onForms tests the collective calls of a family. Joined blocks lie a multiple of their length apart, which those of 8
// bytes do: the gaps between all blocks are as long.
func (p *process) onForms(form mpi.Form, family mpi.Family, units []int64) error {
	for _, m := range movementsOf(family) {
		m.form, m.even = form, form.Joins()
		lengths := units
		if m.even && m.vector {
			lengths = []int64{0, gap}
		}
		if err := p.runMovementsOf(p.world, []movement{m}, lengths); err != nil {
			return err
		}
	}
	for _, m := range reductionsOf(family) {
		m.form = form
		lengths := units
		if form.Joins() && m.scatter && !m.even { // only then all processes get the same
			lengths = []int64{0, int64(16 * p.size)}
		}
		if err := p.runReductions(p.world, []reducing{m}, reductionTypes, lengths); err != nil {
			return err
		}
	}
	return nil
}

// ringOf sends elements to the right neighbour. The last message is shorter than its place.
func (p *process) ringOf(form mpi.Form, kind mpi.Type) error {
	left, right := neighbours(p.world)
	unit := kind.Size()
	for _, n := range [][2]int64{{0, 0}, {1, 1}, {10, 10}, {40000, 40000}, {8, 11}} {
		if form.Joins() && n[0] != n[1] {
			continue // the standard has no half elements
		}
		sent, got := n[0]*unit, n[1]*unit
		a := &areas{}
		mine, theirs := make([]byte, sent), make([]byte, sent)
		fill(mine, p.rank, right, int(sent))
		fill(theirs, left, p.rank, int(sent))
		a.send = mpi.One(a.add(mine, right, kind))
		a.recv = mpi.One(a.add(make([]byte, got), left, kind))
		a.data = append(a.data, make([]byte, gap)...)
		apply := func(int) { copy(a.data[a.places[a.recv.First].Offset:], theirs) }
		if err := (trial{mpi.Call{Op: mpi.Sendrecv}, a, apply, form}).run(p, p.world); err != nil {
			return err
		}
	}
	return nil
}

// advancingForm moves places on with each loop: those of a message, and those of the parts of an Alltoallv.
func (p *process) advancingForm(form mpi.Form) error {
	const slots, unit = 3, 8
	part := unit * form.Stride()
	slot := int64(p.size)*part + unit
	left, right := neighbours(p.world)
	b, err := p.NewBuffer(2*slots*slot + 2*unit)
	if err != nil {
		return err
	}
	defer b.Free()
	program := mpi.Program{Comm: p.world, Start: p.world}
	add := func(at int64, peer int) int {
		return program.Place(mpi.Place{Space: b, Offset: at, Length: unit, Peer: peer, Type: mpi.Float64, Form: form,
			Advance: slot})
	}
	into := slots * slot // places never wrap: there are as many slots as loops, and no more
	for peer := range p.size {
		add(int64(peer)*part, peer)
	}
	for peer := range p.size {
		add(into+int64(peer)*part, peer)
	}
	all := mpi.Span{Count: p.size}
	program.Call(mpi.Call{Op: mpi.Alltoallv, Send: all, Recv: mpi.Span{First: p.size, Count: p.size}})
	program.Call(mpi.Call{Op: mpi.Sendrecv, Send: mpi.One(add(0, right)), Recv: mpi.One(add(into, left))})
	image := func(rank int) []byte { return p.image(slots*slot, rank, 0) }
	want := make([]byte, b.Size())
	copy(want, image(p.rank))
	copy(b.Bytes(), want)
	for loop := range int64(slots) {
		at := loop * slot
		for peer := range p.size {
			copy(want[into+at+int64(peer)*part:][:unit], image(peer)[at+int64(p.rank)*part:])
		}
		copy(want[into+at:][:unit], image(left)[at:])
	}
	if err := p.runProgram(&program, mpi.Loops{Untimed: 1, Timed: slots - 1}); err != nil {
		return err
	}
	p.same(fmt.Sprintf("advancing places of form %d", form), b.Bytes(), want)
	return nil
}

// combineOf combines elements of a process, again and again.
func (p *process) combineOf(form mpi.Form, with numeric) error {
	const n = 1001
	a := &areas{}
	encoded := func(value func(i int64) int64) (data []byte) {
		for i := range int64(n) {
			data = encode(data, with.kind, value(i))
		}
		return data
	}
	mine := func(i int64) int64 { return element(p.rank, i) }
	now := func(i int64) int64 { return 40 + i%3 }
	a.send = mpi.One(a.add(encoded(mine), 0, with.kind))
	a.recv = mpi.One(a.add(encoded(now), 0, with.kind))
	a.data = append(a.data, make([]byte, gap)...)
	apply := func(int) {
		before := now
		now = func(i int64) int64 { return pairwise(with.op, before(i), mine(i)) }
		copy(a.data[a.places[a.recv.First].Offset:], encoded(now))
	}
	return trial{mpi.Call{Op: mpi.Combine, Reduce: with.op}, a, apply, form}.run(p, p.world)
}

// formsRefused compiles programs with elements of forms that can't be.
func formsRefused(p *process) error {
	b, err := p.NewBuffer(64)
	if err != nil {
		return err
	}
	defer b.Free()
	build := func(op mpi.Op) *mpi.Program {
		program := selfProgram(p.world, b, op)
		for i := range program.Places {
			program.Places[i].Form, program.Places[i].Peer = mpi.Apart, p.rank
		}
		return program
	}
	if err := p.runProgram(build(mpi.Sendrecv), once); err != nil {
		return fmt.Errorf("apart: %w", err)
	}
	if !bytes.Equal(b.Bytes(), make([]byte, b.Size())) {
		p.errorf("apart: zeros became %x", b.Bytes())
	}
	p.mustRefuse(build(mpi.Copy), "a copy of elements that are apart")
	for name, spoil := range map[string]func(p *mpi.Program){
		"two forms":        func(p *mpi.Program) { p.Places[0].Form = mpi.Adjacent },
		"unknown form":     func(p *mpi.Program) { p.Places[0].Form, p.Places[1].Form = 9, 9 },
		"beyond the space": func(p *mpi.Program) { p.Places[1].Offset = 33 },
		"walks":            func(p *mpi.Program) { p.Places[0].Step = 8 },
		"marks":            func(p *mpi.Program) { p.Places[0].Mark.Width = 1 },
		"pieces":           func(p *mpi.Program) { p.Places[0].Pieces = mpi.Strided(2, 8, 8) },
	} {
		program := build(mpi.Sendrecv)
		spoil(program)
		p.mustRefuse(program, name)
	}
	return nil
}
