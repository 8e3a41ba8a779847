package conformance

import (
	"github.com/effective-bandwidth/beff/mpi"
)

// movement is a collective call that moves blocks between processes without changing them.
type movement struct {
	op               mpi.Op
	fromRoot, toRoot bool // only the root sends, or only the root receives
	personal         bool // each process receives another block
	vector           bool // blocks have different lengths and gaps between them
	even             bool // blocks of vector calls have the same length
	form             mpi.Form
}

// movements has a row for each such call.
var movements = []movement{
	{op: mpi.Bcast, fromRoot: true},
	{op: mpi.Gather, toRoot: true},
	{op: mpi.Gatherv, toRoot: true, vector: true},
	{op: mpi.Scatter, fromRoot: true, personal: true},
	{op: mpi.Scatterv, fromRoot: true, personal: true, vector: true},
	{op: mpi.Allgather},
	{op: mpi.Allgatherv, vector: true},
	{op: mpi.Alltoall, personal: true},
	{op: mpi.Alltoallv, personal: true, vector: true},
}

// movementsOf returns movements with the calls of a family instead of the blocking ones.
func movementsOf(f mpi.Family) []movement {
	var list []movement
	for _, m := range movements {
		m.op, _ = variant(m.op, f)
		list = append(list, m)
	}
	return list
}

// blockUnits holds lengths of a block in bytes: none, one, one element, some, and just more than any library sends
// eagerly. Longer ones would take too much memory, which grows with P².
var blockUnits = []int64{0, 1, 4, 5000, 1<<17 + 8}

// length returns the length of a block in bytes. In vector calls it differs between processes, and some blocks are
// empty.
func (m movement) length(from, to int, unit int64) int64 {
	switch {
	case !m.vector || m.even:
		return unit
	case !m.personal:
		return unit * int64((from+1)%3)
	case m.fromRoot:
		return unit * int64((to+1)%3)
	}
	return unit * int64((from+2*to+1)%3)
}

// block returns the data that one process sends to another. They don't depend on the receiver if all receive the same.
func (m movement) block(from, to int, unit int64) []byte {
	data := make([]byte, m.length(from, to, unit))
	if !m.personal {
		to = 0
	}
	fill(data, from, to, int(m.op))
	return data
}

// memory returns the memory of a process before any call.
func (m movement) memory(rank, size int, unit int64) *areas {
	a := &areas{}
	give, get := [][]byte{m.block(rank, 0, unit)}, [][]byte{}
	for to := 1; m.personal && to < size; to++ {
		give = append(give, m.block(rank, to, unit))
	}
	for from := range size {
		get = append(get, make([]byte, m.length(from, rank, unit)))
	}
	if m.fromRoot {
		get = get[:1] // of the same length for each root
	}
	a.send = a.addBlocks(give, m.vector && m.personal)
	a.recv = a.addBlocks(get, m.vector && !m.fromRoot)
	a.data = append(a.data, make([]byte, gap)...)
	return a
}

// apply writes the data that a process receives in a call into its memory.
func (m movement) apply(a *areas, rank, size, root int, unit int64) {
	if m.toRoot && rank != root || m.fromRoot && !m.personal && rank == root {
		return // the root of a broadcast has the data already
	}
	at := a.places[a.recv.First].Offset
	for from := range size {
		switch {
		case m.fromRoot && from != root:
			continue
		case m.vector && !m.fromRoot:
			at = a.places[a.recv.First+size-1-from].Offset
		}
		at += int64(copy(a.data[at:], m.block(from, rank, unit)))
	}
}

// runMovements tests calls with all lengths and roots.
func (p *process) runMovements(c mpi.Comm, movements []movement) error {
	return p.runMovementsOf(c, movements, blockUnits)
}

// runMovementsOf tests calls with some lengths and all roots.
func (p *process) runMovementsOf(c mpi.Comm, movements []movement, units []int64) error {
	for _, m := range movements {
		for _, unit := range units {
			for i, call := range roots(c.Size()) {
				if i > 0 && !m.fromRoot && !m.toRoot {
					break
				}
				call.Op = m.op
				memory := m.memory(c.Rank(), c.Size(), unit)
				apply := func(root int) { m.apply(memory, c.Rank(), c.Size(), root, unit) }
				if err := (trial{call, memory, apply, m.form}).run(p, c); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
