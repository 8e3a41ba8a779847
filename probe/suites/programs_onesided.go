package suites

import (
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
)

// activeTarget holds the builders of IMB-EXT (guide, "IMB-EXT Benchmarks"). Without -off_cache all transfers use the
// same memory, even in aggregate mode (guide, "-off_cache Option"), as in IMB. The "disjoint sections" of "MPI-2
// Benchmark Modes" would move messages of 64 kB and more out of the caches.
var activeTarget = map[string]*kernel.Builder{
	"Window": {Ops: []mpi.Op{mpi.WinCreate, mpi.WinFence, mpi.Put, mpi.WinFree}, Build: windowOverhead,
		Access: kernel.Access{Window: kernel.RecvSide, MakesWindow: true}},
	"Unidir_Put": fencedPair(mpi.Put, kernel.RecvSide, false),
	"Unidir_Get": fencedPair(mpi.Get, kernel.SendSide, false),
	"Bidir_Put":  fencedPair(mpi.Put, kernel.RecvSide, true),
	"Bidir_Get":  fencedPair(mpi.Get, kernel.SendSide, true),
	"Accumulate": {Ops: []mpi.Op{mpi.Accumulate, mpi.WinFence}, Build: fencedAccumulate,
		Access: kernel.Access{Window: kernel.RecvSide},
		Data:   kernel.Data{Singles: true}},
}

// passiveTarget holds the builders of IMB-RMA (guide, "IMB-RMA Benchmarks").
var passiveTarget = map[string]*kernel.Builder{
	"Unidir_put":     passivePair(mpi.Put, kernel.RecvSide, mpi.WinFlush, false),
	"Unidir_get":     passivePair(mpi.Get, kernel.SendSide, mpi.WinFlush, false),
	"Bidir_put":      passivePair(mpi.Put, kernel.RecvSide, mpi.WinFlush, true),
	"Bidir_get":      passivePair(mpi.Get, kernel.SendSide, mpi.WinFlush, true),
	"Put_local":      passivePair(mpi.Put, kernel.RecvSide, mpi.WinFlushLocal, false),
	"Get_local":      passivePair(mpi.Get, kernel.SendSide, mpi.WinFlushLocal, false),
	"One_put_all":    withAll(mpi.Put, mpi.WinFlushAll, false),
	"One_get_all":    withAll(mpi.Get, mpi.WinFlushAll, false),
	"All_put_all":    withAll(mpi.Put, mpi.WinFlushAll, true),
	"All_get_all":    withAll(mpi.Get, mpi.WinFlushAll, true),
	"Put_all_local":  withAll(mpi.Put, mpi.WinFlushLocalAll, false),
	"Get_all_local":  withAll(mpi.Get, mpi.WinFlushLocalAll, false),
	"Exchange_put":   passiveExchange(mpi.Put, kernel.RecvSide),
	"Exchange_get":   passiveExchange(mpi.Get, kernel.SendSide),
	"Accumulate":     atomicUpdate(mpi.Accumulate, kernel.AllLengths),
	"Get_accumulate": atomicUpdate(mpi.GetAccumulate, kernel.AllLengths),
	"Fetch_and_op":   atomicUpdate(mpi.FetchAndOp, kernel.OneElement),
	"Compare_and_swap": {Ops: passiveOps(mpi.CompareAndSwap, mpi.WinFlush), Build: compareAndSwap,
		Access: kernel.Access{Window: kernel.RecvSide},
		Rows:   kernel.OneElement, Data: kernel.Data{Sizes: twoToOne, Prepare: prepareCompare}},
	"Truly_passive_put": {Ops: append(passiveOps(mpi.Put, mpi.WinFlush), mpi.Exploit), Build: trulyPassive,
		Access: kernel.Access{Window: kernel.RecvSide}},
}

func passiveOps(ops ...mpi.Op) []mpi.Op {
	return append(ops, mpi.WinLock, mpi.WinUnlock, mpi.Barrier)
}

// transferPlaces returns the two places of a Put or a Get: memory at offset local, and the window of target at offset
// remote.
func transferPlaces(s *kernel.Setup, op mpi.Op, target int, local, remote int64) []mpi.Place {
	memory := s.In(&s.Send, local, s.Bytes, target)
	if op == mpi.Get {
		memory = s.In(&s.Recv, local, s.Bytes, target)
	}
	return []mpi.Place{memory, s.At(target, remote, s.Bytes)}
}

// transferWants returns the data that a transfer must leave. A Put leaves the origin's data in the target's window, a
// Get leaves the target's data in the origin's memory.
func transferWants(s *kernel.Setup, op mpi.Op, origin, target int) []kernel.Want {
	switch {
	case op == mpi.Put && s.Rank() == target:
		return []kernel.Want{s.Want(&s.Recv, 0, s.Bytes, origin, 0)}
	case op == mpi.Get && s.Rank() == origin:
		return []kernel.Want{s.Want(&s.Recv, 0, s.Bytes, target, 0)}
	}
	return nil
}

// fence returns the call that opens and ends an epoch. place is any place in the window.
func fence(place int) mpi.Call { return mpi.Call{Op: mpi.WinFence, Recv: mpi.One(place)} }

// fencedPair returns the builder of a kernel of two processes, in which the origin or both put or get.
func fencedPair(op mpi.Op, window kernel.Side, twoWay bool) *kernel.Builder {
	return &kernel.Builder{Ops: []mpi.Op{op, mpi.WinFence}, Access: kernel.Access{Window: window},
		Build: func(s *kernel.Setup) *kernel.Step {
			x := &kernel.Step{Places: transferPlaces(s, op, s.Partner(), 0, 0), Enter: []mpi.Call{fence(1)},
				Completion: []mpi.Call{fence(1)}}
			if isOrigin(s, op, twoWay) {
				x.Each = []mpi.Call{{Op: op, Send: mpi.One(0), Recv: mpi.One(1)}}
			}
			x.Wants = pairWants(s, op, twoWay)
			return x
		}}
}

// isOrigin reports whether this process moves the data. In IMB-EXT's Unidir_Get the last process does; in other kernels
// the first one, or both.
func isOrigin(s *kernel.Setup, op mpi.Op, twoWay bool) bool {
	if op == mpi.Get && s.Kernel.Component == kernel.EXT {
		return twoWay || s.Rank() == s.Last()
	}
	return twoWay || s.Rank() == 0
}

func pairWants(s *kernel.Setup, op mpi.Op, twoWay bool) []kernel.Want {
	first, last := 0, s.Last()
	if op == mpi.Get && s.Kernel.Component == kernel.EXT {
		first, last = last, first
	}
	list := transferWants(s, op, first, last)
	if twoWay {
		list = append(list, transferWants(s, op, last, first)...)
	}
	return list
}

// fencedAccumulate adds the vectors of all processes in the window of process 0.
func fencedAccumulate(s *kernel.Setup) *kernel.Step {
	x := &kernel.Step{
		Places: []mpi.Place{s.In(&s.Send, 0, s.Bytes, 0), s.At(0, 0, s.Bytes)},
		Enter:  []mpi.Call{fence(1)}, Completion: []mpi.Call{fence(1)},
		Each: []mpi.Call{{Op: mpi.Accumulate, Send: mpi.One(0), Recv: mpi.One(1), Reduce: mpi.Sum}},
	}
	if s.Options.IMB.Is2021() { // the first fence is timed, too
		x.Enter, x.Opening = nil, []mpi.Call{fence(1)}
	}
	if hits := s.Hits(&s.Recv); s.Rank() == 0 && kernel.Float32HoldsSum(s.Size(), hits) {
		x.Wants = []kernel.Want{{Area: &s.Recv, Length: s.Bytes, Fill: kernel.Sums(s.Kind(), 0, s.Size(), hits),
			Unit: s.Kind().Size(), Kind: s.Kind()}}
	}
	return x
}

// windowOverhead returns a step that makes and frees a window. If the window isn't empty, each process puts one byte
// into its own window.
func windowOverhead(s *kernel.Setup) *kernel.Step {
	x := &kernel.Step{Places: []mpi.Place{
		{Space: s.Send.Buffer, Length: 1}, {Space: s.Window, Length: 1, Peer: s.Rank()},
	}}
	calls := []mpi.Call{{Op: mpi.WinCreate, Recv: mpi.One(1)}, fence(1)}
	if s.Bytes > 0 {
		calls = append(calls, mpi.Call{Op: mpi.Put, Send: mpi.One(0), Recv: mpi.One(1)})
		x.Wants = []kernel.Want{{Area: &s.Recv, Length: 1, Fill: s.SendData(s.Rank()), Unit: 1}}
	}
	x.Each = append(calls, fence(1), mpi.Call{Op: mpi.WinFree, Recv: mpi.One(1)})
	return x
}

// underLock puts an origin's calls between lock and unlock. A barrier follows, in which the targets already wait.
// windows are the places that the locks name.
func underLock(x *kernel.Step, lock, unlock mpi.Op, windows ...int) *kernel.Step {
	for _, place := range windows {
		x.Enter = append(x.Enter, mpi.Call{Op: lock, Recv: mpi.One(place)})
		x.Leave = append(x.Leave, mpi.Call{Op: unlock, Recv: mpi.One(place)})
	}
	return endWithBarrier(x)
}

func endWithBarrier(x *kernel.Step) *kernel.Step {
	x.Leave = append(x.Leave, mpi.Call{Op: mpi.Barrier})
	return x
}

// targetStep returns the step of a process whose memory others access. Its timed program waits in the barrier from the
// beginning. If the barrier were in a later program, an origin's first transfers would wait for it: 8 µs with MPICH,
// which needs the target's progress. The barrier comes later only in programs that run in several parts, each of which
// would wait, and for models, which run one program at a time.
func targetStep(s *kernel.Setup, places []mpi.Place, wants []kernel.Want) *kernel.Step {
	x := &kernel.Step{Places: places, Silent: true, Wants: wants}
	if s.Run.Series != nil || s.Run.Untimed > 0 || s.Played {
		return endWithBarrier(x)
	}
	x.AfterLoops = []mpi.Call{{Op: mpi.Barrier}}
	return x
}

// passivePair returns the builder of a kernel of two processes. flush completes each transfer, or all of them.
func passivePair(op mpi.Op, window kernel.Side, flush mpi.Op, twoWay bool) *kernel.Builder {
	return &kernel.Builder{Ops: passiveOps(op, flush), Access: kernel.Access{Window: window},
		Build: func(s *kernel.Setup) *kernel.Step {
			places, wants := transferPlaces(s, op, s.Partner(), 0, 0), pairWants(s, op, twoWay)
			if !isOrigin(s, op, twoWay) {
				return targetStep(s, places, wants)
			}
			return underLock(&kernel.Step{
				Places:     places,
				Each:       []mpi.Call{{Op: op, Send: mpi.One(0), Recv: mpi.One(1)}},
				Completion: []mpi.Call{{Op: flush, Recv: mpi.One(1)}},
				Wants:      wants,
			}, mpi.WinLock, mpi.WinUnlock, 1)
		}}
}

// withAll returns the builder of a kernel in which one process, or each, puts to or gets from all others, beginning
// with the next rank. If each process puts, or if the call is a Get, each process's data have a separate part of the
// memory, because they would otherwise overwrite each other.
func withAll(op, flush mpi.Op, each bool) *kernel.Builder {
	r := &kernel.Builder{Ops: passiveOps(op, flush, mpi.WinLockAll, mpi.WinUnlockAll),
		Access:     kernel.Access{Window: kernel.RecvSide},
		OnceIn2021: true,
		Data:       kernel.Data{SinglesIn2021: each || op == mpi.Get}}
	if op == mpi.Get {
		r.Access.Window = kernel.SendSide
	}
	if each || op == mpi.Get {
		r.Data.Sizes = oneToAll
	}
	r.Build = func(s *kernel.Setup) *kernel.Step {
		x := &kernel.Step{Wants: wantsOfAll(s, op, each)}
		if r.Data.SinglesIn2021 && s.Options.IMB.Is2021() && !s.Run.Single {
			x.Wants = nil // a separate repetition checks them
		}
		var calls []mpi.Call
		for i := 1; i < s.Size(); i++ {
			peer := (s.Rank() + i) % s.Size()
			local, remote := int64(0), int64(0)
			switch {
			case s.Options.IMB.Is2021() && !s.Run.Single: // at one offset, overwriting each other
			case op == mpi.Get:
				local = int64(peer) * s.Bytes
			case each:
				remote = int64(s.Rank()) * s.Bytes
			}
			calls = append(calls, mpi.Call{Op: op, Send: mpi.One(len(x.Places)), Recv: mpi.One(len(x.Places) + 1)})
			x.Places = append(x.Places, transferPlaces(s, op, peer, local, remote)...)
		}
		if !each && s.Rank() > 0 {
			return targetStep(s, x.Places, x.Wants)
		}
		x.Each, x.Completion = calls, []mpi.Call{{Op: flush, Recv: mpi.One(1)}}
		return underLock(x, mpi.WinLockAll, mpi.WinUnlockAll, 1)
	}
	return r
}

func wantsOfAll(s *kernel.Setup, op mpi.Op, each bool) (list []kernel.Want) {
	switch {
	case op == mpi.Put && !each && s.Rank() > 0:
		return []kernel.Want{s.Want(&s.Recv, 0, s.Bytes, 0, 0)}
	case !each && (op == mpi.Put || s.Rank() > 0):
		return nil
	}
	for peer := range s.Size() {
		if peer != s.Rank() {
			list = append(list, s.Want(&s.Recv, int64(peer)*s.Bytes, s.Bytes, peer, 0))
		}
	}
	return list
}

// passiveExchange returns the builder of a chain in which each process accesses both neighbours. The first half of the
// memory is for the left neighbour, the second half for the right one. A Get begins with the right neighbour, whose
// first half it reads. With two processes, each is the other's left and right neighbour, so there is one lock and one
// flush.
func passiveExchange(op mpi.Op, window kernel.Side) *kernel.Builder {
	return &kernel.Builder{Ops: passiveOps(op, mpi.WinFlush), Access: kernel.Access{Window: window},
		Data: kernel.Data{Sizes: twice},
		Build: func(s *kernel.Setup) *kernel.Step {
			first, second := s.Left(), s.Right()
			if op == mpi.Get {
				first, second = second, first
			}
			x := &kernel.Step{
				Places: append(transferPlaces(s, op, first, 0, 0), transferPlaces(s, op, second, s.Bytes, s.Bytes)...),
				Each: []mpi.Call{
					{Op: op, Send: mpi.One(0), Recv: mpi.One(1)},
					{Op: op, Send: mpi.One(2), Recv: mpi.One(3)},
				},
				Wants: []kernel.Want{s.Want(&s.Recv, 0, s.Bytes, s.Right(), 0),
					s.Want(&s.Recv, s.Bytes, s.Bytes, s.Left(), s.Bytes)},
			}
			left, right := 1, 3
			if op == mpi.Get {
				left, right = 3, 1
			}
			x.Completion = []mpi.Call{{Op: mpi.WinFlush, Recv: mpi.One(left)}}
			if s.Left() == s.Right() {
				return underLock(x, mpi.WinLock, mpi.WinUnlock, left)
			}
			x.Completion = append(x.Completion, mpi.Call{Op: mpi.WinFlush, Recv: mpi.One(right)})
			return underLock(x, mpi.WinLock, mpi.WinUnlock, left, right)
		}}
}

// atomicUpdate returns the builder of a kernel that adds the first process's elements to those in the last process's
// window, and that fetches the previous ones if the call does that.
func atomicUpdate(op mpi.Op, lengths kernel.Rows) *kernel.Builder {
	return &kernel.Builder{Ops: passiveOps(op, mpi.WinFlush), Access: kernel.Access{Window: kernel.RecvSide},
		Rows: lengths, Data: kernel.Data{Singles: true},
		Build: func(s *kernel.Setup) *kernel.Step {
			places := []mpi.Place{s.In(&s.Send, 0, s.Bytes, s.Last()), s.At(s.Last(), 0, s.Bytes)}
			origins, window := mpi.One(0), mpi.One(1)
			if op != mpi.Accumulate {
				places = []mpi.Place{places[0], s.In(&s.Recv, 0, s.Bytes, s.Last()), places[1]}
				origins, window = mpi.Span{Count: 2}, mpi.One(2)
			}
			if s.Rank() > 0 {
				return targetStep(s, places, accumulated(s, s.Hits(&s.Recv)))
			}
			x := &kernel.Step{
				Places:     places,
				Each:       []mpi.Call{{Op: op, Send: origins, Recv: window, Reduce: mpi.Sum}},
				Completion: []mpi.Call{{Op: mpi.WinFlush, Recv: window}},
			}
			if op != mpi.Accumulate && (s.Mode == settings.NonAggregate || s.Run.Repetitions == 1) {
				x.Wants = accumulated(s, s.Hits(&s.Recv)-1) // in aggregate mode, fetched data overwrite each other
			}
			return underLock(x, mpi.WinLock, mpi.WinUnlock, window.First)
		}}
}

// accumulated returns the first process's vector, added to zeros a number of times.
func accumulated(s *kernel.Setup, times int64) []kernel.Want {
	if !s.HoldsSum(1, times) {
		return nil
	}
	return []kernel.Want{{Area: &s.Recv, Length: s.Bytes, Fill: kernel.Numbers(s.Kind(), 0, times),
		Unit: s.Kind().Size(), Kind: s.Kind()}}
}

// twoToOne returns the bytes of both sides of kernels with two places on the send side: the origin and the value to
// compare, or the data that a put sends and a get brings back.
func twoToOne(s *kernel.Setup) (send, recv int64) { return 2 * s.Bytes, s.Bytes }

// compareAndSwap returns a step in which every swap succeeds, because it compares and stores the same value.
func compareAndSwap(s *kernel.Setup) *kernel.Step {
	places := []mpi.Place{
		s.In(&s.Send, 0, s.Bytes, s.Last()), s.In(&s.Send, s.Bytes, s.Bytes, s.Last()),
		s.In(&s.Recv, 0, s.Bytes, s.Last()), s.At(s.Last(), 0, s.Bytes),
	}
	wants := []kernel.Want{{Area: &s.Recv, Length: s.Bytes, Fill: swapped, Unit: s.Bytes}}
	if s.Rank() > 0 {
		return targetStep(s, places, wants)
	}
	return underLock(&kernel.Step{
		Places: places, Wants: wants,
		Each:       []mpi.Call{{Op: mpi.CompareAndSwap, Send: mpi.Span{Count: 3}, Recv: mpi.One(3)}},
		Completion: []mpi.Call{{Op: mpi.WinFlush, Recv: mpi.One(3)}},
	}, mpi.WinLock, mpi.WinUnlock, 3)
}

// swapped writes the element of Compare_and_swap.
func swapped(data []byte, _ int64) { copy(data, "swap") }

// prepareCompare writes the element everywhere except at the result.
func prepareCompare(s *kernel.Setup) {
	kernel.FillSlots(&s.Send, func(data []byte, _ int64) { copy(data, "swapswap") })
	if s.Rank() == s.Last() {
		kernel.FillSlots(&s.Recv, swapped)
	}
}

// trulyPassive returns a step that puts while the target waits in MPI_Barrier, or computes before it. The origin enters
// the barrier, too, but outside of its time (guide: "the time needed for the origin process to complete the MPI_Put
// operation"). IMB 2021 counts the barrier, so its second time is never less than the computing.
func trulyPassive(s *kernel.Setup) *kernel.Step {
	places, barrier := transferPlaces(s, mpi.Put, s.Partner(), 0, 0), mpi.Call{Op: mpi.Barrier}
	if s.Rank() > 0 {
		x := targetStep(s, places, transferWants(s, mpi.Put, 0, s.Last()))
		x.Each = append(s.Compute(), barrier)
		return x
	}
	return underLock(&kernel.Step{Places: places, Each: []mpi.Call{
		{Op: mpi.Put, Send: mpi.One(0), Recv: mpi.One(1)},
		{Op: mpi.WinFlush, Recv: mpi.One(1)},
		{Op: mpi.Lap, Root: kernel.Putting},
		barrier,
		{Op: mpi.Lap, Root: kernel.Waiting},
	}}, mpi.WinLock, mpi.WinUnlock, 1)
}
