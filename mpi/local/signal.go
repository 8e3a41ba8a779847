package local

import (
	"sync/atomic"
	"time"

	"github.com/effective-bandwidth/beff/mpi"
)

// signalState is a rank's progress in the two barriers of its program's Signal, on behalf of its group's StopOnSignal
// call.
type signalState struct {
	signal *record // starts such a barrier; nil if another rank receives the signals
	begun  int     // barriers begun in this run, or 3 when the second one is done
	ends   bool    // the rank has set signalTurns.last
}

// signalTurns is the state that the members of a group share for StopOnSignal calls. A turn is one exchange; turns are
// counted over all runs.
type signalTurns struct {
	turns []atomic.Int64 // turns that each member has taken
	last  atomic.Int64   // the turn at which the loops of a run end
}

// turned is the condition that all members of a group have taken a turn.
type turned struct {
	*signalTurns
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

// newSignalState prepares a StopOnSignal call of a program with a Signal, which may be nil.
func newSignalState(signal *comm) *signalState {
	if signal == nil {
		return &signalState{}
	}
	return &signalState{signal: &record{op: mpi.Ibarrier, comm: signal, starts: &request{comm: signal},
		common: &common{call: mpi.Call{Op: mpi.Ibarrier}}}}
}

// stopOnSignal takes a turn after every Times loops. The rank waits until all members have taken the previous turn.
func stopOnSignal(x *runner, rec *record) error {
	if !x.timing || (x.done+1)%rec.call.Times != 0 {
		return nil
	}
	g, me, h := rec.comm.group, rec.comm.number, rec.signalState
	if x.done+1 == rec.call.Times {
		h.begun, h.ends = 0, false
	}
	turn := g.signal.turns[me].Load() + 1
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
		g.signal.last.Store(turn + 1)
	}
	g.signal.turns[me].Store(turn)
	g.wake()
	if err := x.rank.await(turned{&g.signal, turn - 1}); err != nil {
		return err
	}
	x.ended = g.signal.last.Load() == turn
	return nil
}

// hear enters the first barrier of the signal and, when that is done, the second one. It reports true once, when the
// second one is done.
func (h *signalState) hear(x *runner) (ends bool, err error) {
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
