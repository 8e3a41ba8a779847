package plugin

import (
	"unsafe"
)

// Handle is a handle of the library, such as an MPI_Comm, in the eight bytes that records have for one. Only the
// library knows its meaning.
type Handle uint64

// The records of the plug-in, which plugin.h and loop.h explain. Fields have the same names in C, and the record Place
// is beff_place there. Build compares the layouts.
type (
	// Window is a window and the arguments for making it.
	Window struct {
		Handle, Comm Handle
		Memory       unsafe.Pointer
		Size         int64
		Whole        int32
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
		Text     *byte
		Starts   *int64
		Per      int64
		Bare, Fd int32
		Order    *int64
		Path     *byte
	}

	// Space is memory, a window, a file or paths.
	Space struct {
		Base       *byte
		Size, Walk int64
		Window     Window
		File       File
		Paths      Paths
	}

	// Place is a place of a program.
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

	// Comm is a communicator. Size 0: the process isn't in it.
	Comm struct {
		Comm       Handle
		Rank, Size int32
	}

	// Side is one side of a collective or one-sided call.
	Side struct {
		Count          int32
		Type           Handle
		Counts, Displs *int32
		Types, Bytes   unsafe.Pointer // used only in C
		Many           int64
		ManyOf, Far    *int64
		Moves, Extent  int32
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

	// Call is a call of a program.
	Call struct {
		Op, Family                       uint32
		Send, Recv                       *Place
		Nsend, Nrecv, Tag, Root, Request int32
		Starts                           int32
		Made                             uint32
		Part, Parts                      int32
		Seconds                          float64
		Extra                            *Extra
	}

	// Slow is one of the longest laps.
	Slow struct {
		Seconds, End float64
		Loop         int64
	}

	// Tally is a histogram of the times of laps.
	Tally struct {
		Counts      *int64
		N, Min, Max int64
		Sum, Least  float64
		Nslowest    int32
		Slowest     [slowest]Slow
	}

	// Lap holds the sums of the laps of one number.
	Lap struct {
		Seconds, Last float64
		Loop          int64
		Each          *float64
		Tally         Tally
	}

	// Loops is the stop rule.
	Loops struct {
		Untimed, Timed   int64
		Budget, Deferred float64
		DecideEvery      float64
		Each, Blocks     int32
	}

	// Program is a compiled program, its current run, and the run's measurement.
	Program struct {
		Comm                      *Comm
		Start, Signal             Handle
		SignalState               unsafe.Pointer
		Calls                     *Call
		Nbefore, Nloop, Nafter    int32
		Decides, WaitIdle, Thread int32
		Team                      *Team
		Leader                    *Program
		Requests, Statuses        unsafe.Pointer
		Moving                    unsafe.Pointer
		Nrequests, Nmoving        int32
		Ready                     int32
		Places                    *Place
		Advancing                 **Place
		Nplaces, Nadvancing       int32
		Laps                      *Lap
		Nlaps                     int32
		Each                      *float64
		Reopens                   **Call
		Nreopens                  int32
		Loop                      int64
		Loops                     Loops
		Stop, First               int64
		Begin, Mark, Tick         float64
		Ends                      [blocks]float64
		Per, Due, Decision        int64
		Nends                     int32
		Past                      *Call
		Turn                      int64
		Seconds                   float64
		Failed, Rc                int32
		Failure                   *Call
		FailureRc, Lost           int32
		Moved, Wrong              int64
		Nwrongs                   int32
		Wrongs                    [wrongs]Wrong
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

	// Host describes this process' host and clock.
	Host struct {
		Name   [text]byte
		Tick   float64
		Global int32
	}

	// Failure describes a return code.
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
	// AfterLoop is the number of unused calls after a program's loop, which the C side fills in (beff_after_loop).
	AfterLoop = 4
	// Buckets is the number of buckets of a tally (BEFF_BUCKETS).
	Buckets = 55296
	text    = 8192 // beff_text
	blocks  = 32   // BEFF_BLOCKS
	wrongs  = 32   // BEFF_WRONGS
	slowest = 8    // BEFF_SLOWEST
)

// Put moves a place to a position in its space. A place in a window or a file has no address.
func (p *Place) Put(at int64) {
	p.At = at
	if p.Space.Base != nil {
		p.Addr = (*byte)(unsafe.Add(unsafe.Pointer(p.Space.Base), at))
	}
}

// records lists the records, for the comparison of their layouts.
var records = []any{Window{}, File{}, Paths{}, Space{}, Place{}, Comm{}, Side{}, Extra{}, Call{}, Slow{}, Tally{},
	Lap{}, Loops{}, Program{}, Team{}, Wrong{}, About{}, Constants{}, Host{}, Failure{}, Hint{}, SessionTimes{}}
