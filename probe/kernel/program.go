package kernel

import (
	"slices"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/settings"
)

// Program returns a step's timed program, in which a loop is a repetition. OSU's one-sided tests also read the clock
// before and after each repetition, within the total time. In aggregate mode the completion follows the last
// repetition, between the clock readings (guide, "MPI-2 Benchmark Modes").
func (s *Setup) Program(x *Step) *mpi.Program {
	if s.Run.Series != nil {
		return s.seriesProgram(x)
	}
	p := &mpi.Program{Comm: s.commOf(x), Start: s.Comm, Places: s.advancing(x.Places), Loop: x.Each}
	if s.completesOnce() {
		p.Before, p.After = x.Opening, x.Completion
	} else {
		p.Loop = slices.Concat(x.Opening, x.Each, x.Completion)
	}
	p.After = slices.Concat(p.After, x.AfterLoops)
	if s.Kernel.Component == OSU && s.Kernel.Builder.Access.Window != NoSide && !x.Silent {
		p.Loop = slices.Concat([]mpi.Call{{Op: mpi.Lap, Root: pauseLap}}, p.Loop, []mpi.Call{{Op: mpi.Lap,
			Root: Elsewhere}})
	}
	if s.Rules.ClocksEach {
		calls, places := s.separation(len(p.Places), x.Silent && s.Rules.NoClockIfSilent)
		p.Loop, p.Places = slices.Concat(p.Loop, calls), append(p.Places, places...)
	}
	return p
}

// Mover makes one file call outside of the timed part.
type Mover func(s *Setup, op mpi.Op, from, to mpi.Place) error

// Outside returns a program of a step's calls before or after the timed part, or nil if there are none.
func (s *Setup) Outside(x *Step, calls []mpi.Call) *mpi.Program {
	if len(calls) == 0 {
		return nil
	}
	return &mpi.Program{Comm: s.commOf(x), Places: x.Places, Loop: calls}
}

func (s *Setup) commOf(x *Step) mpi.Comm {
	if x.Comm != nil {
		return x.Comm
	}
	return s.Comm
}

// areaOf returns the area of a place, or nil for a file.
func (s *Setup) areaOf(place mpi.Place) *Area {
	switch {
	case s.Window != nil && place.Space == mpi.Space(s.Window):
		return s.Exposed()
	case place.Space == mpi.Space(s.Send.Buffer):
		return &s.Send
	case place.Space == mpi.Space(s.Recv.Buffer):
		return &s.Recv
	}
	return nil
}

// advancing returns places that advance to the next slot of their area with each loop. They start at the slot that
// follows the slots of earlier programs, which isn't in a cache.
func (s *Setup) advancing(places []mpi.Place) []mpi.Place {
	list := slices.Clone(places)
	for place := range lists.Elements(list) {
		if a := s.areaOf(*place); a != nil && a.Slots > 1 && place.Length > 0 {
			place.Offset += s.Results.Used % a.Slots * a.Stride
			place.Advance = a.Stride
		}
	}
	return list
}

// SeriesTiming holds the timing of a series' programs.
type SeriesTiming struct {
	Synchronised bool    // two barriers before each repetition
	BarrierAfter bool    // one barrier after it, within the time
	Inner        int64   // operations between two readings of the clock
	Late         float64 // seconds that the process computes after the barriers, before its time begins
}

// seriesProgram returns the program of a series, in which a loop is a repetition: barriers, a reading of the clock, the
// step's calls, another reading.
func (s *Setup) seriesProgram(x *Step) *mpi.Program {
	p := &mpi.Program{Comm: s.commOf(x), Start: s.Comm, Places: s.advancing(x.Places)}
	calls := s.operations(x)
	if p.Comm.Size() < s.Comm.Size() {
		// The process works on its own file. Barriers of its own communicator do nothing, and the series needs barriers
		// of the group.
		p.Comm = s.Comm
		for i, c := range calls {
			if c.Op == mpi.Barrier {
				calls[i] = mpi.Call{Op: mpi.Nop}
			}
		}
	}
	barrier := mpi.Call{Op: mpi.Barrier}
	if s.Run.Series.Synchronised {
		p.Call(barrier, barrier)
		if s.Run.Series.Late > 0 {
			p.Call(mpi.Call{Op: mpi.Compute, Seconds: s.Run.Series.Late})
		}
		p.Call(mpi.Call{Op: mpi.Lap, Root: Synchronised})
	}
	for i := range calls {
		calls[i].Of += len(p.Loop)
	}
	p.Call(calls...)
	if s.Run.Series.BarrierAfter {
		p.Call(barrier)
	}
	if s.Run.Series.Synchronised {
		p.Call(mpi.Call{Op: mpi.Lap, Root: Finished})
	}
	return p
}

// operations returns a step's calls, Inner times. In aggregate mode one completion follows all of them.
func (s *Setup) operations(x *Step) []mpi.Call {
	var calls []mpi.Call
	add := func(more []mpi.Call) {
		base := len(calls)
		for _, c := range more {
			c.Of += base
			calls = append(calls, c)
		}
	}
	if s.Mode == settings.Aggregate {
		add(x.Opening)
	}
	for range s.Run.Series.Inner {
		if s.Mode != settings.Aggregate {
			add(x.Opening)
		}
		add(x.Each)
		if s.Mode != settings.Aggregate {
			add(x.Completion)
		}
	}
	if s.Mode == settings.Aggregate {
		add(x.Completion)
	}
	return calls
}

// Laps of a series' program. They follow the kernels' own laps.
const (
	Synchronised = Computing + 1 + iota // until the process has left the barriers
	Finished                            // from the kernel's last lap to the end of the repetition
	Starting                            // of OSU's nonblocking calls while computing: until the call has returned
	Testing                             // in MPI_Test
	Waited                              // in MPI_Wait
)

// Compute returns the calls that compute during the communication.
func (s *Setup) Compute() []mpi.Call {
	if !s.Run.Overlapped {
		return nil
	}
	exploit := mpi.Call{Op: mpi.Exploit, Times: s.Run.Times}
	if s.Kernel.Component.Overlaps() {
		return []mpi.Call{{Op: mpi.Lap, Root: Elsewhere}, exploit, {Op: mpi.Lap, Root: Computing}}
	}
	return []mpi.Call{exploit}
}

// Laps of programs in which not all the time counts.
const (
	Putting   = 0 // of Truly_passive_put: until the put is complete
	Waiting   = 1 // in the barrier after it
	Elsewhere = 0 // of nonblocking collectives while computing: the rest
	Computing = 1 // the computing
)

// pauseLap is the lap of the time between two repetitions, which doesn't count.
const pauseLap = 2

// separation returns the calls that separate two repetitions when only the kernel's calls count, and the places that
// they need. first is the number of places that the program already has. A silent process reads no clock.
func (s *Setup) separation(first int, silent bool) (calls []mpi.Call, more []mpi.Place) {
	if silent {
		return slices.Repeat([]mpi.Call{{Op: mpi.Barrier}}, s.Kernel.Builder.Barriers), nil
	}
	calls = []mpi.Call{{Op: mpi.Lap, Root: Elsewhere}}
	switch {
	case s.Kernel.Component == OSU:
		calls = append(calls, slices.Repeat([]mpi.Call{{Op: mpi.Barrier}}, s.Kernel.Builder.Barriers)...)
	case s.Kernel.Component == MT:
		for range s.Kernel.Builder.Barriers {
			barrier, places := s.threadBarrier(first + len(more))
			calls, more = append(calls, barrier...), append(more, places...)
		}
	case !s.Rules.Syncs:
	case s.Options.IMB.OwnBarrier:
		barrier, places := s.ownBarrier(first)
		calls, more = append(calls, barrier...), places
	default:
		calls = append(calls, mpi.Call{Op: mpi.Barrier})
	}
	return append(calls, mpi.Call{Op: mpi.Lap, Root: pauseLap}), more
}

// Between returns the laps that exclude the time between two repetitions of a loop when no calls separate them.
func (s *Setup) Between() []mpi.Call {
	return []mpi.Call{{Op: mpi.Lap, Root: Elsewhere}, {Op: mpi.Lap, Root: pauseLap}}
}

// barrierTag is the tag of a barrier's messages.
const barrierTag = 1000

// ownBarrier returns a barrier made of empty messages: in each round a process exchanges one with the ranks 1, 2, 4 …
// away on both sides.
func (s *Setup) ownBarrier(first int) (calls []mpi.Call, places []mpi.Place) {
	for away := 1; away < s.Size(); away *= 2 {
		to, from := (s.Rank()+away)%s.Size(), (s.Rank()-away+s.Size())%s.Size()
		places = append(places, s.In(&s.Send, 0, 0, to), s.In(&s.Recv, 0, 0, from))
		calls = append(calls, mpi.Call{Op: mpi.Sendrecv, Send: mpi.One(first), Recv: mpi.One(first + 1),
			Tag: barrierTag})
		first += 2
	}
	return calls, places
}

// threadBarrier returns a barrier of all threads of all processes. The first thread of each process makes the calls for
// the others.
func (s *Setup) threadBarrier(first int) (calls []mpi.Call, places []mpi.Place) {
	if s.Options.Threading.Barrier == settings.BarrierOff {
		return nil, nil
	}
	if s.Team.Thread == 0 {
		calls = []mpi.Call{{Op: mpi.Barrier}}
		if s.Options.Threading.Barrier == settings.BarrierSpecial {
			calls, places = s.ownBarrier(first)
		}
	}
	if len(s.Team.Setups) > 1 {
		own := []mpi.Call{{Op: mpi.ThreadBarrier}} // of the process's threads
		calls = slices.Concat(own, calls, own)
	}
	return calls, places
}

// Counted returns the part of a run's seconds that counts.
func (s *Setup) Counted(got mpi.Measurement) float64 {
	if !s.Rules.ClocksEach {
		return got.Seconds
	}
	return s.CountedLaps(func(lap int) float64 { return got.Laps[lap].Seconds }, len(got.Laps))
}

// CountedLaps returns the sum of the laps that count.
func (s *Setup) CountedLaps(of func(lap int) float64, laps int) (sum float64) {
	for i := range laps {
		if i != pauseLap {
			sum += of(i)
		}
	}
	return sum
}

// completesOnce reports whether all repetitions of a run are completed together.
func (s *Setup) completesOnce() bool {
	return s.Mode == settings.Aggregate || s.Options.IMB.Is2021() && (s.Kernel.Builder.OnceIn2021 ||
		s.Kernel.OnlyAggregate())
}

// PutTime returns the seconds of the puts of Truly_passive_put in the last run, or -1 if this process makes none. IMB
// 2021.11 counts the barriers after the puts, too.
func (s *Setup) PutTime() float64 {
	if s.Options.IMB.Is2021() && len(s.Results.Laps) > Waiting {
		return s.Lap(Putting) + s.Lap(Waiting)
	}
	return s.Lap(Putting)
}

// Lap returns the seconds of a lap in the last run, or -1 if this process has no such lap.
func (s *Setup) Lap(number int) float64 {
	if number >= len(s.Results.Laps) {
		return -1
	}
	return s.Results.Laps[number].Seconds
}

// Laps of calls that are compared with the usual way to do the same.
const (
	Called  = iota // the calls
	InUsual        // the usual way
	Between        // barriers, which don't count
	Making         // making a request
	Freeing        // freeing it
)

// Laps of partitioned messages.
const (
	PartsBegun = iota // until the process may begin its message
	PartsReady        // until its last part is ready
	PartsDone         // until the round trip is over
	PlainDone         // of the plain messages
)

// Laps of the kernels of pairs: until the partner is ready, and after that. Only the second one is reported.
const (
	BeforeReady = 0
	SinceReady  = 1
)
