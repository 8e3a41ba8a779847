package probe

import (
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
)

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
	if s.rules.clocksEach {
		calls, places := s.rest(len(p.Places))
		p.Loop, p.Places = slices.Concat(p.Loop, calls), append(p.Places, places...)
	}
	return p
}

// mover makes one file call outside of the timed part.
type mover func(s *scene, op mpi.Op, from, to mpi.Place) error

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

// pace holds the properties of a series' programs.
type pace struct {
	synchronised bool  // two barriers before each repetition
	behind       bool  // one barrier after it, within the time
	inner        int64 // operations between two readings of the clock
}

// seriesProgram returns the program of a series, in which a loop is a repetition: barriers, a reading of the clock, the
// step's calls, another reading.
func (s *scene) seriesProgram(x *step) *mpi.Program {
	p := &mpi.Program{Comm: s.commOf(x), Start: s.comm, Places: s.advancing(x.places)}
	calls := s.operations(x)
	if p.Comm.Size() < s.comm.Size() {
		// The process works on a file of its own. Barriers of its own do nothing, and those of the series need the
		// group.
		p.Comm = s.comm
		for i, c := range calls {
			if c.Op == mpi.Barrier {
				calls[i] = mpi.Call{Op: mpi.Nop}
			}
		}
	}
	barrier := mpi.Call{Op: mpi.Barrier}
	if s.series.synchronised {
		p.Call(barrier, barrier, mpi.Call{Op: mpi.Lap, Root: synchronised})
	}
	for i := range calls {
		calls[i].Of += len(p.Loop)
	}
	p.Call(calls...)
	if s.series.behind {
		p.Call(barrier)
	}
	if s.series.synchronised {
		p.Call(mpi.Call{Op: mpi.Lap, Root: finished})
	}
	return p
}

// operations returns a step's calls, Inner times. In aggregate mode one completion follows all of them.
func (s *scene) operations(x *step) []mpi.Call {
	var calls []mpi.Call
	add := func(more []mpi.Call) {
		base := len(calls)
		for _, c := range more {
			c.Of += base
			calls = append(calls, c)
		}
	}
	if s.mode == Aggregate {
		add(x.opening)
	}
	for range s.series.inner {
		if s.mode != Aggregate {
			add(x.opening)
		}
		add(x.each)
		if s.mode != Aggregate {
			add(x.completion)
		}
	}
	if s.mode == Aggregate {
		add(x.completion)
	}
	return calls
}

// Laps of a series' program. The kernels' own laps come before them.
const (
	synchronised = computing + 1 + iota // until the process has left the barriers
	finished                            // from the kernel's last lap to the end of the repetition
)

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

// pauseLap is the lap of the time between two repetitions, which doesn't count.
const pauseLap = 2

// rest returns the calls between two repetitions whose calls count alone. first is the number of the program's places,
// to which more are added.
func (s *scene) rest(first int) (calls []mpi.Call, more []mpi.Place) {
	calls = []mpi.Call{{Op: mpi.Lap, Root: elsewhere}}
	switch {
	case !s.rules.syncs:
	case s.settings.OwnBarrier:
		barrier, places := s.ownBarrier(first)
		calls, more = append(calls, barrier...), places
	default:
		calls = append(calls, mpi.Call{Op: mpi.Barrier})
	}
	return append(calls, mpi.Call{Op: mpi.Lap, Root: pauseLap}), more
}

// barrierTag is the tag of a barrier's messages.
const barrierTag = 1000

// ownBarrier returns a barrier made of empty messages: in each round a process meets those whose ranks are 1, 2, 4 …
// away on either side.
func (s *scene) ownBarrier(first int) (calls []mpi.Call, places []mpi.Place) {
	for away := 1; away < s.size(); away *= 2 {
		to, from := (s.rank()+away)%s.size(), (s.rank()-away+s.size())%s.size()
		places = append(places, s.in(&s.send, 0, 0, to), s.in(&s.recv, 0, 0, from))
		calls = append(calls, mpi.Call{Op: mpi.Sendrecv, Send: mpi.One(first), Recv: mpi.One(first + 1),
			Tag: barrierTag})
		first += 2
	}
	return calls, places
}

// counted returns the seconds of a run that count.
func (s *scene) counted(got mpi.Measurement) float64 {
	if !s.rules.clocksEach {
		return got.Seconds
	}
	sum := 0.0
	for i, lap := range got.Laps {
		if i != pauseLap {
			sum += lap.Seconds
		}
	}
	return sum
}

// completesOnce reports whether all repetitions of a run are completed together.
func (s *scene) completesOnce() bool {
	return s.mode == Aggregate || s.settings.today() && (s.kernel.recipe.todayOnce || s.kernel.OnlyAggregate())
}

// putTime returns the seconds of the puts of Truly_passive_put in the last run, or -1 if this process has none. Today's
// IMB counts the barriers behind them.
func (s *scene) putTime() float64 {
	if s.settings.today() && len(s.laps) > waiting {
		return s.lap(putting) + s.lap(waiting)
	}
	return s.lap(putting)
}

// lap returns the seconds of a lap in the last run, or -1 if this process has none.
func (s *scene) lap(number int) float64 {
	if number >= len(s.laps) {
		return -1
	}
	return s.laps[number].Seconds
}

// Laps of the kernels of pairs: until the partner is ready, and from then on. The second one is the time.
const (
	beforeReady = 0
	sinceReady  = 1
)
