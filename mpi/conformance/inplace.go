package conformance

import (
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
)

// inPlaceOps returns the calls of a family that may work in place.
func inPlaceOps(f mpi.Family) []mpi.Op {
	return slices.DeleteFunc(collectiveOps(f), func(op mpi.Op) bool {
		send, recv, _ := op.InPlace()
		return !send && !recv
	})
}

// inPlace tests the calls of a family with MPI_IN_PLACE. The side that isn't used holds other data, which must not
// arrive anywhere and must not be overwritten.
func inPlace(f mpi.Family) func(p *process) error {
	return func(p *process) error {
		return p.onHalves(func(c mpi.Comm) error {
			for _, m := range movementsOf(f) {
				if !slices.Contains(inPlaceOps(f), m.op) {
					continue
				}
				for _, unit := range blockUnits[:len(blockUnits)-1] {
					if err := p.moveInPlace(c, m, unit); err != nil {
						return err
					}
				}
			}
			for _, m := range reductionsOf(f) {
				if !slices.Contains(inPlaceOps(f), m.op) {
					continue
				}
				for _, n := range []int64{0, 1, 1000} {
					if err := p.reduceInPlace(c, m, n); err != nil {
						return err
					}
				}
			}
			return nil
		})
	}
}

// moveInPlace tests a call that moves blocks, with all roots.
func (p *process) moveInPlace(c mpi.Comm, m movement, unit int64) error {
	for i, call := range roots(c.Size()) {
		if i > 0 && !m.fromRoot && !m.toRoot {
			break
		}
		call.Op, call.InPlace = m.op, true
		x := placed{m, m.memory(c.Rank(), c.Size(), unit), c.Rank(), c.Size(), unit}
		x.prepare()
		calls := 0
		apply := func(root int) {
			x.apply(root, calls)
			calls++
		}
		if err := (trial{call, x.areas, apply, mpi.Adjacent}).run(p, c); err != nil {
			return err
		}
	}
	return nil
}

// placed is the memory of one process in a movement in place.
type placed struct {
	movement
	*areas
	rank, size int
	unit       int64
}

// kept returns the block that process from holds for process to where it receives.
func (x placed) kept(from, to int) []byte {
	data := make([]byte, x.length(from, to, x.unit))
	if !x.personal {
		to = 0
	}
	fill(data, from, to, 1000+int(x.op))
	return data
}

// room returns the offset at which the process receives the block of another one.
func (x placed) room(from int) int64 {
	if x.vector && !x.fromRoot {
		return x.places[x.recv.First+x.size-1-from].Offset
	}
	return x.places[x.recv.First].Offset + int64(from)*x.unit
}

// prepare writes the blocks that the process holds where it receives.
func (x placed) prepare() {
	for to := range x.size {
		switch {
		case x.fromRoot:
		case x.personal:
			copy(x.data[x.room(to):], x.kept(x.rank, to))
		case to == x.rank:
			copy(x.data[x.room(to):], x.kept(x.rank, to))
		}
	}
}

// apply writes what the process has received after a call. calls is the number of calls before it. Alltoall's second
// call brings each block back.
func (x placed) apply(root, calls int) {
	switch {
	case x.fromRoot:
		if x.rank != root {
			x.movement.apply(x.areas, x.rank, x.size, root, x.unit)
		}
	case x.toRoot:
		for from := range x.size {
			if x.rank == root && from != root {
				copy(x.data[x.room(from):], x.block(from, root, x.unit))
			}
		}
	case x.personal && calls%2 == 1:
		x.prepare()
	default:
		for from := range x.size {
			copy(x.data[x.room(from):], x.kept(from, x.rank))
		}
	}
}

// reduceInPlace tests a reduction of n elements: the process' own ones are where the result will be. (MPI_Reduce of
// MPICH 4.0 crashes in place with more than 2048 bytes at a root other than 0.)
func (p *process) reduceInPlace(c mpi.Comm, m reducing, n int64) error {
	for _, t := range reductionTypes {
		for i, call := range roots(c.Size()) {
			if i > 0 && (!m.toRoot || n*t.kind.Size() > 2048) {
				break
			}
			call.Op, call.Reduce, call.InPlace = m.op, t.op, true
			memory := reduction{m, t.kind, t.op, []int64{n}}.memory(c.Rank())
			result := make([]int64, n)
			for i := range result {
				result[i] = 2 + int64(i+c.Rank())%50
			}
			write := func() {
				var data []byte
				for _, v := range result {
					data = encode(data, t.kind, v)
				}
				copy(memory.data[memory.places[memory.recv.First].Offset:], data)
			}
			write()
			calls := 0
			apply := func(root int) {
				for i := range result {
					switch {
					case m.toRoot && c.Rank() == root:
						result[i] = reduceOthers(t.op, result[i], root, c.Size(), int64(i))
					case !m.toRoot:
						result[i] = reduceSame(t.op, result[i], i, c.Size(), calls == 0)
					}
				}
				calls++
				write()
			}
			if err := (trial{call, memory, apply, mpi.Adjacent}).run(p, c); err != nil {
				return err
			}
		}
	}
	return nil
}

// reduceOthers combines the root's value with element i that the others send.
func reduceOthers(op mpi.Reduction, value int64, root, size int, i int64) int64 {
	for rank := range size {
		if rank != root {
			value = pairwise(op, value, element(rank, i))
		}
	}
	return value
}

// reduceSame combines the values of all processes, which are those of the beginning or all the same.
func reduceSame(op mpi.Reduction, value int64, i, size int, first bool) int64 {
	result := value
	for rank := range size {
		if first {
			value = 2 + int64(i+rank)%50
		}
		if rank == 0 {
			result = value
			continue
		}
		result = pairwise(op, result, value)
	}
	return result
}

func pairwise(op mpi.Reduction, a, b int64) int64 {
	switch op {
	case mpi.Sum:
		return a + b
	case mpi.Max:
		return max(a, b)
	default:
		return min(a, b)
	}
}

// inPlaceRefused compiles calls that can't work in place.
func inPlaceRefused(p *process) error {
	b, err := p.NewBuffer(64)
	if err != nil {
		return err
	}
	defer b.Free()
	for _, op := range []mpi.Op{mpi.Alltoallv, mpi.Bcast, mpi.Sendrecv, mpi.Barrier} {
		program := selfProgram(p.world, b, op)
		program.Loop[0].InPlace = true
		p.mustRefuse(program, op.String()+" in place")
	}
	return nil
}
