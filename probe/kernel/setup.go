package kernel

import (
	"cmp"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/settings"
)

// Area is memory that a row's messages are sent from or received into: slots of Stride bytes, each for the data of one
// repetition. There is one slot, unless repetitions should use memory that isn't in a cache.
type Area struct {
	Buffer mpi.Buffer
	Heap   mpi.Window // the allocation of the memory in reductions (mpi.Symmetric), otherwise nil
	Length int64      // bytes of one repetition's data
	Stride int64
	Slots  int64
}

// Size returns the bytes of all slots. It is never 0, because libraries treat an empty window or buffer differently.
func (a *Area) Size() int64 { return max(a.Slots*a.Stride, MinArea) }

const MinArea = 8 // bytes

// Slot returns the memory that the last of a number of repetitions used, or a copy of it if it is a device's.
func (a *Area) Slot(repetitions int64) []byte {
	start := (repetitions - 1) % a.Slots * a.Stride
	return mpi.Load(a.Buffer, start, a.Length)
}

// Setup holds the resources of a process for one row of a block. A builder makes the process's program from it.
type Setup struct {
	Kernel     *Kernel
	Mode       settings.Mode
	Bytes      int64
	AxisValue  int64    // the row's value on Kernel.Axis: a stride in blocks, or the number of parts of a message
	Comm       mpi.Comm // of the group
	World      mpi.Comm // of all processes that measure
	Ranks      int      // of the group, known outside of it too
	PerNode    int      // processes on each node, in fans
	Send, Recv Area
	Window     mpi.Window // of Send or Recv, as the builder demands, or nil
	Files      *Files     // nil: the kernel has none
	PathStart  *PathStart // in metadata kernels, otherwise nil
	Pairing    *Pairing   // in kernels that measure many pairs; nil means the first and the last process
	Team       Team
	Options    Options
	Rules      Rules // of the method
	Played     bool  // a model plays the programs of all processes at once: none waits for the next program of another
	Run        Run
	Results    Results
}

// Options are the settings of a row.
type Options struct {
	IMB       *settings.IMB     // options of IMB 2021.11; nil means all defaults
	One       settings.OneSided // with defaults filled in
	OSU       settings.OSU
	Meta      settings.Metadata
	Threading settings.Threading
	Factors   []float64    // of the group's processes, for their parts of the data; nil means all are 1
	RootStays bool         // all timed repetitions have root 0
	Fragments int          // of the kernel Fragments
	Counts    string       // how a tree's processes learn all counts; empty means that they know them
	Function  mpi.Function // the user's, in kernels that call one
	Delay     float64      // seconds by which the last part of a message is late
	Fold      int64        // bytes of memory that each area reuses again and again; 0 means that it reuses none
}

// Run describes the run that a program is made for.
type Run struct {
	Repetitions int64
	Untimed     int64 // repetitions before the timed ones
	Root        int   // of the first repetition
	// Overlapped is the second run of kernels that compute while they communicate; the builder then adds Compute.
	Overlapped bool
	Times      int64         // for Exploit
	Seconds    float64       // of computing, in OSU's kernels
	Single     bool          // one repetition that is only checked, not timed
	Series     *SeriesTiming // nil means IMB's loop
	MockUp     bool          // the mock-up of a guideline, not its call
	Reversed   mpi.Comm      // the group in reverse order, if the mock-up needs it
}

// Results holds the results of a row's programs, except the times.
type Results struct {
	Used       int64         // repetitions since the areas were made
	Laps       []mpi.LapTime // of the last run
	RoundTrips []float64     // in Bcast_ack on the root: seconds of an empty round trip with each other process
	Failure    error         // of a file call; the process continues, so that no other waits for it
}

// Team has the threads of a process, in kernels of threads.
type Team struct {
	Setups []*Setup // one for each thread, the process's own first; empty in other kernels
	Thread int      // number of this setup's thread
}

// Rules are the demands of a method on the programs of a kernel.
type Rules struct {
	ClocksEach      bool // read the clock around each repetition, so that only the calls count
	Syncs           bool // with ClocksEach: a barrier between two repetitions
	RootShifts      bool // the root changes with each repetition
	Window          int  // messages of a repetition, in kernels with a window of them
	NoClockIfSilent bool // in processes whose time doesn't count
}

// Rank returns the rank of the process in its group.
func (s *Setup) Rank() int { return s.Comm.Rank() }

// Size returns the number of processes in the group.
func (s *Setup) Size() int { return s.Ranks }

// Last returns the last rank of the group, the partner of rank 0 in kernels of two processes.
func (s *Setup) Last() int { return s.Ranks - 1 }

// In returns a place in memory: length bytes of a repetition's data, beginning at offset at, for or from peer. If there
// are gaps between the elements, neither length nor offset counts them.
func (s *Setup) In(a *Area, at, length int64, peer int) mpi.Place {
	form := s.Form()
	return mpi.Place{Space: a.Buffer, Offset: at * form.Stride(), Length: length, Peer: peer, Type: s.Kind(),
		Form: form}
}

// All returns the length in bytes of the data of all processes of the group.
func (s *Setup) All() int64 { return int64(s.Size()) * s.Bytes }

// Partner returns the rank with which the process exchanges messages in kernels of pairs: rank i has rank P-1-i.
func (s *Setup) Partner() int { return s.Last() - s.Rank() }

// Second reports whether the process is the second one of its pair, in kernels of pairs (Kernel.HasSides).
func (s *Setup) Second() bool { return s.Rank() >= s.Size()/2 }

// Left returns the rank before the process's, in a ring.
func (s *Setup) Left() int { return (s.Rank() + s.Last()) % s.Size() }

// Right returns the rank after the process's, in a ring.
func (s *Setup) Right() int { return (s.Rank() + 1) % s.Size() }

// Roots returns the roots that a row is run with: the root of the timed repetitions, then the roots of repetitions that
// are only checked.
func (s *Setup) Roots() []int {
	list := []int{0}
	for root := 1; root <= min(MaxSingles, s.Last()); root++ {
		list = append(list, root)
	}
	return list
}

// MaxSingles is the largest number of further repetitions that are checked.
const MaxSingles = 2

// At returns a place in the window of target.
func (s *Setup) At(target int, offset, length int64) mpi.Place {
	return mpi.Place{Space: s.Window, Offset: offset, Length: length, Peer: target, Type: s.Kind()}
}

// Hits returns the number of a run's repetitions that used the same slot of an area as the last one.
func (s *Setup) Hits(a *Area) int64 { return (s.Run.Repetitions-1)/a.Slots + 1 }

// FixedRoot reports whether the root stays the same in all timed repetitions, as the clock or the settings may demand.
func (s *Setup) FixedRoot() bool {
	shifts := s.Rules.RootShifts || s.Run.Overlapped && s.Options.IMB.Is2021() && s.Kernel.ShiftsRoot
	return s.Options.RootStays || s.Kernel.Builder.Processes.FixedRoot || !shifts ||
		s.Run.Series != nil && s.Run.Series.Synchronised
}

// Free frees the areas. A second call does nothing.
func (s *Setup) Free() {
	for _, c := range s.Owners() {
		for _, a := range c.Areas() {
			if a.Buffer != nil {
				a.Buffer.Free()
				a.Buffer = nil
			}
		}
	}
}

// Threads returns the setups of all threads of the process.
func (s *Setup) Threads() []*Setup {
	if len(s.Team.Setups) == 0 {
		return []*Setup{s}
	}
	return s.Team.Setups
}

// Owners returns the setups of the threads that have their own memory.
func (s *Setup) Owners() []*Setup {
	if s.Kernel.Builder.Threads.OneMemory {
		return s.Threads()[:1]
	}
	return s.Threads()
}

// Opposite returns the partner of this process by the stride of thread kernels, and whether this process is the lower
// one of the two. A process without a partner is its own partner.
func (s *Setup) Opposite() (partner int, lower bool) {
	stride := s.Options.Threading.Apart(s.Size())
	switch lower = s.Rank()/stride%2 == 0; {
	case !lower:
		return s.Rank() - stride, lower
	case s.Rank()+stride < s.Size():
		return s.Rank() + stride, lower
	}
	return s.Rank(), lower
}

// LayOut sets the size of the areas, and the number of their slots.
func (s *Setup) LayOut(cacheSize, cacheLine, repetitions int64) {
	r := s.Kernel.Builder
	s.Send.Length, s.Recv.Length = s.sizes()
	s.Send.Length *= s.Form().Stride()
	s.Recv.Length *= s.Form().Stride()
	for _, a := range []*Area{&s.Send, &s.Recv} {
		a.Stride, a.Slots = a.Length, 1
		switch {
		case a.Length == 0 || r.Data.Packed:
		case cacheSize > 0:
			a.Stride = settings.RoundUp(a.Length, cacheLine) + cacheLine
			a.Slots = min(repetitions, (2*cacheSize+a.Stride-1)/a.Stride)
		}
	}
}

// Areas returns the areas of a process in a group, or nil outside of the group.
func (s *Setup) Areas() []*Area {
	if s.Comm == nil {
		return nil
	}
	return []*Area{&s.Send, &s.Recv}
}

// Exposed returns the area that is the window's memory, or nil without a window.
func (s *Setup) Exposed() *Area {
	switch s.Kernel.Builder.Access.Window {
	case SendSide:
		return &s.Send
	case RecvSide:
		return &s.Recv
	}
	return nil
}

// Allocates reports whether the row's window is allocated together with its memory.
func (s *Setup) Allocates() bool { return s.Kernel.Allocates(s.Options.One.Window) }

func (s *Setup) Memory() int64 {
	return (s.held(&s.Send) + s.held(&s.Recv)) * int64(len(s.Owners()))
}

// held returns the bytes of memory that an area takes.
func (s *Setup) held(a *Area) int64 {
	if s.Options.Fold > 0 {
		return min(a.Size(), s.Options.Fold)
	}
	return a.Size()
}

// PairedWith returns the process's partner, and whether its own clock gives the time. If Pairing is nil, the first and
// the last process are partners.
func (s *Setup) PairedWith() Pairing {
	if s.Pairing != nil {
		return *s.Pairing
	}
	return Pairing{Peer: s.Partner(), Measures: s.Rank() == 0}
}

// Pairing is the pair of a process in kernels that measure many pairs.
type Pairing struct {
	Peer     int
	Measures bool // this process's clock gives the time
}

func (s *Setup) Unit() int64 { return s.Kernel.Unit(s.Options.IMB) }

func (s *Setup) Kind() mpi.Type { return s.Kernel.Kind(s.Options.IMB) }

// Root is the rank in its group of the process whose clock counts.
const Root = 0

// Messages returns the number of messages of a repetition: a window of them in kernels with windows, otherwise one.
func (s *Setup) Messages() int64 {
	if s.Kernel.MessageWindows() {
		return int64(cmp.Or(s.Rules.Window, settings.OSUWindow))
	}
	return 1
}
