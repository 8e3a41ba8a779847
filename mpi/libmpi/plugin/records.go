package plugin

import (
	"unsafe"
)

// Handle is a handle of the library, such as an MPI_Comm, in the eight bytes that records have for one. Only the
// library knows its meaning.
type Handle uint64

// The records of the plug-in. plugin.h and loop.h explain their fields, which have the same names there: the field
// PerLoop of the record Place is per_loop of beff_place. Build compares the layouts.
type (
	// Window is a window and the arguments for making it.
	Window struct {
		Handle, Comm Handle
		Memory       unsafe.Pointer
		Size         int64
		Dynamic      int32
		Bases        *int64
		Group        Handle
		Grouped      int32
	}

	// File is a file, its state and the arguments for opening it.
	File struct {
		Handle       Handle
		Etype, Split int32
		Comm         Handle
		Path         *byte
		Mode         int32
		Info         Handle
	}

	// Paths are paths of files and directories.
	Paths struct {
		Text           *byte
		Starts         *int64
		PerPrefix      int64
		Unnumbered, Fd int32
		Order          *int64
		Path           *byte
	}

	// Space is memory, a window, a file or paths.
	Space struct {
		Base       *byte
		Size, Walk int64
		Window     Window
		File       File
		Paths      Paths
	}

	// Place is a place of a program (mpi.Place).
	Place struct {
		Space                    *Space
		At                       int64
		Addr                     *byte
		Length, Step, Advance    int64
		Extent                   int64
		Type                     Handle
		Count, Peer, Unit, Width int32
		Key, PerLoop, PerChunk   uint64
		Chunk                    int64
		Marks                    uint32
	}

	// Comm is a communicator. Size is 0 on a process that isn't in it.
	Comm struct {
		Comm       Handle
		Rank, Size int32
	}

	// Side is one side of a collective or one-sided call.
	Side struct {
		Count                    int32
		Type                     Handle
		Counts, Displs           *int32
		Types, Bytes             unsafe.Pointer // used only in C
		LargeCount               int64
		LargeCounts, LargeDispls *int64
		Moves, Extent            int32
	}

	// Extra holds the arguments of rarer calls.
	Extra struct {
		Send, Recv                       Side
		SendInPlace, RecvInPlace, AtRoot int32
		Neighbours, Wide                 int32
		Graph                            Handle
		Root, Round                      int32
		Reduce                           Handle
		Times                            int64
		Function                         uintptr
	}

	// Call is a call of a program (mpi.Call).
	Call struct {
		Op, Family                       uint32
		Send, Recv                       *Place
		Nsend, Nrecv, Tag, Root, Request int32
		Starts                           int32
		InitOp                           uint32
		Part, Parts                      int32
		Seconds                          float64
		Extra                            *Extra
	}

	// Slow is one of the longest laps: its time, and its end after the first clock reading, in seconds.
	Slow struct {
		Seconds, End float64
		Loop         int64
	}

	// Tally is a histogram of the times of laps, in picoseconds.
	Tally struct {
		Counts      *int64
		N, Min, Max int64
		Sum, Least  float64
		Nslowest    int32
		Slowest     [slowest]Slow
	}

	// Lap holds the total time in seconds of the laps with one number.
	Lap struct {
		Seconds, Last float64
		Loop          int64
		Each          *float64
		Tally         Tally
	}

	// Loops is the stop rule (mpi.Loops).
	Loops struct {
		Untimed, Timed   int64
		Budget, Deferred float64
		DecideEvery      float64
		Each, Blocks     int32
	}

	// Program is a compiled program, its current run, and the run's measurement.
	Program struct {
		Comm                         *Comm
		Start, Signal                Handle
		SignalState                  unsafe.Pointer
		Calls                        *Call
		Nbefore, Nloop, Nafter       int32
		Decides, WaitIdle, Thread    int32
		Team                         *Team
		Leader                       *Program
		Requests, Statuses           unsafe.Pointer
		FileCalls                    unsafe.Pointer
		Nrequests, NfileCalls        int32
		Ready                        int32
		Places                       *Place
		Advancing                    **Place
		Nplaces, Nadvancing          int32
		Laps                         *Lap
		Nlaps                        int32
		Each                         *float64
		Reopens                      **Call
		Nreopens                     int32
		Loop                         int64
		Loops                        Loops
		Stop, First                  int64
		Begin, LapEnd, LoopEnd       float64
		BlockEnds                    [blocks]float64
		LoopsPerBlock, NextBlockLoop int64
		Decision                     int64
		Nblocks                      int32
		LastCall                     *Call
		CurrentLoop                  int64
		Seconds                      float64
		Failed, Rc                   int32
		IoFailure                    *Call
		IoRc, Lost                   int32
		Moved, Wrong                 int64
		Nwrongs                      int32
		Wrongs                       [wrongs]Wrong
	}

	// Team is the threads of a process that run programs at the same time.
	Team struct {
		Threads    int32
		Programs   **Program
		Processors *int32
		Memory     *unsafe.Pointer
		Size       int64
		Crew       unsafe.Pointer // used only in C
	}

	// Wrong is a wrong mark.
	Wrong struct {
		Place, End          int32
		Loop, Chunk, Inside int64
		Expected, Found     uint64
	}

	// About describes the library.
	About struct {
		Text                [text]byte
		Version, Subversion int32
		Shmem, Subshmem     int32
	}

	// Constants holds the library's values of the standard's constants, in the order of package mpi's.
	Constants struct {
		Types                            [6]Handle
		Reductions                       [3]Handle
		NoComm, NoWindow, NoFile, NoInfo Handle
		Modes                            [6]int32
		AnySource                        int32
	}

	// Host describes this process's host and clock. Tick is the clock's resolution in seconds.
	Host struct {
		Name   [text]byte
		Tick   float64
		Global int32
	}

	// Failure explains an MPI call's return code.
	Failure struct {
		Class, System int32
		Text          [text]byte
	}

	// SessionTimes are the seconds of the parts of a session.
	SessionTimes struct{ Session, Group, Comm, Barrier, Freed float64 }

	// Hint is a key of an MPI_Info and its value.
	Hint struct{ Key, Value [text]byte }
)

const (
	// AfterLoop is the number of calls that a program reserves after its loop for the C side (beff_after_loop).
	AfterLoop = 4
	// DeviceCopy is the call that copies from or to a device's memory (BEFF_DEVICE_COPY).
	DeviceCopy = 1 << 10
	// Buckets is the number of buckets of a tally (BEFF_BUCKETS).
	Buckets = 55296
	text    = 8192 // beff_text
	blocks  = 32   // BEFF_BLOCKS
	wrongs  = 32   // BEFF_WRONGS
	slowest = 8    // BEFF_SLOWEST
)

// Put moves a place to a position in its space, in bytes. A place in a window or a file has no address.
func (p *Place) Put(at int64) {
	p.At = at
	if p.Space.Base != nil {
		p.Addr = (*byte)(unsafe.Add(unsafe.Pointer(p.Space.Base), at))
	}
}

// records lists the records, for the comparison of their layouts.
var records = []any{Window{}, File{}, Paths{}, Space{}, Place{}, Comm{}, Side{}, Extra{}, Call{}, Slow{}, Tally{},
	Lap{}, Loops{}, Program{}, Team{}, Wrong{}, About{}, Constants{}, Host{}, Failure{}, Hint{}, SessionTimes{}}
