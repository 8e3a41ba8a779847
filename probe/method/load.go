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

// Load returns the method of victims beside congestors, after GPCNeT 1.3 (docs/studies/load.md has what is other): of
// each split of the nodes a victim's repetitions are timed in blocks alone and beside the congestors, by turns. The
// congestors go on without steps in common with the victims, and no process waits for another kind of them.
func Load() Method {
	m := Guide()
	m.Name, m.Title = settings.ByLoad, "victims beside congestors, after GPCNeT 1.3"
	return m.underLoad()
}

// underLoad returns a method as it measures victims.
func (m Method) underLoad() Method {
	m.Everyone, m.clock.each, m.noZero, m.Splits = true, nil, true, true
	m.lengths = func(k *kernel.Kernel) []int64 {
		if k.Usual > 0 {
			return []int64{k.Usual}
		}
		return []int64{8, 128 << 10} // that show latencies, and bandwidths
	}
	m.count.most = func(Way, *measured.Block, int64) int64 { return mostLoaded }
	m.unfit, m.row = unfitForLoad, (*Measurer).underLoad
	return m
}

// Heeds returns the calls by which congestors end.
func Heeds() []mpi.Op { return []mpi.Op{mpi.Heed, mpi.Ibarrier, mpi.Wait} }

// Limits of a block of repetitions.
const (
	mostLoaded  = 1 << 16
	leastLoaded = 5
	trialLoaded = 4 // repetitions that tell how many fit
	coldLoaded  = 4 // before those that count
	// Of a model, which has no noise within a block: as many as go through several of the congestors' loops.
	leastSimulated, mostSimulated = 16, 1024
	timeSimulated                 = 1e-3 // seconds
	periodsSimulated              = 4    // of bursts
)

// victimClasses are those whose kernels have one time, which ends with a repetition.
var victimClasses = []kernel.Class{kernel.Single, kernel.Multiple, kernel.Parallel, kernel.Collective, kernel.Sync,
	kernel.Rate, kernel.Traffic, kernel.Averaged, kernel.Stream, kernel.Congest}

// unfitForLoad returns the reason why a kernel can't be a victim with the settings.
func unfitForLoad(w Way) string {
	s := w.settings
	switch {
	case w.kernel.Component.Files() || !slices.Contains(victimClasses, w.kernel.Class),
		w.kernel.Recipe.Threads.Of != nil:
		return "can't be measured beside congestors: victims are kernels of messages that have one time, of one thread"
	case s.InSeries():
		return "is measured in blocks beside congestors: leave timing, precision, quantiles and skew out"
	case s.Who.Multi != nil || len(s.Who.Map) > 0 || s.Who.Per != "":
		return "is measured on splits of the nodes: leave multi, map and per out"
	}
	return ""
}

// loading measures a row of victims, of congestors, or of the ones beside the others, on one process.
type loading struct {
	*Measurer
	t       *Table
	s       *kernel.Scene // of the victims
	crew    *crew         // nil: there are no congestors
	victims mpi.Comm      // nil: this process is none
	signal  mpi.Comm      // of the first victim and of the roots of the congestors; nil: this process is none of them
	idle    mpi.Runner
	victim  *session // nil: there is none yet
	block   float64  // seconds that a block should take
	load    measured.Load
	seen    reading
}

// underLoad measures a row. All processes of the world take part: as victims, as congestors, or waiting.
func (m *Measurer) underLoad(t *Table, s *kernel.Scene, row *measured.Row, _ int64) (err error) {
	l := &loading{Measurer: m, t: t, s: s}
	o := m.Settings.Loads()
	blocks := 2 * o.Blocks
	l.block = cmp.Or(m.Settings.Repetitions.SampleTime, settings.Default.SampleTime) / float64(o.Splits*blocks)
	if l.idle, err = m.Engine.Compile(&mpi.Program{Start: m.World}); err != nil {
		return err
	}
	defer l.idle.Close()
	if err = l.measure(row, o.Blocks); err == nil || mpi.Agreed(err) {
		err = errors.Join(err, l.part())
	}
	return err
}

// measure measures some blocks of a row.
func (l *loading) measure(row *measured.Row, blocks int) error {
	if err := l.join(); err != nil {
		return err
	}
	if len(l.t.block.Against) > 0 {
		if missing, err := l.hire(); err != nil || missing != "" {
			row.Missing, row.Detail = measured.OutOfMemory, missing
			return err
		}
	}
	if len(l.t.groups) > 0 {
		if err := l.besideEachOther(blocks); err != nil {
			return err
		}
		return l.finish(row)
	}
	for range blocks {
		if err := l.congest(); err != nil {
			return err
		}
	}
	return l.finish(row)
}

// part ends the programs, closes the access to windows, and frees what measure has made.
func (l *loading) part() error {
	if l.victim != nil {
		if err := l.victim.close(nil); err != nil {
			return err
		}
	}
	list := []mpi.Comm{l.victims, l.signal}
	if l.crew != nil {
		if err := l.crew.leave(); err != nil {
			return err
		}
		list = append(list, l.crew.s.Comm)
	}
	var err error
	for _, c := range list {
		if c != nil {
			err = errors.Join(err, c.Free())
		}
	}
	return err
}

// join makes the communicators of the victims and of the signal.
func (l *loading) join() (err error) {
	b, me := l.t.block, l.World.Rank()
	victim, signals := -1, -1
	if l.t.group >= 0 {
		victim = 0
	}
	if len(l.t.groups) > 0 && len(b.Against) > 0 && l.t.groups[0][0] == me {
		signals = 0
	}
	for _, c := range b.Against {
		if len(l.t.groups) > 0 && c.Ranks[0] == me {
			signals = 0
		}
	}
	if l.victims, err = l.World.Split(victim, me); err == nil {
		l.signal, err = l.World.Split(signals, me)
	}
	return err
}

// besideEachOther measures blocks alone and beside the congestors, by turns.
func (l *loading) besideEachOther(blocks int) error {
	seconds, err := l.ready()
	if err != nil {
		return err
	}
	n := l.fitting(seconds)
	for range blocks {
		if err := l.alone(n); err != nil {
			return err
		}
		if l.crew == nil {
			continue
		}
		if err := l.beside(n); err != nil {
			return err
		}
		if err := l.Stopped(nil); err != nil {
			return err
		}
	}
	return nil
}

// ready runs some repetitions whose data are checked, makes the victims' program, and returns the seconds of a
// repetition on the slowest process.
func (l *loading) ready() (float64, error) {
	s := l.s
	took, err := l.run(s, trialLoaded, &l.seen)
	if err != nil {
		return 0, err
	}
	took, err = l.Most(max(took, 0) / trialLoaded)
	if err != nil {
		return 0, err
	}
	s.Run.Repetitions = mostLoaded
	o := l.begin(s)
	if err := o.compile(func(_ *kernel.Scene, x *kernel.Step) *mpi.Program {
		p := s.Program(x)
		if p.Start = l.victims; s.Played {
			p.Start = l.World // a model follows all that meet
		}
		return p
	}); err != nil {
		return 0, err
	}
	l.victim = o
	return took, o.enter()
}

// fitting returns how many repetitions of some seconds a block has.
func (l *loading) fitting(seconds float64) int64 {
	if l.s.Played {
		time := timeSimulated
		if l.crew != nil {
			time = max(time, periodsSimulated*l.crew.spec.Period)
		}
		return int64(max(leastSimulated, min(time/seconds, mostSimulated)))
	}
	if !(seconds > 0) {
		return mostLoaded
	}
	return int64(max(leastLoaded, min(l.block/seconds, mostLoaded)))
}

// alone measures a block while the congestors wait.
func (l *loading) alone(n int64) error {
	var times []float64
	var err error
	if !l.s.Played || l.victims == nil { // the congestors' messages have come
		_, err = l.idle.Run(mpi.Loops{Timed: 1})
	}
	if err == nil && l.victims != nil {
		times, err = l.times(n)
	}
	if err == nil {
		err = l.keepBlock(times, &l.load.Alone, &l.load.AloneMeans, &l.load.AloneWorst)
	}
	return err
}

// beside measures a block while the congestors go on; of a model it has n repetitions.
func (l *loading) beside(n int64) error {
	var times []float64
	var err error
	switch {
	case l.crew.works():
		err = l.crew.goOn()
	case l.s.Played && l.victims != nil:
		times, err = l.times(n)
	default:
		if _, err = l.idle.Run(mpi.Loops{Timed: 1}); err == nil && l.victims != nil {
			times, err = l.underWay()
		}
	}
	if err == nil {
		err = l.keepBlock(times, &l.load.Beside, &l.load.BesideMeans, &l.load.BesideWorst)
	}
	return err
}

// underWay measures a victim's block once all congestors have begun, and then tells them to end.
func (l *loading) underWay() ([]float64, error) {
	if err := l.tell(); err != nil {
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
	times, err := l.times(l.fitting(slowest[0]))
	if err != nil {
		return nil, err
	}
	if err := l.victims.Barrier(); err != nil {
		return nil, err
	}
	return times, l.tell()
}

// tell enters a barrier of the signal, on the process that has a part in it.
func (l *loading) tell() error {
	if l.signal == nil {
		return nil
	}
	return l.execute(&mpi.Program{Comm: l.signal, Loop: []mpi.Call{{Op: mpi.Ibarrier}, {Op: mpi.Wait}}})
}

// times returns the seconds of some repetitions of this victim, none if its time doesn't count.
func (l *loading) times(n int64) ([]float64, error) {
	got, err := l.victim.run(mpi.Loops{Timed: coldLoaded + n, Each: true})
	if err != nil || l.victim.steps[0].Silent {
		return nil, err
	}
	return eachOf(l.s, got)[coldLoaded:], nil
}

// keepBlock counts a block's times, and keeps their mean over all processes, and that of the slowest one.
func (l *loading) keepBlock(times []float64, h **stats.Histogram, means, worst *[]int64) error {
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

// finish puts what all processes have measured into the row of process 0.
func (l *loading) finish(row *measured.Row) (err error) {
	out := &l.load
	if len(l.t.groups) > 0 {
		if out.Alone, err = rating.MergedHistogram(l.World, out.Alone); err != nil {
			return err
		}
		if l.crew != nil {
			if out.Beside, err = rating.MergedHistogram(l.World, out.Beside); err != nil {
				return err
			}
		}
	}
	if l.crew != nil {
		if out.Moved, err = l.crew.moved(); err != nil {
			return err
		}
	}
	row.Load, row.Repetitions = out, max(out.Alone.N(), out.Beside.N(), 1)
	return l.count(row, l.seen)
}

// eachOf returns the seconds of each repetition of a run that count.
func eachOf(s *kernel.Scene, got mpi.Measurement) []float64 {
	if len(got.Laps) == 0 {
		return got.Each
	}
	list := make([]float64, got.Loops)
	for i := range list {
		list[i] = s.CountedLaps(func(lap int) float64 { return got.Laps[lap].Each[i] }, len(got.Laps))
	}
	return list
}
