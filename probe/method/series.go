package method

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/rating"
)

// phase is one of the measurements of a row, which gives one series or two.
type phase struct {
	time         string
	overlaps     bool   // computing during the communication
	computesOnly bool   // computing without communication
	lap          int    // the split time to use, or whole
	part         string // name of the series of the computing time; "" if there is none
	// before makes measurements that times needs; it may be nil.
	before func(m *Measurer, s *kernel.Setup, row *measured.Row) error
	// times returns the seconds of each repetition. If nil, the times are given by lap.
	times func(s *kernel.Setup, got mpi.Measurement) []float64
}

// whole selects all split times of a repetition.
const whole = -1

// wholePhase returns the only phase of most kernels, which uses all of their time or one split time.
func wholePhase(k *kernel.Kernel) []phase {
	if lap := k.Builder.Lap; lap > 0 {
		return []phase{{lap: lap}}
	}
	return []phase{{lap: whole}}
}

// overlapPhases returns the phases of nonblocking calls. Their overlapped time comes first in results, although it is
// measured after the pure one.
func overlapPhases(k *kernel.Kernel) []phase {
	pure, overlapped := phase{time: "t_pure", lap: whole}, phase{time: "t_ovrl", overlaps: true, lap: whole}
	if k.Component == kernel.IO {
		return []phase{pure, overlapped, {time: "t_cpu", overlaps: true, computesOnly: true, lap: whole}}
	}
	overlapped.part = "t_cpu"
	return []phase{pure, overlapped}
}

func passivePhases(*kernel.Kernel) []phase {
	return []phase{{time: "t_pure", lap: kernel.Putting}, {time: "t_passive", overlaps: true, lap: kernel.Putting}}
}

// forSeries returns the method of MPIBlib's series, which keeps the time of each repetition (manual, 7.2 and 9.21).
// Batches of repetitions run until they are precise, with the synchronisation and the clocks of the settings' timing.
func (m Method) forSeries() Method {
	m.times, m.Series, m.keepsFiles = true, true, false
	m.clock.each = nil // the timing defines when the clock is read
	m.count.most = func(w Way, _ *measured.Block,
		_ int64) int64 {
		return warmUpOf(w.settings) + w.settings.Rule().Max
	}
	m.unfit, m.row = unfitForSeries, (*Measurer).measureSeries
	return m
}

// warmUpOf returns the number of untimed repetitions before a batch.
func warmUpOf(s *settings.Settings) int64 {
	if s.Repetitions.WarmUp == nil {
		return 1
	}
	return *s.Repetitions.WarmUp
}

// unfitForSeries returns the reason why a kernel can't have a series with the settings, or "".
func unfitForSeries(w Way) string {
	s, k := w.settings, w.kernel
	timing, own := s.Clocked(), TimesItself(k) || k.Builder.Lap > 0
	switch {
	case k.Class == kernel.Passive && timing != settings.ByLoop && timing != settings.ByMax:
		return fmt.Sprintf("has a time that ends within a repetition, which the timing %s doesn't support: use %s or "+
			"%s", timing, settings.ByLoop, settings.ByMax)
	case own && timing != settings.ByLoop && !(k.Class == kernel.Single && timing == settings.ByMax):
		return fmt.Sprintf("has its own timing: leave the timing %s out", timing)
	case (own || k.Component.Files()) && s.Rule().Inner > 1:
		return "can't have several operations between two readings of the clock"
	case s.Series.Skew != "" && (timing != settings.ByMax || own):
		return fmt.Sprintf("has no processes that are late on purpose by the timing %s: use %s", timing, settings.ByMax)
	case s.Series.Skew != "" && k.Class == kernel.Pairs:
		return "has no processes that are late on purpose: leave the skew out"
	case s.CountsTimes() && (timing == settings.ByRoot || timing == settings.ByGlobal):
		return fmt.Sprintf("has no quantiles by the timing %s: use %s or %s", timing, settings.ByLoop, settings.ByMax)
	case s.CountsTimes() && k.Class == kernel.Pairs:
		return "has no quantiles: it measures many pairs, with few repetitions each"
	case k.Builder.Processes.Drawn:
		return "draws new partners for each repetition, which a series can't do: leave timing, precision and columns " +
			"out"
	}
	return ""
}

// measureSeries measures a row as series, phase by phase.
func (m *Measurer) measureSeries(t *Table, s *kernel.Setup, row *measured.Row, _ int64) error {
	if late, err := m.late(t, row); late || err != nil {
		return err
	}
	var c offsets
	var r reading
	var err error
	compares := m.Settings.Clocked() == settings.ByGlobal && !m.Engine.Clock().Global
	if compares {
		if c.Before, err = m.compareClocks(s); err != nil {
			return err
		}
		c.After = c.Before
	}
	var runs []*phaseRun
	for _, p := range classMeasurements[t.kernel.Class].phases(t.kernel) {
		k := &phaseRun{Measurer: m, t: t, s: s, phase: p, clocking: clockingOf(m.Settings, t.kernel), rule: m.rule(t,
			s.Bytes)}
		if s.Comm != nil && m.Settings.Series.Skew != "" {
			delays, err := m.Settings.Delays(s.Comm.Size())
			if err != nil {
				return err // checked with the settings
			}
			k.Late = delays[s.Comm.Rank()]
		}
		if p.before != nil {
			if err := p.before(m, s, row); err != nil {
				return err
			}
		}
		if err := k.measure(&c, &r); err != nil {
			return err
		}
		runs = append(runs, k)
	}
	if compares {
		if c.After, err = m.compareClocks(s); err != nil {
			return err
		}
		if row.Offsets, err = c.Gather(m.World, t.groups); err != nil {
			return err
		}
		if err := lists.Try(runs, func(k *phaseRun) error { return k.recompute(&c) }); err != nil {
			return err
		}
	}
	if err := m.checkSingles(s, r.last, &r); err != nil {
		return err
	}
	if err := m.Agree(m.World, s.Results.Failure); err != nil {
		return err
	}
	if m.Settings.CountsTimes() && s.Kernel.Builder.File != nil {
		var err error
		if row.SlowCalls, err = rating.SlowestOf(m.World, runs[0].slow); err != nil {
			return err
		}
	}
	if m.First() {
		addSeries(row, t.kernel, runs)
	}
	return m.count(row, r)
}

// addSeries adds the series of all phases, beginning with the row's main time.
func addSeries(row *measured.Row, k *kernel.Kernel, runs []*phaseRun) {
	for _, first := range []bool{true, false} {
		for _, x := range runs {
			if isFirst := len(runs) == 1 || x.phase.time == k.Times()[0].Name; first == isFirst {
				for i := range x.parts {
					x.parts[i].Ended = x.series[i].Ended
				}
				row.Series = append(append(row.Series, x.series...), x.parts...)
			}
		}
	}
	for x := range lists.Elements(row.Series) {
		if slices.Equal(x.Max, x.Min) {
			x.Min, x.Mean = nil, nil
		}
		if c := x.Counted; c != nil && reflect.DeepEqual(c.Max, c.Min) {
			c.Min, c.Mean = nil, nil
		}
	}
	row.Repetitions = row.Series[0].N()
}

// rule returns the precision of a row. Files have no more repetitions than IMB's volume allows.
func (m *Measurer) rule(t *Table, bytes int64) *settings.Precision {
	p := m.Settings.Rule()
	if t.kernel.Component.Files() {
		most := t.way.byPolicy(t.block, bytes)
		if m.Settings.Series.Precision == nil {
			p.Min = min(p.Min, most)
		}
		p.Max = max(p.Min, min(p.Max, most))
	}
	return &p
}

// clockingOf returns the timing of a kernel's series.
func clockingOf(s *settings.Settings, k *kernel.Kernel) clocking {
	timing := s.Clocked()
	if TimesItself(k) {
		timing = settings.ByLoop // it has a specific timing
	}
	c := clockings[timing]
	c.Inner = s.Rule().Inner
	return c
}
