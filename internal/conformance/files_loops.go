package conformance

import (
	"math"
	"time"

	"github.com/effective-bandwidth/beff/mpi"
)

// stops holds stop rules for loops of 1 ms or more, with the smallest and the largest number of loops that they allow
// on any machine.
var stops = []struct {
	loops       mpi.Loops
	least, most int64
}{
	{mpi.Loops{Untimed: 2, Timed: 3}, 3, 3},
	{mpi.Loops{Timed: 5, Budget: 1e6}, 5, 5},
	{mpi.Loops{Untimed: 1, Timed: 1 << 40, Budget: 1e-9}, 1, 1},
	{mpi.Loops{Timed: 1 << 40, Budget: 0.02}, 1, 21}, // clocks may differ slightly
	{mpi.Loops{Timed: 1 << 40, Budget: 0.02, Deferred: 0.0099}, 1, 1},
	{mpi.Loops{Timed: 1 << 40, Budget: 1e6, Deferred: 4e5}, 2, 2},
	{mpi.Loops{Untimed: 1, Timed: 7, Budget: 1e6, DecideEvery: 0.003}, 7, 7},
	{mpi.Loops{Timed: 1 << 40, Budget: 0.02, DecideEvery: 1}, 1, 23}, // the last decision allows only loops that fit
}

// loop returns a program of 1 ms and some calls.
func (p *process) loop(calls ...mpi.Call) *mpi.Program {
	program := &mpi.Program{Comm: p.world, Start: p.world}
	program.Call(mpi.Call{Op: mpi.Compute, Seconds: 1e-3})
	program.Call(calls...)
	return program
}

// decide makes the first, then the last process decide for all.
func decide(p *process) {
	for _, root := range []int{0, p.size - 1} {
		p.stop(p.loop(mpi.Call{Op: mpi.Decide, Root: root}), p.sameLoops)
	}
}

// ownClock makes each process decide by its own clock.
func ownClock(p *process) { p.stop(p.loop(), func(int64) {}) }

// stop runs a program with all stop rules, and calls compare with the number of loops of each run.
func (p *process) stop(program *mpi.Program, compare func(loops int64)) {
	r := p.compile(program)
	for _, s := range stops {
		begin := time.Now()
		m := p.run(r, s.loops)
		if m.Loops < s.least || m.Loops > s.most {
			p.errorf("%+v: %d loops instead of %d to %d", s.loops, m.Loops, s.least, s.most)
		}
		p.plausible(m.Seconds, time.Duration(m.Loops)*time.Millisecond, time.Since(begin))
		compare(m.Loops)
	}
}

// sameLoops records an error if the number of loops is not the same on all processes.
func (p *process) sameLoops(loops int64) {
	least, most := []float64{float64(loops)}, []float64{float64(loops)}
	p.must(p.world.Allreduce(least, mpi.Min))
	p.must(p.world.Allreduce(most, mpi.Max))
	if least[0] != most[0] {
		p.errorf("%v to %v loops", least[0], most[0])
	}
}

// laps measures three laps of 1, 0 and 2 ms. The last one is in two parts.
func laps(p *process) {
	lap := func(i int) mpi.Call { return mpi.Call{Op: mpi.Lap, Root: i} }
	wait := mpi.Call{Op: mpi.Compute, Seconds: 1e-3}
	r := p.compile(p.loop(lap(0), wait, lap(2), wait, lap(2)))
	for _, loops := range []int64{1, 3} {
		begin := time.Now()
		m := p.run(r, mpi.Loops{Untimed: 5, Timed: loops})
		p.plausible(m.Seconds, time.Duration(3*loops)*time.Millisecond, time.Since(begin)-5*3*time.Millisecond)
		if len(m.Laps) != 3 || m.Laps[1].Seconds != 0 || m.Laps[1].Last != 0 || m.Laps[1].Each != nil {
			p.errorf("the laps are %+v", m.Laps)
			continue
		}
		whole := time.Duration(m.Seconds * 1e9)
		p.plausible(m.Laps[0].Seconds+m.Laps[2].Seconds, time.Duration(3*loops)*time.Millisecond, whole)
		p.plausible(m.Laps[0].Last, time.Millisecond, time.Duration(math.Ceil(m.Laps[0].Seconds*1e9)))
		p.plausible(m.Laps[2].Last, 2*time.Millisecond, time.Duration(math.Ceil(m.Laps[2].Seconds*1e9)))
		if loops == 1 && (m.Laps[0].Last != m.Laps[0].Seconds || m.Laps[2].Last != m.Laps[2].Seconds) {
			p.errorf("with one loop, the last laps are %+v", m.Laps)
		}
	}
}

// interrupt interrupts an endless run. An interrupt also ends all later runs, so this is one of the last cases.
func interrupt(p *process) {
	i, ok := p.Engine.(mpi.Interrupter)
	if !ok {
		return
	}
	r := p.compile(p.loop(mpi.Call{Op: mpi.Decide, Root: p.size - 1}))
	if p.rank == p.size-1 {
		time.AfterFunc(late, i.Interrupt)
	}
	for range 2 {
		m := p.run(r, mpi.Loops{Timed: 1 << 40})
		p.sameLoops(m.Loops)
	}
}
