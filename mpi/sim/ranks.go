package sim

import (
	"encoding/binary"
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/local"
	"github.com/effective-bandwidth/beff/sim/model"
)

// MostRanks is the largest number of processes that Run starts.
const MostRanks = local.MaxRanks

// world is what the ranks of one Run share.
type world struct {
	model *model.Model
	noise *model.Noise

	mu     sync.Mutex // guards groups
	groups []*group
}

// Rank is a process of a job all of whose processes are there: each runs its own programs, and the model follows their
// messages one by one. What processes say to each other outside of programs takes no time.
type Rank struct {
	mpi.Engine // the embedded one, which carries that
	world      *world
	all        *handle

	mu  sync.Mutex // guards now: observers read it
	now float64    // seconds on its clock
}

var _ Simulation = (*Rank)(nil)

// Run calls main for each process of a model, each in a goroutine of its own. The seed is that of the noise.
func Run(m *model.Model, seed uint64, main func(mpi.Engine) error) error {
	w := &world{model: m, noise: m.NewNoise(seed)}
	everyone := &group{world: w}
	for p := range m.Processes {
		everyone.ranks = append(everyone.ranks, int32(p))
	}
	everyone.entries = make([]entry, m.Processes)
	w.groups = []*group{everyone}
	m.Exact = true
	return local.Run(m.Processes, func(e mpi.Engine) error {
		r := &Rank{Engine: e, world: w}
		r.all = &handle{member: e.World(), r: r, group: everyone}
		return main(r)
	})
}

// Model implements Simulation.
func (r *Rank) Model() *model.Model { return r.world.model }

// Bounded implements Simulation: messages are followed one by one.
func (r *Rank) Bounded() bool { return false }

// Now implements Simulation.
func (r *Rank) Now() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	return time.Unix(0, int64(math.Ceil(r.now*1e9))).UTC()
}

// advance moves the clock on.
func (r *Rank) advance(to float64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.now = to
}

// World implements mpi.Engine.
func (r *Rank) World() mpi.Comm { return r.all }

// Library implements mpi.Engine.
func (r *Rank) Library() mpi.Library { return library(r.world.model) }

// Clock implements mpi.Engine.
func (r *Rank) Clock() mpi.Clock { return mpi.Clock{Global: true} }

// Host returns the number of its node.
func (r *Rank) Host() string {
	return fmt.Sprintf("node%d", r.world.model.NodeOf[r.all.Rank()])
}

// Moves implements mpi.Mover: nothing is moved.
func (r *Rank) Moves() bool { return false }

// NewBuffer implements mpi.Engine.
func (r *Rank) NewBuffer(size int64) (mpi.Buffer, error) { return newBuffer(size) }

// handle is a process' handle of a group.
type handle struct {
	member // of the embedded engine
	r      *Rank
	group  *group
}

// member is a communicator.
type member = mpi.Comm

// group is a communicator's processes.
type group struct {
	world   *world
	number  uint64  // of the group
	ranks   []int32 // in the world
	entries []entry // of each process: its program while it runs, then the outcome
}

// entry is a process' part in a run.
type entry struct {
	runner *play
	loops  mpi.Loops
	result mpi.Measurement
	err    error
}

// Split implements mpi.Comm.
func (c *handle) Split(color, key int) (mpi.Comm, error) { return c.part(c.member.Split(color, key)) }

// Cart implements mpi.Comm.
func (c *handle) Cart(dims []int, periodic []bool) (mpi.Comm, error) {
	return c.part(c.member.Cart(dims, periodic))
}

// part returns a new communicator of the embedded engine as one of this one. Its processes agree on their group.
func (c *handle) part(of mpi.Comm, err error) (mpi.Comm, error) {
	if err != nil || of == nil {
		return nil, err
	}
	w := c.r.world
	var mine, number [8]byte
	binary.LittleEndian.PutUint64(mine[:], uint64(c.r.all.Rank()))
	first := of.Rank() == 0
	var all []byte
	if first {
		all = make([]byte, 8*of.Size())
	}
	if err := of.Gather(mine[:], all, 0); err != nil {
		return nil, err
	}
	if first {
		g := &group{world: w, entries: make([]entry, of.Size())}
		for at := 0; at < len(all); at += 8 {
			g.ranks = append(g.ranks, int32(binary.LittleEndian.Uint64(all[at:])))
		}
		w.mu.Lock()
		g.number = uint64(len(w.groups))
		w.groups = append(w.groups, g)
		w.mu.Unlock()
		binary.LittleEndian.PutUint64(number[:], g.number)
	}
	if err := of.Bcast(number[:], 0); err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return &handle{member: of, r: c.r, group: w.groups[binary.LittleEndian.Uint64(number[:])]}, nil
}

// run runs the programs of all processes of a communicator.
func (c *handle) run(x *play, n mpi.Loops) (mpi.Measurement, error) {
	mine := &c.group.entries[c.Rank()]
	*mine = entry{runner: x, loops: n}
	if err := c.Barrier(); err != nil {
		return mpi.Measurement{}, err
	}
	if c.Rank() == 0 {
		c.group.follow()
	}
	err := c.Barrier()
	if err == nil {
		err = mine.err
	}
	return mine.result, err
}

// follow simulates the programs of a group's processes from one beginning on.
func (g *group) follow() {
	begin := 0.0
	var scripts []model.Script
	for i := range g.entries {
		x := g.entries[i].runner
		begin = max(begin, x.r.now)
		if x.calls > 0 {
			scripts = append(scripts, x.script(g.entries[i].loops))
		}
	}
	var times []model.Played
	var err error
	factor := 1.0
	if len(scripts) > 0 {
		times, err = g.world.model.Play(scripts)
		factor = g.world.noise.Next()
	}
	at := 0
	for i := range g.entries {
		e := &g.entries[i]
		if e.err = err; err != nil {
			continue
		}
		if e.runner.calls == 0 {
			e.result = mpi.Measurement{Begin: begin, Loops: e.loops.Timed}
			e.runner.r.advance(begin)
			continue
		}
		var took float64
		e.result, took = e.runner.measured(&times[at], e.loops, factor)
		e.result.Begin += begin
		e.runner.r.advance(begin + took)
		at++
	}
}
