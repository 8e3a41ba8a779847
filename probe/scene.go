package probe

import (
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
	walked     int64         // repetitions since the areas were made
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
	comm          mpi.Comm // of the calls; nil: the group's
	places        []mpi.Place
	before, after []mpi.Call
	each          func(i int64) []mpi.Call // Of in it counts from its first call
	completion    []mpi.Call
	unrolled      bool       // each depends on the repetition
	proof         []mpi.Call // after a run that is checked
	audit         func(m *measurer, s *scene) (defects int64, err error)
	silent        bool // the process' time doesn't count: it waits for others
	wants         []want
}

// always is the each of a step whose repetitions are alike.
func always(calls ...mpi.Call) func(int64) []mpi.Call {
	return func(int64) []mpi.Call { return calls }
}

// program makes a step's timed program, and how many loops of it are the scene's repetitions. In aggregate mode, or if
// repetitions differ, they stand one after the other in a single loop.
func (s *scene) program(x *step) (*mpi.Program, int64) {
	p := &mpi.Program{Comm: s.commOf(x), Start: s.comm, Places: s.walking(x.places)}
	written, loops := int64(1), s.repetitions
	if s.mode == Aggregate || x.unrolled {
		written, loops = s.repetitions, 1
	}
	walks := s.walks(p.Places)
	for i := range written {
		if walks {
			p.Call(mpi.Call{Op: mpi.Walk, Send: mpi.Span{Count: len(p.Places)}})
		}
		if x.each != nil {
			add(p, x.each(i))
		}
		if s.mode != Aggregate || i == written-1 {
			add(p, x.completion)
		}
	}
	return p, loops
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

// add appends calls, whose references count from the first of them.
func add(p *mpi.Program, calls []mpi.Call) {
	base := len(p.Loop)
	for _, c := range calls {
		if c.Op == mpi.Wait {
			c.Of += base
		}
		p.Call(c)
	}
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

// walking gives the places the steps that lead a walk through the slots of their area: each to the next one of the same
// slot, the last to the next slot.
func (s *scene) walking(places []mpi.Place) []mpi.Place {
	list := make([]mpi.Place, len(places))
	before := map[mpi.Space]int{}
	first := map[mpi.Space]int64{}
	for i, place := range places {
		list[i] = place
		a := s.areaOf(place)
		if a == nil || a.slots == 1 || place.Length == 0 {
			continue
		}
		if j, ok := before[place.Space]; ok {
			list[j].Step = place.Offset - places[j].Offset
		} else {
			first[place.Space] = place.Offset
		}
		before[place.Space] = i
		list[i].Step = a.stride - place.Offset + first[place.Space]
	}
	return list
}

func (s *scene) walks(places []mpi.Place) bool {
	for _, place := range places {
		if place.Step > 0 {
			return true
		}
	}
	return false
}
