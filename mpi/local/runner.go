package local

import (
	"time"

	"github.com/effective-bandwidth/beff/mpi"
)

// runner is a compiled program.
type runner struct {
	rank      *rank
	start     *comm
	before    []record
	records   []record // of a loop
	after     []record
	advancing []*place
	numbers   int   // number of laps of the program
	counted   []int // laps with a Tally
	loop      int64 // counted over all runs; during After, the last loop
	decides   bool  // there is a Decide or StopOnSignal call
	run
	_ [4*line - 400]byte
}

// run is the state of one run.
type run struct {
	loops      mpi.Loops
	section    []record      // the current one: before, records or after
	index      int           // of the current record in section
	begin      time.Time     // of the timed pass
	lapped     time.Duration // from begin to the last Lap
	done       int64         // timed loops before this one
	decision   int64         // timed loops before the loop of the next decision
	first      int64         // the number of the first timed loop
	timing     bool
	ended      bool          // no loop follows the current one
	ticked     time.Duration // from begin to the end of the last loop, if each loop's time is kept
	each       []float64
	blocks     *blockTimes // nil if their times aren't kept
	laps       []lapTime
	wrong      int64
	mismatches *[]mpi.Mismatch // nil if there are none
	failure    *mpi.Error
	touched    byte // the sum of the bytes that TouchRecv read, which nothing uses
}

// blockTimes holds the times of blocks of loops.
type blockTimes struct {
	ends [mpi.MaxBlocks]time.Duration // from run.begin to the ends of the blocks
	n    int                          // blocks
	per  int64                        // loops of a block
	due  int64                        // timed loops at the end of the next block
}

// lapTime is an mpi.LapTime with the loop of its Last.
type lapTime struct {
	mpi.LapTime
	loop int64
	_    [line/2 - 56]byte
}

var _ mpi.Runner = (*runner)(nil)

func newRunner(r *rank, start *comm, sections [3][]record, places []*place) *runner {
	x := &runner{rank: r, start: start, before: sections[0], records: sections[1], after: sections[2]}
	for _, records := range sections {
		for i := range records {
			switch records[i].op {
			case mpi.Lap:
				x.numbers = max(x.numbers, records[i].root+1)
				if records[i].call.Counts {
					x.counted = append(x.counted, records[i].root)
				}
			case mpi.Decide, mpi.StopOnSignal:
				x.decides = true
			}
		}
	}
	for _, p := range places {
		if p.moves != nil {
			x.advancing = append(x.advancing, p)
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
	if l.Blocks {
		x.blocks = &blockTimes{per: 1, due: 1}
	}
	x.rank.enterRun(x)
	defer x.rank.leaveRun()
	x.keepEach()
	if err := x.meet(); err != nil {
		return mpi.Measurement{}, err
	}
	if l.Untimed > 0 {
		if err := x.pass(func() error { return x.repeat(l.Untimed) }); err != nil {
			return mpi.Measurement{}, err
		}
	}
	x.timing, x.first, x.begin = true, x.loop, time.Now()
	if err := x.pass(x.timed); err != nil {
		return mpi.Measurement{}, err
	}
	seconds := time.Since(x.begin)
	if x.each != nil && len(x.after) == 0 {
		seconds = x.ticked // so that the loops' times add up to it
	}
	return x.measurement(seconds), nil
}

func (x *runner) measurement(seconds time.Duration) mpi.Measurement {
	m := mpi.Measurement{
		Begin: x.begin.Sub(x.rank.world.began).Seconds(), Seconds: seconds.Seconds(), Loops: x.done,
		Wrong: x.wrong, Failure: x.failure,
	}
	if list := x.mismatches; list != nil {
		m.Mismatch, m.Further = &(*list)[0], (*list)[1:]
	}
	kept := min(x.done, x.loops.Timed) // another rank may have decided for more loops
	if x.each != nil {
		m.Each = x.each[:kept]
	}
	if b := x.blocks; b != nil {
		m.PerBlock = b.per
		begin := time.Duration(0)
		for _, end := range b.ends[:b.n] {
			m.Blocks, begin = append(m.Blocks, (end-begin).Seconds()), end
		}
	}
	for _, l := range x.laps {
		if l.Each != nil {
			l.Each = l.Each[:kept]
		}
		m.Laps = append(m.Laps, l.LapTime)
	}
	return m
}

// newLaps returns laps that share no cache lines with other data.
func (x *runner) newLaps() []lapTime {
	if x.numbers == 0 {
		return nil
	}
	const perLine = 2
	list := make([]lapTime, x.numbers, (x.numbers+perLine-1)/perLine*perLine)
	for _, lap := range x.counted {
		list[lap].Tally = mpi.NewTally()
		clear(list[lap].Tally.Counts) // so that no measurement touches a page first
	}
	return list
}

// keepEach allocates memory for the time of each loop, if it is kept.
func (x *runner) keepEach() {
	if !x.loops.Each {
		return
	}
	x.each = touched(x.loops.Timed)
	for i := range x.laps {
		x.laps[i].Each = touched(x.loops.Timed)
	}
}

// touched returns memory whose pages have been touched, so that no measurement touches a page for the first time.
func touched(n int64) []float64 {
	list := make([]float64, n)
	clear(list)
	return list
}

// pass runs Before, the loops and After.
func (x *runner) pass(loops func() error) error {
	x.advance()
	x.section = x.before
	if err := x.do(x.before); err != nil {
		return err
	}
	x.section = x.records
	if x.each != nil && x.timing && len(x.before) > 0 {
		x.ticked = time.Since(x.begin)
	}
	if err := loops(); err != nil || len(x.after) == 0 {
		return err
	}
	x.loop--
	x.section = x.after
	err := x.do(x.after)
	x.loop++
	return err
}

// advance moves the places that advance to their positions in this loop.
func (x *runner) advance() {
	for _, p := range x.advancing {
		p.advance(x.loop)
	}
}

// timed runs timed loops until the stop rule ends them.
func (x *runner) timed() error {
	if !x.decides && x.loops.Budget == 0 && x.each == nil && x.blocks == nil {
		err := x.repeat(x.loops.Timed)
		x.done = x.loop - x.first
		return err
	}
	for !x.ended {
		if x.done > 0 {
			x.advance()
		}
		if err := x.do(x.records); err != nil {
			return err
		}
		x.loop++
		x.done++
		x.tick()
		if b := x.blocks; b != nil && x.done == b.due {
			b.end(time.Since(x.begin))
		}
		if !x.decides {
			x.ended = x.until(x.done) == 0
		}
	}
	return nil
}

// tick records the time of the loop that has just ended.
func (x *runner) tick() {
	if x.each == nil || x.done > int64(len(x.each)) {
		return
	}
	now := time.Since(x.begin)
	x.each[x.done-1] = (now - x.ticked).Seconds()
	x.ticked = now
}

// end records the end of a block of loops. If there is no room for another block, each two neighbouring blocks become
// one.
func (b *blockTimes) end(at time.Duration) {
	b.ends[b.n] = at
	b.n++
	if b.n == len(b.ends) {
		b.n /= 2
		b.per *= 2
		for i := range b.n {
			b.ends[i] = b.ends[2*i+1]
		}
	}
	b.due += b.per
}

// until returns the number of loops to run before this rank's next decision, or 0 to stop, after a number of timed
// loops.
func (x *runner) until(loops int64) int64 {
	if x.failure != nil || x.rank.world.interrupted.Load() {
		return 0
	}
	return x.loops.Until(loops, time.Since(x.begin).Seconds())
}

// meet is the barrier before the first clock reading. Ranks that waited for long may have been parked and return late,
// while the last one returns at once. So there is a second barrier, in which ranks spin. It releases them within a
// microsecond.
func (x *runner) meet() error {
	if x.start == nil {
		return nil
	}
	if err := x.start.meet(); err != nil || x.rank.world.turnsToPark == 0 {
		return err
	}
	return x.start.meet()
}

// Close also removes references to buffers from the queues, so that the memory can be freed.
func (x *runner) Close() {
	for _, records := range [][]record{x.before, x.records, x.after} {
		for i := range records {
			for _, s := range records[i].sends {
				s.out.forget()
			}
		}
	}
	x.before, x.records, x.after = nil, nil, nil
}

// repeat runs n loops, or fewer if a call on a path fails.
func (x *runner) repeat(n int64) error {
	for i := int64(0); i < n && !x.ended; i++ {
		if i > 0 {
			x.advance()
		}
		if err := x.do(x.records); err != nil {
			return err
		}
		x.loop++
	}
	return nil
}

// do makes the calls of a section once.
func (x *runner) do(records []record) error {
	for i := range records {
		rec := &records[i]
		x.index = i
		if err := rec.do(x, rec); err != nil {
			return err
		}
	}
	return nil
}
