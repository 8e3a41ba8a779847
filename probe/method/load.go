package method

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/stats"
)

// Load returns the method that measures victims next to congestors, after GPCNeT 1.3 (docs/studies/load.md lists the
// differences). For each split of the nodes, a victim's repetitions are timed in blocks by turns with and without
// congestors. Congestors share no steps with the victims, and no process waits for processes of another kind.
func Load() Method {
	m := Guide()
	m.Name, m.Title = settings.ByLoad, "victims with congestors, after GPCNeT 1.3"
	return m.forLoad()
}

func (m Method) forLoad() Method {
	m.Everyone, m.clock.each, m.noZero, m.Splits = true, nil, true, true
	m.lengths = func(k *kernel.Kernel) []int64 {
		if k.DefaultLength > 0 {
			return []int64{k.DefaultLength}
		}
		return []int64{8, 128 << 10} // for latencies and for bandwidths
	}
	m.count.most = func(Way, *measured.Block, int64) int64 { return maxLoaded }
	m.unfit, m.row = unfitForLoad, (*Measurer).measureLoad
	return m
}

// StopOnSignalOps returns the calls by which congestors end when a signal arrives.
func StopOnSignalOps() []mpi.Op { return []mpi.Op{mpi.StopOnSignal, mpi.Ibarrier, mpi.Wait} }

// Limits of a block of repetitions.
const (
	maxLoaded   = 1 << 16
	minLoaded   = 5
	trialLoaded = 4 // repetitions to measure how many fit
	coldLoaded  = 4 // repetitions before the counted ones
	// A model has no noise within a block, so it runs only enough repetitions for several loops of the congestors.
	minSimulated, maxSimulated = 16, 1024
	timeSimulated              = 1e-3 // seconds
	periodsSimulated           = 4    // of bursts
)

// victimClasses are the classes of kernels with a single time, which ends with a repetition.
var victimClasses = []kernel.Class{kernel.Single, kernel.Multiple, kernel.Parallel, kernel.Collective, kernel.Sync,
	kernel.Rate, kernel.Traffic, kernel.Averaged, kernel.Stream, kernel.Congestion}

// unfitForLoad returns the reason why a kernel can't be a victim with the settings.
func unfitForLoad(w Way) string {
	s := w.settings
	switch {
	case w.kernel.Component.Files() || !slices.Contains(victimClasses, w.kernel.Class),
		w.kernel.Builder.Threads.Of != nil:
		return "can't be measured with congestors: victims are kernels of messages with one time and one thread"
	case s.InSeries():
		return "is measured in blocks with congestors: leave timing, precision, quantiles, skew and columns out"
	case s.Who.Multi != nil || len(s.Who.Map) > 0 || s.Who.Per != "":
		return "is measured on splits of the nodes: leave multi, map and per out"
	}
	return ""
}

// loadRow measures a row of victims, of congestors, or of both, on one process.
type loadRow struct {
	*Measurer
	t          *Table
	s          *kernel.Setup   // of the victims
	congestors *congestorGroup // nil if there are no congestors
	victims    mpi.Comm        // nil if this process isn't a victim
	signal     mpi.Comm        // of the first victim and the roots of the congestors; nil on other processes
	idle       mpi.Runner
	victim     *session // nil before it is made
	block      float64  // seconds that a block should take
	load       measured.Load
	seen       reading
}

// measureLoad measures a row. All processes of the world take part: as victims, as congestors, or waiting.
func (m *Measurer) measureLoad(t *Table, s *kernel.Setup, row *measured.Row, _ int64) (err error) {
	l := &loadRow{Measurer: m, t: t, s: s}
	o := m.Settings.Loads()
	blocks := 2 * o.Blocks
	l.block = cmp.Or(m.Settings.Repetitions.SampleTime, settings.Default.SampleTime) / float64(o.Splits*blocks)
	if l.idle, err = m.Engine.Compile(&mpi.Program{Start: m.World}); err != nil {
		return err
	}
	defer l.idle.Close()
	if err = l.measure(row, o.Blocks); err == nil || mpi.Agreed(err) {
		err = errors.Join(err, l.release())
	}
	return err
}

func (l *loadRow) measure(row *measured.Row, blocks int) error {
	if err := l.splitComms(); err != nil {
		return err
	}
	if len(l.t.block.CongestorGroups) > 0 {
		if missing, err := l.makeCongestors(); err != nil || missing != "" {
			row.Missing, row.Detail = measured.OutOfMemory, missing
			return err
		}
	}
	if len(l.t.groups) > 0 {
		if err := l.measureBlocks(blocks); err != nil {
			return err
		}
		return l.finish(row)
	}
	for range blocks {
		if err := l.runCongestors(); err != nil {
			return err
		}
	}
	return l.finish(row)
}

// release ends the programs, closes the access to windows, and frees everything that measure has made.
func (l *loadRow) release() error {
	if l.victim != nil {
		if err := l.victim.close(nil); err != nil {
			return err
		}
	}
	list := []mpi.Comm{l.victims, l.signal}
	if l.congestors != nil {
		if err := l.congestors.end(); err != nil {
			return err
		}
		list = append(list, l.congestors.s.Comm)
	}
	var err error
	for _, c := range list {
		if c != nil {
			err = errors.Join(err, c.Free())
		}
	}
	return err
}

// splitComms makes the communicators of the victims and of the signal.
func (l *loadRow) splitComms() (err error) {
	b, me := l.t.block, l.World.Rank()
	victim, signals := -1, -1
	if l.t.group >= 0 {
		victim = 0
	}
	if len(l.t.groups) > 0 && len(b.CongestorGroups) > 0 && l.t.groups[0][0] == me {
		signals = 0
	}
	for _, c := range b.CongestorGroups {
		if len(l.t.groups) > 0 && c.Ranks[0] == me {
			signals = 0
		}
	}
	if l.victims, err = l.World.Split(victim, me); err == nil {
		l.signal, err = l.World.Split(signals, me)
	}
	return err
}

// measureBlocks measures blocks by turns without and with congestors.
func (l *loadRow) measureBlocks(blocks int) error {
	seconds, err := l.prepareVictims()
	if err != nil {
		return err
	}
	n := l.fitting(seconds)
	for range blocks {
		if err := l.measureIsolated(n); err != nil {
			return err
		}
		if l.congestors == nil {
			continue
		}
		if err := l.measureCongested(n); err != nil {
			return err
		}
		if err := l.Stopped(nil); err != nil {
			return err
		}
	}
	return nil
}

// prepareVictims runs some repetitions whose data are checked, makes the victims' program, and returns the seconds of a
// repetition on the slowest process.
func (l *loadRow) prepareVictims() (float64, error) {
	s := l.s
	took, err := l.run(s, trialLoaded, &l.seen)
	if err != nil {
		return 0, err
	}
	took, err = l.Most(max(took, 0) / trialLoaded)
	if err != nil {
		return 0, err
	}
	s.Run.Repetitions = maxLoaded
	o := l.begin(s)
	if err := o.compile(func(_ *kernel.Setup, x *kernel.Step) *mpi.Program {
		p := s.Program(x)
		if p.Start = l.victims; s.Played {
			p.Start = l.World // a model needs all processes that communicate
		}
		return p
	}); err != nil {
		return 0, err
	}
	l.victim = o
	return took, o.enter()
}

// fitting returns the number of repetitions of a block, if each takes the given seconds.
func (l *loadRow) fitting(seconds float64) int64 {
	if l.s.Played {
		time := timeSimulated
		if l.congestors != nil {
			time = max(time, periodsSimulated*l.congestors.spec.Period)
		}
		return int64(max(minSimulated, min(time/seconds, maxSimulated)))
	}
	if !(seconds > 0) {
		return maxLoaded
	}
	return int64(max(minLoaded, min(l.block/seconds, maxLoaded)))
}

// measureIsolated measures a block of n repetitions while the congestors wait.
func (l *loadRow) measureIsolated(n int64) error {
	var times []float64
	var err error
	if !l.s.Played || l.victims == nil { // the congestors' messages have arrived
		_, err = l.idle.Run(mpi.Loops{Timed: 1})
	}
	if err == nil && l.victims != nil {
		times, err = l.victimTimes(n)
	}
	if err == nil {
		err = l.keepBlock(times, &l.load.Isolated, &l.load.IsolatedMeans, &l.load.IsolatedWorst)
	}
	return err
}

// measureCongested measures a block of repetitions while the congestors run. On a model these are n repetitions.
func (l *loadRow) measureCongested(n int64) error {
	var times []float64
	var err error
	switch {
	case l.congestors.takesPart():
		err = l.congestors.runUntilDone()
	case l.s.Played && l.victims != nil:
		times, err = l.victimTimes(n)
	default:
		if _, err = l.idle.Run(mpi.Loops{Timed: 1}); err == nil && l.victims != nil {
			times, err = l.measureUnderLoad()
		}
	}
	if err == nil {
		err = l.keepBlock(times, &l.load.Congested, &l.load.CongestedMeans, &l.load.CongestedWorst)
	}
	return err
}

// measureUnderLoad measures a victim's block after all congestors have begun, and then signals them to end.
func (l *loadRow) measureUnderLoad() ([]float64, error) {
	if err := l.signalBarrier(); err != nil {
		return nil, err
	}
	if err := l.victims.Barrier(); err != nil {
		return nil, err
	}
	trial, err := l.victim.run(mpi.Loops{Timed: trialLoaded})
	if err != nil {
		return nil, err
	}
	slowest := []float64{trial.Seconds / trialLoaded}
	if err := l.victims.Allreduce(slowest, mpi.Max); err != nil {
		return nil, err
	}
	times, err := l.victimTimes(l.fitting(slowest[0]))
	if err != nil {
		return nil, err
	}
	if err := l.victims.Barrier(); err != nil {
		return nil, err
	}
	return times, l.signalBarrier()
}

// signalBarrier enters a barrier of the signal's communicator, on the processes that belong to it.
func (l *loadRow) signalBarrier() error {
	if l.signal == nil {
		return nil
	}
	return l.execute(&mpi.Program{Comm: l.signal, Loop: []mpi.Call{{Op: mpi.Ibarrier}, {Op: mpi.Wait}}})
}

// victimTimes returns the seconds of n repetitions of this victim, or none if its time doesn't count.
func (l *loadRow) victimTimes(n int64) ([]float64, error) {
	got, err := l.victim.run(mpi.Loops{Timed: coldLoaded + n, Each: true})
	if err != nil || l.victim.steps[0].Silent {
		return nil, err
	}
	return eachOf(l.s, got)[coldLoaded:], nil
}

// keepBlock adds a block's times to the histogram, and appends their mean over all processes and on the slowest one.
func (l *loadRow) keepBlock(times []float64, h **stats.Histogram, means, worst *[]int64) error {
	if *h == nil {
		*h = new(stats.Histogram)
	}
	sum := []float64{0, float64(len(times))}
	for _, t := range picoseconds(times) {
		(*h).Add(t, 1)
		sum[0] += float64(t)
	}
	own := sum[0] / max(sum[1], 1)
	if err := l.World.Allreduce(sum, mpi.Sum); err != nil {
		return err
	}
	most, err := l.Most(own)
	if err != nil {
		return err
	}
	*means = append(*means, int64(math.Round(sum[0]/max(sum[1], 1))))
	*worst = append(*worst, int64(math.Round(most)))
	return l.Engine.Collect()
}

// finish puts the measurements of all processes into process 0's row.
func (l *loadRow) finish(row *measured.Row) (err error) {
	out := &l.load
	if len(l.t.groups) > 0 {
		if out.Isolated, err = rating.MergedHistogram(l.World, out.Isolated); err != nil {
			return err
		}
		if l.congestors != nil {
			if out.Congested, err = rating.MergedHistogram(l.World, out.Congested); err != nil {
				return err
			}
		}
	}
	if l.congestors != nil {
		if out.Moved, err = l.congestors.movedPerKind(); err != nil {
			return err
		}
	}
	row.Load, row.Repetitions = out, max(out.Isolated.N(), out.Congested.N(), 1)
	return l.count(row, l.seen)
}

// eachOf returns the counted seconds of each repetition of a run.
func eachOf(s *kernel.Setup, got mpi.Measurement) []float64 {
	if len(got.Laps) == 0 {
		return got.Each
	}
	list := make([]float64, got.Loops)
	for i := range list {
		list[i] = s.CountedLaps(func(lap int) float64 { return got.Laps[lap].Each[i] }, len(got.Laps))
	}
	return list
}
