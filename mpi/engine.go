package mpi

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Engine is one process's view of a message-passing library. Its methods are called by one goroutine.
type Engine interface {
	// World returns the communicator of all processes.
	World() Comm
	// Library returns the name and version of the library that the processes talk through.
	Library() Library
	// Clock returns the properties of the engine's clock.
	Clock() Clock
	// Host returns the name of the machine that this process runs on (MPI_Get_processor_name).
	Host() string
	// Supports reports whether programs may contain op.
	Supports(op Op) bool
	// NewBuffer returns size bytes of zeroed memory that messages may be sent from and received into.
	NewBuffer(size int64) (Buffer, error)
	// Compile checks a program and makes it ready to run. The communicators and spaces must outlive the Runner.
	Compile(p *Program) (Runner, error)
	// Collect frees the memory that Go no longer needs. The garbage collector is off while an engine runs, so that it
	// never runs during a timed loop. Benchmarks call Collect while nothing is timed. Every process must call it,
	// because some engines synchronise in it.
	Collect() error
	// Abort ends all processes with exit code code, as MPI_Abort does. An engine within one process makes every call of
	// every rank fail with ErrAborted.
	Abort(code int)
}

// Library describes an engine in a result.
type Library struct {
	// Name of the engine, such as libmpi or local.
	Engine string `json:"name"`
	// Name of the MPI library.
	Library string `json:"library"`
	Version string `json:"version"`
	// Standard is the version of the MPI standard that the library implements, such as 3.1; empty for the embedded
	// engine.
	Standard string `json:"mpi_standard,omitempty"`
	// Properties of the engine. Empty for libmpi and local, whose properties follow from their names.
	Stated EngineKind `json:"properties,omitzero"`
}

// Clock holds the properties of an engine's clock.
type Clock struct {
	// Global is true if all processes read the same clock. Only then can their Measurement.Begin be compared (MPI 4.1,
	// 9.1.2, MPI_WTIME_IS_GLOBAL).
	Global     bool
	Resolution float64 // seconds between two ticks (MPI 4.1, 9.6, MPI_Wtick)
}

// Comm is a communicator: an ordered group of processes. All methods except Rank and Size are collective.
type Comm interface {
	Rank() int
	Size() int
	Barrier() error
	// Bcast copies root's data to all processes. Each passes the same length.
	Bcast(data []byte, root int) error
	// Allreduce combines the processes' values element by element, in place.
	Allreduce(values []float64, op Reduction) error
	// Gather collects send, of the same length on all processes, into recv of root, in the order of the ranks. Only
	// root uses recv, whose length there is exactly Size()·len(send).
	Gather(send, recv []byte, root int) error
	// Split makes a communicator of the processes that pass the same color, ordered by key, then rank. A process with a
	// negative color gets nil.
	Split(color, key int) (Comm, error)
	// Cart makes a Cartesian communicator (row-major) with reordering allowed. A process without a place in it gets
	// nil.
	Cart(dims []int, periodic []bool) (Comm, error)
	// Free releases the communicator. It does nothing for the world.
	Free() error
}

// Space is memory (or a file) that a Place may lie in. Every space has a walk: a position that starts at 0 and is kept
// from loop to loop, run to run and program to program. A Walk call puts one place after another at the position and
// moves the position forward. The position returns to 0 when a place would reach beyond the end.
type Space interface {
	Size() int64 // bytes
}

// Buffer is memory of one process.
type Buffer interface {
	Space
	// Bytes returns the memory itself.
	Bytes() []byte
	// Free releases the memory.
	Free()
}

// Folder is an Engine that can map the same memory several times into one buffer.
type Folder interface {
	// NewFolded returns a buffer of size bytes that maps fold bytes of memory again and again, so that bytes at a
	// distance of fold are the same byte. fold is a multiple of FoldUnit.
	NewFolded(size, fold int64) (Buffer, error)
}

// FoldUnit is the largest page size of a supported system, in bytes.
const FoldUnit = 64 << 10

// Runner is a compiled program.
type Runner interface {
	// Run meets the other processes of Program.Start in a barrier. It then runs a pass of the untimed loops, and one of
	// the timed loops between two clock readings (see Program). It returns the error of the first call that failed (an
	// *Error). The other processes are then in an unknown state, so the job must be aborted. Wrong data aren't an
	// error, so that all processes finish: Measurement.Mismatch reports them.
	Run(Loops) (Measurement, error)
	// Close releases the program's resources.
	Close()
}

// IdleWaiter is a Runner that can wait until nothing else of its process uses the core.
type IdleWaiter interface {
	// WaitIdle makes each later Run wait first, for at most a millisecond. It is meant for runs shorter than that.
	WaitIdle()
}

// Loops is the stop rule of a program. Without a Budget it is a fixed count. With one, loop r+1 follows loop r while
//
//	elapsed·(r+1)/r + (r+1)·Deferred ≤ Budget,
//
// where elapsed is the seconds of r loops (HLRS b_eff_io 2.1 has this rule, without Deferred). In a program with a
// Decide call, that call's root decides for all processes, in each loop or, with DecideEvery, less often. Otherwise
// each process decides for itself.
//
// There is no rule for a wanted precision, because such a rule needs the times of all processes. It belongs in the
// caller, which can run batches of a fixed count with Each and look at the times in between.
type Loops struct {
	Untimed     int64   // before the first clock reading
	Timed       int64   // between the two clock readings, at least 1; with a Budget their upper limit
	Budget      float64 // seconds; 0: none
	Deferred    float64 // seconds of work after the run that each loop causes, such as a file's sync
	DecideEvery float64 // approximate seconds between two decisions of a Decide call, or 0 for one in each loop
	// Each keeps the time of each timed loop, at the cost of one more clock reading per loop. Timed is then at most
	// MaxEach.
	Each bool
	// Blocks keeps the times of blocks of equally many timed loops, at the cost of a comparison per loop. There are
	// fewer than MaxBlocks blocks, and at least half as many if there are enough loops.
	Blocks bool
}

// MaxBlocks is the number of blocks at which each two neighbouring blocks are merged into one.
const MaxBlocks = 32

// MaxEach is the largest number of timed loops whose times are kept. They take 128 MiB, and as much again for each
// lap.
const MaxEach = 1 << 24

// Validate returns an error if there is nothing to time, or if there are more times than can be kept. Every Run calls
// it first.
func (l Loops) Validate() error {
	if l.Timed < 1 || l.Untimed < 0 || !(l.Budget >= 0) || !(l.Deferred >= 0) || !(l.DecideEvery >= 0) {
		return fmt.Errorf("run: %d untimed and %d timed loops, budget %v s, later %v s", l.Untimed, l.Timed, l.Budget,
			l.Deferred)
	}
	if l.Each && l.Timed > MaxEach {
		return fmt.Errorf("run: the times of %d loops, at most %d are kept", l.Timed, MaxEach)
	}
	return nil
}

// More reports whether another loop follows after loops that took elapsed seconds.
func (l Loops) More(loops int64, elapsed float64) bool {
	next := float64(loops + 1)
	return loops < l.Timed && (l.Budget == 0 || elapsed*next/float64(loops)+next*l.Deferred <= l.Budget)
}

// Until returns the number of loops to run before the next decision, or 0 to stop, after loops that took elapsed
// seconds. It is at most the number of loops so far, because the first ones may have been fast, and at most what the
// Budget allows.
func (l Loops) Until(loops int64, elapsed float64) int64 {
	if !l.More(loops, elapsed) {
		return 0
	}
	n := float64(loops)
	if elapsed > 0 {
		n = min(n, l.DecideEvery/elapsed*n)
		if l.Budget > 0 {
			n = min(n, l.Budget/(elapsed/float64(loops)+l.Deferred)-float64(loops))
		}
	}
	return min(int64(max(n, 1)), l.Timed-loops)
}

// Interrupter is an Engine that can end its runs early. Any goroutine may call Interrupt at any time. After that, this
// process decides against another loop whenever it decides itself (see Loops).
type Interrupter interface {
	Interrupt()
}

// Starter is an Engine that knows how long its start took.
type Starter interface {
	// Started returns the seconds of this process's MPI_Init.
	Started() float64
}

// Sessioner is an Engine that may have opened sessions before its start (MPI 4.1, 11.3).
type Sessioner interface {
	// Sessions returns this process's times of a session of all processes, and of a second one that was opened while
	// the first was open. ok is false if no session was opened.
	Sessions() (first, second SessionTimes, ok bool)
}

// SessionTimes are the seconds that the steps of a session took: starting it, making its group of all processes and
// their communicator, the first barrier, and freeing all of them.
type SessionTimes struct{ Session, Group, Comm, Barrier, Freed float64 }

// Progressor is an Engine that itself makes progress on nonblocking collective calls while the process computes.
// Without it, the MPI library decides how to make progress.
type Progressor interface {
	// Progress describes in words how the engine does so.
	Progress() string
}

// Measurement holds the observations of one process in one run.
type Measurement struct {
	Begin   float64 // the first clock reading, in seconds since an origin common to all runs of the process
	Seconds float64 // between the two clock readings
	Loops   int64   // timed loops that ran
	// Each holds the seconds of each timed loop, if Loops.Each is set. With the time of Before and After they add up to
	// Seconds.
	Each []float64
	// Blocks holds the seconds of each whole block of timed loops, if Loops.Blocks is set. The first one begins with
	// the first clock reading. Loops left over at the end are in no block.
	Blocks   []float64
	PerBlock int64     // loops of a block
	Laps     []LapTime // of the timed loops, one for each lap of the program
	Wrong    int64     // chunks with a wrong mark, in the untimed loops too
	Mismatch *Mismatch // the first wrong mark; nil if all were right
	// Further holds the first wrong mark of each of the next wrong chunks. With Mismatch they are at most
	// MaxMismatches.
	Further []Mismatch
	// All holds the times of all processes that send or receive, if the engine computes them in one process. Sums over
	// processes then count this process's values once for each process. It is nil if each process measures its own
	// times.
	All *Spread
	// Failure is the first file call that failed or moved fewer bytes than it should. The process continues with the
	// program, so that no other waits for it. If it decides itself about further loops, this loop is the last.
	Failure *Error
}

// BlocksOf returns Measurement.Blocks and Measurement.PerBlock for a number of loops. end returns the seconds from the
// first clock reading to the end of a loop, counted from 0.
func BlocksOf(loops int64, end func(loop int64) float64) (blocks []float64, per int64) {
	for per = 1; loops/per >= MaxBlocks; {
		per *= 2
	}
	begin := 0.0
	for last := per - 1; last < loops; last += per {
		blocks = append(blocks, end(last)-begin)
		begin += blocks[len(blocks)-1]
	}
	return blocks, per
}

// Spread holds the extremes and the mean of the processes' Measurement.Seconds.
type Spread struct{ Max, Min, Mean float64 }

// LapTime holds the total time of the Lap calls with one number.
type LapTime struct {
	Seconds float64   // of all loops
	Last    float64   // of the last loop
	Each    []float64 // of each loop, if Loops.Each is set
	Tally   *Tally    // if its Lap calls have Counts set
}

// Error is a call that failed.
type Error struct {
	Call  string // name in the MPI standard
	Rank  int    // in the world
	Class int    // MPI error class, 0 if the library gave none
	Text  string
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s failed on rank %d: %s", e.Call, e.Rank, e.Text)
}

// MaxMismatches is the largest number of wrong chunks of a run that are kept.
const MaxMismatches = 32

// Mismatch is a received mark that differs from the sent one.
type Mismatch struct {
	Rank  int   // in the world
	Place int   // index in Program.Places
	Loop  int64 // counted over all runs of the compiled program, from 0
	Chunk int64
	AtEnd bool // the mark at the chunk's end
	// Inside is the offset in the chunk of the bytes that a Compare found different, or 0 if a mark differs.
	Inside          int64
	Expected, Found uint64
}

func (m *Mismatch) Error() string {
	where := "first bytes"
	switch {
	case m.Inside > 0:
		where = fmt.Sprintf("bytes at %d", m.Inside)
	case m.AtEnd:
		where = "last bytes"
	}
	return fmt.Sprintf("rank %d received wrong data: %s of chunk %d in loop %d are %#x, expected %#x", m.Rank, where,
		m.Chunk, m.Loop, m.Found, m.Expected)
}

// UnsupportedError is Compile's error for a program with a call that the engine doesn't run.
type UnsupportedError struct {
	Engine string
	Op     Op
	Why    string // the unsupported property, such as "of long messages"; empty if the call itself is unsupported
}

func (e *UnsupportedError) Error() string {
	return fmt.Sprintf("%s is not supported by the engine %s", strings.TrimSpace(e.Op.String()+" "+e.Why), e.Engine)
}

// ErrAborted is the error that the processes of a job get after another process has aborted the job.
var ErrAborted = errors.New("the job was aborted")

// ErrOverflow is Compile's error for a message that the standard's call can't express, because the call doesn't take
// derived types.
var ErrOverflow = errors.New("a count or displacement is more than an int holds")

// CheckSupport returns an UnsupportedError for p's first call that e doesn't run, or p's validation error. Every
// Compile calls it first.
func CheckSupport(e Engine, p *Program) error {
	for _, calls := range p.Sections() {
		for i := range calls {
			op := calls[i].Op
			if op.known() && !e.Supports(op) {
				return &UnsupportedError{Engine: e.Library().Engine, Op: op}
			}
			if _, loads := e.(Loader); calls[i].Function != nil && !(loads && op.Replaceable()) {
				return &UnsupportedError{Engine: e.Library().Engine, Op: op, Why: "by a user's function"}
			}
		}
	}
	if _, threaded := e.(Threaded); len(p.Team) > 1 && !threaded {
		return &UnsupportedError{Engine: e.Library().Engine, Op: ThreadBarrier, Why: "of several threads"}
	}
	return p.Validate()
}

// AgreedError is an error that all processes return, so that the engine can end in order instead of aborting.
type AgreedError struct{ Err error }

func (e *AgreedError) Error() string { return e.Err.Error() }
func (e *AgreedError) Unwrap() error { return e.Err }

// Agreed reports whether err, or an error that it wraps, is an AgreedError. If several errors are joined, each of them
// must be an AgreedError. A process with an additional error that the others don't know leaves them waiting.
func Agreed(err error) bool {
	switch e := err.(type) {
	case *AgreedError:
		return true
	case interface{ Unwrap() error }:
		return Agreed(e.Unwrap())
	case interface{ Unwrap() []error }:
		return !slices.ContainsFunc(e.Unwrap(), func(part error) bool { return !Agreed(part) })
	}
	return false
}

// EngineKind holds the properties that an engine has on every machine. Reports, warnings and criteria depend on these,
// not on the engine's name.
type EngineKind struct {
	// True if the ranks share one process, so that its memory is measured and no library or network.
	Embedded bool `json:"embedded,omitempty"`
	// True if the times come from a model.
	Simulated bool `json:"simulated,omitempty"`
	// True if a launcher starts the processes. They may be on many hosts, and each ends by itself.
	Distributed bool `json:"distributed,omitempty"`
	// True if the calls that are measured are OpenSHMEM's.
	SHMEM bool `json:"shmem,omitempty"`
}

// unstated holds the properties of the two engines whose results don't state them, by the engine's name.
var unstated = map[string]EngineKind{
	"libmpi": {Distributed: true},
	"local":  {Embedded: true},
}

// Kind returns the properties of the engine, from its name if the result doesn't state them.
func (l Library) Kind() EngineKind {
	if k, ok := unstated[l.Engine]; ok {
		return k
	}
	return l.Stated
}

// Snapshot is a snapshot of a process, taken by another goroutine while the process may be in a call that doesn't
// return.
type Snapshot struct {
	Rank  int    // in the world
	Call  string // name in the MPI standard of the call that the process is in, or empty
	Path  string // path of the call's file or of its directory, or empty
	With  []int  // ranks in the world that the call's messages go to and come from; nil for none or all
	Bytes int64  // of the call's longest message or piece of a file on this process, or 0
	// Loop is the current loop of the program, counted from the program's first run, or -1 if the process runs none.
	Loop int64
	// Position differs between two snapshots if the process made progress in between.
	Position Position
}

// Position is the position of a process in its work.
type Position struct {
	Calls uint64 // calls and runs so far
	Loop  int64  // as in Snapshot
	Index int    // of the call in its program
}

// Watchable is an Engine that shows where its processes are. Any goroutine may call Look at any time, and no process
// stops or waits for it.
type Watchable interface {
	// Look returns a snapshot of this process or, if the engine's ranks share one process, of each rank in order.
	Look() []Snapshot
}

// DataMover is an Engine whose calls may move no data. An engine without this method moves data.
type DataMover interface{ MovesData() bool }

// MovesData reports whether an engine moves data, so that received data can be checked.
func MovesData(e Engine) bool {
	m, ok := e.(DataMover)
	return !ok || m.MovesData()
}
