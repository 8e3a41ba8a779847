package probe

import (
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/patterns"
)

// pgasRecipes has the recipes of PGAS (README of the suite, "Description of tests").
func pgasRecipes() map[string]*recipe {
	list := map[string]*recipe{
		"Sync_barrier": inStep(barrierOfAll),
		"Sync_p2p":     inStep(notification),
		"Put_get": {ops: lockedAll(mpi.Put, mpi.Get, mpi.WinFlush), build: putGet, window: recvSide,
			rows: oneElement, waits: true, memory: putGetMemory, prepare: clearLanding},
		"Put_put_barrier": inTurn(mpi.Put, barrierOfAll),
		"Put_put_p2p":     inTurn(mpi.Put, notification),
		"Get_get_barrier": inTurn(mpi.Get, barrierOfAll),
		"Get_get_p2p":     inTurn(mpi.Get, notification),
		"Put_oneway":      moving(mpi.Put, false),
		"Get_oneway":      moving(mpi.Get, false),
		"Put_twoway":      moving(mpi.Put, true),
		"Get_twoway":      moving(mpi.Get, true),
		"Random_put":      atRandom(mpi.Put),
		"Random_get":      atRandom(mpi.Get),
		"Reduction":       {ops: []mpi.Op{mpi.Allreduce}, build: reduction},
		"Reduction_in_place": {ops: []mpi.Op{mpi.Allreduce}, build: reductionInPlace, alone: true,
			prepare: fillInPlace},
	}
	for name, op := range map[string]mpi.Op{"Strided_put_": mpi.Put, "Strided_get_": mpi.Get} {
		for side, on := range map[string]stridedSides{"target": {target: true}, "origin": {origin: true},
			"both": {origin: true, target: true}} {
			list[name+side] = withStride(op, on, false)
			list[name+side+"_twoway"] = withStride(op, on, true)
		}
	}
	return list
}

// lockedAll returns the calls of a kernel within MPI_Win_lock_all.
func lockedAll(ops ...mpi.Op) []mpi.Op {
	return passiveOps(append(ops, mpi.WinLockAll, mpi.WinUnlockAll)...)
}

// windowOf returns the memory of the target of a transfer, which is the window.
func windowOf(op mpi.Op) side {
	if op == mpi.Get {
		return sendSide
	}
	return recvSide
}

// synchronisation is a way in which processes wait for each other: the calls, for which it may add places to the step.
type synchronisation struct {
	op    mpi.Op
	calls func(s *scene, x *step) []mpi.Call
}

// barrierOfAll waits for all processes that measure.
var barrierOfAll = synchronisation{mpi.Barrier, func(s *scene, x *step) []mpi.Call {
	x.comm = s.world
	return []mpi.Call{{Op: mpi.Barrier}}
}}

// notification notifies the partner and waits for its notification.
var notification = synchronisation{mpi.Sendrecv, func(s *scene, x *step) []mpi.Call {
	place := mpi.One(len(x.places))
	x.places = append(x.places, s.in(&s.send, 0, 0, s.partner()))
	return []mpi.Call{{Op: mpi.Sendrecv, Send: place, Recv: place, Tag: tag}}
}}

// inStep returns the recipe of a synchronisation alone.
func inStep(sync synchronisation) *recipe {
	return &recipe{ops: []mpi.Op{sync.op}, rows: noLength, build: func(s *scene) *step {
		x := &step{}
		x.each = sync.calls(s, x)
		return x
	}}
}

// heldAll puts a step's calls between MPI_Win_lock_all and MPI_Win_unlock_all. window is a place in the window.
func heldAll(x *step, window int) *step { return held(x, mpi.WinLockAll, mpi.WinUnlockAll, window) }

// waitingStep returns the step of a process that others put to or get from, while it waits or computes.
func waitingStep(s *scene, places []mpi.Place, wants []want) *step {
	x := target(places, wants)
	x.each = s.compute()
	return x
}

// transferred returns a transfer of two places, with its flush.
func transferred(op mpi.Op, memory, window int) []mpi.Call {
	return []mpi.Call{{Op: op, Send: mpi.One(memory), Recv: mpi.One(window)},
		{Op: mpi.WinFlush, Recv: mpi.One(window)}}
}

// inTurn returns the recipe of a kernel in which first the lower rank, then the upper one moves an element.
func inTurn(op mpi.Op, sync synchronisation) *recipe {
	return &recipe{ops: lockedAll(op, mpi.WinFlush, sync.op), window: windowOf(op), rows: oneElement,
		build: func(s *scene) *step {
			x := &step{places: transferPlaces(s, op, s.partner(), 0, 0), wants: pairWants(s, op, true)}
			move, wait := transferred(op, 0, 1), sync.calls(s, x)
			if s.rank() == 0 {
				x.each = append(append(move, wait...), wait...)
			} else {
				x.each = append(append(wait, move...), wait...)
			}
			return heldAll(x, 1)
		}}
}

// putGetMemory returns the bytes of both sides: the send area also has the place where the get brings the data back.
func putGetMemory(s *scene) (send, recv int64) { return 2 * s.bytes, s.bytes }

// clearLanding clears the places where the gets bring the data.
func clearLanding(s *scene) {
	for i := range s.send.slots {
		clear(s.send.slot(i + 1)[s.bytes:])
	}
}

// putGet returns a step that puts, and gets the same from there.
func putGet(s *scene) *step {
	places := []mpi.Place{s.in(&s.send, 0, s.bytes, s.last()), s.at(s.last(), 0, s.bytes),
		s.in(&s.send, s.bytes, s.bytes, s.last())}
	if s.rank() > 0 {
		return waitingStep(s, places, []want{s.want(&s.recv, 0, s.bytes, 0, 0)})
	}
	x := &step{places: places, wants: []want{s.want(&s.send, s.bytes, s.bytes, 0, 0)}}
	x.each = append(transferred(mpi.Put, 0, 1), transferred(mpi.Get, 2, 1)...)
	return heldAll(x, 1)
}

// moving returns the recipe of a kernel in which the lower rank of a pair, or both, move the length.
func moving(op mpi.Op, both bool) *recipe {
	return &recipe{ops: lockedAll(op, mpi.WinFlush), window: windowOf(op), transfer: op, waits: !both, both: both,
		build: func(s *scene) *step {
			x := &step{places: transferPlaces(s, op, s.partner(), 0, 0), wants: pairWants(s, op, both)}
			if !isOrigin(s, op, both) {
				return waitingStep(s, x.places, x.wants)
			}
			return completing(s, x, op, mpi.WinFlush)
		}}
}

// requested has the calls that open a request for a transfer.
var requested = map[mpi.Op]mpi.Op{mpi.Put: mpi.Rput, mpi.Get: mpi.Rget}

// completing completes a step of transfers, whose places are pairs: one in memory, one in the window. flush completes
// all of them.
func completing(s *scene, x *step, op, flush mpi.Op) *step {
	for i := 0; i < len(x.places); i += 2 {
		call := mpi.Call{Op: op, Send: mpi.One(i), Recv: mpi.One(i + 1)}
		switch s.one.Completion {
		case CompleteAll:
			x.each = append(x.each, call)
		case CompleteByRequest:
			call.Op = requested[op]
			x.each = append(x.each, call, mpi.Call{Op: mpi.Wait, Of: len(x.each)})
		case CompleteLocal:
			x.each = append(x.each, call, mpi.Call{Op: mpi.WinFlushLocal, Recv: mpi.One(i + 1)})
		default:
			x.each = append(x.each, call, mpi.Call{Op: mpi.WinFlush, Recv: mpi.One(i + 1)})
		}
	}
	all := mpi.Call{Op: flush, Recv: mpi.One(1)}
	switch s.one.Completion {
	case CompleteAll:
		x.completion = []mpi.Call{all}
	case CompleteByRequest, CompleteLocal:
		x.leave = []mpi.Call{all} // behind the clock
	}
	return heldAll(x, 1)
}

const (
	randomDraws  = 256     // transfers of a repetition
	randomSeed   = 1       // the same in each run, so that runs can be compared
	randomWindow = 4 << 20 // bytes of each window, unless a length is more (the suite's)
)

// slotsOf returns the number of places of the row's length in a window of a random kernel.
func slotsOf(s *scene) int { return int(max(1, randomWindow/max(s.bytes, 1))) }

// slotsMemory returns the bytes of both sides. The memory of the origin has as many slots as the window.
func slotsMemory(s *scene) (send, recv int64) {
	all := int64(slotsOf(s)) * s.bytes
	return all, all
}

// atRandom returns the recipe of a kernel in which each process puts to or gets from random slots of random processes.
// Several transfers may hit one slot, so the timed runs prove nothing: a further run hits no slot twice.
func atRandom(op mpi.Op) *recipe {
	return &recipe{ops: lockedAll(op, mpi.WinFlush, mpi.WinFlushAll), window: windowOf(op), transfer: op,
		transfers: randomDraws, memory: slotsMemory, packed: true, alone: true, build: func(s *scene) *step {
			x := &step{}
			slots := slotsOf(s)
			draws := patterns.Targets(randomSeed, s.rank(), s.size(), slots, randomDraws, s.one.Self)
			if s.single {
				draws = scattered(s, s.rank())
				x.wants = scatteredWants(s, op)
			}
			for i, to := range draws {
				x.places = append(x.places, transferPlaces(s, op, to.Process, int64(i%slots)*s.bytes,
					int64(to.Slot)*s.bytes)...)
			}
			return completing(s, x, op, mpi.WinFlushAll)
		}}
}

// scattered returns the slots that a process hits in the run whose data are checked.
func scattered(s *scene, rank int) []patterns.Target {
	return patterns.Scattered(rank, s.size(), slotsOf(s), min(randomDraws, slotsOf(s)))
}

// scatteredWants returns the data that scattered transfers leave: in the window, or in the memory of the gets.
func scatteredWants(s *scene, op mpi.Op) (list []want) {
	if op == mpi.Get {
		for i, from := range scattered(s, s.rank()) {
			list = append(list, s.want(&s.recv, int64(i)*s.bytes, s.bytes, from.Process, int64(from.Slot)*s.bytes))
		}
		return list
	}
	sources := make([]source, slotsOf(s))
	for rank := range s.size() {
		for i, to := range scattered(s, rank) {
			if to.Process == s.rank() {
				sources[to.Slot] = source{there: true, sender: int32(rank), slot: int32(i)}
			}
		}
	}
	return []want{{area: &s.recv, length: s.recv.length, fill: slotted(sources, s.bytes), unit: 1}}
}

// source names the sender of the data of a slot, and the slot of the sender's memory that they come from.
type source struct {
	there        bool
	sender, slot int32
}

// slotted returns the contents of slots: data of their sources, and zeros.
func slotted(sources []source, length int64) filler {
	return func(data []byte, position int64) {
		for len(data) > 0 {
			slot, inside := position/length, position%length
			part := data[:min(int64(len(data)), length-inside)]
			if from := sources[slot]; from.there {
				pattern(int(from.sender))(part, int64(from.slot)*length+inside)
			} else {
				clear(part)
			}
			data, position = data[len(part):], position+int64(len(part))
		}
	}
}

// reduction returns a step that sums all processes' vectors of int32 on all.
func reduction(s *scene) *step {
	return &step{
		places: []mpi.Place{s.in(&s.send, 0, s.bytes, 0), s.in(&s.recv, 0, s.bytes, 0)},
		each:   []mpi.Call{{Op: mpi.Allreduce, Send: mpi.One(0), Recv: mpi.One(1), Reduce: mpi.Sum}},
		wants:  []want{integerSums(s)},
	}
}

// integerSums returns the sums of all processes' vectors of int32.
func integerSums(s *scene) want {
	return want{area: &s.recv, length: s.bytes, fill: sums(mpi.Int32, 0, s.size(), 1), unit: mpi.Int32.Size()}
}

// reductionInPlace returns a step that sums vectors of int32 where they are. They are zeros while it is timed, so that
// nothing overflows.
func reductionInPlace(s *scene) *step {
	x := reduction(s)
	x.each[0].InPlace = true
	if !s.single {
		x.wants = nil
	}
	return x
}

// fillInPlace fills the memory of the run whose sums are checked.
func fillInPlace(s *scene) {
	if s.single {
		fillSlots(&s.recv, s.own(s.rank()))
	}
}
