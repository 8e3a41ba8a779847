package suites

import (
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
)

// movement describes the data of a collective call: the bytes that a process sends and receives, the places of these
// bytes, and the data that must arrive.
type movement struct {
	memory func(s *kernel.Setup) (send, recv int64)
	places func(s *kernel.Setup) (send, recv []mpi.Place)
	wants  func(s *kernel.Setup, root int) []kernel.Want
	rooted bool
	packed bool
	varied bool // see kernel.Data
}

// collective is a blocking and a nonblocking call with the same data: a kernel of IMB-MPI1 and its counterpart in
// IMB-NBC.
type collective struct {
	name               string
	blocking, starting mpi.Op
	kind               mpi.Type // of the data
	movement           movement
}

// collectives lists the kernels of the guide's "Collective Benchmarks", in the order of its "IMB-NBC Benchmarks". A
// vector call has a place for each process (see mpi.Op).
var collectives = []collective{
	{"Bcast", mpi.Bcast, mpi.Ibcast, mpi.Byte, movement{places: wholePlaces, wants: fromRoot(0), rooted: true}},
	{"Allgather", mpi.Allgather, mpi.Iallgather, mpi.Byte,
		movement{memory: oneToAll, places: wholePlaces, wants: fromAll(0)}},
	{"Allgatherv", mpi.Allgatherv, mpi.Iallgatherv, mpi.Byte,
		movement{memory: oneToAll, places: vectorPlaces(false, true), wants: fromAll(0)}},
	{"Gather", mpi.Gather, mpi.Igather, mpi.Byte,
		movement{memory: oneToAll, places: wholePlaces, wants: allAtRoot, rooted: true}},
	{"Gatherv", mpi.Gatherv, mpi.Igatherv, mpi.Byte, movement{memory: gatherMemory, places: gatherPlaces,
		wants: wantBlocks, rooted: true, varied: true}},
	{"Scatter", mpi.Scatter, mpi.Iscatter, mpi.Byte,
		movement{memory: allToOne, places: wholePlaces, wants: fromRoot(1), rooted: true}},
	{"Scatterv", mpi.Scatterv, mpi.Iscatterv, mpi.Byte, movement{memory: scatterMemory, places: scatterPlaces,
		wants: wantBlock, rooted: true, varied: true}},
	{"Alltoall", mpi.Alltoall, mpi.Ialltoall, mpi.Byte,
		movement{memory: allToAll, places: wholePlaces, wants: fromAll(1)}},
	{"Alltoallv", mpi.Alltoallv, mpi.Ialltoallv, mpi.Byte,
		movement{memory: allToAll, places: vectorPlaces(true, true), wants: fromAll(1)}},
	{"Reduce", mpi.Reduce, mpi.Ireduce, mpi.Float32, movement{places: wholePlaces, wants: sumAtRoot, rooted: true}},
	{"Reduce_scatter", mpi.ReduceScatter, mpi.IreduceScatter, mpi.Float32,
		movement{memory: portionMemory, places: portionPlaces, wants: sumOfPortion, packed: true}},
	{"Allreduce", mpi.Allreduce, mpi.Iallreduce, mpi.Float32, movement{places: wholePlaces, wants: sumEverywhere}},
}

func oneToAll(s *kernel.Setup) (send, recv int64) { return s.Bytes, s.All() }
func allToOne(s *kernel.Setup) (send, recv int64) { return s.All(), s.Bytes }
func allToAll(s *kernel.Setup) (send, recv int64) { return s.All(), s.All() }

// wholePlaces returns a single place on each side, which covers all data of the side.
func wholePlaces(s *kernel.Setup) (send, recv []mpi.Place) {
	whole := func(a *kernel.Area) []mpi.Place { return []mpi.Place{s.In(a, 0, a.Length/s.Form().Stride(), 0)} }
	return whole(&s.Send), whole(&s.Recv)
}

// vectorPlaces returns a function that returns a place for each process on the chosen sides, and a single place on
// another side.
func vectorPlaces(sends, receives bool) func(s *kernel.Setup) (send, recv []mpi.Place) {
	return func(s *kernel.Setup) (send, recv []mpi.Place) {
		send, recv = wholePlaces(s)
		if sends {
			send = partsOf(s, &s.Send)
		}
		if receives {
			recv = partsOf(s, &s.Recv)
		}
		return send, recv
	}
}

func partsOf(s *kernel.Setup, a *kernel.Area) []mpi.Place {
	var list []mpi.Place
	for peer := range s.Size() {
		list = append(list, s.In(a, int64(peer)*s.Bytes, s.Bytes, peer))
	}
	return list
}

// portion returns the offset and the length in bytes of a process's even share of length bytes. Units are never cut. If
// there is a remainder, the first processes have one unit more (guide, "Reduce_scatter": L = r·np + s).
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

// portionOf returns a process's part of data that are reduced and scattered: a share of the row's length, or in IMB
// 2021.11 the whole length.
func portionOf(s *kernel.Setup, rank int) (start, part int64) {
	if s.Options.IMB.Is2021() {
		return int64(rank) * s.Bytes, s.Bytes
	}
	return portion(s.Bytes, s.Unit(), rank, s.Size())
}

// portionMemory returns the bytes of memory of the reduced data and of a process's part.
func portionMemory(s *kernel.Setup) (send, recv int64) {
	if s.Options.IMB.Is2021() {
		return allToOne(s)
	}
	return s.Bytes, s.Bytes
}

func portionPlaces(s *kernel.Setup) (send, recv []mpi.Place) {
	for peer := range s.Size() {
		start, part := portionOf(s, peer)
		send = append(send, s.In(&s.Send, start, part, peer))
	}
	_, own := portionOf(s, s.Rank())
	return send, []mpi.Place{s.In(&s.Recv, 0, own, s.Rank())}
}

// fromRoot returns the data that the root sends: the same data to all if parts is 0, or a part for each process, itself
// included, if parts is 1.
func fromRoot(parts int64) func(s *kernel.Setup, root int) []kernel.Want {
	return func(s *kernel.Setup, root int) []kernel.Want {
		if parts == 0 && s.Rank() == root {
			return nil // the root of MPI_Bcast receives nothing
		}
		return []kernel.Want{s.Want(&s.Recv, 0, s.Bytes, root, parts*int64(s.Rank())*s.Bytes)}
	}
}

// fromAll returns the data that every process sends: the same data to all if parts is 0, or a part for each if it is 1.
func fromAll(parts int64) func(s *kernel.Setup, root int) []kernel.Want {
	return func(s *kernel.Setup, _ int) (list []kernel.Want) {
		for sender := range s.Size() {
			list = append(list, s.Want(&s.Recv, int64(sender)*s.Bytes, s.Bytes, sender, parts*int64(s.Rank())*s.Bytes))
		}
		return list
	}
}

func allAtRoot(s *kernel.Setup, root int) []kernel.Want {
	if s.Rank() != root {
		return nil
	}
	return fromAll(0)(s, root)
}

func sumEverywhere(s *kernel.Setup, _ int) []kernel.Want {
	return []kernel.Want{s.Sum(&s.Recv, s.Bytes, 0)}
}

func sumAtRoot(s *kernel.Setup, root int) []kernel.Want {
	if s.Rank() != root {
		return nil
	}
	return sumEverywhere(s, root)
}

func sumOfPortion(s *kernel.Setup, _ int) []kernel.Want {
	start, part := portionOf(s, s.Rank())
	return []kernel.Want{s.Sum(&s.Recv, part, start)}
}

// builder returns the builder of a collective. calls returns the calls of one repetition. A barrier has no data.
func (c collective) builder(ops []mpi.Op, calls func(s *kernel.Setup, c mpi.Call) []mpi.Call) *kernel.Builder {
	if c.blocking == mpi.Barrier {
		return &kernel.Builder{Ops: ops, Data: kernel.Data{Sizes: nothing}, Rows: kernel.NoLength,
			Build: func(s *kernel.Setup) *kernel.Step {
				return &kernel.Step{Each: calls(s, mpi.Call{Op: ops[0]})}
			}}
	}
	m := c.movement
	return &kernel.Builder{Ops: ops, Data: kernel.Data{Sizes: m.memory, Packed: m.packed, Singles: m.rooted,
		Varied: m.varied},
		Build: func(s *kernel.Setup) *kernel.Step {
			send, recv := m.places(s)
			call := mpi.Call{
				Op: ops[0], Send: mpi.Span{Count: len(send)}, Recv: mpi.Span{First: len(send), Count: len(recv)},
				Rotate: m.rooted && !s.FixedRoot(), Reduce: mpi.Sum,
			}
			last := 0
			if m.rooted {
				call.Root, last = s.Run.Root, s.Run.Root
			}
			if call.Rotate {
				last = int((int64(s.Run.Root) + s.Run.Repetitions - 1) % int64(s.Size()))
			}
			return &kernel.Step{Places: append(send, recv...), Each: calls(s, call), Wants: m.wants(s, last)}
		}}
}

// blockingCall returns a repetition of IMB-MPI1, which is only the call.
func blockingCall(_ *kernel.Setup, c mpi.Call) []mpi.Call { return []mpi.Call{c} }

// startAndWait returns a repetition of IMB-NBC: the call, computing if the run overlaps, and MPI_Wait (guide,
// "Measuring Communication and Computation Overlap").
func startAndWait(s *kernel.Setup, c mpi.Call) []mpi.Call {
	calls := append([]mpi.Call{c}, s.Compute()...)
	return append(calls, mpi.Call{Op: mpi.Wait, Of: 0})
}
