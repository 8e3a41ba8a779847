package sim

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"sync"
	"time"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/local"
	"github.com/effective-bandwidth/beff/sim/model"
)

// MaxRanks is the largest number of processes that Run starts.
const MaxRanks = 4096

// world is shared by the ranks of one Run.
type world struct {
	model *model.Model
	noise *model.Noise

	following sync.Mutex // guards model and noise, because independent groups are followed one by one

	mu       sync.Mutex // guards all following fields
	groups   []*group
	meetings []*meeting
}

// Rank is a process of a job in which all processes exist. Each runs its own programs, and the model follows their
// messages one by one. Communication outside of programs takes no time.
type Rank struct {
	mpi.Engine // for communication outside of programs
	world      *world
	all        *handle

	mu  sync.Mutex // guards now, which observers read
	now float64    // seconds on its clock

	windows uint64 // windows made so far
}

var (
	_ Simulation  = (*Rank)(nil)
	_ mpi.Windows = (*Rank)(nil)
)

// Run calls main for each process of a model in a separate goroutine. The seed determines the noise.
func Run(m *model.Model, seed uint64, main func(mpi.Engine) error) error {
	w := &world{model: m, noise: m.NewNoise(seed)}
	everyone := &group{own: meeting{world: w, entries: make([]entry, m.Processes)}}
	for p := range m.Processes {
		everyone.ranks = append(everyone.ranks, int32(p))
	}
	w.groups = []*group{everyone}
	m.Exact = true
	var collects sync.Once
	return local.Run(m.Processes, func(e mpi.Engine) error {
		collects.Do(func() { debug.SetGCPercent(100) }) // collections disturb no measurement here
		r := &Rank{Engine: e, world: w}
		r.all = &handle{member: e.World(), r: r, group: everyone, siblings: &everyone.own, place: e.World().Rank(),
			meets: e.World()}
		return main(r)
	})
}

// Model implements Simulation.
func (r *Rank) Model() *model.Model { return r.world.model }

// Now implements Simulation.
func (r *Rank) Now() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	return time.Unix(0, int64(math.Ceil(r.now*1e9))).UTC()
}

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

// Host returns a name with the number of the process's node.
func (r *Rank) Host() string {
	return fmt.Sprintf("node%d", r.world.model.NodeOf[r.all.Rank()])
}

// MovesData implements mpi.DataMover. No data are moved.
func (r *Rank) MovesData() bool { return false }

// NewBuffer implements mpi.Engine.
func (r *Rank) NewBuffer(size int64) (mpi.Buffer, error) { return newBuffer(size) }

// handle is a process's handle of a group.
type handle struct {
	member   // of the embedded engine
	r        *Rank
	group    *group
	siblings *meeting // of the processes of all groups that were made by the same call
	place    int      // the process's index in siblings
	meets    member   // the communicator of these processes
}

// member is a communicator.
type member = mpi.Comm

type group struct {
	number uint64
	ranks  []int32 // in the world
	own    meeting // of only this group's processes
}

// meeting is a place where the programs of several processes meet to be followed together.
type meeting struct {
	world   *world
	entries []entry // for each process its program while it runs, then the outcome
	last    played
}

// entry is a process's part in a run.
type entry struct {
	runner *play
	loops  mpi.Loops
	result mpi.Measurement
	err    error
}

// Split implements mpi.Comm.
func (c *handle) Split(color, key int) (mpi.Comm, error) { return c.wrap(c.member.Split(color, key)) }

// Cart implements mpi.Comm.
func (c *handle) Cart(dims []int, periodic []bool) (mpi.Comm, error) {
	return c.wrap(c.member.Cart(dims, periodic))
}

// wrap wraps a new communicator of the embedded engine. Its processes agree on their group, and the processes of all
// groups agree on their meeting.
func (c *handle) wrap(of mpi.Comm, err error) (mpi.Comm, error) {
	if err != nil {
		return nil, err
	}
	color := 0
	if of == nil {
		color = -1
	}
	all, err := c.member.Split(color, 0)
	if err != nil || of == nil {
		return nil, err
	}
	w := c.r.world
	ranks, err := c.gather(of)
	if err != nil {
		return nil, err
	}
	number, err := agreed(of, func() int {
		w.groups = append(w.groups, &group{number: uint64(len(w.groups)), ranks: ranks,
			own: meeting{world: w, entries: make([]entry, of.Size())}})
		return len(w.groups) - 1
	}, &w.mu)
	if err != nil {
		return nil, err
	}
	siblings, err := agreed(all, func() int {
		w.meetings = append(w.meetings, &meeting{world: w, entries: make([]entry, all.Size())})
		return len(w.meetings) - 1
	}, &w.mu)
	w.mu.Lock()
	defer w.mu.Unlock()
	return &handle{member: of, r: c.r, group: w.groups[number], siblings: w.meetings[siblings], place: all.Rank(),
		meets: all}, err
}

// Free implements mpi.Comm.
func (c *handle) Free() error {
	err := c.member.Free()
	if c != c.r.all {
		err = errors.Join(err, c.meets.Free())
	}
	return err
}

// gather returns the world ranks of a communicator's processes, on the first of them.
func (c *handle) gather(of mpi.Comm) (ranks []int32, err error) {
	var all []byte
	if of.Rank() == 0 {
		all = make([]byte, 4*of.Size())
	}
	err = of.Gather(binary.LittleEndian.AppendUint32(nil, uint32(c.r.all.Rank())), all, 0)
	for at := 0; at < len(all); at += 4 {
		ranks = append(ranks, int32(binary.LittleEndian.Uint32(all[at:])))
	}
	return ranks, err
}

// agreed returns the value that make returns on the first process on all processes.
func agreed(of mpi.Comm, make func() int, mu *sync.Mutex) (int, error) {
	var number [8]byte
	if of.Rank() == 0 {
		mu.Lock()
		binary.LittleEndian.PutUint64(number[:], uint64(make()))
		mu.Unlock()
	}
	err := of.Bcast(number[:], 0)
	return int(binary.LittleEndian.Uint64(number[:])), err
}

// run runs the programs of all processes that meet.
func (m *meeting) run(of mpi.Comm, place int, x *play, n mpi.Loops, measures bool) (mpi.Measurement, error) {
	mine := &m.entries[place]
	*mine = entry{runner: x, loops: n}
	if err := of.Barrier(); err != nil {
		return mpi.Measurement{}, err
	}
	if of.Rank() == 0 {
		m.follow(measures)
	}
	err := of.Barrier()
	mine.runner = nil
	if err == nil {
		err = mine.err
	}
	return mine.result, err
}

// follow simulates the programs of processes that meet, from a common beginning. Only measurements have noise, because
// all processes make them in the same order.
func (m *meeting) follow(measures bool) {
	m.world.following.Lock()
	defer m.world.following.Unlock()
	begin, backlog := 0.0, false
	for i := range m.entries {
		x := m.entries[i].runner
		begin = max(begin, x.r.now)
		backlog = backlog || x.backlog
	}
	for i := range m.entries {
		m.entries[i].runner.backlog = backlog // all make the same passes
	}
	times, err := m.play()
	factor := 1.0
	if measures && len(times) > 0 {
		factor = m.world.noise.Next()
	}
	at := 0
	for i := range m.entries {
		e := &m.entries[i]
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
