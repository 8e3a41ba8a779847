package conformance

import (
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
)

// epoch is a way to synchronize access to windows: the calls before and after the calls that move data. Calls for one
// target get the place of that target. Several targets need an epoch with all set.
type epoch struct {
	name        string
	open, close []mpi.Op
	all         bool // for any number of targets
}

var allEpochs = []epoch{
	{"fence", ops(mpi.WinFence), ops(mpi.WinFence), true},
	{"lock", ops(mpi.WinLock), ops(mpi.WinUnlock), false},
	{"lock, flush", ops(mpi.WinLock), ops(mpi.WinFlush, mpi.WinUnlock), false},
	{"lock, flush local", ops(mpi.WinLock), ops(mpi.WinFlushLocal, mpi.WinUnlock), false},
	{"lock exclusive", ops(mpi.WinLockExclusive), ops(mpi.WinUnlock), false},
	{"lock all", ops(mpi.WinLockAll), ops(mpi.WinUnlockAll), true},
	{"lock all, flush", ops(mpi.WinLockAll), ops(mpi.WinFlush, mpi.WinUnlockAll), false},
	{"lock all, flush all", ops(mpi.WinLockAll), ops(mpi.WinFlushAll, mpi.WinUnlockAll), true},
	{"lock all, flush local all", ops(mpi.WinLockAll), ops(mpi.WinFlushLocalAll, mpi.WinUnlockAll), true},
	{"create", ops(mpi.WinCreate, mpi.WinFence), ops(mpi.WinFence, mpi.WinFree), true},
}

func ops(list ...mpi.Op) []mpi.Op { return list }

// epochs returns the epochs that the engine has.
func (p *process) epochs() []epoch {
	return slices.DeleteFunc(slices.Clone(allEpochs), func(e epoch) bool {
		lacks := func(op mpi.Op) bool { return !p.Supports(op) }
		return slices.ContainsFunc(e.open, lacks) || slices.ContainsFunc(e.close, lacks)
	})
}

// passive reports whether the epoch needs no calls of the target.
func (e epoch) passive() bool {
	return slices.Contains([]mpi.Op{mpi.WinLock, mpi.WinLockExclusive, mpi.WinLockAll}, e.open[0])
}

// creates reports whether the window is made in the epoch.
func (e epoch) creates() bool { return e.open[0] == mpi.WinCreate }

// around puts calls into an epoch. at is a place in the window.
func (e epoch) around(at mpi.Span, calls ...mpi.Call) []mpi.Call {
	var all []mpi.Call
	for _, op := range e.open {
		all = append(all, mpi.Call{Op: op, Recv: at})
	}
	all = append(all, calls...)
	for _, op := range e.close {
		all = append(all, mpi.Call{Op: op, Recv: at})
	}
	return all
}

// access is the work of a process in an epoch. add adds places in a window and in its own memory, and returns the calls
// and a place in the window.
type access struct {
	name string
	size func(x *script) int64 // bytes of the window
	kind mpi.Type
	add  func(x *script, w *windowBlock) (calls []mpi.Call, at mpi.Span)
	fits func(e epoch) bool // which epochs it can use; nil for all
	kept bool               // Allocate makes the window
	// mayRefuse is true if an engine may refuse the operands.
	mayRefuse bool
}

func bytesOf(n int64) func(*script) int64 { return func(*script) int64 { return n } }

// window returns the body of a case that plays accesses in all epochs of an engine, each in a separate program. The
// programs share one window, except epochs that make it.
func window(groups bool, accesses ...access) func(p *process) {
	return func(p *process) {
		if len(p.epochs()) == 0 {
			p.errorf("the engine runs one-sided calls, but has no way to synchronize them")
			return
		}
		play := func(c mpi.Comm) {
			for _, a := range accesses {
				for _, creates := range []bool{false, true} {
					list := slices.DeleteFunc(p.epochs(), func(e epoch) bool {
						return e.creates() != creates || a.kept && creates || a.fits != nil && !a.fits(e)
					})
					if len(list) == 0 {
						continue
					}
					p.doing = fmt.Sprintf("%s, %v: ", a.name, list)
					p.play(c, func(x *script) { a.build(x, list, creates) })
				}
			}
		}
		if groups {
			p.onGroups(play)
			return
		}
		play(p.world)
	}
}

func (a access) build(x *script, epochs []epoch, creates bool) {
	w := x.window(a.size(x))
	w.kind, w.freed, w.kept, x.main.kind, x.mayRefuse = a.kind, creates, a.kept, a.kind, a.mayRefuse
	begin, end := x.main.size, int64(0)
	for i, e := range epochs {
		if i > 0 {
			x.begin()
		}
		x.main.size = begin // all have the same memory
		calls, at := a.add(x, w)
		end = max(end, x.main.size)
		x.Loop = e.around(at, calls...)
		for i, c := range calls { // the epoch's calls come before the request of a Wait
			if c.Op == mpi.Wait {
				x.Loop[len(e.open)+i].Of += len(e.open)
			}
		}
	}
	x.main.size = end
}

// transfer moves data between a process's memory and its right neighbour's window.
func transfer(op mpi.Op, length int64, memory, target []mpi.Piece) access {
	a := access{name: fmt.Sprintf("%v of %d bytes", op, length), size: bytesOf(32*length + 5*gap)}
	if memory == nil && target == nil {
		a.size = bytesOf(length + 5*gap)
	}
	a.add = func(x *script, w *windowBlock) ([]mpi.Call, mpi.Span) {
		at := x.put(mpi.Place{Space: w, Offset: 3 * gap, Length: length, Peer: x.right, Pieces: target})
		return []mpi.Call{{Op: op, Send: x.put(mpi.Place{Length: length, Pieces: memory}), Recv: at}}, at
	}
	return a
}

// transfers returns transfers of all lengths.
func transfers(op mpi.Op) (list []access) {
	for _, length := range []int64{0, 1, 5000, 1<<17 + 8} {
		list = append(list, transfer(op, length, nil, nil))
	}
	return list
}

// allToAll makes all processes write to and read from all windows in one epoch.
var allToAll = access{name: "all windows", fits: func(e epoch) bool { return e.all },
	size: func(x *script) int64 { return 2000 * int64(x.size) },
	add: func(x *script, w *windowBlock) (calls []mpi.Call, at mpi.Span) {
		const length = 1000
		for peer := range x.size {
			mine := int64(x.rank) * length
			into := x.put(mpi.Place{Space: w, Offset: mine, Length: length, Peer: peer})
			from := x.put(mpi.Place{Space: w, Offset: int64(x.size)*length + mine, Length: length, Peer: peer})
			calls, at = append(calls, mpi.Call{Op: mpi.Put, Send: x.to(0, length), Recv: into},
				mpi.Call{Op: mpi.Get, Send: x.from(0, length), Recv: from}), into
		}
		return calls, at
	}}

// accumulations combine the data of all processes in the last one's window at the same time. Calls that fetch elements
// each use a different window, the right neighbour's.
func accumulations(op mpi.Op, most int64, places int) (list []access) {
	for i, n := range []int64{0, 1, 1000, most} {
		for j, kind := range numbers[i:] { // long vectors take long, so they have fewer types
			length, with := n*kind.Size(), mpi.Reduction((i+j)%3)
			if places > 1 && op != mpi.GetAccumulate {
				length = kind.Size()
			}
			if op == mpi.FetchAndOp && kind == mpi.Int64 {
				with = mpi.Sum // the operation that no engine may refuse
			}
			list = append(list, access{name: fmt.Sprintf("%v of %d bytes, type %d", op, length, kind), kind: kind,
				size: bytesOf(length + 2*gap), mayRefuse: kind != mpi.Int64 && op == mpi.FetchAndOp,
				add: func(x *script, w *windowBlock) ([]mpi.Call, mpi.Span) {
					peer := x.size - 1
					if places > 1 {
						peer = x.right
					}
					at := x.put(mpi.Place{Space: w, Offset: gap, Length: length, Type: kind, Peer: peer})
					for range places {
						x.put(mpi.Place{Length: length, Type: kind})
					}
					return []mpi.Call{{Op: op, Send: x.latest(places), Recv: at,
						Reduce: with}}, at
				}})
		}
	}
	return list
}

// requests opens requests for the halves of a transfer, and completes one with Wait and the other with Waitall.
func requests(op mpi.Op) (list []access) {
	for _, half := range []int64{0, 8, 50000} {
		list = append(list, access{name: fmt.Sprintf("%v of %d bytes", op, half), size: bytesOf(2*half + 3*gap),
			fits: epoch.passive, add: func(x *script, w *windowBlock) (calls []mpi.Call, at mpi.Span) {
				for i := range int64(2) {
					at = x.put(mpi.Place{Space: w, Offset: gap + i*(half+gap), Length: half, Peer: x.right})
					calls = append(calls, mpi.Call{Op: op, Send: x.to(0, half), Recv: at})
				}
				return append(calls, mpi.Call{Op: mpi.Wait, Of: 1}, mpi.Call{Op: mpi.Waitall}), at
			}})
	}
	return list
}

// transfersOfPieces puts and gets with pieces at the target, at the origin, or at both, the same or different ones. An
// engine may refuse all pieces except 4 bytes at distances of 8 or 128 bytes.
func transfersOfPieces() (list []access) {
	layouts := append([][]mpi.Piece{mpi.Strided(100, 4, 8), mpi.Strided(100, 4, 128)}, pieceTable[1:]...)
	for i, layout := range layouts {
		for k, sides := range [][2][]mpi.Piece{{nil, layout}, {layout, nil}, {layout, layout},
			{layout, layouts[(i+1)%len(layouts)]}} {
			for _, op := range []mpi.Op{mpi.Put, mpi.Get} {
				a := transfer(op, pieceBytes, sides[0], sides[1])
				a.mayRefuse = i > 1 || i == 1 && k == 3
				list = append(list, a)
			}
		}
	}
	return list
}

// keptTransfers use windows of Allocate.
func keptTransfers() (list []access) {
	for _, op := range []mpi.Op{mpi.Put, mpi.Get} {
		a := transfer(op, 1000, nil, nil)
		a.kept = true
		list = append(list, a)
	}
	return list
}

// synced reads and writes windows within one epoch. Each process stamps its own memory; its left neighbour gets the
// stamp and puts it back to another place. WinSync separates the stores and loads of a process from the accesses of
// others (MPI 4.1, 12.7).
func synced(x *script) {
	const length = 24
	w := x.window(2 * length)
	mark := func(rank int) mpi.Mark { return mpi.Mark{Width: 8, Key: uint64(100 * rank), PerLoop: 1} }
	own := x.put(mpi.Place{Space: w.block, Length: length, Mark: mark(x.rank)})
	back := x.put(mpi.Place{Space: w.block, Offset: length, Length: length, Mark: mark(x.rank)})
	memory := x.put(mpi.Place{Length: length, Mark: mark(x.right)})
	from := x.put(mpi.Place{Space: w, Length: length, Peer: x.right})
	into := x.put(mpi.Place{Space: w, Offset: length, Length: length, Peer: x.right})
	x.Before = []mpi.Call{{Op: mpi.WinLockAll, Recv: from}}
	x.Loop = []mpi.Call{
		{Op: mpi.Stamp, Send: own}, {Op: mpi.WinSync, Recv: from}, {Op: mpi.Barrier},
		{Op: mpi.Get, Send: memory, Recv: from}, {Op: mpi.WinFlush, Recv: from}, {Op: mpi.Check, Recv: memory},
		{Op: mpi.Put, Send: memory, Recv: into}, {Op: mpi.WinFlush, Recv: into}, {Op: mpi.Barrier},
		{Op: mpi.WinSync, Recv: from}, {Op: mpi.Check, Recv: back},
	}
	x.After = []mpi.Call{{Op: mpi.WinUnlockAll, Recv: from}}
	x.run(once, mpi.Loops{Untimed: 2, Timed: 20})
}

// posted puts data into the right neighbour's window after the neighbour has posted it, and checks the left neighbour's
// data.
func posted(x *script) {
	const length = 24
	w := x.window(length)
	mark := func(rank int) mpi.Mark { return mpi.Mark{Width: 8, Key: uint64(100 * rank), PerLoop: 1} }
	memory := x.put(mpi.Place{Length: length, Mark: mark(x.rank)})
	into := x.put(mpi.Place{Space: w, Length: length, Peer: x.right})
	own := x.put(mpi.Place{Space: w, Length: length, Peer: x.left})
	came := x.put(mpi.Place{Space: w.block, Length: length, Mark: mark(x.left)})
	x.Loop = []mpi.Call{
		{Op: mpi.Stamp, Send: memory}, {Op: mpi.WinPost, Recv: own}, {Op: mpi.WinStart, Recv: into},
		{Op: mpi.Put, Send: memory, Recv: into}, {Op: mpi.WinComplete, Recv: into}, {Op: mpi.WinWait, Recv: own},
		{Op: mpi.Check, Recv: came},
	}
	x.run(once, mpi.Loops{Untimed: 2, Timed: 20})
}

// advancingWindow puts data into advancing places, all in one epoch that begins before the loops and ends after them.
// It uses no memory twice, because a put may read its memory until the fence.
func advancingWindow(x *script) {
	memory := x.put(mpi.Place{Space: x.memory(100), Offset: 4, Length: 8, Advance: 12,
		Mark: mpi.Mark{Width: 8, Key: uint64(x.rank), PerLoop: 1000}})
	target := x.put(mpi.Place{Space: x.window(100), Offset: 8, Length: 8, Advance: 16, Peer: x.right})
	fence := []mpi.Call{{Op: mpi.WinFence, Recv: target}}
	x.Before, x.After = fence, fence
	x.Call(mpi.Call{Op: mpi.Stamp, Send: memory}, mpi.Call{Op: mpi.Put, Send: memory, Recv: target})
	x.run(mpi.Loops{Timed: 5})
}
