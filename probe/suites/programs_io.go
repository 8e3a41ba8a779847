package suites

import (
	"math"
	"strings"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
)

// pointer is the kind of file pointer that a kernel uses.
type pointer uint8

const (
	individual pointer = iota
	explicit
	shared
	pointerKinds
)

// access describes how a kernel of IMB-IO uses its file.
type access struct {
	pointer    pointer
	reads      bool
	collective bool
	private    bool                        // each process has a separate file
	size       func(s *kernel.Setup) int64 // bytes of a file that is read; nil: enough for the repetitions
}

// transfers holds the calls of an access: the blocking call, and the one or two calls of its nonblocking counterpart.
type transfers struct{ blocking, start, end mpi.Op }

// fileCalls holds the calls for writing (false) and reading (true), by pointer. The second transfers of each pair are
// collective.
var fileCalls = map[bool][pointerKinds][2]transfers{
	false: {
		individual: {{mpi.FileWrite, mpi.FileIwrite, mpi.Wait},
			{mpi.FileWriteAll, mpi.FileWriteAllBegin, mpi.FileWriteAllEnd}},
		explicit: {{mpi.FileWriteAt, mpi.FileIwriteAt, mpi.Wait},
			{mpi.FileWriteAtAll, mpi.FileWriteAtAllBegin, mpi.FileWriteAtAllEnd}},
		shared: {{mpi.FileWriteShared, mpi.FileIwriteShared, mpi.Wait},
			{mpi.FileWriteOrdered, mpi.FileWriteOrderedBegin, mpi.FileWriteOrderedEnd}},
	},
	true: {
		individual: {{mpi.FileRead, mpi.FileIread, mpi.Wait},
			{mpi.FileReadAll, mpi.FileReadAllBegin, mpi.FileReadAllEnd}},
		explicit: {{mpi.FileReadAt, mpi.FileIreadAt, mpi.Wait},
			{mpi.FileReadAtAll, mpi.FileReadAtAllBegin, mpi.FileReadAtAllEnd}},
		shared: {{mpi.FileReadShared, mpi.FileIreadShared, mpi.Wait},
			{mpi.FileReadOrdered, mpi.FileReadOrderedBegin, mpi.FileReadOrderedEnd}},
	},
}

// calls returns the calls of the access.
func (a *access) calls() transfers {
	if a.collective {
		return fileCalls[a.reads][a.pointer][1]
	}
	return fileCalls[a.reads][a.pointer][0]
}

// families lists the kernels by the parts of their names (guide, "Naming Conventions"). Kernels with the prefix S_ use
// files of one process; P_ and C_ use files of the group.
var families = []struct {
	prefix, suffix string
	access         access
}{
	{"S_", "_Indv", access{pointer: individual, private: true}},
	{"S_", "_Expl", access{pointer: explicit, private: true}},
	{"P_", "_Indv", access{pointer: individual}},
	{"P_", "_Expl", access{pointer: explicit}},
	{"P_", "_Shared", access{pointer: shared}},
	{"P_", "_Priv", access{pointer: individual, private: true}},
	{"C_", "_Indv", access{pointer: individual, collective: true}},
	{"C_", "_Expl", access{pointer: explicit, collective: true}},
	{"C_", "_Shared", access{pointer: shared, collective: true}},
}

// ioKernels returns the kernels of IMB-IO (guide, "IMB-IO Blocking Benchmarks" and "IMB-IO Non-blocking Benchmarks").
// The processes divide the message length among them. So collective kernels have a bandwidth, too ("the measuring
// method is the same as for P_[ACTION]_indv"). MPI_File_sync, MPI_Barrier and MPI_File_sync complete writes.
func ioKernels() []kernel.Kernel {
	var list []kernel.Kernel
	for _, nonblocking := range []bool{false, true} {
		for _, f := range families {
			for _, reads := range []bool{false, true} {
				a := f.access
				a.reads = reads
				list = append(list, a.kernel(f.prefix, f.suffix, nonblocking))
			}
		}
	}
	return kernel.Table(kernel.IO, append(list, kernel.Kernel{Name: "Open_Close", Class: kernel.Sync,
		Calls: "MPI_File_open, MPI_File_write, MPI_File_close", Builder: &kernel.Builder{
			Ops: []mpi.Op{mpi.FileOpen, mpi.FileWrite, mpi.FileClose}, Build: openClose,
			Data: kernel.Data{Sizes: oneByte,
				Prepare: func(s *kernel.Setup) { s.Send.Buffer.Bytes()[0] = onlyByte }},
			Rows: kernel.NoLength, File: (&access{}).fileUse()}}), nil)
}

// kernel returns the kernel of an access. A nonblocking kernel starts a transfer, computes, and waits for the transfer.
func (a access) kernel(prefix, suffix string, nonblocking bool) kernel.Kernel {
	c := a.calls()
	k := kernel.Kernel{Class: kernel.Parallel, Moved: 1, Modes: settings.BothModes}
	action, ops := "Write", []mpi.Op{c.blocking, mpi.FileReadAt, mpi.FileSync, mpi.Barrier}
	calls := []string{c.blocking.String()}
	if a.reads {
		action, ops, k.Modes = "Read", []mpi.Op{c.blocking, mpi.FileWriteAt}, nil
	}
	if prefix == "S_" {
		k.Class, k.Active = kernel.Single, 1
	}
	if nonblocking {
		action, k.Class, k.Moved, k.Modes = "I"+action, kernel.Overlap, 0, nil
		ops = append([]mpi.Op{c.start, c.end, mpi.Exploit}, ops...)
		if calls[0] = c.start.String(); a.collective {
			calls = append(calls, c.end.String())
		}
	}
	if !a.reads {
		calls = append(calls, "completion")
	}
	if nonblocking {
		calls = append(calls, "while computing")
	}
	k.Name, k.Calls, k.Builder = prefix+action+suffix, strings.Join(calls, ", "), a.builder(ops)
	return k
}

// fileUse returns the form of the access that is needed to open the file.
func (a *access) fileUse() *kernel.FileUse {
	return &kernel.FileUse{Private: a.private, Reads: a.reads, View: a.viewOf, Range: a.rangeOf, Size: a.fileSize}
}

// rangeOf returns the offset in the view, and the length, of the bytes that a process moves in a repetition.
func (a *access) rangeOf(s *kernel.Setup, repetition int64) (offset, length int64) {
	_, length = a.part(s, s.Rank())
	return a.offset(s, repetition), length
}

// part returns the start and the length, in bytes, of a process's part of the row's length.
func (a *access) part(s *kernel.Setup, rank int) (start, length int64) {
	return portion(s.Bytes, kernel.FileUnit, rank, s.Size())
}

// builder returns the builder of the access's kernels, which need the calls in ops.
func (a access) builder(ops []mpi.Op) *kernel.Builder {
	return &kernel.Builder{Ops: ops, File: a.fileUse(), Build: a.build,
		Data: kernel.Data{Sizes: func(s *kernel.Setup) (send, recv int64) {
			_, largest := a.part(s, 0)
			return largest, largest // written data are read back
		}}}
}

// viewOf returns a process's view of the file, and the positions of the view's bytes in the file. With individual
// pointers the processes of a group have adjacent tiles, as large as the largest part. If the parts differ, a smaller
// part leaves some of its tile for the next repetition, as in IMB.
func (a *access) viewOf(s *kernel.Setup) (mpi.View, kernel.PositionFunc) {
	view := mpi.View{OfBytes: true}
	_, tile := a.part(s, 0)
	if s.Comm == nil || tile == 0 || s.Options.IMB.Is2021() && tile == s.Bytes || // process 0 moves all bytes
		a.private || a.pointer != individual {
		return view, func(offset int64) (position, length int64) { return offset, math.MaxInt64 - offset }
	}
	view.Block, view.Slots, view.Slot = tile, s.Size(), s.Rank()
	row := tile * int64(s.Size())
	return view, func(offset int64) (position, length int64) {
		inTile := offset % tile
		return offset/tile*row + int64(s.Rank())*tile + inTile, tile - inTile
	}
}

// fileSize returns the size in bytes of a file that the kernel reads. It is enough for one repetition more than are
// run, if each process that shares the file has a part of the largest size.
func (a *access) fileSize(s *kernel.Setup, repetitions int64) int64 {
	if a.size != nil {
		return a.size(s)
	}
	_, largest := a.part(s, 0)
	if a.private {
		return (repetitions + 1) * largest
	}
	return (repetitions + 1) * largest * int64(s.Size())
}

// offset returns the offset in the view of the bytes that a process moves in a repetition.
func (a *access) offset(s *kernel.Setup, repetition int64) int64 {
	start, length := a.part(s, s.Rank())
	if a.pointer == individual || a.private {
		return repetition * length
	}
	return repetition*s.Bytes + start
}

// build returns a process's step. Explicit offsets advance with each repetition.
func (a *access) build(s *kernel.Setup) *kernel.Step {
	_, length := a.part(s, s.Rank())
	memory := &s.Send
	if a.reads {
		memory = &s.Recv
	}
	file := mpi.Place{Space: s.Files.File, Offset: a.offset(s, 0), Length: length}
	if a.pointer == explicit {
		file.Advance = a.offset(s, 1) - file.Offset
	}
	x := &kernel.Step{Comm: s.Files.Comm, Places: []mpi.Place{{Space: memory.Buffer, Length: length}, file},
		Each: a.transfer(s)}
	if a.outstanding(s) {
		x.Cycle = s.Run.Repetitions
		if a.pointer == explicit {
			placesOfAll(x, s.Run.Repetitions)
		}
	}
	if !a.reads {
		sync := mpi.Call{Op: mpi.FileSync, Recv: mpi.One(1)}
		x.Completion = []mpi.Call{sync, {Op: mpi.Barrier}, sync}
	}
	a.prove(s, x, length)
	return x
}

// transfer returns one repetition, which moves data between the memory, place 0, and the file, place 1.
func (a *access) transfer(s *kernel.Setup) []mpi.Call {
	c := mpi.Call{Send: mpi.One(0), Recv: mpi.One(1)}
	if a.reads {
		c.Send, c.Recv = c.Recv, c.Send
	}
	calls := a.calls()
	if !s.Run.Overlapped {
		c.Op = calls.blocking
		return []mpi.Call{c}
	}
	if a.outstanding(s) {
		return a.allAtOnce(s, c)
	}
	c.Op = calls.start
	list := append([]mpi.Call{c}, s.Compute()...)
	if a.collective {
		c.Op = calls.end
		return append(list, c)
	}
	return append(list, mpi.Call{Op: mpi.Wait, Of: 0})
}

func oneByte(*kernel.Setup) (send, recv int64) { return 1, 1 }

// onlyByte is the byte that each process writes to the file.
const onlyByte = 0x5A

// openClose returns a step that opens a file, writes a byte so that the file is used, and closes it.
func openClose(s *kernel.Setup) *kernel.Step {
	file := mpi.Place{Space: s.Files.File, Length: 1}
	first, last := mpi.Call{Op: mpi.FileOpen, Recv: mpi.One(1)}, mpi.Call{Op: mpi.FileClose, Recv: mpi.One(1)}
	return &kernel.Step{
		Places: []mpi.Place{{Space: s.Send.Buffer, Length: 1}, file, {Space: s.Recv.Buffer, Length: 1}},
		Each:   []mpi.Call{first, {Op: mpi.FileWrite, Send: mpi.One(0), Recv: mpi.One(1)}, last},
		Proof:  []mpi.Call{{Op: mpi.FileReadAt, Send: mpi.One(1), Recv: mpi.One(2)}},
		Wants: []kernel.Want{{Area: &s.Recv, Length: 1, Unit: 1,
			Fill: func(data []byte, _ int64) { data[0] = onlyByte }}},
	}
}
