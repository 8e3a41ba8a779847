package beffio

import (
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/patterns"
)

// Parts of a loop that are timed separately.
const (
	lapMarks     = iota // marks are written or checked
	lapIO               // the MPI-IO call
	lapBarrier          // barrier
	lapBroadcast        // broadcast of process 0's decision
	laps
)

// fileCalls holds the calls of the pattern types (paper, Sec. 4).
var fileCalls = [...]struct{ write, read mpi.Op }{
	patterns.Scatter:             {mpi.FileWriteAll, mpi.FileReadAll},
	patterns.Shared:              {mpi.FileWriteOrdered, mpi.FileReadOrdered},
	patterns.Separated:           {mpi.FileWrite, mpi.FileRead},
	patterns.Segmented:           {mpi.FileWrite, mpi.FileRead},
	patterns.SegmentedCollective: {mpi.FileWriteAll, mpi.FileReadAll},
}

// collective reports whether all processes make the calls of a type together.
func collective(t patterns.IOType) bool { return t != patterns.Separated && t != patterns.Segmented }

func (c *Config) call(a Access, t patterns.IOType) mpi.Op {
	if c.strided(t) {
		t = patterns.Scatter
	}
	if a == Read {
		return fileCalls[t].read
	}
	return fileCalls[t].write
}

// region is the position of a pattern's chunks in a file, as one process sees it.
type region struct {
	view   mpi.View
	offset int64 // bytes, of the process's first chunk in the file
	loop   int64 // bytes from there to the next call's first chunk
	chunk  int64 // bytes from one chunk of a call to the next
}

// region returns the region of a pattern on n processes whose data begin at start. Positions are in the file for types
// 0 and 1, and in each process's part for the others.
func (p *Plan) region(r patterns.IORow, rank, n int, start, segment int64) region {
	switch {
	case p.strided(r.Type):
		view := mpi.View{Start: start, Block: r.Disk, Slots: n, Slot: rank}
		return region{view, start + int64(rank)*r.Disk, r.Memory * int64(n), r.Disk * int64(n)}
	case r.Type == patterns.Shared:
		return region{mpi.View{Start: start}, start + int64(rank)*r.Disk, r.Disk * int64(n), 0}
	case r.Type == patterns.Separated:
		return region{mpi.View{Start: start}, start, r.Disk, 0}
	}
	at := int64(rank)*segment + start
	return region{mpi.View{Start: at}, at, r.Disk, 0}
}

// advance returns the bytes between the beginnings of a pattern, made with a number of repetitions, and the next one.
func advance(r patterns.IORow, n int, repetitions int64) int64 {
	if r.Type <= patterns.Shared {
		return r.Memory * int64(n) * repetitions
	}
	return r.Memory * repetitions
}

// mark returns the mark of a row's chunks. It has 2 bits, never 0, for the access that wrote them, 6 bits for the
// pattern, 4 for the partition, and the offset in the file in units of 8 bytes, from which the repetition follows. In
// files of single processes, offsets begin at a number specific to the process.
func mark(by Access, set int, r patterns.IORow, rank int, where region) mpi.Mark {
	const unit, field = 8, 1<<52 - 1
	writers := map[Access]uint64{Write: 1, Rewrite: 2}
	own := uint64(0)
	if r.Type == patterns.Separated {
		own = uint64(rank) * 0x9E3779B97F4A7C15 >> 12 // multiples of the golden ratio are far from each other
	}
	return mpi.Mark{
		Width:    8,
		Key:      writers[by]<<62 | uint64(r.Number)<<56 | uint64(set)<<52 | (own+uint64(where.offset/unit))&field,
		PerLoop:  uint64(where.loop / unit),
		Chunk:    r.Disk,
		PerChunk: uint64(where.chunk / unit),
	}
}

// step returns one loop of a pattern with an access, whose chunks carry a mark. They are written from the first buffer
// and read into the second.
func (p *Plan) step(comm mpi.Comm, file mpi.File, buffers [2]mpi.Buffer, a Access, r patterns.IORow,
	m mpi.Mark) *mpi.Program {
	written, memory := buffers[0], buffers[0]
	if a == Read {
		memory = buffers[1]
	}
	program := &mpi.Program{Comm: comm}
	chunk := mpi.One(program.Place(mpi.Place{Space: memory, Length: r.Memory, Type: mpi.Float64, Mark: m}))
	disk := mpi.One(program.Place(mpi.Place{Space: file, Length: r.Memory, Type: mpi.Float64}))
	lap := func(n int) mpi.Call { return mpi.Call{Op: mpi.Lap, Root: n, Counts: n == lapIO && p.counts()} }
	if a == Read {
		program.Call(mpi.Call{Op: p.call(a, r.Type), Send: disk, Recv: chunk}, lap(lapIO),
			mpi.Call{Op: mpi.Check, Recv: chunk})
		if p.Verify == VerifyFull {
			want := mpi.One(program.Place(mpi.Place{Space: written, Length: r.Memory, Type: mpi.Float64}))
			program.Call(mpi.Call{Op: mpi.Compare, Send: want, Recv: chunk})
		}
		program.Call(lap(lapMarks))
	} else {
		program.Call(mpi.Call{Op: mpi.Stamp, Send: chunk}, lap(lapMarks),
			mpi.Call{Op: p.call(a, r.Type), Send: chunk, Recv: disk}, lap(lapIO))
	}
	if timeDriven(a, r) {
		program.Call(mpi.Call{Op: mpi.Barrier}, lap(lapBarrier))
	}
	if timeDriven(a, r) || collective(r.Type) {
		program.Call(mpi.Call{Op: mpi.Decide}, lap(lapBroadcast))
	}
	return program
}

// decisions returns the seconds between two decisions of process 0, or 0 to decide after each call. The latter is the
// rule for the initial write of types 0 to 2 (release 2.1). All other patterns repeat calls, and need decisions only
// because a run must end in time. Decisions are rare there, because a broadcast couples processes that would otherwise
// run apart.
func decisions(a Access, r patterns.IORow) float64 {
	const interval = 0.1
	if timeDriven(a, r) {
		return 0
	}
	return interval
}
