package probe

import (
	"math/rand/v2"
	"slices"
	count "sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/local"
	"github.com/effective-bandwidth/beff/mpi/scripted"
	"github.com/effective-bandwidth/beff/rating"
)

// No program is longer for more repetitions, because places advance by themselves. Those with drawn partners have a
// number of them at most.
func TestProgramsDontGrow(t *testing.T) {
	for _, k := range Kernels {
		for _, mode := range k.modes() {
			for rank := range k.Least {
				sizes := map[[3]int]bool{}
				fewest := int64(2)
				if k.recipe().drawn {
					fewest = mostDrawn
				}
				for _, repetitions := range []int64{fewest, 20_000_000} {
					s := sceneOf(t, k.Component, k.Name, mode, rank, k.Least, 8, repetitions)
					p := s.program(k.recipe().build(s))
					sizes[[3]int{len(p.Places), len(p.Loop), len(p.After)}] = true
				}
				require.Len(t, sizes, 1, "%s %s %s: %v", k.Component, k.Name, mode, sizes)
			}
		}
	}
}

// Off the cache, no memory of any place is used again before as many bytes as two caches hold were used, over all runs
// of a row.
func TestOffCacheAddresses(t *testing.T) {
	const length, cache = 1000, 1 << 14
	for _, name := range []string{"PingPong", "Exchange", "Sendrecv", "Allgatherv", "Alltoallv", "Unidir_Put",
		"Exchange_put", "All_put_all", "One_get_all"} {
		k, _, ok := Find(name)
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
		c := Config{Selections: []Selection{{Kernel: k}}, Settings: Settings{Lengths: []int64{length},
			CacheSize: cache, MsgsPer: 100, MsgsNonAggr: 100}}
		if len(k.Modes) > 0 {
			c.Settings.MsgsPer = 99
		}
		plan, err := NewPlan(2, c, e.Supports, e.Library())
		require.NoError(t, err)
		plan.Blocks = plan.Blocks[:1]
		_, err = plan.Measure(e, rating.Observer[Measured]{Now: e.Now})
		require.NoError(t, err)
		require.Positive(t, seen, "%s: memory is used again later", name)
	}
}

// recorder is an engine whose process has another rank. It records the operations on windows, in order.
type recorder struct {
	*scripted.Engine
	rank   int
	events []string
}

func (r *recorder) World() mpi.Comm { return part{r.Engine.World(), r.rank, r.Processes} }

// Split makes communicators in which the process has its rank, too.
func (p part) Split(color, key int) (mpi.Comm, error) {
	c, err := p.Comm.Split(color, key)
	if c == nil || err != nil {
		return nil, err
	}
	return part{c, p.rank, c.Size()}, nil
}

// Gather brings data to the root alone.
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

// A process reads and writes its window's memory only while it holds a lock on it (MPI 4.1, 12.7).
func TestWindowMemoryIsLocked(t *testing.T) {
	for _, name := range []string{"Unidir_put", "Bidir_get", "All_put_all", "Accumulate", "Compare_and_swap",
		"Truly_passive_put"} {
		for rank := range 2 {
			k, _, ok := FindIn(RMA, name)
			require.True(t, ok)
			cost := func(x scripted.Step) float64 { return 1e-6 * float64(1+x.Products) }
			r := &recorder{Engine: &scripted.Engine{Processes: 2, Cost: cost}, rank: rank}
			plan, err := NewPlan(2, Config{Selections: []Selection{{Kernel: k}},
				Settings: Settings{Lengths: []int64{64}, MsgsPer: 3, MsgsNonAggr: 3}}, r.Supports, r.Library())
			require.NoError(t, err)
			_, err = plan.Measure(r, rating.Observer[Measured]{Now: r.Now})
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

// A process whose program is ready closes it if another one's message can't be expressed.
func TestProgramsAreClosed(t *testing.T) {
	var open count.Int64
	k, _, _ := Find("Sendrecv")
	require.NoError(t, local.Run(3, func(e mpi.Engine) error {
		c := Config{Selections: []Selection{{Kernel: k}}, Settings: Settings{Lengths: []int64{1000, 2000}, MsgsPer: 5}}
		plan, err := NewPlan(3, c, e.Supports, e.Library())
		if err != nil {
			return err
		}
		_, err = plan.Measure(closing{e, &open}, rating.Observer[Measured]{})
		return err
	}))
	require.Zero(t, open.Load())
}

// To identify the writer of a part of a file takes the comparison with one process' data, and no more.
func TestWriters(t *testing.T) {
	const processes, times = 3000, 3
	part := func(rank int) int64 { _, n := portion(10*processes-2, fileUnit, rank, processes); return n }
	fills := 0
	data := func(rank int) filler {
		fills++
		return pattern(rank)
	}
	w := newWriters(processes, times, part, data)
	var order []int
	for range times {
		order = append(order, rand.Perm(processes)...)
	}
	var file []byte
	for _, rank := range order {
		own := make([]byte, part(rank))
		pattern(rank)(own, 0)
		file = append(file, own...)
	}
	first := slices.Clone(file)
	for _, rank := range order {
		n, ok := w.take(file[:min(len(file), 12)])
		require.True(t, ok)
		require.Equal(t, part(rank), n)
		file = file[n:]
	}
	require.Empty(t, file)
	require.LessOrEqual(t, fills, (times+1)*processes)
	_, ok := w.take(first[:12])
	require.False(t, ok, "a fourth time")
	_, ok = newWriters(processes, times, part, data).take(make([]byte, 12))
	require.False(t, ok, "nobody's")
}

// A view's data are written tile by tile.
func TestThroughView(t *testing.T) {
	const tile, row = 100, 300
	asked := 0
	view := func(offset int64) (position, length int64) {
		asked++
		return offset/tile*row + tile + offset%tile, tile - offset%tile
	}
	data := make([]byte, 1000)
	throughView(pattern(fileOwner), view)(data, 30)
	require.Equal(t, 11, asked)
	for i := range data {
		var right [1]byte
		at := int64(30 + i)
		pattern(fileOwner)(right[:], at/tile*row+tile+at%tile)
		require.Equal(t, right[0], data[i], "byte %d", i)
	}
}

// sameData is an engine whose shared pointer stays at the file's start.
type sameData struct{ mpi.Engine }

func (e sameData) OpenFile(c mpi.Comm, path string, mode mpi.FileMode, hints []mpi.Hint) (mpi.File, error) {
	return e.Engine.(mpi.Files).OpenFile(c, path, mode, hints)
}

func (e sameData) Compile(p *mpi.Program) (mpi.Runner, error) {
	q := *p
	q.Loop = slices.Clone(p.Loop)
	for i := range q.Loop {
		if q.Loop[i].Op == mpi.FileReadShared {
			q.Loop[i].Op = mpi.FileReadAt
			q.Places = slices.Clone(p.Places)
			q.Places[q.Loop[i].Send.First].Offset = 0
		}
	}
	return e.Engine.Compile(&q)
}

// Two processes that read the same data through a shared pointer are detected, although each has data of the file.
func TestSharedReads(t *testing.T) {
	k, _, _ := Find("P_Read_Shared")
	measure := func(wrap func(mpi.Engine) mpi.Engine) (rows []Row) {
		c := Config{Selections: []Selection{{Kernel: k}}, Directory: t.TempDir(),
			Settings: Settings{Lengths: []int64{0, 3, 12, 1000, 3001}, MsgsPer: 4, LeastProcs: 3, Policy: Off}}
		require.NoError(t, local.Run(3, func(e mpi.Engine) error {
			plan, err := NewPlan(3, c, e.Supports, e.Library())
			if err != nil {
				return err
			}
			m, err := plan.Measure(wrap(e), rating.Observer[Measured]{})
			if e.World().Rank() == 0 {
				rows = m.Blocks[0].Rows
			}
			return err
		}))
		return rows
	}
	for _, row := range measure(func(e mpi.Engine) mpi.Engine { return e }) {
		require.Zero(t, row.Defects, "%+v", row)
	}
	for _, row := range measure(func(e mpi.Engine) mpi.Engine { return sameData{e} }) {
		if row.Bytes < 12 {
			require.Zero(t, row.Defects, "one process reads all of it: %+v", row)
			continue
		}
		_, second := portion(row.Bytes, fileUnit, 1, 3)
		_, third := portion(row.Bytes, fileUnit, 2, 3)
		require.Equal(t, second+third, row.Defects, "%+v", row)
	}
}

// The common bytes of parts are those where they overlap.
func TestCommon(t *testing.T) {
	require.Zero(t, common(nil))
	require.Zero(t, common([]taken{{5, 5}, {0, 5}, {7, 0}, {10, 3}}))
	require.EqualValues(t, 5, common([]taken{{5, 5}, {5, 5}}))
	require.EqualValues(t, 3+2, common([]taken{{0, 10}, {2, 3}, {8, 4}}))
}

// A kernel without a recipe is detected at once.
func TestNoRecipe(t *testing.T) {
	k := &Kernel{Name: "Forgotten", Component: RMA}
	require.PanicsWithValue(t, "probe: no recipe for Forgotten of IMB-RMA", func() { k.recipe() })
}
