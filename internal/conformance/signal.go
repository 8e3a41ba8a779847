package conformance

import (
	"math"
	"time"

	"github.com/effective-bandwidth/beff/mpi"
)

// stopsOnSignal makes all processes but the last one run until the last one ends the loops by the barriers of a signal,
// which process 0 receives. It does so twice, because the signal of one run must not end the next one. Then it runs
// loops that end after a time. Only process 0's time is checked, because its clock is sure to start before the signal.
// If processes share processors, another process may leave the start barrier much later.
func stopsOnSignal(p *process) {
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
			{Op: mpi.Compute, Seconds: 1e-5}, {Op: mpi.StopOnSignal, Times: round, Seconds: seconds}}})
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

// part returns a communicator of the processes for which in is true, and nil on the others.
func (p *process) part(in bool) mpi.Comm {
	color := -1
	if in {
		color = 0
	}
	c, err := p.world.Split(color, p.rank)
	p.must(err)
	return c
}
