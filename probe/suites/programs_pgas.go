package suites

import (
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
)

// pgasBuilders has the builders of PGAS (README of the suite, "Description of tests").
func pgasBuilders() map[string]*kernel.Builder {
	list := map[string]*kernel.Builder{
		"Sync_barrier": syncOnly(barrierOfAll),
		"Sync_p2p":     syncOnly(notification),
		"Put_get": {Ops: lockedAll(mpi.Put, mpi.Get, mpi.WinFlush), Build: putGet,
			Access: kernel.Access{Window: kernel.RecvSide, Waits: true},
			Rows:   kernel.OneElement, Data: kernel.Data{Sizes: twoToOne, Prepare: clearLanding}},
		"Put_put_barrier": alternating(mpi.Put, barrierOfAll),
		"Put_put_p2p":     alternating(mpi.Put, notification),
		"Get_get_barrier": alternating(mpi.Get, barrierOfAll),
		"Get_get_p2p":     alternating(mpi.Get, notification),
		"Put_oneway":      pairTransfer(mpi.Put, false),
		"Get_oneway":      pairTransfer(mpi.Get, false),
		"Put_twoway":      pairTransfer(mpi.Put, true),
		"Get_twoway":      pairTransfer(mpi.Get, true),
		"Random_put":      randomTransfers(mpi.Put),
		"Random_get":      randomTransfers(mpi.Get),
		"Reduction":       {Ops: []mpi.Op{mpi.Allreduce}, Build: reduction},
		"Reduction_in_place": {Ops: []mpi.Op{mpi.Allreduce}, Build: reductionInPlace, Data: kernel.Data{Singles: true,
			InPlace: true, Prepare: fillInPlace}},
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

// windowOf returns the side whose memory is the window: the target's memory of a transfer.
func windowOf(op mpi.Op) kernel.Side {
	if op == mpi.Get {
		return kernel.SendSide
	}
	return kernel.RecvSide
}

// synchronisation is a way in which processes wait for each other. calls may add places to the step.
type synchronisation struct {
	op    mpi.Op
	calls func(s *kernel.Setup, x *kernel.Step) []mpi.Call
}

// barrierOfAll waits for all processes that measure.
var barrierOfAll = synchronisation{mpi.Barrier, func(s *kernel.Setup, x *kernel.Step) []mpi.Call {
	x.Comm = s.World
	return []mpi.Call{{Op: mpi.Barrier}}
}}

// notification notifies the partner and waits for its notification.
var notification = synchronisation{mpi.Notify, func(s *kernel.Setup, x *kernel.Step) []mpi.Call {
	place := mpi.One(len(x.Places))
	x.Places = append(x.Places, s.In(&s.Send, 0, 0, s.Partner()))
	return []mpi.Call{{Op: mpi.Notify, Send: place, Recv: place, Tag: kernel.Tag}}
}}

// syncOnly returns the builder of a kernel that only synchronises.
func syncOnly(sync synchronisation) *kernel.Builder {
	return &kernel.Builder{Ops: []mpi.Op{sync.op}, Rows: kernel.NoLength, Build: func(s *kernel.Setup) *kernel.Step {
		x := &kernel.Step{}
		x.Each = sync.calls(s, x)
		return x
	}}
}

// underLockAll puts a step's calls between MPI_Win_lock_all and MPI_Win_unlock_all. window is a place in the window.
func underLockAll(x *kernel.Step, window int) *kernel.Step {
	return underLock(x, mpi.WinLockAll, mpi.WinUnlockAll, window)
}

// waitingStep returns the step of a process that others put to or get from, while it waits or computes.
func waitingStep(s *kernel.Setup, places []mpi.Place, wants []kernel.Want) *kernel.Step {
	x := targetStep(s, places, wants)
	x.Each = s.Compute()
	return x
}

// flushedTransfer returns a transfer between two places and its flush.
func flushedTransfer(op mpi.Op, memory, window int) []mpi.Call {
	return []mpi.Call{{Op: op, Send: mpi.One(memory), Recv: mpi.One(window)},
		{Op: mpi.WinFlush, Recv: mpi.One(window)}}
}

// alternating returns the builder of a kernel in which first the lower rank, then the upper one transfers an element.
func alternating(op mpi.Op, sync synchronisation) *kernel.Builder {
	return &kernel.Builder{Ops: lockedAll(op, mpi.WinFlush, sync.op), Access: kernel.Access{Window: windowOf(op)},
		Rows: kernel.OneElement,
		Build: func(s *kernel.Setup) *kernel.Step {
			x := &kernel.Step{Places: transferPlaces(s, op, s.Partner(), 0, 0), Wants: pairWants(s, op, true)}
			move, wait := flushedTransfer(op, 0, 1), sync.calls(s, x)
			if s.Rank() == 0 {
				x.Each = append(append(move, wait...), wait...)
			} else {
				x.Each = append(append(wait, move...), wait...)
			}
			return underLockAll(x, 1)
		}}
}

// clearLanding clears the memory into which the gets bring data.
func clearLanding(s *kernel.Setup) {
	for i := range s.Send.Slots {
		mpi.Store(s.Send.Buffer, i*s.Send.Stride+s.Bytes, make([]byte, s.Send.Length-s.Bytes))
	}
}

// putGet returns a step that puts data and gets them back.
func putGet(s *kernel.Setup) *kernel.Step {
	places := []mpi.Place{s.In(&s.Send, 0, s.Bytes, s.Last()), s.At(s.Last(), 0, s.Bytes),
		s.In(&s.Send, s.Bytes, s.Bytes, s.Last())}
	if s.Rank() > 0 {
		return waitingStep(s, places, []kernel.Want{s.Want(&s.Recv, 0, s.Bytes, 0, 0)})
	}
	x := &kernel.Step{Places: places, Wants: []kernel.Want{s.Want(&s.Send, s.Bytes, s.Bytes, 0, 0)}}
	x.Each = append(flushedTransfer(mpi.Put, 0, 1), flushedTransfer(mpi.Get, 2, 1)...)
	return underLockAll(x, 1)
}

// pairTransfer returns the builder of a kernel in which the lower rank of a pair, or both, transfer the row's length.
func pairTransfer(op mpi.Op, twoWay bool) *kernel.Builder {
	return &kernel.Builder{Ops: lockedAll(op, mpi.WinFlush),
		Access: kernel.Access{Window: windowOf(op), Transfer: op, Waits: !twoWay, TwoWay: twoWay},
		Build: func(s *kernel.Setup) *kernel.Step {
			x := &kernel.Step{Places: transferPlaces(s, op, s.Partner(), 0, 0), Wants: pairWants(s, op, twoWay)}
			if !isOrigin(s, op, twoWay) {
				return waitingStep(s, x.Places, x.Wants)
			}
			return withCompletion(s, x, op, mpi.WinFlush)
		}}
}

// requestCalls maps transfers to the calls that return a request for them.
var requestCalls = map[mpi.Op]mpi.Op{mpi.Put: mpi.Rput, mpi.Get: mpi.Rget}

// withCompletion adds the calls to a step whose places are pairs, one in memory and one in the window, with the
// completion that the settings choose. flush completes all transfers.
func withCompletion(s *kernel.Setup, x *kernel.Step, op, flush mpi.Op) *kernel.Step {
	for i := 0; i < len(x.Places); i += 2 {
		call := mpi.Call{Op: op, Send: mpi.One(i), Recv: mpi.One(i + 1)}
		switch s.Options.One.Completion {
		case settings.CompleteAll:
			x.Each = append(x.Each, call)
		case settings.CompleteByRequest:
			call.Op = requestCalls[op]
			x.Each = append(x.Each, call, mpi.Call{Op: mpi.Wait, Of: len(x.Each)})
		case settings.CompleteLocal:
			x.Each = append(x.Each, call, mpi.Call{Op: mpi.WinFlushLocal, Recv: mpi.One(i + 1)})
		default:
			x.Each = append(x.Each, call, mpi.Call{Op: mpi.WinFlush, Recv: mpi.One(i + 1)})
		}
	}
	all := mpi.Call{Op: flush, Recv: mpi.One(1)}
	switch s.Options.One.Completion {
	case settings.CompleteAll:
		x.Completion = []mpi.Call{all}
	case settings.CompleteByRequest, settings.CompleteLocal:
		x.Leave = []mpi.Call{all} // not timed
	}
	return underLockAll(x, 1)
}

const (
	randomDraws  = 256     // transfers of a repetition
	randomSeed   = 1       // fixed, so that runs can be compared
	randomWindow = 4 << 20 // bytes of each window, or the row's length if that is longer (as in the suite)
)

// slotsOf returns the number of places of the row's length in a window of a random kernel.
func slotsOf(s *kernel.Setup) int { return int(max(1, randomWindow/max(s.Bytes, 1))) }

// slotsMemory returns the bytes of both sides. The origin's memory has as many slots as the window.
func slotsMemory(s *kernel.Setup) (send, recv int64) {
	all := int64(slotsOf(s)) * s.Bytes
	return all, all
}

// randomTransfers returns the builder of a kernel in which each process puts to or gets from random slots of random
// processes. Several transfers may access one slot, so the timed runs prove nothing: an untimed run uses each slot only
// once.
func randomTransfers(op mpi.Op) *kernel.Builder {
	return &kernel.Builder{Ops: lockedAll(op, mpi.WinFlush, mpi.WinFlushAll),
		Access:    kernel.Access{Window: windowOf(op), Transfer: op},
		Transfers: randomDraws, Data: kernel.Data{Sizes: slotsMemory, Packed: true, Singles: true},
		Build: func(s *kernel.Setup) *kernel.Step {
			x := &kernel.Step{}
			slots := slotsOf(s)
			draws := patterns.RandomTargets(randomSeed, s.Rank(), s.Size(), slots, randomDraws, s.Options.One.Self)
			if s.Run.Single {
				draws = disjointTargets(s, s.Rank())
				x.Wants = disjointWants(s, op)
			}
			for i, to := range draws {
				x.Places = append(x.Places, transferPlaces(s, op, to.Process, int64(i%slots)*s.Bytes,
					int64(to.Slot)*s.Bytes)...)
			}
			return withCompletion(s, x, op, mpi.WinFlushAll)
		}}
}

// disjointTargets returns the slots that a process accesses in the run whose data are checked.
func disjointTargets(s *kernel.Setup, rank int) []patterns.Target {
	return patterns.DisjointTargets(rank, s.Size(), slotsOf(s), min(randomDraws, slotsOf(s)))
}

// disjointWants returns the data that scattered transfers leave in the window, or in the memory of the gets.
func disjointWants(s *kernel.Setup, op mpi.Op) (list []kernel.Want) {
	if op == mpi.Get {
		for i, from := range disjointTargets(s, s.Rank()) {
			list = append(list, s.Want(&s.Recv, int64(i)*s.Bytes, s.Bytes, from.Process, int64(from.Slot)*s.Bytes))
		}
		return list
	}
	sources := make([]source, slotsOf(s))
	for rank := range s.Size() {
		for i, to := range disjointTargets(s, rank) {
			if to.Process == s.Rank() {
				sources[to.Slot] = source{there: true, sender: int32(rank), slot: int32(i)}
			}
		}
	}
	return []kernel.Want{{Area: &s.Recv, Length: s.Recv.Length, Fill: slotted(sources, s.Bytes), Unit: 1}}
}

// source is the sender of the data of a slot, and the slot of the sender's memory that they come from.
type source struct {
	there        bool
	sender, slot int32
}

// slotted returns the contents of slots: the data of their sources, or zeros.
func slotted(sources []source, length int64) kernel.Filler {
	return func(into []byte, position int64) {
		for len(into) > 0 {
			slot, inside := position/length, position%length
			part := into[:min(int64(len(into)), length-inside)]
			if from := sources[slot]; from.there {
				kernel.Pattern(int(from.sender))(part, int64(from.slot)*length+inside)
			} else {
				clear(part)
			}
			into, position = into[len(part):], position+int64(len(part))
		}
	}
}

// reduction returns a step that sums the int32 vectors of all processes on every process.
func reduction(s *kernel.Setup) *kernel.Step {
	return &kernel.Step{
		Places: []mpi.Place{s.In(&s.Send, 0, s.Bytes, 0), s.In(&s.Recv, 0, s.Bytes, 0)},
		Each:   []mpi.Call{{Op: mpi.Allreduce, Send: mpi.One(0), Recv: mpi.One(1), Reduce: mpi.Sum}},
		Wants:  []kernel.Want{integerSums(s)},
	}
}

// integerSums returns the sums of the int32 vectors of all processes.
func integerSums(s *kernel.Setup) kernel.Want {
	return kernel.Want{Area: &s.Recv, Length: s.Bytes, Fill: kernel.Sums(mpi.Int32, 0, s.Size(), 1),
		Unit: mpi.Int32.Size(), Kind: mpi.Int32}
}

// reductionInPlace returns a step that sums int32 vectors in place. While it is timed they are zeros, so that nothing
// overflows.
func reductionInPlace(s *kernel.Setup) *kernel.Step {
	x := reduction(s)
	x.Each[0].InPlace = true
	if !s.Run.Single {
		x.Wants = nil
	}
	return x
}

// fillInPlace fills the memory of the run whose sums are checked.
func fillInPlace(s *kernel.Setup) {
	if s.Run.Single {
		kernel.FillSlots(&s.Recv, s.SendData(s.Rank()))
	}
}
