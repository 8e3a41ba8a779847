package method

import (
	"fmt"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/pairs"
	"github.com/effective-bandwidth/beff/rating"
)

// The numbers of JUPITER's rules for LinkTest: untimed and timed messages of each pair of a step, and their length in
// bytes. If that many would take too long, there are fewer, but never fewer than minMessages.
const (
	cutWarmUp   = 3
	cutMessages = 25
	minMessages = 3
	cutBytes    = 16 << 20
)

// cutRow measures a row of a cut on one process.
type cutRow struct {
	pairRunner
	t      *Table
	row    *measured.Row
	cut    *pairs.Cut
	shifts []int
	n      int64                         // messages of each run
	mine   [][pairs.CutPasses][2]float64 // seconds of a message by step, pass and direction; 0 if not measured here
}

// forCuts returns the method for kernels of cuts. In each step all pairs communicate at the same time, and each process
// has a new partner. Each pass covers all steps.
func (m Method) forCuts() Method {
	m.lengths = func(*kernel.Kernel) []int64 { return []int64{cutBytes} }
	m.Everyone, m.times, m.clock.each = true, true, nil
	m.unfit = func(w Way) string {
		if w.settings.InSeries() || w.settings.Series.Timing != "" {
			return "has no series: its pairs have one time in each pass; leave --within, --repetitions, --timing, " +
				"--quantiles, --skew and columns out"
		}
		return ""
	}
	m.row = (*Measurer).measureCut
	return m
}

// measureCut measures a row of a cut. All processes of the world take part.
func (m *Measurer) measureCut(t *Table, s *kernel.Setup, row *measured.Row, _ int64) error {
	x := &cutRow{t: t, row: row, cut: t.block.Cut}
	x.shifts = x.cut.Shifts(m.Settings.Pairs.Steps)
	x.mine = make([][pairs.CutPasses][2]float64, len(x.shifts))
	var err error
	if x.pairRunner, err = m.newPairRunner(s, cutWarmUp); err != nil {
		return err
	}
	if err := x.chooseMessages(); err != nil {
		return err
	}
	for pass := range pairs.CutPasses {
		x.checks = pass == pairs.CutPasses-1 && mpi.MovesData(x.Engine)
		for step := range x.shifts {
			if err := x.measureStep(pass, step); err != nil {
				return err
			}
		}
	}
	x.idle.Close()
	return x.finish()
}

// role returns this process's part in a step, or nil if it has none.
func (x *cutRow) role(step, direction int) *kernel.Pairing {
	if x.s.Comm == nil {
		return nil
	}
	peer, left := x.cut.Meets(x.s.Rank(), x.shifts[step])
	return &kernel.Pairing{Peer: peer, Measures: x.directions() == 1 || left == (direction == 0)}
}

// chooseMessages determines the number of messages: the user's number, or as many as fit into the time of a row, judged
// by a short run of the first step, but from minMessages to cutMessages.
func (x *cutRow) chooseMessages() error {
	if x.n = x.Settings.Repetitions.Max; x.n > 0 {
		return nil
	}
	began := x.Now()
	if _, err := x.run(x.role(0, 0), 1, false); err != nil {
		return err
	}
	seconds, err := x.Most(x.Now().Sub(began).Seconds() / float64(1+x.warm))
	runs := float64(pairs.CutPasses * len(x.shifts) * x.directions())
	x.n = int64(min(max(x.patience()/(runs*seconds)-float64(x.warm), minMessages), cutMessages))
	return err
}

// measureStep measures all pairs of a step in a pass, in each direction.
func (x *cutRow) measureStep(pass, step int) error {
	steps := len(x.shifts)
	x.t.report(fmt.Sprintf("%s, %s, %s, pass %d, step %d of %d", x.t.block.Name(), x.cut.Name, rating.Bytes(x.s.Bytes),
		pass+1, step+1, steps), float64(pass*steps+step)/float64(pairs.CutPasses*steps))
	for direction := range x.directions() {
		with := x.role(step, direction)
		got, err := x.run(with, x.n, false)
		if err != nil {
			return err
		}
		if with != nil && with.Measures {
			x.mine[step][pass][direction] = got.Seconds / float64(x.n)
		}
	}
	if err := x.Engine.Collect(); err != nil {
		return err
	}
	return x.Stopped(nil)
}

// finish collects the times of all pairs and the checks of their data, and puts them into process 0's row.
func (x *cutRow) finish() error {
	times := x.cut.NewTimes(x.shifts, x.directions() > 1)
	for step, shift := range x.shifts {
		all, err := job.GatherNumbers(x.World, x.mine[step][:])
		if err != nil {
			return err
		}
		for pair := 0; all != nil && pair < x.cut.Links(); pair++ {
			left, right := x.cut.Ends(pair, shift)
			one, other := all[x.t.groups[0][left]], all[x.t.groups[0][right]]
			for direction, passes := range times.Directions() {
				for pass := range passes {
					seconds := max(one[pass][direction], other[pass][direction])
					passes[pass][step][pair] = max(1, picoseconds([]float64{seconds})[0])
				}
			}
		}
	}
	x.row.Crossing, x.row.Repetitions = times, x.n
	return x.count(x.row, x.seen)
}
