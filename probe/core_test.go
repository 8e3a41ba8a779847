package probe

import (
	"slices"
	count "sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/internal/scripted"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/local"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/probe/suites"
	"github.com/effective-bandwidth/beff/rating"
)

// part is a communicator whose process has a rank and a size of the test's choice.
type part struct {
	mpi.Comm
	rank, size int
}

// Off the cache, memory is used again only after other memory of twice the cache's size, over all runs of a row.
func TestOffCacheAddresses(t *testing.T) {
	const length, cache = 1000, 1 << 14
	for _, name := range []string{"PingPong", "Exchange", "Sendrecv", "Allgatherv", "Alltoallv", "Unidir_Put",
		"Exchange_put", "All_put_all", "One_get_all"} {
		k, _, ok := suites.Find("", name)
		require.True(t, ok)
		type memory struct {
			space  mpi.Space
			offset int64
		}
		lastUsed, before, seen := map[memory]int64{}, int64(0), 0
		e := &scripted.Engine{Processes: 2, Cost: func(x scripted.Step) float64 {
			if len(x.Program.Places) == 0 || x.Program.Start == nil || len(x.Program.Calls()) == 0 ||
				!slices.Equal(x.Calls, x.Program.Loop) {
				return 1e-6
			}
			for loop := range x.Loops.Timed {
				for _, place := range x.Program.Places {
					at := memory{place.Space, place.At(loop)}
					if last, used := lastUsed[at]; used && last != before+loop {
						require.GreaterOrEqual(t, (before+loop-last)*place.Advance, int64(2*cache),
							"%s: %+v in repetition %d, before in %d", name, place, before+loop, last)
						seen++
					}
					lastUsed[at] = before + loop
				}
			}
			before += x.Loops.Timed
			return 1e-6
		}}
		c := Config{Selections: []Selection{{Kernel: k}},
			Settings: settings.Settings{Rows: settings.Rows{Lengths: []int64{length}},
				Memory: settings.Memory{CacheSize: cache}, Repetitions: settings.Repetitions{Max: 100,
					MaxNonAggr: 100}}}
		if len(k.Modes) > 0 {
			c.Settings.Repetitions.Max = 99
		}
		plan, err := NewPlan(2, On(e, c))
		require.NoError(t, err)
		plan.Blocks = plan.Blocks[:1]
		_, err = plan.Measure(e, rating.Observer[measured.Outcome]{Now: e.Now})
		require.NoError(t, err)
		require.Positive(t, seen, "%s: memory is used again later", name)
	}
}

// On returns a configuration for an engine.
func On(e Calls, c Config) Config {
	c.Engine = e
	return c
}

// recorder is an engine whose process has another rank. It records the operations on windows, in order.
type recorder struct {
	*scripted.Engine
	rank   int
	events []string
}

func (r *recorder) World() mpi.Comm { return part{r.Engine.World(), r.rank, r.Processes} }

func (r *recorder) NewBuffer(size int64) (mpi.Buffer, error) {
	b, err := r.Engine.NewBuffer(size)
	return looked{b, r}, err
}

// NewWindow starts the record for the window's memory.
func (r *recorder) NewWindow(c mpi.Comm, b mpi.Buffer) (mpi.Window, error) {
	r.events = nil
	return r.Engine.NewWindow(c, b)
}

func (r *recorder) Compile(p *mpi.Program) (mpi.Runner, error) {
	for _, c := range p.Calls() {
		own := c.Recv.Count > 0 && p.Places[c.Recv.First].Peer == r.rank
		if own && (c.Op == mpi.WinLock || c.Op == mpi.WinUnlock) {
			r.events = append(r.events, c.Op.String())
		}
	}
	return r.Engine.Compile(p)
}

func (p part) Rank() int { return p.rank }

func (p part) Size() int { return p.size }

// Split makes communicators in which the process has its rank, too.
func (p part) Split(color, key int) (mpi.Comm, error) {
	c, err := p.Comm.Split(color, key)
	if c == nil || err != nil {
		return nil, err
	}
	return part{c, p.rank, c.Size()}, nil
}

// Gather brings data only to the root.
func (p part) Gather(send, recv []byte, root int) error {
	if p.rank != root {
		return nil
	}
	return p.Comm.Gather(send, recv, 0)
}

// looked is a buffer that records accesses to its memory.
type looked struct {
	mpi.Buffer
	r *recorder
}

func (b looked) Bytes() []byte {
	b.r.events = append(b.r.events, "memory")
	return b.Buffer.Bytes()
}

// A process reads and writes its window's memory only while it holds a lock on it (MPI 4.1, 12.7).
func TestWindowMemoryIsLocked(t *testing.T) {
	for _, name := range []string{"Unidir_put", "Bidir_get", "All_put_all", "Accumulate", "Compare_and_swap",
		"Truly_passive_put"} {
		for rank := range 2 {
			k, _, ok := suites.Find(kernel.RMA, name)
			require.True(t, ok)
			cost := func(x scripted.Step) float64 { return 1e-6 * float64(1+x.Products) }
			r := &recorder{Engine: &scripted.Engine{Processes: 2, Cost: cost}, rank: rank}
			plan, err := NewPlan(2, On(
				r, Config{Selections: []Selection{{Kernel: k}},
					Settings: settings.Settings{Rows: settings.Rows{Lengths: []int64{64}},
						Repetitions: settings.Repetitions{Max: 3, MaxNonAggr: 3}}}))
			require.NoError(t, err)
			_, err = plan.Measure(r, rating.Observer[measured.Outcome]{Now: r.Now})
			require.NoError(t, err)
			locked, looks := false, 0
			for i, event := range r.events {
				switch event {
				case "memory":
					looks++
					require.True(t, locked, "%s, rank %d: %v", name, rank, r.events[:i+1])
				case mpi.WinLock.String():
					locked = true
				default:
					locked = false
				}
			}
			require.Positive(t, looks, "%s, rank %d", name, rank)
			require.False(t, locked)
		}
	}
}

// closing counts the open programs.
type closing struct {
	mpi.Engine
	open *count.Int64
}

func (c closing) Compile(p *mpi.Program) (mpi.Runner, error) {
	for _, place := range p.Places {
		if c.World().Rank() == 1 && place.Length == 2000 {
			return nil, mpi.ErrOverflow
		}
	}
	r, err := c.Engine.Compile(p)
	if err == nil {
		c.open.Add(1)
		r = closed{r, c.open}
	}
	return r, err
}

type closed struct {
	mpi.Runner
	open *count.Int64
}

func (c closed) Close() {
	c.open.Add(-1)
	c.Runner.Close()
}

// A process whose program is ready closes it if another process's message can't be expressed.
func TestProgramsAreClosed(t *testing.T) {
	var open count.Int64
	k, _, _ := suites.Find("", "Sendrecv")
	require.NoError(t, local.Run(3, func(e mpi.Engine) error {
		c := Config{Selections: []Selection{{Kernel: k}},
			Settings: settings.Settings{Rows: settings.Rows{Lengths: []int64{1000, 2000}},
				Repetitions: settings.Repetitions{Max: 5}}}
		plan, err := NewPlan(3, On(e, c))
		if err != nil {
			return err
		}
		_, err = plan.Measure(closing{e, &open}, rating.Observer[measured.Outcome]{})
		return err
	}))
	require.Zero(t, open.Load())
}
