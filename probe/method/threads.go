package method

import (
	"cmp"
	"fmt"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
)

// ForThreads returns the method with IMB-MT's lengths and repetitions, which don't depend on the time. For messages the
// clock is read around all repetitions, after a barrier of all threads. For collective calls it is read around each
// repetition, and such barriers separate them.
func (m Method) ForThreads() Method {
	const repetitions, warmUps, window = 1000, 100, 64
	m.noZero, m.Everyone, m.count.fixed, m.clock.window, m.lengths = true, true, true, window, threadLengths
	m.clock.each = func(k *kernel.Kernel, _ bool) bool {
		return k.Class == kernel.Collective || k.Class == kernel.Sync
	}
	m.count.most = func(w Way, _ *measured.Block, _ int64) int64 {
		return cmp.Or(w.settings.Repetitions.Max, repetitions)
	}
	m.count.warmUp = func(Way, int64, int64) int64 { return warmUps }
	return m
}

// threadLengths returns the lengths of 1, 2, 4 and 8 elements.
func threadLengths(k *kernel.Kernel) (list []int64) {
	for n := int64(1); n <= 8; n *= 2 {
		list = append(list, n*k.Type.Size())
	}
	return list
}

// joinThreads makes the communicators of this process's threads. In IMB-MT the threads with the same number on all
// processes share one; in OSU all threads share one.
func (m *Measurer) joinThreads(t *Table) error {
	if t.kernel.Builder.Threads.Of == nil || t.comm == nil {
		return nil
	}
	n := t.kernel.Builder.Threads.Of(m.Settings.Threading, t.comm.Rank())
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

// addThreads makes a setup for each thread of a row. The row's memory must be laid out before.
func (m *Measurer) addThreads(t *Table, s *kernel.Setup) {
	if len(t.threads) == 0 {
		return
	}
	for i, c := range t.threads {
		one := *s
		one.Team.Thread, one.Comm = i, c
		s.Team.Setups = append(s.Team.Setups, &one)
	}
	s.Comm, s.Team.Setups[0] = t.threads[0], s
	for _, c := range s.Team.Setups {
		c.Team.Setups = s.Team.Setups
	}
}

// allocations maps names to ways of allocating the threads' memory.
var allocations = map[string]mpi.Allocation{settings.MemoryContinuous: mpi.Continuous,
	settings.MemoryParallel: mpi.Parallel}

// allocateThreads makes the buffers of all threads on all processes. If one process can't, it makes none.
func (m *Measurer) allocateThreads(s *kernel.Setup) (enough bool, err error) {
	e := m.Engine.(mpi.Threaded) // the plan has refused other engines
	failed := false
	for side := range s.Areas() {
		list, err := e.ThreadBuffers(len(s.Team.Setups), s.Areas()[side].Size(),
			allocations[s.Options.Threading.Memory])
		if err != nil {
			failed = true
			break
		}
		for i, c := range s.Team.Setups {
			c.Areas()[side].Buffer = list[i]
		}
	}
	failed, err = m.Any(failed)
	if failed {
		s.Free()
	}
	return !failed, err
}

// measureThreads measures a row of a kernel whose processes have several threads. Each thread runs its loop between
// two readings of its clock or, for collective calls, reads the clock around each repetition.
func (m *Measurer) measureThreads(t *Table, s *kernel.Setup, row *measured.Row, n int64) error {
	if t.way.estimates() {
		fits, err := m.fitThreads(t, s, row, n)
		if err != nil || row.Missing != "" {
			return err
		}
		n = fits
	} else {
		row.WarmUp = t.way.warmUp(s.Bytes, n)
	}
	cycle := int64(1)
	if senders, receivers := s.Options.Threading.Sides(); s.Kernel.Component == kernel.OSU {
		cycle = int64(senders * receivers) // a multiple of their least common multiple
	}
	row.Repetitions, row.WarmUp = settings.RoundUp(n, cycle), settings.RoundUp(row.WarmUp, cycle)
	r, seconds, err := m.runThreads(s, row)
	if err != nil {
		return err
	}
	if laps := classMeasurements[s.Kernel.Class].laps; laps != nil {
		if s.Comm != nil {
			laps(s, &r)
		}
		return m.gather(t, row, r)
	}
	return m.collectThreads(t, row, r, seconds)
}

// fitThreads runs two single repetitions to estimate the time, and then the warm-up. It returns how many of at most n
// repetitions fit into the time for a row.
func (m *Measurer) fitThreads(t *Table, s *kernel.Setup, row *measured.Row, n int64) (int64, error) {
	longest := 0.0
	for range 2 { // the first one opens connections
		one := *row
		one.Repetitions = 1
		_, seconds, err := m.runThreads(s, &one)
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
	before.Repetitions = max(1, t.way.warmUp(s.Bytes, n))
	_, _, err := m.runThreads(s, &before)
	return n, err
}

// runThreads runs the repetitions of a row on all threads. It returns the seconds of each thread's repetitions, or none
// if the process's time doesn't count.
func (m *Measurer) runThreads(s *kernel.Setup, row *measured.Row) (r reading, seconds []float64, err error) {
	if s.Comm != nil {
		for _, one := range s.Threads() {
			one.Run.Repetitions, one.Run.Untimed = row.WarmUp+row.Repetitions, row.WarmUp
		}
	}
	o := m.begin(s)
	if err := o.compile(func(one *kernel.Setup, x *kernel.Step) *mpi.Program {
		p := one.Program(x)
		if !s.Rules.ClocksEach && s.Options.Threading.Barrier == settings.BarrierOff {
			p.Start = nil
		}
		return p
	}); err != nil || s.Comm == nil {
		return r, nil, err
	}
	if mpi.MovesData(m.Engine) {
		if err := o.renew(); err != nil {
			return r, nil, err
		}
	}
	o.calm()
	cycle := max(o.steps[0].Cycle, 1)
	loops := mpi.Loops{Untimed: row.WarmUp / cycle, Timed: row.Repetitions / cycle}
	if !s.Rules.ClocksEach && loops.Untimed > 0 { // a barrier separates the two
		if _, err := o.run(mpi.Loops{Timed: loops.Untimed}); err != nil {
			return r, nil, err
		}
		loops.Untimed = 0
	}
	got, err := o.run(loops)
	if err != nil {
		return r, nil, err
	}
	s.Results.Laps = got.Laps
	for i, one := range s.Threads() {
		one.Results.Used = row.WarmUp + row.Repetitions
		if o.steps[i].Silent {
			continue
		}
		share := 1.0
		if s.Kernel.Component == kernel.OSU { // the threads share the repetitions
			share = float64(len(s.Threads()))
		}
		seconds = append(seconds, share*one.Counted(o.all[i]))
	}
	err = o.close(&r)
	r.checked = min(r.checked, 1)
	return r, seconds, err
}

// collectThreads sends the times of all threads to process 0, which makes a sample of them.
func (m *Measurer) collectThreads(t *Table, row *measured.Row, mine reading, seconds []float64) error {
	most, err := m.Most(float64(len(seconds)))
	if err != nil {
		return err
	}
	if most == 0 {
		return &mpi.AgreedError{Err: fmt.Errorf("%s: no thread has a time", t.kernel.Name)}
	}
	for len(seconds) < int(most) {
		seconds = append(seconds, -1)
	}
	all, err := job.GatherNumbers(m.World, seconds)
	if err != nil {
		return err
	}
	var list []times
	for _, ranks := range t.groups {
		for _, rank := range ranks {
			for i := 0; all != nil && i < int(most); i++ {
				list = append(list, times{Seconds: all[rank][i]})
			}
		}
	}
	if m.First() {
		row.Samples = append(row.Samples, originSample(totalsOf(list)))
	}
	return m.count(row, mine)
}
