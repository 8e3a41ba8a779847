package method

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
)

// reading holds one process's observations of a row, and the results of its checks.
type reading struct {
	times
	checked, defects int64
	difference       float64 // the largest relative difference of a defect
	last             int64   // operations of a series up to the last root
}

// times are a process's seconds for all repetitions, or in a series for one operation.
type times struct {
	Seconds             float64 // -1 if they don't count
	Overlapped, Compute float64
	Parts               [5]float64 // further times, whose meaning depends on the class of the kernel
}

// measurePhases measures the phases of a row, each in a loop of n repetitions (guide, "Measuring Communication and
// Computation Overlap", "Non-blocking I/O Benchmarks").
func (m *Measurer) measurePhases(s *kernel.Setup, n int64) (r reading, err error) {
	targets := s.Kernel.Builder.Access.Waits && s.Options.One.Target == settings.TargetComputes
	if targets { // compute for as long as the transfers take while the targets wait
		seconds, err := m.slowest(s, n)
		if err != nil {
			return r, err
		}
		s.Run.Times = m.productsIn(seconds)
	}
	defer func() { s.Run.Overlapped = false }()
	for _, p := range classMeasurements[s.Kernel.Class].phases(s.Kernel) {
		if p.overlaps && !p.computesOnly {
			if err := m.computeFor(s, r.Seconds/float64(n)); err != nil {
				return r, err
			}
		}
		s.Run.Overlapped = p.overlaps || targets
		to := &r.Seconds
		switch {
		case p.computesOnly:
			to = &r.Compute
		case p.overlaps:
			to = &r.Overlapped
		}
		if p.computesOnly {
			*to, err = m.computeOnly(s, n)
		} else {
			*to, err = m.run(s, n, &r)
		}
		if err != nil {
			return r, err
		}
		switch {
		case p.lap == kernel.Putting:
			*to = s.PutTime()
		case p.lap != whole && *to >= 0:
			*to = s.Lap(p.lap)
		}
		if p.part != "" {
			r.Compute = s.Lap(kernel.Computing)
			r.Parts = [...]float64{s.Lap(kernel.Starting), max(0, s.Lap(kernel.Testing)), s.Lap(kernel.Waited), 4: 0}
		}
	}
	s.Run.Overlapped = targets
	if laps := classMeasurements[s.Kernel.Class].laps; laps != nil && r.Seconds >= 0 {
		laps(s, &r)
	}
	return r, m.checkSingles(s, n, &r)
}

// computeFor sets the amount of computing during a communication that takes the given seconds by itself. It takes the
// same time, or for files a fixed time.
func (m *Measurer) computeFor(s *kernel.Setup, seconds float64) (err error) {
	switch s.Kernel.Component {
	case kernel.OSU: // as long as the call takes on this process
		s.Run.Seconds = max(seconds, 0)
		return nil
	case kernel.IO:
		seconds = m.Compute
	case kernel.RMA:
		seconds, err = m.Most(seconds)
	}
	s.Run.Times = m.productsIn(seconds)
	return err
}

// check adds the defects of a run to r.
func (r *reading) check(m *Measurer, s *kernel.Setup, x *kernel.Step) error {
	saw := false
	for _, w := range x.Wants {
		wrong, difference := w.Defects(s.Results.Used)
		r.defects, r.difference = r.defects+wrong, max(r.difference, difference)
		saw = saw || w.Length > 0
	}
	if x.Audit != nil && s.Bytes > 0 {
		wrong, err := x.Audit(s, m.move)
		if err != nil {
			return err
		}
		if r.defects += wrong; wrong > 0 {
			r.difference = max(r.difference, 1)
		}
		saw = true
	}
	if saw {
		r.checked++
	}
	if p, is := m.Engine.(mpi.Placer); is { // a copy that failed proves nothing
		_, err := p.Device()
		return err
	}
	return nil
}

// checkSingles runs and checks single repetitions. If there is a root, their roots differ from the last timed one.
func (m *Measurer) checkSingles(s *kernel.Setup, n int64, r *reading) error {
	rule := s.Kernel.Builder
	wanted := rule.Data.Singles || rule.Data.SinglesIn2021 && s.Options.IMB.Is2021()
	if !mpi.MovesData(m.Engine) || !wanted || s.Bytes == 0 {
		return nil
	}
	further, next, rooted := 1, n, s.Kernel.Rooted || s.Options.RootStays
	if rooted {
		further = len(s.Roots()) - 1
	}
	if s.FixedRoot() {
		next = 1
	}
	s.Run.Single = true
	defer func() { s.Run.Root, s.Run.Single = 0, false }()
	for i := range further {
		if rooted {
			s.Run.Root = int((next + int64(i)) % int64(s.Size()))
		}
		if _, err := m.run(s, 1, r); err != nil {
			return err
		}
	}
	return nil
}

// computeOnly returns the time of the computing without communication.
func (m *Measurer) computeOnly(s *kernel.Setup, n int64) (float64, error) {
	if err := m.World.Barrier(); err != nil || s.Comm == nil {
		return -1, err
	}
	got, err := m.executeQuietly(&mpi.Program{Comm: s.Comm, Start: s.Comm, Loop: s.Compute()}, mpi.Loops{Timed: n})
	return got.Seconds, err
}

// productsIn returns the number of Exploits that take the given seconds, at least one.
func (m *Measurer) productsIn(seconds float64) int64 {
	return int64(max(1, math.Round(seconds/m.product)))
}

const (
	calibrateTime = 0.01    // smallest duration of a calibration, seconds
	calibrateMost = 1 << 40 // products after which a clock that doesn't advance is given up
	productFlops  = 2 * 100 * 100
)

// calibrate measures the time of one Exploit, on all processes at the same time, if a kernel of the plan needs it
// (guide, "Exploiting CPU").
func (m *Measurer) calibrate(kernels []*kernel.Kernel) error {
	if !computes(m.Settings, kernels) {
		return nil
	}
	for products := int64(1); ; products *= 4 {
		p := &mpi.Program{Comm: m.World, Start: m.World, Loop: []mpi.Call{{Op: mpi.Exploit, Times: products}}}
		got, err := m.Execute(p, mpi.Loops{Timed: 1})
		if err != nil {
			return err
		}
		m.product = got.Seconds / float64(products)
		short, err := m.Any(got.Seconds < calibrateTime)
		switch {
		case err != nil:
			return err
		case !short:
			m.Out.CPU = measured.CPU{Flops: productFlops / m.product, Target: m.Compute,
				Progress: m.progressOf(kernels)}
			return nil
		case products >= calibrateMost:
			return &mpi.AgreedError{Err: fmt.Errorf("calibrate: the clock does not advance in %d products", products)}
		}
	}
}

// progressOf returns how nonblocking collective calls of the plan make progress during computing, if the engine decides
// that.
func (m *Measurer) progressOf(kernels []*kernel.Kernel) string {
	e, ok := m.Engine.(mpi.Progressor)
	if ok && slices.ContainsFunc(kernels, func(k *kernel.Kernel) bool { return k.Component.Overlaps() }) {
		return e.Progress()
	}
	return ""
}

// computes reports whether one of the kernels computes, or whether the speed of computing is needed.
func computes(s *settings.Settings, kernels []*kernel.Kernel) bool {
	return s.FactorsBySpeed() || slices.ContainsFunc(kernels, func(k *kernel.Kernel) bool {
		return classMeasurements[k.Class].computes ||
			k.Builder.Access.Waits && s.Transfers().Target == settings.TargetComputes
	})
}

// gather puts samples of all processes' times and the results of their checks into process 0's row. If each group is
// shown, or each process, it gathers all times. Otherwise it reduces them.
func (m *Measurer) gather(t *Table, row *measured.Row, mine reading) error {
	way := classMeasurements[t.kernel.Class]
	if !way.each && (len(t.groups) == 1 || !m.Settings.ShowsGroups()) {
		x, err := m.reduced(t, mine.times)
		if m.First() && err == nil {
			row.Samples = append(row.Samples, way.sample(x))
		}
		return errors.Join(err, m.count(row, mine))
	}
	all, err := job.GatherNumbers(m.World, []times{mine.times})
	if err != nil {
		return err
	}
	if all != nil {
		for _, list := range m.shown(t, slices.Concat(all...)) {
			row.Samples = append(row.Samples, way.sample(totalsOf(list)))
		}
	}
	return m.count(row, mine)
}

// count puts the results of all processes' checks together into a row.
func (m *Measurer) count(row *measured.Row, r reading) error {
	most, sum := []float64{float64(r.checked), r.difference}, []float64{float64(r.defects)}
	err := errors.Join(m.World.Allreduce(most, mpi.Max), m.World.Allreduce(sum, mpi.Sum))
	row.Checked, row.Difference, row.Defects = int64(most[0]), most[1], int64(sum[0])
	return err
}

// shown returns the times of each group, or of all groups together, as the multiple mode's outflag demands (guide,
// "-multi outflag Option").
func (m *Measurer) shown(t *Table, all []times) [][]times {
	groups := lists.Each(t.groups, func(ranks []int) []times {
		return lists.Each(ranks, func(rank int) times { return all[rank] })
	})
	if !m.Settings.ShowsGroups() {
		return [][]times{slices.Concat(groups...)}
	}
	return groups
}
