package probe

import (
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
)

// area is memory that a row's messages leave or enter: slots of stride bytes, each for the data of one repetition.
// There is one slot, unless repetitions are to use memory that isn't in a cache.
type area struct {
	buffer mpi.Buffer
	length int64 // bytes of one repetition's data
	stride int64
	slots  int64
}

// size of the whole, bytes. Even without data there is some memory: a window or a buffer of nothing is another thing to
// a library.
func (a *area) size() int64 { return max(a.slots*a.stride, leastArea) }

const leastArea = 8

// slot is the memory that the last of so many repetitions used.
func (a *area) slot(repetitions int64) []byte {
	start := (repetitions - 1) % a.slots * a.stride
	return a.buffer.Bytes()[start : start+a.length]
}

// scene is what a process has for the row of a block: a builder makes its program from it.
type scene struct {
	kernel     *Kernel
	mode       Mode
	bytes      int64
	comm       mpi.Comm // of the group
	send, recv area
	window     mpi.Window // onto send or recv, as the recipe says; nil: none
	files      *files     // nil: the kernel has none
	ranks      int        // of the group, known outside of it too

	repetitions int64 // that the program is made for
	root        int   // of its first repetition
	// the second run of kernels that compute beside their communication: a builder puts compute in
	overlapped bool
	single     bool          // a repetition of its own, whose time doesn't count
	times      int64         // for Exploit
	used       int64         // repetitions since the areas were made
	laps       []mpi.LapTime // of the last run
	failure    error         // of a file call; the process goes on, so that no other waits for it
}

func (s *scene) rank() int { return s.comm.Rank() }
func (s *scene) size() int { return s.ranks }

// last rank of the group is the partner of rank 0 in kernels of two processes.
func (s *scene) last() int { return s.ranks - 1 }

// compute is what stands beside the communication.
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
	waiting   = 1 // and in the barrier behind it
	elsewhere = 0 // of nonblocking collectives beside computing: what isn't
	computing = 1 // the computing
)

// in is a place in memory: length bytes of a repetition's data from offset at on, for or from peer.
func (s *scene) in(a *area, at, length int64, peer int) mpi.Place {
	return mpi.Place{Space: a.buffer, Offset: at, Length: length, Peer: peer, Type: s.kernel.Type}
}

// step is what one process does in a row: its calls before the clock, in each repetition, to complete one or all of
// them, and after the clock.
type step struct {
	comm         mpi.Comm // of the calls; nil: the group's
	places       []mpi.Place
	enter, leave []mpi.Call // before and after the clock
	each         []mpi.Call
	completion   []mpi.Call
	proof        []mpi.Call // after a run that is checked
	audit        func(m *measurer, s *scene) (defects int64, err error)
	silent       bool // the process' time doesn't count: it waits for others
	wants        []want
}

// program makes a step's timed program: a loop of it is a repetition. In aggregate mode the completion follows the last
// one, between the clock readings (guide, "MPI-2 Benchmark Modes").
func (s *scene) program(x *step) *mpi.Program {
	p := &mpi.Program{Comm: s.commOf(x), Start: s.comm, Places: s.advancing(x.places), Loop: x.each}
	if s.mode == Aggregate {
		p.After = x.completion
	} else {
		p.Loop = slices.Concat(x.each, x.completion)
	}
	return p
}

// outside is a program of what a step does before or after the clock, nil if that is nothing.
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

// areaOf is the area that a place lies in, nil for a file.
func (s *scene) areaOf(place mpi.Place) *area {
	switch {
	case s.window != nil && place.Space == mpi.Space(s.window):
		if s.kernel.recipe().window == sendSide {
			return &s.send
		}
		return &s.recv
	case place.Space == mpi.Space(s.send.buffer):
		return &s.send
	case place.Space == mpi.Space(s.recv.buffer):
		return &s.recv
	}
	return nil
}

// advancing lets the places go on to the next slot of their area with each loop, from the slot on that follows those of
// earlier programs: it isn't in a cache.
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
