package suites

import (
	"fmt"
	"strings"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
)

// largeFile returns the kernel in which one process writes or reads a file, by a call with a large count and by a call
// with an int. Each call of each repetition accesses a separate part of the file.
func largeFile(reads bool) kernel.Kernel {
	usual, large, further := mpi.FileWriteAt, mpi.FileWriteAtLarge, mpi.FileReadAt
	if reads {
		usual, large, further = mpi.FileReadAt, mpi.FileReadAtLarge, mpi.FileWriteAt
	}
	use := &kernel.FileUse{Private: true, Reads: reads, View: (&access{private: true}).viewOf,
		Size: func(s *kernel.Setup, repetitions int64) int64 { return 2 * (repetitions + 1) * s.Bytes }}
	return kernel.Kernel{Name: strings.TrimPrefix(large.String(), "MPI_"), Class: kernel.Compared, Moved: 1, Active: 1,
		Optional: true, Calls: fmt.Sprintf("%v; compared with %v", large, usual),
		Builder: &kernel.Builder{Ops: []mpi.Op{large, usual, further, mpi.Barrier}, Lengths: largeLengths,
			Data: kernel.Data{Packed: true},
			File: use, Build: func(s *kernel.Setup) *kernel.Step { return largeAccess(s, usual, large) }}}
}

// largeAccess accesses two parts of a file, the second by the call with a large count. Data that this call writes are
// read back.
func largeAccess(s *kernel.Setup, usual, large mpi.Op) *kernel.Step {
	x := &kernel.Step{Comm: s.Files.Comm}
	last := (2*s.Run.Repetitions - 1) * s.Bytes
	memory, want := &s.Send, kernel.Want{Area: &s.Recv, Length: s.Bytes, Unit: 1, Fill: s.SendData(s.Rank())}
	if large.Reads() {
		memory, want.Fill, want.Start = &s.Recv, kernel.Pattern(kernel.FileOwner), last
	}
	bytes := x.Place(mpi.Place{Space: memory.Buffer, Length: s.Bytes})
	call := func(op mpi.Op, offset int64) mpi.Call {
		c := mpi.Call{Op: op, Send: bytes,
			Recv: x.Place(mpi.Place{Space: s.Files.File, Offset: offset, Length: s.Bytes, Advance: 2 * s.Bytes})}
		if op.Reads() {
			c.Send, c.Recv = c.Recv, c.Send
		}
		return c
	}
	x.Each = []mpi.Call{call(usual, 0)}
	if !large.Reads() {
		x.Proof = []mpi.Call{{Op: mpi.FileReadAt,
			Send: x.Place(mpi.Place{Space: s.Files.File, Offset: last, Length: s.Bytes}),
			Recv: x.Place(mpi.Place{Space: s.Recv.Buffer, Length: s.Bytes})}}
	}
	x.Wants = []kernel.Want{want}
	return compareToUsual(x, call(large, s.Bytes))
}
