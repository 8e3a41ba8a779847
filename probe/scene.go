package probe

import (
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
)

// area is memory that a row's messages leave or enter: slots of stride bytes, each for the data of one repetition.
// There is one slot, unless repetitions should use memory that isn't in a cache.
type area struct {
	buffer mpi.Buffer
	length int64 // bytes of one repetition's data
	stride int64
	slots  int64
}

// size returns the bytes of all slots. Even without data there is some memory, because libraries treat an empty window
// or buffer differently.
func (a *area) size() int64 { return max(a.slots*a.stride, leastArea) }

const leastArea = 8

// slot returns the memory that the last of a number of repetitions used.
func (a *area) slot(repetitions int64) []byte {
	start := (repetitions - 1) % a.slots * a.stride
	return a.buffer.Bytes()[start : start+a.length]
}

// scene holds the resources of a process for the row of a block. A builder makes its program from it.
type scene struct {
	kernel     *Kernel
	mode       Mode
	bytes      int64
	comm       mpi.Comm // of the group
	world      mpi.Comm // of all processes that measure
	one        OneSided // with all defaults
	stride     int64    // blocks, of strided kernels
	send, recv area
	window     mpi.Window // of send or recv, as the recipe demands; nil: none
	files      *files     // nil: the kernel has none
	ranks      int        // number of the group's, known outside of it too
	settings   *Settings  // of the run; nil: all defaults
	factors    []float64  // of the parts of the group's processes; nil: all are 1
	rootStays  bool       // all timed repetitions have root 0
	fragments  int        // of Fragments
	announces  bool       // the root of a tree broadcasts all counts first

	repetitions int64 // of the program
	root        int   // of its first repetition
	// the second run of kernels that compute beside their communication, for which a builder adds compute
	overlapped bool
	single     bool          // a repetition of its own, whose time doesn't count
	series     *pace         // of a series; nil: IMB's loop
	times      int64         // for Exploit
	used       int64         // repetitions since the areas were made
	laps       []mpi.LapTime // of the last run
	roundTrips []float64     // of Bcast_ack: seconds of an empty one with each other process, on the root
	failure    error         // of a file call; the process goes on, so that no other waits for it
	meeting    *meeting      // of kernels that measure many pairs; nil: the first and the last process
}

func (s *scene) rank() int { return s.comm.Rank() }
func (s *scene) size() int { return s.ranks }

// last returns the last rank of the group, the partner of rank 0 in kernels of two processes.
func (s *scene) last() int { return s.ranks - 1 }

// compute returns the calls beside the communication.
func (s *scene) compute() []mpi.Call {
	if !s.overlapped {
		return nil
	}
	exploit := mpi.Call{Op: mpi.Exploit, Times: s.times}
	if s.kernel.Component == NBC {
		return []mpi.Call{{Op: mpi.Lap, Root: elsewhere}, exploit, {Op: mpi.Lap, Root: computing}}
	}
	return []mpi.Call{exploit}
}

// Laps of programs in which not all the time counts.
const (
	putting   = 0 // of Truly_passive_put: until the put is complete
	waiting   = 1 // in the barrier after it
	elsewhere = 0 // of nonblocking collectives beside computing: the rest
	computing = 1 // the computing
)

// in returns a place in memory: length bytes of a repetition's data from offset at on, for or from peer. Where elements
// are apart, their gaps count neither in the length nor in the offset.
func (s *scene) in(a *area, at, length int64, peer int) mpi.Place {
	form := s.form()
	return mpi.Place{Space: a.buffer, Offset: at * form.Stride(), Length: length, Peer: peer, Type: s.kind(),
		Form: form}
}

// step holds the work of one process in a row: its calls before the timed part, in each repetition, to complete one or
// all of them, and after the timed part.
type step struct {
	comm         mpi.Comm // of the calls; nil: the group's
	places       []mpi.Place
	enter, leave []mpi.Call // before and after the timed part
	each         []mpi.Call
	opening      []mpi.Call // before the transfers that a completion completes
	completion   []mpi.Call
	proof        []mpi.Call // after a run that is checked
	audit        func(m *measurer, s *scene) (defects int64, err error)
	cycle        int64      // repetitions that each has; 0: one
	behind       []mpi.Call // behind all loops, within the time
	err          error      // the step can't be made
	silent       bool       // the process' time doesn't count, because it waits for others
	wants        []want
}

// program returns a step's timed program, in which a loop is a repetition. In aggregate mode the completion follows the
// last repetition, between the clock readings (guide, "MPI-2 Benchmark Modes").
func (s *scene) program(x *step) *mpi.Program {
	if s.series != nil {
		return s.seriesProgram(x)
	}
	p := &mpi.Program{Comm: s.commOf(x), Start: s.comm, Places: s.advancing(x.places), Loop: x.each}
	if s.completesOnce() {
		p.Before, p.After = x.opening, x.completion
	} else {
		p.Loop = slices.Concat(x.opening, x.each, x.completion)
	}
	p.After = slices.Concat(p.After, x.behind)
	if s.clocksEach() {
		calls, places := s.rest(len(p.Places))
		p.Loop, p.Places = slices.Concat(p.Loop, calls), append(p.Places, places...)
	}
	return p
}

// outside returns a program of a step's calls before or after the timed part, or nil if there are none.
func (s *scene) outside(x *step, calls []mpi.Call) *mpi.Program {
	if len(calls) == 0 {
		return nil
	}
	return &mpi.Program{Comm: s.commOf(x), Places: x.places, Loop: calls}
}

func (s *scene) commOf(x *step) mpi.Comm {
	if x.comm != nil {
		return x.comm
	}
	return s.comm
}

// areaOf returns the area of a place, or nil for a file.
func (s *scene) areaOf(place mpi.Place) *area {
	switch {
	case s.window != nil && place.Space == mpi.Space(s.window):
		return s.exposed()
	case place.Space == mpi.Space(s.send.buffer):
		return &s.send
	case place.Space == mpi.Space(s.recv.buffer):
		return &s.recv
	}
	return nil
}

// advancing returns places that advance to the next slot of their area with each loop. They start at the slot after
// those of earlier programs, which isn't in a cache.
func (s *scene) advancing(places []mpi.Place) []mpi.Place {
	list := slices.Clone(places)
	for i := range list {
		place := &list[i]
		if a := s.areaOf(*place); a != nil && a.slots > 1 && place.Length > 0 {
			place.Offset += s.used % a.slots * a.stride
			place.Advance = a.stride
		}
	}
	return list
}
