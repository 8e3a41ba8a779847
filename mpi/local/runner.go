package local

import (
	"time"

	"github.com/effective-bandwidth/beff/mpi"
)

// runner is a compiled program.
type runner struct {
	rank    *rank
	start   *comm
	records []record
	numbers int   // laps that the program names
	loop    int64 // over all runs
	decides bool  // there is a Decide call
	run
	_ [2*line - 200]byte
}

// run is what changes in one run.
type run struct {
	loops    mpi.Loops
	begin    time.Time     // of the timed loops
	lapped   time.Duration // when the last Lap was, from begin on
	done     int64         // timed loops before this one
	timing   bool
	ended    bool // no loop follows this one
	laps     []mpi.LapTime
	wrong    int64
	mismatch *mpi.Mismatch
	failure  *mpi.Error
}

var _ mpi.Runner = (*runner)(nil)

func newRunner(r *rank, start *comm, records []record) *runner {
	x := &runner{rank: r, start: start, records: records}
	for _, rec := range records {
		switch rec.op {
		case mpi.Lap:
			x.numbers = max(x.numbers, rec.root+1)
		case mpi.Decide:
			x.decides = true
		}
	}
	return x
}

func (x *runner) Run(l mpi.Loops) (mpi.Measurement, error) {
	if err := x.rank.world.check(); err != nil {
		return mpi.Measurement{}, err
	}
	if err := l.Validate(); err != nil {
		return mpi.Measurement{}, err
	}
	x.run = run{loops: l, laps: x.newLaps()}
	if err := x.meet(); err != nil {
		return mpi.Measurement{}, err
	}
	if err := x.repeat(l.Untimed); err != nil {
		return mpi.Measurement{}, err
	}
	x.timing, x.begin = true, time.Now()
	if err := x.timed(); err != nil {
		return mpi.Measurement{}, err
	}
	return mpi.Measurement{
		Seconds: time.Since(x.begin).Seconds(), Loops: x.done, Laps: x.laps,
		Wrong: x.wrong, Mismatch: x.mismatch, Failure: x.failure,
	}, nil
}

// newLaps has lines of its own.
func (x *runner) newLaps() []mpi.LapTime {
	if x.numbers == 0 {
		return nil
	}
	const perLine = line / 16
	return make([]mpi.LapTime, x.numbers, (x.numbers+perLine-1)/perLine*perLine)
}

// timed runs as many loops as the stop rule wants.
func (x *runner) timed() error {
	if !x.decides && x.loops.Budget == 0 {
		x.done = x.loops.Timed
		return x.repeat(x.done)
	}
	for !x.ended {
		if err := x.repeat(1); err != nil {
			return err
		}
		x.done++
		if !x.decides {
			x.ended = !x.more(x.done)
		}
	}
	return nil
}

// more is this rank's decision after so many timed loops.
func (x *runner) more(loops int64) bool {
	return x.loops.More(loops, time.Since(x.begin).Seconds()) && x.failure == nil && !x.rank.world.interrupted.Load()
}

// meet is the barrier before the clock. Those who waited for long may have been parked and come back late, while the
// last one goes on at once. So there is a second barrier where ranks spin: it lets them off within a microsecond.
func (x *runner) meet() error {
	if x.start == nil {
		return nil
	}
	if err := x.start.meet(); err != nil || x.rank.world.stays == 0 {
		return err
	}
	return x.start.meet()
}

// Close also takes the buffers out of the queues, so that they can be freed.
func (x *runner) Close() {
	for _, rec := range x.records {
		for _, s := range rec.sends {
			s.out.forget()
		}
	}
	x.records = nil
}

// repeat runs n loops.
func (x *runner) repeat(n int64) error {
	for ; n > 0; n-- {
		for i := range x.records {
			rec := &x.records[i]
			if err := rec.do(x, rec); err != nil {
				return err
			}
		}
		x.loop++
	}
	return nil
}
