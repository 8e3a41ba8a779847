package probe

import (
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
	settings   *Today     // of the run; nil: all defaults
	rules      rules      // of the method
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

// rules are what a method says of the programs of a kernel.
type rules struct {
	clocksEach bool // the clock is read around each repetition, so that only the calls count
	syncs      bool // a barrier stands between two repetitions, if the clock is read around each
	rootShifts bool // the root changes with each repetition
}

func (s *scene) rank() int { return s.comm.Rank() }
func (s *scene) size() int { return s.ranks }

// last returns the last rank of the group, the partner of rank 0 in kernels of two processes.
func (s *scene) last() int { return s.ranks - 1 }

// in returns a place in memory: length bytes of a repetition's data from offset at on, for or from peer. Where elements
// are apart, their gaps count neither in the length nor in the offset.
func (s *scene) in(a *area, at, length int64, peer int) mpi.Place {
	form := s.form()
	return mpi.Place{Space: a.buffer, Offset: at * form.Stride(), Length: length, Peer: peer, Type: s.kind(),
		Form: form}
}

func (s *scene) all() int64 { return int64(s.size()) * s.bytes }

func (s *scene) partner() int { return s.last() - s.rank() }

func (s *scene) left() int { return (s.rank() + s.last()) % s.size() }

func (s *scene) right() int { return (s.rank() + 1) % s.size() }

// roots returns the roots that a row is run with: that of the timed repetitions, and those of the ones that are checked
// besides.
func (s *scene) roots() []int {
	list := []int{0}
	for root := 1; root <= min(mostAlone, s.last()); root++ {
		list = append(list, root)
	}
	return list
}

// mostAlone is the largest number of further repetitions that are checked.
const mostAlone = 2

// at returns a place in the window of target.
func (s *scene) at(target int, offset, length int64) mpi.Place {
	return mpi.Place{Space: s.window, Offset: offset, Length: length, Peer: target, Type: s.kind()}
}

// hits returns the number of a run's repetitions that used the same slot of an area as the last one.
func (s *scene) hits(a *area) int64 { return (s.repetitions-1)/a.slots + 1 }

// fixedRoot reports whether the root stays the same in all timed repetitions, as it must for its clock, and as the
// settings want it.
func (s *scene) fixedRoot() bool {
	turns := s.rules.rootShifts || s.overlapped && s.settings.today() && s.kernel.Turns
	return s.rootStays || s.series != nil && s.series.synchronised || !turns
}

func (s *scene) free() {
	for _, a := range s.areas() {
		if a.buffer != nil {
			a.buffer.Free()
		}
	}
}

// layOut sets the size of the areas, and the number of their slots.
func (s *scene) layOut(cacheSize, cacheLine, repetitions int64) {
	r := s.kernel.recipe
	s.send.length, s.recv.length = s.sizes()
	s.send.length *= s.form().Stride()
	s.recv.length *= s.form().Stride()
	for _, a := range []*area{&s.send, &s.recv} {
		a.stride, a.slots = a.length, 1
		switch {
		case a.length == 0 || r.packed || s.kernel.Component == IO:
		case cacheSize > 0:
			a.stride = upTo(a.length, cacheLine) + cacheLine
			a.slots = min(repetitions, (2*cacheSize+a.stride-1)/a.stride)
		}
	}
}

// areas returns the areas of a process in a group.
func (s *scene) areas() []*area {
	if s.comm == nil {
		return nil
	}
	return []*area{&s.send, &s.recv}
}

// exposed returns the area whose memory is the window's; nil: none.
func (s *scene) exposed() *area {
	switch s.kernel.recipe.window {
	case sendSide:
		return &s.send
	case recvSide:
		return &s.recv
	}
	return nil
}

// allocates reports whether the row's window comes with its memory.
func (s *scene) allocates() bool { return s.kernel.allocates(s.one.Window) }

func (s *scene) memory() int64 { return s.send.size() + s.recv.size() }

// met returns the process' partner, and whether its own clock gives the time. Without a meeting the partners are the
// first and the last process.
func (s *scene) met() meeting {
	if s.meeting != nil {
		return *s.meeting
	}
	return meeting{peer: s.partner(), measures: s.rank() == 0}
}

// meeting is the pair of a process in kernels that measure many pairs.
type meeting struct {
	peer     int
	measures bool // this process' clock gives the time
}

func (s *scene) unit() int64 { return s.settings.unit(s.kernel) }

func (s *scene) kind() mpi.Type { return s.settings.kind(s.kernel) }

// root is the rank in its group of the process whose clock counts.
const root = 0
