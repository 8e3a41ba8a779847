package method

import (
	"errors"
	"fmt"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
)

// OfThreads returns the method with the lengths and repetitions of IMB-MT, which don't depend on the time that they
// take. The clock of messages is read around all repetitions, behind a barrier of all threads; that of collective calls
// around each, between which such barriers stand.
func (m Method) OfThreads() Method {
	const repetitions, before, windows = 1000, 100, 64
	m.noZero, m.Everyone, m.fixed, m.window, m.lengths = true, true, true, windows, threadLengths
	m.clocksEach = func(k *kernel.Kernel, _ bool) bool {
		return k.Class == kernel.Collective || k.Class == kernel.Sync
	}
	m.most = func(w Way, _ *measured.Block, _ int64) int64 {
		if n := w.settings.MsgsPer; n > 0 {
			return n
		}
		return repetitions
	}
	m.warmUp = func(w Way, _, _ int64) int64 {
		if w.settings.WarmUp != nil {
			return *w.settings.WarmUp
		}
		return before
	}
	return m
}

// threadLengths returns 1, 2, 4 and 8 elements.
func threadLengths(k *kernel.Kernel) (list []int64) {
	for n := int64(1); n <= 8; n *= 2 {
		list = append(list, n*k.Type.Size())
	}
	return list
}

// joinThreads makes the communicators of the threads of this process. In IMB-MT each has its own, with which those of
// its number on other processes talk to each other; OSU's share one.
func (m *Measurer) joinThreads(t *Table) error {
	if t.kernel.Recipe.Threads == nil || t.comm == nil {
		return nil
	}
	n := t.kernel.Recipe.Threads(m.Settings.Threads(), t.comm.Rank())
	e, threaded := m.Engine.(mpi.Threaded)
	for i := range n {
		c := t.comm
		if n > 1 && threaded && t.kernel.Component == kernel.MT {
			var err error
			if c, err = e.ThreadComm(t.comm, i); err != nil {
				return err
			}
		}
		t.threads = append(t.threads, c)
	}
	return nil
}

// crew makes the scenes of the threads of a row whose memory is laid out.
func (m *Measurer) crew(t *Table, s *kernel.Scene) {
	if len(t.threads) == 0 {
		return
	}
	for i, c := range t.threads {
		one := *s
		one.Thread, one.Comm = i, c
		s.Crew = append(s.Crew, &one)
	}
	s.Comm, s.Crew[0] = t.threads[0], s
	for _, c := range s.Crew {
		c.Crew = s.Crew
	}
}

// allocations has the ways to make the threads' memory by their names.
var allocations = map[string]mpi.Allocation{settings.MemoryContinuous: mpi.Continuous,
	settings.MemoryParallel: mpi.Parallel}

// allocateThreads makes the buffers of all threads, or none of them if one process can't.
func (m *Measurer) allocateThreads(s *kernel.Scene) (enough bool, err error) {
	e := m.Engine.(mpi.Threaded) // the plan has refused others
	failed := false
	for side := range s.Areas() {
		list, err := e.ThreadBuffers(len(s.Crew), s.Areas()[side].Size(), allocations[s.Threading.Memory])
		if err != nil {
			failed = true
			break
		}
		for i, c := range s.Crew {
			c.Areas()[side].Buffer = list[i]
		}
	}
	failed, err = m.Any(failed)
	if failed {
		s.Free()
	}
	return !failed, err
}

// gang is the threads of a process with their programs.
type gang struct {
	steps []*kernel.Step
	team  mpi.Team
}

// alone is a team of one thread.
type alone struct{ mpi.Runner }

func (a alone) Run(n mpi.Loops) ([]mpi.Measurement, error) {
	got, err := a.Runner.Run(n)
	return []mpi.Measurement{got}, err
}

// threaded measures a row of a kernel whose processes have several threads, each of which runs a loop between two
// readings of its clock.
func (m *Measurer) threaded(t *Table, s *kernel.Scene, row *measured.Row, n int64) error {
	if t.way.estimates() {
		fits, err := m.threadsFit(t, s, row, n)
		if err != nil || row.Missing != "" {
			return err
		}
		n = fits
	} else {
		row.WarmUp = t.way.warmUp(t.way, s.Bytes, n)
	}
	cycle := int64(1)
	if senders, receivers := s.Threading.Sides(); s.Kernel.Component == kernel.OSU {
		cycle = int64(senders * receivers) // of which the least common multiple is a divisor
	}
	row.Repetitions, row.WarmUp = settings.UpTo(n, cycle), settings.UpTo(row.WarmUp, cycle)
	r, seconds, err := m.together(s, row)
	if err != nil {
		return err
	}
	if laps := measurings[s.Kernel.Class].laps; laps != nil {
		if s.Comm != nil {
			laps(s, &r)
		}
		return m.gather(t, row, r)
	}
	return m.collectThreads(t, row, r, seconds)
}

// threadsFit runs one repetition, and then those that come before the timed ones. It returns how many of at most n fit
// in the time for a row.
func (m *Measurer) threadsFit(t *Table, s *kernel.Scene, row *measured.Row, n int64) (int64, error) {
	longest := 0.0
	for range 2 { // the first one opens connections
		one := *row
		one.Repetitions = 1
		_, seconds, err := m.together(s, &one)
		if err == nil {
			longest, err = m.Most(append(seconds, 0)[0])
		}
		if err != nil {
			return 0, err
		}
	}
	n = min(n, fitting(m.Settings, n, longest))
	if late, err := m.late(t, row); late || err != nil {
		return 0, err
	}
	before := *row
	before.Repetitions = max(1, t.way.warmUp(t.way, s.Bytes, n))
	_, _, err := m.together(s, &before)
	return n, err
}

// together runs the repetitions of a row on all threads.
func (m *Measurer) together(s *kernel.Scene, row *measured.Row) (r reading, seconds []float64, err error) {
	c, err := m.gatherGang(s, row)
	if err == nil && c != nil {
		seconds, err = m.runGang(s, c, row, &r)
	}
	return r, seconds, err
}

// gatherGang makes the programs of all threads. Processes outside of the groups have none.
func (m *Measurer) gatherGang(s *kernel.Scene, row *measured.Row) (c *gang, err error) {
	if s.Comm != nil {
		c = &gang{}
		var programs []*mpi.Program
		for _, one := range s.Threads() {
			one.Repetitions, one.Untimed = row.WarmUp+row.Repetitions, row.WarmUp
			x := one.Kernel.Recipe.Build(one)
			p := one.Program(x)
			if !s.Rules.ClocksEach && s.Threading.Barrier == settings.BarrierOff {
				p.Start = nil
			}
			c.steps, programs = append(c.steps, x), append(programs, p)
		}
		if s.Kernel.Recipe.OneMemory {
			for _, p := range programs {
				p.Team = programs
			}
		}
		if len(programs) == 1 {
			var runner mpi.Runner
			if runner, err = m.Engine.Compile(programs[0]); err == nil {
				calm(runner)
				c.team = alone{runner}
			}
		} else {
			c.team, err = m.Engine.(mpi.Threaded).Team(programs)
		}
	}
	if err = m.compiled(err); err != nil && c != nil && c.team != nil {
		c.team.Close()
	}
	return c, err
}

// runGang runs the programs of all threads, and returns the seconds of each one's repetitions; none of a process whose
// time doesn't count.
func (m *Measurer) runGang(s *kernel.Scene, c *gang, row *measured.Row, r *reading) (seconds []float64, err error) {
	cycle := max(c.steps[0].Cycle, 1)
	for _, one := range s.Owners() {
		if !mpi.Moves(m.Engine) {
			break
		}
		if err := one.Renew(); err != nil {
			return nil, err
		}
	}
	begin := m.Now()
	loops := mpi.Loops{Untimed: row.WarmUp / cycle, Timed: row.Repetitions / cycle}
	if !s.Rules.ClocksEach && loops.Untimed > 0 { // a barrier stands between the two
		if _, err := c.team.Run(mpi.Loops{Timed: loops.Untimed}); err != nil {
			return nil, err
		}
		loops.Untimed = 0
	}
	all, err := c.team.Run(loops)
	m.looped += m.Now().Sub(begin)
	if err != nil {
		return nil, err
	}
	c.team.Close()
	s.Laps = all[0].Laps
	for i, one := range s.Threads() {
		one.Used = row.WarmUp + row.Repetitions
		if check := r.check(m, one); check != nil {
			err = errors.Join(err, check(c.steps[i]))
		}
		if !c.steps[i].Silent {
			share := 1.0
			if s.Kernel.Component == kernel.OSU { // the threads share the repetitions
				share = float64(len(s.Threads()))
			}
			seconds = append(seconds, share*one.Counted(all[i]))
		}
	}
	r.checked = min(r.checked, 1)
	return seconds, err
}

// collectThreads brings the times of all threads to process 0, which makes a sample of them.
func (m *Measurer) collectThreads(t *Table, row *measured.Row, mine reading, seconds []float64) error {
	most, err := m.Most(float64(len(seconds)))
	if err != nil {
		return err
	}
	values := append([]float64{float64(mine.checked), float64(mine.defects), mine.difference, float64(len(seconds))},
		seconds...)
	values = append(values, make([]float64, int(most)-len(seconds))...)
	all, err := job.Gathered(m.World, values)
	if err != nil || all == nil {
		return err
	}
	readings := make([]reading, len(all))
	var list []reading
	for _, ranks := range t.groups {
		for _, rank := range ranks {
			v := all[rank]
			readings[rank] = reading{checked: int64(v[0]), defects: int64(v[1]), difference: v[2]}
			for _, s := range v[4 : 4+int(v[3])] {
				list = append(list, reading{seconds: s})
			}
		}
	}
	if len(list) == 0 {
		return fmt.Errorf("%s: no thread has a time", t.kernel.Name)
	}
	t.count(row, readings)
	row.Samples = append(row.Samples, origins(list))
	return nil
}
