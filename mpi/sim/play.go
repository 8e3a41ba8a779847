package sim

import (
	"errors"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/sim/model"
)

// Loops of a program are followed until their time no longer changes. The rest takes as long as the last of them.
const (
	settling = 8  // loops before those whose time counts
	counting = 8  // loops whose time counts
	roots    = 64 // at most, where the root changes with each loop
	before   = 2  // untimed loops, at most
)

// Supports reports true for messages, blocking collective calls, and what a process does without them.
func (r *Rank) Supports(op mpi.Op) bool {
	switch op {
	case mpi.Nop, mpi.Walk, mpi.Stamp, mpi.Check, mpi.Compute, mpi.Lap, mpi.Compare, mpi.Copy, mpi.Combine,
		mpi.Scribble, mpi.Skim:
		return true
	}
	return messages[op] != nil || collectives[op] != nil
}

// Compile implements mpi.Engine.
func (r *Rank) Compile(p *mpi.Program) (mpi.Runner, error) {
	if err := mpi.CheckSupport(r, p); err != nil {
		return nil, err
	}
	x := &play{r: r, program: p, period: 1}
	for _, c := range p.Calls() {
		x.calls++
		if c.Op == mpi.Lap {
			x.laps = max(x.laps, c.Root+1)
		}
		x.alone = x.alone && messages[c.Op] == nil && collectives[c.Op] == nil
		if c.Rotate {
			x.period = min(p.Comm.Size(), roots)
		}
	}
	if x.meets, _ = p.Start.(*handle); x.meets == nil {
		x.meets, _ = p.Comm.(*handle)
	}
	if x.period == 1 {
		section := p.Sections()
		x.acts[0], x.acts[1], x.acts[2] = x.section(section[0], 0), x.section(section[1], 0), x.section(section[2], 0)
	}
	return x, nil
}

// play is a program of one process.
type play struct {
	r       *Rank
	program *mpi.Program
	meets   *handle // whose processes run together; nil: this one alone
	calls   int
	laps    int
	period  int // loops after which the calls are the same again
	alone   bool
	acts    [3][]model.Act // of each section, unless they differ between loops
	loop    int64          // of the next run
	closed  bool
}

// Close implements mpi.Runner.
func (x *play) Close() { x.closed = true }

// Run implements mpi.Runner.
func (x *play) Run(n mpi.Loops) (mpi.Measurement, error) {
	if err := n.Validate(); err != nil {
		return mpi.Measurement{}, err
	}
	switch {
	case x.closed:
		return mpi.Measurement{}, errors.New("run: the program was closed")
	case n.Budget > 0:
		return mpi.Measurement{}, errors.New("run: a simulated machine has no loops with a budget")
	}
	meets := x.meets
	if meets == nil {
		own := &group{world: x.r.world, entries: []entry{{runner: x, loops: n}}}
		own.follow()
		x.loop += n.Untimed + n.Timed
		return own.entries[0].result, own.entries[0].err
	}
	m, err := meets.run(x, n)
	x.loop += n.Untimed + n.Timed
	return m, err
}

// followed returns the loops of each pass that are followed.
func (x *play) followed(n mpi.Loops) (untimed, timed int) {
	most := int64(settling + max(counting, x.period))
	return int(min(n.Untimed, before)), int(min(n.Timed, most))
}

// script returns what the process does: the untimed pass, and the timed one.
func (x *play) script(n mpi.Loops) model.Script {
	untimed, timed := x.followed(n)
	first := untimed
	if untimed > 0 {
		first += 2
	}
	base := x.loop
	return model.Script{Process: int32(x.r.all.Rank()), Pieces: first + timed + 2, Clocked: first,
		Piece: func(k int) []model.Act {
			count, loop := untimed, base
			if k >= first {
				k, count, loop = k-first, timed, base+n.Untimed
			}
			section := 1
			switch k {
			case 0:
				section = 0
			case count + 1:
				section = 2
			}
			if x.period == 1 {
				return x.acts[section]
			}
			return x.section(x.program.Sections()[section], loop+int64(max(k-1, 0)))
		}}
}

// measured returns the measurement of a script's times, each multiplied by a factor, and the seconds from the beginning
// of all to the end of this process.
func (x *play) measured(t *model.Played, n mpi.Loops, factor float64) (m mpi.Measurement, took float64) {
	untimed, timed := x.followed(n)
	last := len(t.Ends) - 1
	opening := last - timed - 1 // the piece before the timed loops
	begin := 0.0
	if opening > 0 {
		begin = t.Ends[opening-1]
	}
	count := min(max(counting, x.period), timed)
	rest := float64(n.Timed - int64(timed))
	each := (t.Ends[last-1] - t.Ends[last-1-count]) / float64(count)
	seconds := t.Ends[last] - begin + rest*each
	begin += float64(n.Untimed-int64(untimed)) * each
	m = mpi.Measurement{Begin: begin * factor, Seconds: seconds * factor, Loops: n.Timed}
	if n.Each {
		m.Each = make([]float64, n.Timed)
		for i := range m.Each {
			m.Each[i] = each * factor
			if i < timed {
				m.Each[i] = (t.Ends[opening+1+i] - t.Ends[opening+i]) * factor
			}
		}
	}
	for lap := range x.laps {
		m.Laps = append(m.Laps, x.lap(t, lap, opening, timed, count, n, factor))
	}
	return m, (begin + seconds) * factor
}

// lap returns the times of a lap.
func (x *play) lap(t *model.Played, lap, opening, timed, count int, n mpi.Loops, factor float64) (l mpi.LapTime) {
	of := func(piece int) float64 {
		if lap < len(t.Laps[piece]) {
			return t.Laps[piece][lap] * factor
		}
		return 0
	}
	usual := 0.0
	for i := timed - count; i < timed; i++ {
		usual += of(opening+1+i) / float64(count)
	}
	for piece := opening; piece < len(t.Ends); piece++ {
		l.Seconds += of(piece)
	}
	l.Seconds += usual * float64(n.Timed-int64(timed))
	l.Last = of(opening + timed)
	if n.Each {
		l.Each = make([]float64, n.Timed)
		for i := range l.Each {
			l.Each[i] = usual
			if i < timed {
				l.Each[i] = of(opening + 1 + i)
			}
		}
	}
	return l
}
