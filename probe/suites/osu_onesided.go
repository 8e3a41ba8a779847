package suites

import (
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
)

// osuOneSided returns the one-sided tests of the OSU micro-benchmarks 7.4. Unless the user chooses otherwise, windows
// are allocated and each transfer is flushed; only Get_accumulate creates its window and locks it for each transfer.
func osuOneSided() []kernel.Kernel {
	usual := settings.OneSided{Window: settings.Allocated, Sync: settings.ByFlush}
	locked := settings.OneSided{Sync: settings.ByLock}
	both := settings.OneSided{Window: settings.Allocated, Sync: settings.ByPSCW}
	builder := func(op mpi.Op, how settings.OneSided) *kernel.Builder {
		r := &kernel.Builder{Ops: []mpi.Op{op, mpi.Barrier}, Access: kernel.Access{Window: kernel.RecvSide,
			Defaults: how}, Build: osuAccess(op),
			MoreOps: osuSyncs}
		if op == mpi.Get {
			r.Access.Window = kernel.SendSide
		}
		return r
	}
	element := func(op mpi.Op) *kernel.Builder {
		r := builder(op, usual)
		r.Rows = kernel.OneElement
		return r
	}
	swap := element(mpi.CompareAndSwap)
	swap.Data.Sizes, swap.Data.Prepare = twoToOne, prepareCompare
	window := func(op mpi.Op, how settings.OneSided) *kernel.Builder {
		r := builder(op, how)
		r.Data.Sizes = windowsMemory
		return r
	}
	return kernel.Table(kernel.OSU, []kernel.Kernel{
		{Name: "osu_put_latency", Class: kernel.Averaged, Calls: "MPI_Put, MPI_Win_flush", Moved: 1, Active: 2,
			Builder: builder(mpi.Put, usual)},
		{Name: "osu_put_bw", Class: kernel.Stream, Calls: "64 MPI_Put, MPI_Win_flush", Moved: 1, Active: 2,
			Builder: window(mpi.Put, usual)},
		{Name: "osu_put_bibw", Class: kernel.Stream, Moved: 2, Active: 2, Builder: window(mpi.Put, both),
			Calls: "MPI_Win_post, MPI_Win_start, 64 MPI_Put each way, MPI_Win_complete, MPI_Win_wait"},
		{Name: "osu_get_latency", Class: kernel.Averaged, Calls: "MPI_Get, MPI_Win_flush", Moved: 1, Active: 2,
			Builder: builder(mpi.Get, usual)},
		{Name: "osu_get_bw", Class: kernel.Stream, Calls: "64 MPI_Get, MPI_Win_flush", Moved: 1, Active: 2,
			Builder: window(mpi.Get, usual)},
		{Name: "osu_acc_latency", Class: kernel.Averaged, Calls: "MPI_Accumulate, MPI_Win_flush", Moved: 1, Active: 2,
			Type: mpi.Int8, Builder: builder(mpi.Accumulate, usual)},
		{Name: "osu_get_acc_latency", Class: kernel.Averaged, Moved: 1, Active: 2, Type: mpi.Int8,
			Calls: "MPI_Win_lock, MPI_Get_accumulate, MPI_Win_unlock", Builder: builder(mpi.GetAccumulate, locked)},
		{Name: "osu_fop_latency", Class: kernel.Averaged, Calls: "MPI_Fetch_and_op, MPI_Win_flush", Moved: 1, Active: 2,
			Type: mpi.Int8, Builder: element(mpi.FetchAndOp)},
		{Name: "osu_cas_latency", Class: kernel.Averaged, Calls: "MPI_Compare_and_swap, MPI_Win_flush", Moved: 1,
			Active: 2, Type: mpi.Int8, Builder: swap},
	}, nil)
}

// windowsMemory returns the memory of a window of transfers, each of which has separate memory.
func windowsMemory(s *kernel.Setup) (send, recv int64) {
	n := s.Messages() * s.Bytes
	return n, n
}

// osuEpoch lists the synchronization calls of a test. The origin makes enter before the first repetition, open and
// close around the transfers of each repetition, and leave after the last one. The target makes target in each
// repetition.
type osuEpoch struct {
	enter, leave []mpi.Op
	open, close  []mpi.Op
	target       []mpi.Op
	answers      []mpi.Op // the target's calls before its own transfers, which target follows
}

// osuEpochOf returns the calls for a single transfer, or for a window of transfers one way. If the target has no calls
// to make, it waits in a barrier.
func osuEpochOf(s *kernel.Setup, op mpi.Op) osuEpoch {
	lock := mpi.WinLock
	if op == mpi.GetAccumulate {
		lock = mpi.WinLockExclusive
	}
	window := s.Kernel.Class == kernel.Stream
	switch s.Options.One.Sync {
	case settings.ByFlushLocal:
		return osuEpoch{enter: []mpi.Op{lock}, close: []mpi.Op{mpi.WinFlushLocal}, leave: []mpi.Op{mpi.WinUnlock}}
	case settings.ByLock:
		return osuEpoch{open: []mpi.Op{lock}, close: []mpi.Op{mpi.WinUnlock}}
	case settings.ByLockAll:
		return osuEpoch{open: []mpi.Op{mpi.WinLockAll}, close: []mpi.Op{mpi.WinUnlockAll}}
	case settings.ByFence:
		if window {
			return osuEpoch{open: []mpi.Op{mpi.WinFence}, close: []mpi.Op{mpi.WinFence},
				target: []mpi.Op{mpi.WinFence, mpi.WinFence}}
		}
		return osuEpoch{open: []mpi.Op{mpi.WinFence}, close: []mpi.Op{mpi.WinFence, mpi.WinFence},
			answers: []mpi.Op{mpi.WinFence, mpi.WinFence}, target: []mpi.Op{mpi.WinFence}}
	case settings.ByPSCW:
		if window {
			return osuEpoch{open: []mpi.Op{mpi.WinStart}, close: []mpi.Op{mpi.WinComplete},
				target: []mpi.Op{mpi.WinPost, mpi.WinWait}}
		}
		return osuEpoch{open: []mpi.Op{mpi.WinStart}, close: []mpi.Op{mpi.WinComplete, mpi.WinPost, mpi.WinWait},
			answers: []mpi.Op{mpi.WinPost, mpi.WinWait, mpi.WinStart}, target: []mpi.Op{mpi.WinComplete}}
	}
	return osuEpoch{enter: []mpi.Op{lock}, close: []mpi.Op{mpi.WinFlush}, leave: []mpi.Op{mpi.WinUnlock}}
}

// osuBoth returns the calls for windows of transfers both ways at once.
func osuBoth(s *kernel.Setup) osuEpoch {
	if s.Options.One.Sync == settings.ByFence {
		return osuEpoch{open: []mpi.Op{mpi.WinFence}, close: []mpi.Op{mpi.WinFence}}
	}
	return osuEpoch{open: []mpi.Op{mpi.WinPost, mpi.WinStart}, close: []mpi.Op{mpi.WinComplete, mpi.WinWait}}
}

// osuSyncs returns the calls that a kernel's synchronization needs.
func osuSyncs(k *kernel.Kernel, set *settings.Settings) []mpi.Op {
	s := &kernel.Setup{Kernel: k, Options: kernel.Options{One: k.OneSided(set)}}
	a := osuEpochOf(s, k.Builder.Ops[0])
	if k.Moved > 1 {
		a = osuBoth(s)
	}
	return slices.Concat(a.enter, a.leave, a.open, a.close, a.target, a.answers)
}

// osuAccess returns the builder of a test of op. The first process transfers one message, or a window of them, to or
// from the last process's window, each message at a separate offset. In an answered epoch the target then does the
// same.
func osuAccess(op mpi.Op) func(s *kernel.Setup) *kernel.Step {
	return func(s *kernel.Setup) *kernel.Step {
		twoWay := s.Kernel.Moved > 1
		a := osuEpochOf(s, op)
		if twoWay {
			a = osuBoth(s)
		}
		x := &kernel.Step{Silent: s.Rank() > 0}
		own := x.Place(s.At(s.Partner(), 0, s.Bytes))
		sync := func(list *[]mpi.Call, ops []mpi.Op) {
			for _, o := range ops {
				*list = append(*list, mpi.Call{Op: o, Recv: own})
			}
		}
		transfers := func() {
			for i := range s.Messages() {
				x.Each = append(x.Each, osuTransfer(s, x, op, i*s.Bytes))
			}
		}
		origin := s.Rank() == 0 || twoWay
		switch {
		case origin:
			sync(&x.Enter, a.enter)
			sync(&x.Each, a.open)
			transfers()
			sync(&x.Each, a.close)
			sync(&x.Leave, a.leave)
		default:
			sync(&x.Each, a.answers)
			if len(a.answers) > 0 {
				transfers()
			}
			sync(&x.Each, a.target)
		}
		x.Wants = osuArrived(s, op, twoWay || len(a.answers) > 0)
		return endWithBarrier(x)
	}
}

// osuTransfer returns a call between this process's memory and the partner's window, at the same offset in both.
func osuTransfer(s *kernel.Setup, x *kernel.Step, op mpi.Op, at int64) mpi.Call {
	peer := s.Partner()
	there := s.At(peer, at, s.Bytes)
	var memory []mpi.Place
	switch op {
	case mpi.Get:
		memory = []mpi.Place{s.In(&s.Recv, at, s.Bytes, peer)}
	case mpi.CompareAndSwap:
		memory = []mpi.Place{s.In(&s.Send, 0, s.Bytes, peer), s.In(&s.Send, s.Bytes, s.Bytes, peer),
			s.In(&s.Recv, 0, s.Bytes, peer)}
	case mpi.GetAccumulate, mpi.FetchAndOp:
		memory = []mpi.Place{s.In(&s.Send, 0, s.Bytes, peer), s.In(&s.Recv, 0, s.Bytes, peer)}
	default:
		memory = []mpi.Place{s.In(&s.Send, at, s.Bytes, peer)}
	}
	from := x.Place(memory[0])
	for _, p := range memory[1:] {
		x.Place(p)
		from.Count++
	}
	return mpi.Call{Op: op, Send: from, Recv: x.Place(there), Reduce: mpi.Sum}
}

// osuArrived returns the data that the last transfer must have left. If both processes accumulate, nothing can be
// checked, because each fetches into memory to which the other adds.
func osuArrived(s *kernel.Setup, op mpi.Op, twoWay bool) (list []kernel.Want) {
	arrives := s.Rank() > 0 || twoWay
	if op == mpi.Get {
		arrives = s.Rank() == 0 || twoWay
	}
	switch op {
	case mpi.Put, mpi.Get:
		for i := range s.Messages() {
			if arrives {
				list = append(list, s.Want(&s.Recv, i*s.Bytes, s.Bytes, s.Partner(), i*s.Bytes))
			}
		}
	case mpi.CompareAndSwap:
		if s.Rank() > 0 {
			list = []kernel.Want{{Area: &s.Recv, Length: s.Bytes, Fill: swapped, Unit: s.Bytes}}
		}
	default:
		if s.Rank() > 0 && !twoWay {
			list = accumulated(s, s.Hits(&s.Recv))
		}
	}
	return list
}
