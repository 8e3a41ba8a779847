package method

import (
	"cmp"
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
)

// Congestors run their loops in rounds of about a millisecond. At the end of each round they check whether the victims
// are done. Data that are sent but not yet received belong to at most two rounds.
const (
	roundTime     = 1e-3 // seconds
	maxRound      = 256  // loops
	maxRoundBytes = 8 << 20
	trialRound    = 4       // loops to measure how long one takes
	maxBurst      = 1 << 12 // calls
)

// Split times of congestors that pause.
const (
	bursting = iota
	pausing
	bursts
)

// congestorGroup is the congestors of a row, as seen by one process. The setup has no communicator if this process
// isn't one of them.
type congestorGroup struct {
	*session
	l    *loadRow
	spec settings.Congestor
	each float64 // bytes that a loop of this process moves
	work work
}

// work holds the seconds of a process as a congestor in all blocks, the bytes that it moved, and the seconds in bursts.
type work struct{ seconds, bytes, bursts float64 }

func (c *congestorGroup) takesPart() bool { return c.s.Comm != nil }

// makeCongestors makes the groups of congestors with their memory and programs. It returns a description of the memory
// that is missing, if any.
func (l *loadRow) makeCongestors() (missing string, err error) {
	b, mine, at := l.t.block, -1, 0
	all := []Need{{l.s.Memory(), l.t.groups}}
	for i, x := range b.CongestorGroups {
		if k := slices.Index(x.Ranks, l.World.Rank()); k >= 0 {
			mine, at = i, k
		}
		_, s, err := l.setup(x)
		if err != nil {
			return "", err // checked with the settings
		}
		all = append(all, Need{s.Memory(), [][]int{x.Ranks}})
	}
	if missing = l.missingMemory(all, ""); missing != "" {
		return "congestors: " + missing, nil
	}
	spec, s, err := l.setup(b.CongestorGroups[max(mine, 0)])
	if err != nil {
		return "", err
	}
	if s.Comm, err = l.World.Split(mine, at); err != nil {
		return "", err
	}
	c := &congestorGroup{session: &session{Measurer: l.Measurer, s: s}, l: l, spec: spec}
	l.congestors = c
	enough, err := l.allocate(c.s)
	if err == nil && !enough {
		return "the system can't give all congestors their memory", nil
	}
	if err == nil {
		err = l.setUp(c.s)
	}
	if err == nil {
		err = c.build()
	}
	return "", err
}

// setup returns the specification of a group of congestors, and its resources as far as all processes know them.
func (l *loadRow) setup(x measured.CongestorGroup) (c settings.Congestor, s *kernel.Setup, err error) {
	list, err := settings.ParseCongestors(x.Congestor)
	if err != nil {
		return c, nil, err
	}
	k := l.Congestor(list[0].Name)
	s = &kernel.Setup{Kernel: k, Bytes: cmp.Or(list[0].Bytes, k.DefaultLength), World: l.World, Ranks: len(x.Ranks),
		Options: kernel.Options{IMB: &l.Settings.IMB, OSU: l.Settings.OSU, One: k.OneSided(l.Settings)},
		Played:  l.s.Played, Run: kernel.Run{Repetitions: 1}}
	s.LayOut(0, settings.Default.CacheLine, 1)
	return list[0], s, nil
}

// build measures how long a loop takes, and makes the program that runs until the victims are done.
func (c *congestorGroup) build() error {
	c.session = c.begin(c.s)
	once := func(*kernel.Setup, *kernel.Step) *mpi.Program { return c.program(1, 0) }
	if err := c.compile(once); err != nil {
		return err
	}
	if err := c.enter(); err != nil {
		return err
	}
	loop, pause, seconds, err := c.burst()
	if err != nil {
		return err
	}
	c.shut()
	return c.compile(func(*kernel.Setup, *kernel.Step) *mpi.Program {
		round := int64(max(1, min(roundTime/max(seconds, 1e-9), maxRound,
			maxRoundBytes/(float64(loop)*float64(max(c.s.Bytes, 1)*int64(c.s.Ranks))))))
		p := c.program(loop, pause)
		stop := mpi.Call{Op: mpi.StopOnSignal, Times: round}
		switch {
		case len(c.l.t.groups) > 0:
			p.Call(stop)
			p.Signal = c.l.signal
		case !c.s.Played: // a model has no processes to wait for
			stop.Seconds = c.l.block
			p.Call(stop)
		}
		return p
	})
}

// burst returns the number of patterns in a loop, the pause after them, and the seconds of both together. Without
// bursts a loop is one pattern. All processes of the world call it.
func (c *congestorGroup) burst() (patterns int, pause, seconds float64, err error) {
	if seconds, err = c.trial(); err != nil || c.spec.Period == 0 {
		return 1, 0, seconds, err
	}
	patterns = 1
	if c.takesPart() {
		most := max(1, maxBurst/max(c.s.Ranks, 1)) // equal on all processes of the group
		patterns = max(1, min(int(c.spec.Period*c.spec.Duty/max(seconds, 1e-9)), most))
	}
	took := float64(patterns) * seconds
	pause = max(c.spec.Period-took, took*(1-c.spec.Duty)/c.spec.Duty)
	return patterns, pause, took + pause, nil
}

// trial returns the seconds of a pattern on the slowest process of the group.
func (c *congestorGroup) trial() (float64, error) {
	if !c.takesPart() {
		_, err := c.l.idle.Run(mpi.Loops{Timed: 1})
		return 0, err
	}
	got, err := c.run(mpi.Loops{Untimed: 1, Timed: trialRound})
	if err != nil {
		return 0, err
	}
	seconds := []float64{got.Seconds / trialRound}
	err = c.s.Comm.Allreduce(seconds, mpi.Max)
	return seconds[0], err
}

// program returns a program whose loop has this many patterns, followed by a pause.
func (c *congestorGroup) program(patterns int, pause float64) *mpi.Program {
	step := c.steps[0]
	p := c.s.Program(step)
	p.Start = c.World
	if p.Loop = slices.Repeat(step.Each, patterns); pause > 0 {
		p.Call(mpi.Call{Op: mpi.Lap, Root: bursting}, mpi.Call{Op: mpi.Compute, Seconds: pause},
			mpi.Call{Op: mpi.Lap, Root: pausing})
	}
	c.each = float64(step.Moves) * float64(patterns)
	return p
}

// runUntilDone runs a congestor's loops until the victims are done. Without victims it runs them for the time of a
// block.
func (c *congestorGroup) runUntilDone() error {
	loops := int64(math.MaxInt64 / 4)
	if c.s.Played && len(c.l.t.groups) == 0 {
		loops = minSimulated
	}
	got, err := c.run(mpi.Loops{Timed: loops})
	c.work.seconds += got.Seconds
	c.work.bytes += float64(got.Loops) * c.each
	if len(got.Laps) == bursts {
		c.work.bursts += got.Laps[bursting].Seconds
	}
	return err
}

func (l *loadRow) runCongestors() error {
	if l.congestors.takesPart() {
		return l.congestors.runUntilDone()
	}
	_, err := l.idle.Run(mpi.Loops{Timed: 1})
	return err
}

func (c *congestorGroup) end() error {
	if !c.takesPart() {
		return nil
	}
	if err := c.close(nil); err != nil {
		return err
	}
	if c.s.Window != nil {
		if err := c.s.Window.Close(); err != nil {
			return err
		}
	}
	return free(c.s)
}

// movedPerKind returns the amounts that each kind of congestors has moved, as a mean over the processes that send or
// fetch data.
func (c *congestorGroup) movedPerKind() ([]measured.Moved, error) {
	var list []measured.Moved
	mine := -1
	for _, x := range c.l.t.block.CongestorGroups {
		kind := slices.IndexFunc(list, func(m measured.Moved) bool { return m.Congestor == x.Congestor })
		if kind < 0 {
			kind, list = len(list), append(list, measured.Moved{Congestor: x.Congestor})
		}
		if slices.Contains(x.Ranks, c.World.Rank()) {
			mine = kind
		}
	}
	sums := make([]float64, 3*len(list))
	if w := c.work; mine >= 0 && c.each > 0 && w.seconds > 0 {
		copy(sums[3*mine:], []float64{1, w.bytes / w.seconds, w.bursts / w.seconds})
	}
	err := c.World.Allreduce(sums, mpi.Sum)
	for i := range list {
		n := max(sums[3*i], 1)
		list[i].Processes, list[i].Bandwidth = int(n), math.Round(sums[3*i+1]/n)
		list[i].Duty = math.Round(sums[3*i+2]/n*1e6) / 1e6
	}
	return list, err
}
