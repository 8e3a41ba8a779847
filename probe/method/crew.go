package method

import (
	"cmp"
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/lists"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
)

// A round of congestors' loops, at whose end they look whether the victims are done, takes about a millisecond. What is
// sent but not received yet is that of two rounds at most.
const (
	roundTime   = 1e-3 // seconds
	mostRound   = 256  // loops
	mostUnheard = 8 << 20
	trialRound  = 4       // loops that tell how long one takes
	mostBurst   = 1 << 12 // calls
)

// Laps of congestors that pause.
const (
	bursting = iota
	pausing
	bursts
)

// crew is the congestors of a row, on one process.
type crew struct {
	l       *loading
	spec    settings.Congestor
	s       *kernel.Scene // whose Comm is nil if this process is no congestor
	step    *kernel.Step
	runner  mpi.Runner
	entered bool    // the step's calls before its loops are made
	each    float64 // bytes that this process' loop moves
	work    work
}

// work is what a process has moved as a congestor.
type work struct {
	Loops, Seconds, Bytes float64 // of all blocks
	Bursts                float64 // seconds
	Counts                bool    // it sends or fetches
}

// works reports whether this process is a congestor.
func (c *crew) works() bool { return c.s.Comm != nil }

// hire makes the groups of congestors with their memory and programs. It says which memory is missing.
func (l *loading) hire() (missing string, err error) {
	b, mine, at := l.t.block, -1, 0
	most, all := int64(0), needs{}.of(l.s.Memory(), l.t.groups...)
	for i, x := range b.Against {
		if k := slices.Index(x.Ranks, l.World.Rank()); k >= 0 {
			mine, at = i, k
		}
		_, s, err := l.scene(x)
		if err != nil {
			return "", err // it was checked with the settings
		}
		most, all = max(most, s.Memory()), all.of(s.Memory(), x.Ranks)
	}
	if missing = l.lack(most, all, ""); missing != "" {
		return "congestors: " + missing, nil
	}
	c := &crew{l: l}
	if c.spec, c.s, err = l.scene(b.Against[max(mine, 0)]); err != nil {
		return "", err
	}
	if c.s.Comm, err = l.World.Split(mine, at); err != nil {
		return "", err
	}
	l.crew = c
	enough, err := l.allocate(c.s)
	if err == nil && !enough {
		return "the system doesn't give all congestors their memory", nil
	}
	if err == nil {
		err = l.setUp(c.s)
	}
	if err == nil {
		err = c.build()
	}
	return "", err
}

// scene returns what a group of congestors is, and its resources as far as all processes know them.
func (l *loading) scene(x measured.Crew) (c settings.Congestor, s *kernel.Scene, err error) {
	list, err := settings.ParseCongestors(x.Congestor)
	if err != nil {
		return c, nil, err
	}
	k := l.Congestor(list[0].Name)
	s = &kernel.Scene{Kernel: k, Bytes: cmp.Or(list[0].Bytes, k.Usual), World: l.World, Ranks: len(x.Ranks),
		Settings: &l.Settings.Today, Micro: l.Settings.Micro(), One: k.OneSided(l.Settings), Played: l.s.Played,
		Repetitions: 1}
	s.LayOut(0, settings.Default.CacheLine, 1)
	return list[0], s, nil
}

// build finds how long a loop takes, and makes the program that goes on.
func (c *crew) build() error {
	var err error
	if c.works() {
		c.step = c.s.Kernel.Recipe.Build(c.s)
		err = c.step.Err
	}
	if err = c.l.compiled(err); err != nil {
		return err
	}
	if c.works() {
		c.entered = true
		if err := c.l.execute(c.s.Outside(c.step, c.step.Enter)); err != nil {
			return err
		}
		c.each, c.work.Counts = float64(c.step.Moves), c.step.Moves > 0
	}
	loop, pause, seconds, err := c.burst()
	if err != nil {
		return err
	}
	if c.works() {
		round := int64(max(1, min(roundTime/max(seconds, 1e-9), mostRound,
			mostUnheard/(float64(loop)*float64(max(c.s.Bytes, 1)*int64(c.s.Ranks))))))
		p := c.program(loop, pause)
		heed := mpi.Call{Op: mpi.Heed, Times: round}
		switch {
		case len(c.l.t.groups) > 0:
			p.Call(heed)
			p.Signal = c.l.signal
		case !c.s.Played: // a model has nobody to wait for
			heed.Seconds = c.l.block
			p.Call(heed)
		}
		c.runner, err = c.l.Engine.Compile(p)
	}
	return c.l.compiled(err)
}

// burst returns the patterns of a loop, the pause behind them, and the seconds of both. Without bursts a loop is one
// pattern. All processes of the world call it.
func (c *crew) burst() (patterns int, pause, seconds float64, err error) {
	if seconds, err = c.trial(1); err != nil || c.spec.Period == 0 {
		return 1, 0, seconds, err
	}
	patterns = 1
	if c.works() {
		most := max(1, mostBurst/max(c.s.Ranks, 1)) // alike on all of the group
		patterns = max(1, min(int(c.spec.Period*c.spec.Duty/max(seconds, 1e-9)), most))
	}
	took := float64(patterns) * seconds
	pause = max(c.spec.Period-took, took*(1-c.spec.Duty)/c.spec.Duty)
	return patterns, pause, took + pause, nil
}

// trial returns the seconds of a pattern, the most of any process of the group.
func (c *crew) trial(patterns int) (float64, error) {
	if !c.works() {
		_, err := c.l.idle.Run(mpi.Loops{Timed: 1})
		return 0, err
	}
	got, err := c.l.Execute(c.program(patterns, 0), mpi.Loops{Untimed: 1, Timed: trialRound})
	if err != nil {
		return 0, err
	}
	seconds := []float64{got.Seconds / trialRound}
	err = c.s.Comm.Allreduce(seconds, mpi.Max)
	return seconds[0], err
}

// program returns a program of this many patterns in a loop, with a pause behind them.
func (c *crew) program(patterns int, pause float64) *mpi.Program {
	p := c.s.Program(c.step)
	p.Start = c.l.World
	if p.Loop = slices.Repeat(c.step.Each, patterns); pause > 0 {
		p.Call(mpi.Call{Op: mpi.Lap, Root: bursting}, mpi.Call{Op: mpi.Compute, Seconds: pause},
			mpi.Call{Op: mpi.Lap, Root: pausing})
	}
	c.each = float64(c.step.Moves) * float64(patterns)
	return p
}

// goOn makes loops on a congestor: until the victims are done, or for as long as a block takes without victims.
func (c *crew) goOn() error {
	loops := int64(math.MaxInt64 / 4)
	if c.s.Played && len(c.l.t.groups) == 0 {
		loops = leastSimulated
	}
	got, err := c.runner.Run(mpi.Loops{Timed: loops})
	if err == nil {
		c.count(got)
	}
	return err
}

// congest lets the congestors go on without victims.
func (l *loading) congest() error {
	if l.crew.works() {
		return l.crew.goOn()
	}
	_, err := l.idle.Run(mpi.Loops{Timed: 1})
	return err
}

// count adds what a run has moved.
func (c *crew) count(got mpi.Measurement) {
	c.work.Loops += float64(got.Loops)
	c.work.Seconds += got.Seconds
	c.work.Bytes += float64(got.Loops) * c.each
	if len(got.Laps) == bursts {
		c.work.Bursts += got.Laps[bursting].Seconds
	}
}

// leave ends the congestors' programs, and frees their memory.
func (c *crew) leave() error {
	if !c.works() {
		return nil
	}
	if c.runner != nil {
		c.runner.Close()
	}
	if c.entered {
		if err := c.l.execute(c.s.Outside(c.step, c.step.Leave)); err != nil {
			return err
		}
	}
	if c.s.Window != nil {
		if err := c.s.Window.Close(); err != nil {
			return err
		}
	}
	return free(c.s)
}

// gatheredLoads returns what all processes have, on process 0.
func gatheredLoads(world mpi.Comm, mine loadOf) ([]loadOf, error) { return job.Gather(world, mine) }

// movedBy returns what each kind of congestors has moved: the mean of those that send or fetch.
func movedBy(against []measured.Crew, all []loadOf) (list []measured.Moved) {
	for _, x := range against {
		i := slices.IndexFunc(list, func(m measured.Moved) bool { return m.Congestor == x.Congestor })
		if i < 0 {
			i = len(list)
			list = append(list, measured.Moved{Congestor: x.Congestor})
		}
		for _, rank := range x.Ranks {
			if w := all[rank].Work; w.Counts && w.Seconds > 0 {
				list[i].Processes++
				list[i].Bandwidth += w.Bytes / w.Seconds
				list[i].Duty += w.Bursts / w.Seconds
			}
		}
	}
	for m := range lists.Elements(list) {
		n := float64(max(m.Processes, 1))
		m.Bandwidth, m.Duty = math.Round(m.Bandwidth/n), math.Round(m.Duty/n*1e6)/1e6
		m.Processes = max(m.Processes, 1)
	}
	return list
}
