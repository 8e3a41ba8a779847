package conformance

import (
	"math"
	"time"

	"github.com/effective-bandwidth/beff/mpi"
)

// heeds lets all processes but the last one go on until that one says, by the barriers of a signal that the first one
// hears, that they may end: twice, because what was heard in a run must not end the next one. Then they go on for a
// time. The first one's clock alone is sure to run before the signal is heard: another one may leave the barrier before
// the loops long after it, where processes share processors.
func heeds(p *process) {
	const round, pause = 3, 2 * time.Millisecond
	last := p.rank == p.size-1
	workers, signal := p.part(!last), p.part(last || p.rank == 0)
	tell := &mpi.Program{Comm: signal, Loop: []mpi.Call{{Op: mpi.Ibarrier}, {Op: mpi.Wait}}}
	goOn := func(signal mpi.Comm, seconds float64) {
		if last {
			p.run(p.compile(&mpi.Program{Start: p.world}), once)
			return
		}
		r := p.compile(&mpi.Program{Comm: workers, Start: p.world, Signal: signal, Loop: []mpi.Call{
			{Op: mpi.Compute, Seconds: 1e-5}, {Op: mpi.Heed, Times: round, Seconds: seconds}}})
		m := p.run(r, mpi.Loops{Timed: math.MaxInt64 / 4})
		most := []float64{float64(m.Loops), -float64(m.Loops)}
		p.must(workers.Allreduce(most, mpi.Max))
		if most[0] != -most[1] || m.Loops%round != 0 || m.Loops < 2*round {
			p.errorf("%v to %v loops, want as many in rounds of %d", -most[1], most[0], round)
		}
		if p.rank == 0 && m.Seconds < pause.Seconds() {
			p.errorf("ended after %v s", m.Seconds)
		}
	}
	for range 2 {
		goOn(signal, 0)
		for k := 0; last && k < 2; k++ {
			p.run(p.compile(tell), once)
			time.Sleep(pause)
		}
	}
	goOn(nil, pause.Seconds())
}

// part returns a communicator of the processes that are in it, nil to the others.
func (p *process) part(in bool) mpi.Comm {
	color := -1
	if in {
		color = 0
	}
	c, err := p.world.Split(color, p.rank)
	p.must(err)
	return c
}
