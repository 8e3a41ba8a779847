package local

import (
	"time"

	"github.com/effective-bandwidth/beff/mpi"
)

// runner is a compiled program.
type runner struct {
	rank     *rank
	start    *comm
	records  []record
	loop     int64 // over all runs
	mismatch *mpi.Mismatch
	_        [line - 56]byte
}

var _ mpi.Runner = (*runner)(nil)

func (x *runner) Run(l mpi.Loops) (mpi.Measurement, error) {
	if err := x.rank.world.check(); err != nil {
		return mpi.Measurement{}, err
	}
	if err := l.Validate(); err != nil {
		return mpi.Measurement{}, err
	}
	x.mismatch = nil
	if err := x.meet(); err != nil {
		return mpi.Measurement{}, err
	}
	if err := x.repeat(l.Untimed); err != nil {
		return mpi.Measurement{}, err
	}
	begin := time.Now()
	if err := x.repeat(l.Timed); err != nil {
		return mpi.Measurement{}, err
	}
	return mpi.Measurement{Seconds: time.Since(begin).Seconds(), Mismatch: x.mismatch}, nil
}

// meet is the barrier before the clock. Those who waited for long may have been parked and come back late, while the last one goes on
// at once. So there is a second barrier where ranks spin: it lets them off within a microsecond.
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
