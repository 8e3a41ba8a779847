// Package noise measures the time that the operating system and other programs take from processes that compute without
// a pause: their share of the time, the longest interruption, and the period of regular ones. All processes are watched
// at the same time.
//
// There are three methods. Each runs loops and reads the clock after each loop. Fixed work quanta time pieces of work
// that always take the same time. Fixed time quanta count the work that is done in periods of the same length. Detours,
// as in the benchmark selfish, are found in a loop that only reads the clock. The time of a run is divided into bins of
// the same length. All figures follow from the time that was lost in each bin.
package noise

import (
	"fmt"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/stats"
)

const (
	bin          = 1e-4    // seconds of a bin, to find periods of 0.2 ms or more
	maxBins      = 1 << 20 // longer measurements have longer bins
	loopsPerRun  = 1 << 18 // the time to evaluate them between runs isn't watched
	piecesPerRun = 1 << 9  // for fixed work quanta, whose loops take longer
	trialLoops   = 1 << 12 // to measure how long a loop takes
	stuckLoops   = 1 << 22 // it is an error if the clock doesn't advance in these
	maxParts     = 200     // parts of the measured time that a result describes
	detourFactor = 10      // a loop that takes more than this many times the median is a detour
)

// Measure watches the processes of the world by a method for the given seconds. It is collective: all processes of the
// world call it. Process 0 gets the outcome, and the others nil. Work must advance the engine's clock.
func Measure(e mpi.Engine, method rating.NoiseMethod, seconds float64) (*rating.Noise, error) {
	w := &watcher{engine: e, method: method, seconds: seconds}
	t, err := w.watch()
	if err = job.Agree(e.World(), err); err != nil {
		return nil, err
	}
	return gather(e.World(), method, t)
}

// watcher holds the parameters of Measure.
type watcher struct {
	engine  mpi.Engine
	method  rating.NoiseMethod
	seconds float64
}

// watch runs loops until the time is over, and returns the time that this process lost.
func (w *watcher) watch() (*trace, error) {
	world := w.engine.World()
	program := &mpi.Program{Comm: world, Loop: []mpi.Call{{Op: mpi.Nop}}}
	if w.method == rating.FixedWork {
		program.Loop[0] = mpi.Call{Op: mpi.Exploit, Times: 1}
	}
	loopSeconds, err := w.median(program)
	if err != nil {
		return nil, err
	}
	t := newTrace(w.method, w.seconds, loopSeconds)
	n := int64(loopsPerRun)
	if w.method == rating.FixedWork {
		if program.Loop[0].Times = int64(bin / loopSeconds); program.Loop[0].Times < 1 {
			program.Loop[0].Times = 1
		}
		n = piecesPerRun
	}
	runner, err := w.engine.Compile(program)
	if err != nil {
		return nil, err
	}
	defer runner.Close()
	if err := world.Barrier(); err != nil {
		return nil, err
	}
	for n = min(n, int64(w.seconds/loopSeconds)+1); !t.over(); {
		got, err := runner.Run(mpi.Loops{Timed: n, Each: true})
		if err != nil {
			return nil, err
		}
		if !(got.Seconds > 0) {
			return nil, fmt.Errorf("noise: the clock does not advance in %d loops", n)
		}
		t.add(got.Begin, got.Each)
		if w.method == rating.FixedWork {
			n = max(1, min(n, int64(t.left()/(got.Seconds/float64(n)))))
		}
	}
	t.end()
	return t, nil
}

// median returns the median seconds of a loop of a program. The median isn't disturbed if fewer than half of the loops
// are.
func (w *watcher) median(p *mpi.Program) (float64, error) {
	runner, err := w.engine.Compile(p)
	if err != nil {
		return 0, err
	}
	defer runner.Close()
	for n := int64(trialLoops); n <= stuckLoops; n *= 4 {
		got, err := runner.Run(mpi.Loops{Timed: n, Each: true})
		if err != nil {
			return 0, err
		}
		if loopSeconds := stats.Middle(got.Each); loopSeconds > 0 {
			return loopSeconds, nil
		}
		if got.Seconds > 0 { // the clock is coarse
			return got.Seconds / float64(n), nil
		}
	}
	return 0, fmt.Errorf("noise: the clock does not advance in %d loops", int64(stuckLoops))
}

// gather returns the outcome of all processes on process 0, and nil on the others. It is collective.
func gather(world mpi.Comm, method rating.NoiseMethod, t *trace) (*rating.Noise, error) {
	period := t.period()
	all, err := job.GatherNumbers(world, []float64{t.share(), t.longest, period, t.watched})
	if err != nil {
		return nil, err
	}
	worst := []int64{0}
	n := &rating.Noise{Method: method, Bin: t.bin}
	for rank, v := range all {
		n.Shares, n.Longest = append(n.Shares, v[0]), append(n.Longest, rating.Picoseconds(v[1]))
		n.Periods, n.Seconds = append(n.Periods, rating.Picoseconds(v[2])), max(n.Seconds, rating.Picoseconds(v[3]))
		if v[0] > n.Shares[worst[0]] {
			worst[0] = int64(rank)
		}
	}
	if err := job.BroadcastNumbers(world, worst); err != nil {
		return nil, err
	}
	type detail struct {
		Parts   []float64
		Detours *stats.Histogram
	}
	d, err := job.DecideOn(world, int(worst[0]), func() (detail, error) { return detail{t.parts(), &t.detours}, nil })
	if err != nil || world.Rank() != 0 {
		return nil, err
	}
	n.Worst, n.Parts = int(worst[0]), d.Parts
	if d.Detours.N() > 0 {
		n.Detours = d.Detours
	}
	return n, nil
}
