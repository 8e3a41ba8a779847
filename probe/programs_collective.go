package probe

import "github.com/effective-bandwidth/beff/mpi"

// movement describes the data of a collective call: the bytes that a process sends and receives, its places, and the
// data that must arrive.
type movement struct {
	memory func(s *scene) (send, recv int64)
	places func(s *scene) (send, recv []mpi.Place)
	wants  func(s *scene, root int) []want
	rooted bool
	packed bool
	varied bool // see recipe
}

// collective is a kernel of IMB-MPI1 with its counterparts of IMB-NBC: the blocking and the nonblocking call of a
// movement.
type collective struct {
	name               string
	blocking, starting mpi.Op
	kind               mpi.Type // of the data
	movement           movement
}

// collectives lists the kernels of the guide's "Collective Benchmarks", in the order of its "IMB-NBC Benchmarks". A
// vector call has a place for each process (Op).
var collectives = []collective{
	{"Bcast", mpi.Bcast, mpi.Ibcast, mpi.Byte, movement{places: wholes, wants: fromRoot(0), rooted: true}},
	{"Allgather", mpi.Allgather, mpi.Iallgather, mpi.Byte,
		movement{memory: oneToAll, places: wholes, wants: fromAll(0)}},
	{"Allgatherv", mpi.Allgatherv, mpi.Iallgatherv, mpi.Byte,
		movement{memory: oneToAll, places: vectors(false, true), wants: fromAll(0)}},
	{"Gather", mpi.Gather, mpi.Igather, mpi.Byte,
		movement{memory: oneToAll, places: wholes, wants: allAtRoot, rooted: true}},
	{"Gatherv", mpi.Gatherv, mpi.Igatherv, mpi.Byte, movement{memory: gatherMemory, places: gatherPlaces,
		wants: blocksAtRoot, rooted: true, varied: true}},
	{"Scatter", mpi.Scatter, mpi.Iscatter, mpi.Byte,
		movement{memory: allToOne, places: wholes, wants: fromRoot(1), rooted: true}},
	{"Scatterv", mpi.Scatterv, mpi.Iscatterv, mpi.Byte, movement{memory: scatterMemory, places: scatterPlaces,
		wants: blockFromRoot, rooted: true, varied: true}},
	{"Alltoall", mpi.Alltoall, mpi.Ialltoall, mpi.Byte,
		movement{memory: allToAll, places: wholes, wants: fromAll(1)}},
	{"Alltoallv", mpi.Alltoallv, mpi.Ialltoallv, mpi.Byte,
		movement{memory: allToAll, places: vectors(true, true), wants: fromAll(1)}},
	{"Reduce", mpi.Reduce, mpi.Ireduce, mpi.Float32, movement{places: wholes, wants: sumAtRoot, rooted: true}},
	{"Reduce_scatter", mpi.ReduceScatter, mpi.IreduceScatter, mpi.Float32,
		movement{memory: portionMemory, places: portions, wants: sumOfPortion, packed: true}},
	{"Allreduce", mpi.Allreduce, mpi.Iallreduce, mpi.Float32, movement{places: wholes, wants: sumEverywhere}},
}

func oneToAll(s *scene) (send, recv int64) { return s.bytes, s.all() }
func allToOne(s *scene) (send, recv int64) { return s.all(), s.bytes }
func allToAll(s *scene) (send, recv int64) { return s.all(), s.all() }

// wholes returns one place on each side, of all its data.
func wholes(s *scene) (send, recv []mpi.Place) {
	whole := func(a *area) []mpi.Place { return []mpi.Place{s.in(a, 0, a.length/s.form().Stride(), 0)} }
	return whole(&s.send), whole(&s.recv)
}

// vectors returns a function that returns a place for each process on the chosen sides, and one place on the others.
func vectors(sends, receives bool) func(s *scene) (send, recv []mpi.Place) {
	return func(s *scene) (send, recv []mpi.Place) {
		send, recv = wholes(s)
		if sends {
			send = partsOf(s, &s.send)
		}
		if receives {
			recv = partsOf(s, &s.recv)
		}
		return send, recv
	}
}

func partsOf(s *scene, a *area) []mpi.Place {
	var list []mpi.Place
	for peer := range s.size() {
		list = append(list, s.in(a, int64(peer)*s.bytes, s.bytes, peer))
	}
	return list
}

// portion returns a process' even part of the length, in bytes. Units are never cut. The first processes have one unit
// more if there is a remainder (guide, "Reduce_scatter": L = r·np + s).
func portion(length, unit int64, rank, size int) (start, part int64) {
	units := (length + unit - 1) / unit
	each, more := units/int64(size), units%int64(size)
	start, part = int64(rank)*each+min(int64(rank), more), each
	if int64(rank) < more {
		part++
	}
	start, end := min(start*unit, length), min((start+part)*unit, length)
	return start, end - start
}

// portionOf returns a process' part of the data that are reduced and scattered: of a length, or in today's IMB each a
// length.
func portionOf(s *scene, rank int) (start, part int64) {
	if s.settings.today() {
		return int64(rank) * s.bytes, s.bytes
	}
	return portion(s.bytes, s.unit(), rank, s.size())
}

// portionMemory returns the memory of what is reduced and of a part of it.
func portionMemory(s *scene) (send, recv int64) {
	if s.settings.today() {
		return allToOne(s)
	}
	return s.bytes, s.bytes
}

func portions(s *scene) (send, recv []mpi.Place) {
	for peer := range s.size() {
		start, part := portionOf(s, peer)
		send = append(send, s.in(&s.send, start, part, peer))
	}
	_, own := portionOf(s, s.rank())
	return send, []mpi.Place{s.in(&s.recv, 0, own, s.rank())}
}

// fromRoot returns the data that the root sends: the same to all, or a part for each (itself too).
func fromRoot(parts int64) func(s *scene, root int) []want {
	return func(s *scene, root int) []want {
		if parts == 0 && s.rank() == root {
			return nil // the root of MPI_Bcast receives nothing
		}
		return []want{s.want(&s.recv, 0, s.bytes, root, parts*int64(s.rank())*s.bytes)}
	}
}

// fromAll returns the data that each process sends: the same to all, or a part for each.
func fromAll(parts int64) func(s *scene, root int) []want {
	return func(s *scene, _ int) (list []want) {
		for sender := range s.size() {
			list = append(list, s.want(&s.recv, int64(sender)*s.bytes, s.bytes, sender, parts*int64(s.rank())*s.bytes))
		}
		return list
	}
}

func allAtRoot(s *scene, root int) []want {
	if s.rank() != root {
		return nil
	}
	return fromAll(0)(s, root)
}

func sumEverywhere(s *scene, _ int) []want {
	return []want{s.sum(&s.recv, s.bytes, 0)}
}

func sumAtRoot(s *scene, root int) []want {
	if s.rank() != root {
		return nil
	}
	return sumEverywhere(s, root)
}

func sumOfPortion(s *scene, _ int) []want {
	start, part := portionOf(s, s.rank())
	return []want{s.sum(&s.recv, part, start)}
}

// recipe returns the collective's recipe. calls returns the calls of one repetition.
func (c collective) recipe(ops []mpi.Op, calls func(s *scene, c mpi.Call) []mpi.Call) *recipe {
	m := c.movement
	return &recipe{ops: ops, memory: m.memory, packed: m.packed, alone: m.rooted, varied: m.varied,
		build: func(s *scene) *step {
			send, recv := m.places(s)
			call := mpi.Call{
				Op: ops[0], Send: mpi.Span{Count: len(send)}, Recv: mpi.Span{First: len(send), Count: len(recv)},
				Rotate: m.rooted && !s.fixedRoot(), Reduce: mpi.Sum,
			}
			last := 0
			if m.rooted {
				call.Root, last = s.root, s.root
			}
			if call.Rotate {
				last = int((int64(s.root) + s.repetitions - 1) % int64(s.size()))
			}
			return &step{places: append(send, recv...), each: calls(s, call), wants: m.wants(s, last)}
		}}
}

// blockingCall returns a repetition of IMB-MPI1: the call alone.
func blockingCall(_ *scene, c mpi.Call) []mpi.Call { return []mpi.Call{c} }

// startAndWait returns a repetition of IMB-NBC: the call, then MPI_Wait, perhaps after computing (guide, "Measuring
// Communication and Computation Overlap").
func startAndWait(s *scene, c mpi.Call) []mpi.Call {
	calls := append([]mpi.Call{c}, s.compute()...)
	return append(calls, mpi.Call{Op: mpi.Wait, Of: 0})
}
