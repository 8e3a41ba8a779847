package probe

import (
	"github.com/effective-bandwidth/beff/mpi"
)

// activeTarget holds the recipes of IMB-EXT (guide, "IMB-EXT Benchmarks"). Without -off_cache, the transfers of
// aggregate mode, too, use the same memory (guide, "-off_cache Option"), as in IMB. The "disjoint sections" of "MPI-2
// Benchmark Modes" would move messages of 64 kB and more out of the caches.
var activeTarget = map[string]*recipe{
	"Window": {ops: []mpi.Op{mpi.WinCreate, mpi.WinFence, mpi.Put, mpi.WinFree}, build: windowOverhead,
		window: recvSide, makesWindow: true},
	"Unidir_Put": fenced(mpi.Put, recvSide, false),
	"Unidir_Get": fenced(mpi.Get, sendSide, false),
	"Bidir_Put":  fenced(mpi.Put, recvSide, true),
	"Bidir_Get":  fenced(mpi.Get, sendSide, true),
	"Accumulate": {ops: []mpi.Op{mpi.Accumulate, mpi.WinFence}, build: fencedAccumulate, window: recvSide, alone: true},
}

// passiveTarget holds the recipes of IMB-RMA (guide, "IMB-RMA Benchmarks").
var passiveTarget = map[string]*recipe{
	"Unidir_put":     locked(mpi.Put, recvSide, mpi.WinFlush, false),
	"Unidir_get":     locked(mpi.Get, sendSide, mpi.WinFlush, false),
	"Bidir_put":      locked(mpi.Put, recvSide, mpi.WinFlush, true),
	"Bidir_get":      locked(mpi.Get, sendSide, mpi.WinFlush, true),
	"Put_local":      locked(mpi.Put, recvSide, mpi.WinFlushLocal, false),
	"Get_local":      locked(mpi.Get, sendSide, mpi.WinFlushLocal, false),
	"One_put_all":    withAll(mpi.Put, mpi.WinFlushAll, false),
	"One_get_all":    withAll(mpi.Get, mpi.WinFlushAll, false),
	"All_put_all":    withAll(mpi.Put, mpi.WinFlushAll, true),
	"All_get_all":    withAll(mpi.Get, mpi.WinFlushAll, true),
	"Put_all_local":  withAll(mpi.Put, mpi.WinFlushLocalAll, false),
	"Get_all_local":  withAll(mpi.Get, mpi.WinFlushLocalAll, false),
	"Exchange_put":   exchanged(mpi.Put, recvSide),
	"Exchange_get":   exchanged(mpi.Get, sendSide),
	"Accumulate":     atomic(mpi.Accumulate, allLengths),
	"Get_accumulate": atomic(mpi.GetAccumulate, allLengths),
	"Fetch_and_op":   atomic(mpi.FetchAndOp, oneElement),
	"Compare_and_swap": {ops: passiveOps(mpi.CompareAndSwap, mpi.WinFlush), build: compareAndSwap, window: recvSide,
		rows: oneElement, memory: compareMemory, prepare: prepareCompare},
	"Truly_passive_put": {ops: append(passiveOps(mpi.Put, mpi.WinFlush), mpi.Exploit), build: trulyPassive,
		window: recvSide},
}

func passiveOps(ops ...mpi.Op) []mpi.Op {
	return append(ops, mpi.WinLock, mpi.WinUnlock, mpi.Barrier)
}

// transferPlaces returns the two places of a Put from, or a Get to, memory at local and the window of target at remote.
func transferPlaces(s *scene, op mpi.Op, target int, local, remote int64) []mpi.Place {
	memory := s.in(&s.send, local, s.bytes, target)
	if op == mpi.Get {
		memory = s.in(&s.recv, local, s.bytes, target)
	}
	return []mpi.Place{memory, s.at(target, remote, s.bytes)}
}

// moved returns the result of the transfer: a Put leaves data of the origin in the target's window, a Get data of the
// target in the origin's memory.
func moved(s *scene, op mpi.Op, origin, target int) []want {
	switch {
	case op == mpi.Put && s.rank() == target:
		return []want{s.want(&s.recv, 0, s.bytes, origin, 0)}
	case op == mpi.Get && s.rank() == origin:
		return []want{s.want(&s.recv, 0, s.bytes, target, 0)}
	}
	return nil
}

// fence returns the call that opens and ends an epoch. place is any place in the window.
func fence(place int) mpi.Call { return mpi.Call{Op: mpi.WinFence, Recv: mpi.One(place)} }

// fenced returns the recipe of a kernel of two processes of which one, or both, put or get.
func fenced(op mpi.Op, window side, both bool) *recipe {
	return &recipe{ops: []mpi.Op{op, mpi.WinFence}, window: window, build: func(s *scene) *step {
		x := &step{places: transferPlaces(s, op, s.partner(), 0, 0), enter: []mpi.Call{fence(1)},
			completion: []mpi.Call{fence(1)}}
		if isOrigin(s, op, both) {
			x.each = []mpi.Call{{Op: op, Send: mpi.One(0), Recv: mpi.One(1)}}
		}
		x.wants = pairWants(s, op, both)
		return x
	}}
}

// isOrigin reports whether this process moves the data: both do, or the first, or in IMB-EXT's Unidir_Get the last.
func isOrigin(s *scene, op mpi.Op, both bool) bool {
	if op == mpi.Get && s.kernel.Component == EXT {
		return both || s.rank() == s.last()
	}
	return both || s.rank() == 0
}

func pairWants(s *scene, op mpi.Op, both bool) []want {
	first, last := 0, s.last()
	if op == mpi.Get && s.kernel.Component == EXT {
		first, last = last, first
	}
	list := moved(s, op, first, last)
	if both {
		list = append(list, moved(s, op, last, first)...)
	}
	return list
}

// fencedAccumulate adds all processes' vectors in the window of process 0.
func fencedAccumulate(s *scene) *step {
	x := &step{
		places: []mpi.Place{s.in(&s.send, 0, s.bytes, 0), s.at(0, 0, s.bytes)},
		enter:  []mpi.Call{fence(1)}, completion: []mpi.Call{fence(1)},
		each: []mpi.Call{{Op: mpi.Accumulate, Send: mpi.One(0), Recv: mpi.One(1), Reduce: mpi.Sum}},
	}
	if s.settings.today() { // the first fence is timed, too
		x.enter, x.opening = nil, []mpi.Call{fence(1)}
	}
	if hits := s.hits(&s.recv); s.rank() == 0 && exact(s.size(), hits) {
		x.wants = []want{{area: &s.recv, length: s.bytes, fill: sums(s.kind(), 0, s.size(), hits),
			unit: s.kind().Size()}}
	}
	return x
}

// windowOverhead returns a step that makes and frees a window. If it isn't empty, each process uses a byte of its own.
func windowOverhead(s *scene) *step {
	x := &step{places: []mpi.Place{
		{Space: s.send.buffer, Length: 1}, {Space: s.window, Length: 1, Peer: s.rank()},
	}}
	calls := []mpi.Call{{Op: mpi.WinCreate, Recv: mpi.One(1)}, fence(1)}
	if s.bytes > 0 {
		calls = append(calls, mpi.Call{Op: mpi.Put, Send: mpi.One(0), Recv: mpi.One(1)})
		x.wants = []want{{area: &s.recv, length: 1, fill: s.own(s.rank()), unit: 1}}
	}
	x.each = append(calls, fence(1), mpi.Call{Op: mpi.WinFree, Recv: mpi.One(1)})
	return x
}

// held puts an origin's calls between lock and unlock, followed by a barrier, in which the targets wait meanwhile.
// windows are the places that the locks name.
func held(x *step, lock, unlock mpi.Op, windows ...int) *step {
	for _, place := range windows {
		x.enter = append(x.enter, mpi.Call{Op: lock, Recv: mpi.One(place)})
		x.leave = append(x.leave, mpi.Call{Op: unlock, Recv: mpi.One(place)})
	}
	return waits(x)
}

func waits(x *step) *step {
	x.leave = append(x.leave, mpi.Call{Op: mpi.Barrier})
	return x
}

// target returns the step of a process whose memory others access.
func target(places []mpi.Place, wants []want) *step {
	return waits(&step{places: places, silent: true, wants: wants})
}

// locked returns the recipe of a kernel of two processes. flush completes each transfer, or all.
func locked(op mpi.Op, window side, flush mpi.Op, both bool) *recipe {
	return &recipe{ops: passiveOps(op, flush), window: window, build: func(s *scene) *step {
		places, wants := transferPlaces(s, op, s.partner(), 0, 0), pairWants(s, op, both)
		if !isOrigin(s, op, both) {
			return target(places, wants)
		}
		return held(&step{
			places:     places,
			each:       []mpi.Call{{Op: op, Send: mpi.One(0), Recv: mpi.One(1)}},
			completion: []mpi.Call{{Op: flush, Recv: mpi.One(1)}},
			wants:      wants,
		}, mpi.WinLock, mpi.WinUnlock, 1)
	}}
}

// withAll returns the recipe of a kernel in which one process, or each, puts to or gets from all others, beginning with
// the next one. If each puts, or the one gets, each process' data have a part of the memory, because in one place they
// would overwrite each other.
func withAll(op, flush mpi.Op, each bool) *recipe {
	r := &recipe{ops: passiveOps(op, flush, mpi.WinLockAll, mpi.WinUnlockAll), window: recvSide, todayOnce: true,
		todayAlone: each || op == mpi.Get}
	if op == mpi.Get {
		r.window = sendSide
	}
	if each || op == mpi.Get {
		r.memory = oneToAll
	}
	r.build = func(s *scene) *step {
		x := &step{wants: wantsOfAll(s, op, each)}
		if r.todayAlone && s.settings.today() && !s.single {
			x.wants = nil // they are checked in a repetition of their own
		}
		var calls []mpi.Call
		for i := 1; i < s.size(); i++ {
			peer := (s.rank() + i) % s.size()
			local, remote := int64(0), int64(0)
			switch {
			case s.settings.today() && !s.single: // all in one place, where they overwrite each other
			case op == mpi.Get:
				local = int64(peer) * s.bytes
			case each:
				remote = int64(s.rank()) * s.bytes
			}
			calls = append(calls, mpi.Call{Op: op, Send: mpi.One(len(x.places)), Recv: mpi.One(len(x.places) + 1)})
			x.places = append(x.places, transferPlaces(s, op, peer, local, remote)...)
		}
		if !each && s.rank() > 0 {
			return target(x.places, x.wants)
		}
		x.each, x.completion = calls, []mpi.Call{{Op: flush, Recv: mpi.One(1)}}
		return held(x, mpi.WinLockAll, mpi.WinUnlockAll, 1)
	}
	return r
}

func wantsOfAll(s *scene, op mpi.Op, each bool) (list []want) {
	switch {
	case op == mpi.Put && !each && s.rank() > 0:
		return []want{s.want(&s.recv, 0, s.bytes, 0, 0)}
	case !each && (op == mpi.Put || s.rank() > 0):
		return nil
	}
	for peer := range s.size() {
		if peer != s.rank() {
			list = append(list, s.want(&s.recv, int64(peer)*s.bytes, s.bytes, peer, 0))
		}
	}
	return list
}

// exchanged returns the recipe of a chain with both neighbors: the first half of the memory is for the left one, the
// second for the right one. A Get begins with the right one, whose first half it takes. Of two processes each is the
// other's left and right neighbor, so there is one lock and one flush.
func exchanged(op mpi.Op, window side) *recipe {
	return &recipe{ops: passiveOps(op, mpi.WinFlush), window: window, memory: twice, build: func(s *scene) *step {
		first, second := s.left(), s.right()
		if op == mpi.Get {
			first, second = second, first
		}
		x := &step{
			places: append(transferPlaces(s, op, first, 0, 0), transferPlaces(s, op, second, s.bytes, s.bytes)...),
			each: []mpi.Call{
				{Op: op, Send: mpi.One(0), Recv: mpi.One(1)},
				{Op: op, Send: mpi.One(2), Recv: mpi.One(3)},
			},
			wants: []want{s.want(&s.recv, 0, s.bytes, s.right(), 0),
				s.want(&s.recv, s.bytes, s.bytes, s.left(), s.bytes)},
		}
		left, right := 1, 3
		if op == mpi.Get {
			left, right = 3, 1
		}
		x.completion = []mpi.Call{{Op: mpi.WinFlush, Recv: mpi.One(left)}}
		if s.left() == s.right() {
			return held(x, mpi.WinLock, mpi.WinUnlock, left)
		}
		x.completion = append(x.completion, mpi.Call{Op: mpi.WinFlush, Recv: mpi.One(right)})
		return held(x, mpi.WinLock, mpi.WinUnlock, left, right)
	}}
}

// atomic returns the recipe of a kernel that adds the first process' elements to those in the last one's window, and
// fetches the previous ones if the call does that.
func atomic(op mpi.Op, lengths rows) *recipe {
	return &recipe{ops: passiveOps(op, mpi.WinFlush), window: recvSide, rows: lengths, alone: true,
		build: func(s *scene) *step {
			places := []mpi.Place{s.in(&s.send, 0, s.bytes, s.last()), s.at(s.last(), 0, s.bytes)}
			origins, window := mpi.One(0), mpi.One(1)
			if op != mpi.Accumulate {
				places = []mpi.Place{places[0], s.in(&s.recv, 0, s.bytes, s.last()), places[1]}
				origins, window = mpi.Span{Count: 2}, mpi.One(2)
			}
			if s.rank() > 0 {
				return target(places, accumulated(s, s.hits(&s.recv)))
			}
			x := &step{
				places:     places,
				each:       []mpi.Call{{Op: op, Send: origins, Recv: window, Reduce: mpi.Sum}},
				completion: []mpi.Call{{Op: mpi.WinFlush, Recv: window}},
			}
			if op != mpi.Accumulate && (s.mode == NonAggregate || s.repetitions == 1) {
				x.wants = accumulated(s, s.hits(&s.recv)-1) // in aggregate mode, fetched data overwrite each other
			}
			return held(x, mpi.WinLock, mpi.WinUnlock, window.First)
		}}
}

// accumulated returns the first process' vector, added to zeros a number of times.
func accumulated(s *scene, times int64) []want {
	if !exact(1, times) {
		return nil
	}
	return []want{{area: &s.recv, length: s.bytes, fill: numbers(s.kind(), 0, times),
		unit: s.kind().Size()}}
}

// compareMemory returns the bytes of both sides: the origin and the value to compare on one, the result and the window
// on the other.
func compareMemory(s *scene) (send, recv int64) { return 2 * s.bytes, s.bytes }

// compareAndSwap returns a step that finds the compared value, and puts the same value there, so that every swap
// succeeds.
func compareAndSwap(s *scene) *step {
	places := []mpi.Place{
		s.in(&s.send, 0, s.bytes, s.last()), s.in(&s.send, s.bytes, s.bytes, s.last()),
		s.in(&s.recv, 0, s.bytes, s.last()), s.at(s.last(), 0, s.bytes),
	}
	wants := []want{{area: &s.recv, length: s.bytes, fill: swapped, unit: s.bytes}}
	if s.rank() > 0 {
		return target(places, wants)
	}
	return held(&step{
		places: places, wants: wants,
		each:       []mpi.Call{{Op: mpi.CompareAndSwap, Send: mpi.Span{Count: 3}, Recv: mpi.One(3)}},
		completion: []mpi.Call{{Op: mpi.WinFlush, Recv: mpi.One(3)}},
	}, mpi.WinLock, mpi.WinUnlock, 3)
}

// swapped writes the element of Compare_and_swap, on both sides.
func swapped(data []byte, _ int64) { copy(data, "swap") }

// prepareCompare writes the element everywhere except at the result.
func prepareCompare(s *scene) {
	fillSlots(&s.send, func(data []byte, _ int64) { copy(data, "swapswap") })
	if s.rank() == s.last() {
		fillSlots(&s.recv, swapped)
	}
}

// trulyPassive returns a step that puts while the target waits in MPI_Barrier, or computes before it. The origin makes
// the barrier, too, but it isn't part of its time (guide: "the time needed for the origin process to complete the
// MPI_Put operation"). IMB 2021 counts it, so that its second time is never less than the computing.
func trulyPassive(s *scene) *step {
	places, barrier := transferPlaces(s, mpi.Put, s.partner(), 0, 0), mpi.Call{Op: mpi.Barrier}
	if s.rank() > 0 {
		x := target(places, moved(s, mpi.Put, 0, s.last()))
		x.each = append(s.compute(), barrier)
		return x
	}
	return held(&step{places: places, each: []mpi.Call{
		{Op: mpi.Put, Send: mpi.One(0), Recv: mpi.One(1)},
		{Op: mpi.WinFlush, Recv: mpi.One(1)},
		{Op: mpi.Lap, Root: putting},
		barrier,
		{Op: mpi.Lap, Root: waiting},
	}}, mpi.WinLock, mpi.WinUnlock, 1)
}
