package guidelines

import (
	"math"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
)

// fileUse returns how guidelines use their file. Each process has one block, whose size is the length, and moves it in
// all repetitions. The blocks are adjacent, in the order of the ranks.
func fileUse(reads bool) *kernel.FileUse {
	return &kernel.FileUse{Reads: reads,
		View: func(*kernel.Setup) (mpi.View, kernel.PositionFunc) {
			return mpi.View{OfBytes: true}, func(offset int64) (position, length int64) {
				return offset, math.MaxInt64 - offset
			}
		},
		Range: func(s *kernel.Setup, _ int64) (offset, length int64) { return int64(s.Rank()) * s.Bytes, s.Bytes },
		Size:  func(s *kernel.Setup, _ int64) int64 { return s.All() }}
}

// file returns a place in the process's block of the file.
func (b *sideBuilder) file(at, length int64) mpi.Place {
	p := mpi.Place{Offset: b.rank*b.bytes + at, Length: length}
	if b.Files != nil { // it is open
		p.Space = b.Files.File
	}
	return p
}

// inParts adds this number of calls, each of which moves a part of the block.
func (b *sideBuilder) inParts(op mpi.Op, calls int64, from, to func(at, length int64) mpi.Place) {
	for i := range calls {
		at := b.bytes * i / calls
		length := b.bytes*(i+1)/calls - at
		b.call(op, one(from(at, length)), one(to(at, length)))
	}
}

// writing returns the side that writes the process's block in this number of calls. A check reads the block back.
func writing(op mpi.Op, calls int64) side {
	return func(b *sideBuilder) {
		b.inParts(op, calls, b.sendPlace, b.file)
		b.step.Proof = []mpi.Call{{Op: mpi.FileReadAt, Send: b.step.Place(b.file(0, b.bytes)),
			Recv: b.step.Place(b.recvPlace(0, b.bytes))}}
		b.wantFrom(0, b.bytes, b.rank, 0)
	}
}

// reading returns the side that reads the process's block in this number of calls.
func reading(op mpi.Op, calls int64) side {
	return func(b *sideBuilder) {
		b.inParts(op, calls, b.file, b.recvPlace)
		b.step.Wants = append(b.step.Wants, kernel.Want{Area: &b.Recv, Length: b.bytes, Unit: 1,
			Fill: kernel.Pattern(kernel.FileOwner), Start: b.rank * b.bytes})
	}
}
