package sim

import (
	"errors"
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/sim/model"
)

// Loops of a program are followed until their time no longer changes. Each further loop takes as long as the last
// followed ones.
const (
	settling = 8  // loops before the measured ones
	counting = 8  // loops whose time is measured
	roots    = 64 // at most, if the root changes with each loop
	before   = 2  // untimed loops, at most
)

// Supports reports true for all calls except those on files and paths. Requests take no time to make and to free.
func (r *Rank) Supports(op mpi.Op) bool {
	if op == mpi.Decide {
		return false
	}
	switch op.Family() {
	case mpi.FileData, mpi.FileNonblocking, mpi.SplitBegin, mpi.SplitEnd, mpi.FileState,
		mpi.OnPath:
		return false
	}
	return true
}

// Compile implements mpi.Engine.
func (r *Rank) Compile(p *mpi.Program) (mpi.Runner, error) {
	if err := mpi.CheckSupport(r, p); err != nil {
		return nil, err
	}
	if p.Comm != nil {
		p = p.Expanded(p.Comm.Rank(), p.Comm.Size())
	}
	x := &play{r: r, program: p, period: 1}
	meets := false
	for _, c := range p.Calls() {
		x.calls++
		if c.Op == mpi.Lap {
			x.laps = max(x.laps, c.Root+1)
		}
		if c.Counts {
			return nil, &mpi.UnsupportedError{Engine: r.Library().Engine, Op: c.Op, Why: "that counts"}
		}
		meets = meets || meetsOthers(c.Op)
		if c.Op == mpi.StopOnSignal {
			x.round = int(c.Times)
		}
		if c.Rotate {
			x.period = min(p.Comm.Size(), roots)
		}
	}
	switch start, _ := p.Start.(*handle); {
	case start != nil:
		x.meets, x.measures = start, true
	case meets:
		x.meets, _ = p.Comm.(*handle)
	}
	x.backlog = len(p.After) > 0 && slices.ContainsFunc(p.Loop, func(c mpi.Call) bool {
		return c.Op.Family() == mpi.OneSided
	})
	if x.period == 1 {
		section := p.Sections()
		x.acts[0], x.acts[1], x.acts[2] = x.section(section[0], 0), x.section(section[1], 0), x.section(section[2], 0)
	}
	if x.round > 0 {
		x.barrier = x.roundBarrier()
	}
	return x, nil
}

// meetsOthers reports whether a call waits for programs of other processes.
func meetsOthers(op mpi.Op) bool {
	switch op.Family() {
	case mpi.PointToPoint, mpi.Collective, mpi.NonblockingCollective:
		return true
	}
	return op == mpi.WinFence || op == mpi.WinCreate || op == mpi.WinFree
}

// play is a program of one process.
type play struct {
	r        *Rank
	program  *mpi.Program
	meets    *handle // whose processes run together; nil if this process runs by itself
	measures bool    // the program's time counts
	calls    int
	laps     int
	most     int            // loops to follow, on which all processes agree; 0 for as many as the period needs
	period   int            // loops after which the calls repeat
	backlog  bool           // transfers may accumulate over the loops, until a later call waits for all of them
	acts     [3][]model.Act // of each section, unless they differ between loops
	round    int            // loops of a round of StopOnSignal; 0 if the program ends by itself
	barrier  []model.Act    // after each round
	loop     int64          // of the next run
	closed   bool
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
	defer func() { x.loop += n.Untimed + n.Timed }()
	switch c := x.meets; {
	case c == nil:
		own := &meeting{world: x.r.world, entries: []entry{{runner: x, loops: n}}}
		own.follow(false)
		return own.entries[0].result, own.entries[0].err
	case x.measures:
		return c.siblings.run(c.meets, c.place, x, n, true)
	default:
		return c.group.own.run(c.member, c.Rank(), x, n, false)
	}
}

// passes holds the numbers of loops that are followed in a run's passes.
type passes struct {
	untimed, timed int
	short          int // loops of a shorter pass, which shows how time grows with loops; 0 for none
}

// counted returns the number of loops whose mean time is used for all further loops.
func (x *play) counted() int {
	if x.most > 0 {
		return x.most / 2
	}
	return max(counting, x.period)
}

// followed returns the numbers of loops that are followed.
func (x *play) followed(n mpi.Loops) passes {
	most := int64(settling + x.counted())
	if x.most > 0 {
		most = int64(x.most)
	}
	p := passes{untimed: int(min(n.Untimed, before)), timed: int(min(n.Timed, most))}
	if x.backlog && n.Timed > most {
		p.short, p.timed = int(most), int(min(n.Timed, 2*most))
	}
	return p
}

// pieces returns the number of sections of a pass with a number of loops, which is 0 without loops.
func pieces(loops int) int {
	if loops == 0 {
		return 0
	}
	return loops + 2
}

// script returns the acts of the process in all passes.
func (x *play) script(n mpi.Loops) model.Script {
	if x.round > 0 {
		return x.endless()
	}
	p := x.followed(n)
	first := pieces(p.untimed) + pieces(p.short)
	base := x.loop
	return model.Script{Process: int32(x.r.all.Rank()), Pieces: first + pieces(p.timed), Clocked: first,
		Piece: func(k int) []model.Act {
			count, loop := p.untimed, base
			switch {
			case k >= first:
				k, count, loop = k-first, p.timed, base+n.Untimed
			case k >= pieces(p.untimed):
				k, count, loop = k-pieces(p.untimed), p.short, base+n.Untimed
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

// measured returns the measurement of a script's times, each multiplied by a factor. took is the time in seconds from
// the common beginning to the end of this process.
func (x *play) measured(t *model.Played, n mpi.Loops, factor float64) (m mpi.Measurement, took float64) {
	if x.round > 0 {
		return x.endlessMeasurement(t, factor)
	}
	p := x.followed(n)
	timed, last := p.timed, len(t.Ends)-1
	opening := last - timed - 1 // the piece before the timed loops
	start := func(piece int) float64 {
		if piece == 0 {
			return 0
		}
		return t.Ends[piece-1]
	}
	count := min(x.counted(), timed)
	each := (t.Ends[last-1] - t.Ends[last-1-count]) / float64(count)
	seconds, begin := t.Ends[last]-start(opening), start(opening)
	if p.short > 0 {
		begin = start(opening - pieces(p.short))
		if timed > p.short {
			each = (seconds - (start(opening) - begin)) / float64(timed-p.short)
		}
	}
	seconds += float64(n.Timed-int64(timed)) * each
	begin += float64(n.Untimed-int64(p.untimed)) * each
	m = mpi.Measurement{Begin: begin * factor, Seconds: seconds * factor, Loops: n.Timed}
	if n.Blocks {
		m.Blocks, m.PerBlock = mpi.BlocksOf(n.Timed, func(loop int64) float64 {
			if i := int(min(loop, int64(timed)-1)); int64(i) == loop {
				return (t.Ends[opening+1+i] - start(opening)) * factor
			}
			return (t.Ends[opening+timed] - start(opening) + float64(loop+1-int64(timed))*each) * factor
		})
	}
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
