package local

import (
	"sync/atomic"
	"time"

	"github.com/effective-bandwidth/beff/mpi"
)

// heeding is what a rank has heard for its group's Heed call, by the barriers of its program's signal.
type heeding struct {
	signal *record // starts such a barrier; nil: another rank hears
	begun  int     // of these barriers in this run; 3: the second one is done
	ends   bool    // the rank has said so
}

// heard is what the members of a group have told each other by Heed calls. Turns are counted over all runs.
type heard struct {
	turns []atomic.Int64 // of each member
	last  atomic.Int64   // the turn at which the loops of a run end
}

// turned is the condition that all members of a group have taken a turn.
type turned struct {
	*heard
	turn int64
}

func (t turned) met() bool {
	for i := range t.turns {
		if t.turns[i].Load() < t.turn {
			return false
		}
	}
	return true
}

// newHeeding readies a Heed call of a program with a signal, which may be nil.
func newHeeding(signal *comm) *heeding {
	if signal == nil {
		return &heeding{}
	}
	return &heeding{signal: &record{op: mpi.Ibarrier, comm: signal, starts: &request{comm: signal},
		common: &common{call: mpi.Call{Op: mpi.Ibarrier}}}}
}

// heed takes a turn at the end of each round of loops: the rank waits until all members have taken the turn before.
func heed(x *runner, rec *record) error {
	if !x.timing || (x.done+1)%rec.call.Times != 0 {
		return nil
	}
	g, me, h := rec.comm.group, rec.comm.number, rec.heeding
	if x.done+1 == rec.call.Times {
		h.begun, h.ends = 0, false
	}
	turn := g.heard.turns[me].Load() + 1
	ends := rec.seconds > 0 && me == 0 && time.Since(x.begin).Seconds() >= rec.seconds
	if h.signal != nil {
		told, err := h.hear(x)
		if err != nil {
			return err
		}
		ends = ends || told
	}
	if ends && !h.ends {
		h.ends = true
		g.heard.last.Store(turn + 1)
	}
	g.heard.turns[me].Store(turn)
	g.wake()
	if err := x.rank.await(turned{&g.heard, turn - 1}); err != nil {
		return err
	}
	x.ended = g.heard.last.Load() == turn
	return nil
}

// hear looks whether the others have entered both barriers of the signal, enters the next one as soon as that is
// possible, and reports whether the second one is done, once.
func (h *heeding) hear(x *runner) (ends bool, err error) {
	const all = 3
	for h.begun < all {
		if q := h.signal.starts; h.begun > 0 {
			if !q.met() {
				return false, nil
			}
			if err := x.rank.finish(q, mpi.Ibarrier); err != nil {
				return false, err
			}
		}
		if h.begun++; h.begun == all {
			return true, nil
		}
		if err := startCollective(x, h.signal); err != nil {
			return false, err
		}
	}
	return false, nil
}
