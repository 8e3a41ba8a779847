package probe_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/local"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/probe/suites"
	"github.com/effective-bandwidth/beff/rating"
)

// separate is an engine whose windows have a public copy, which others access, in addition to the private one that the
// process loads from and stores to (MPI_WIN_SEPARATE: MPI 4.1, 12.7). A process's lock of its own window, or a fence,
// copies public data to the private copy; an unlock or a fence copies private data back. Nothing else does.
type separate struct {
	mpi.Engine
	copies map[mpi.Space]*copies
}

type copies struct {
	public, private mpi.Buffer
	agreed          []byte // the contents when they were last brought in line
	rank            int
}

func (c *copies) load()  { c.bring(c.public, c.private) }
func (c *copies) store() { c.bring(c.private, c.public) }

// bring copies the bytes that have changed since the last time.
func (c *copies) bring(from, to mpi.Buffer) {
	for i, x := range from.Bytes() {
		if x != c.agreed[i] {
			to.Bytes()[i], c.agreed[i] = x, x
		}
	}
}

func (e *separate) NewWindow(c mpi.Comm, private mpi.Buffer) (mpi.Window, error) {
	public, err := e.NewBuffer(private.Size())
	if err != nil {
		return nil, err
	}
	x := &copies{public, private, make([]byte, private.Size()), c.Rank()}
	x.store()
	w, err := e.Engine.(mpi.Windows).NewWindow(c, public)
	e.copies[w] = x
	return w, err
}

func (e *separate) Allocate(c mpi.Comm, size int64) (mpi.Window, mpi.Buffer, error) {
	private, err := e.NewBuffer(size)
	if err != nil {
		return nil, nil, err
	}
	w, public, err := e.Engine.(mpi.Windows).Allocate(c, size)
	e.copies[w] = &copies{public, private, make([]byte, size), c.Rank()}
	return w, private, err
}

// Compile finds the calls that synchronise the process's own window.
func (e *separate) Compile(p *mpi.Program) (mpi.Runner, error) {
	r, err := e.Engine.Compile(p)
	x := &separateRunner{Runner: r}
	for _, c := range p.Calls() {
		if c.Recv.Count != 1 || e.copies[p.Places[c.Recv.First].Space] == nil {
			continue
		}
		own := e.copies[p.Places[c.Recv.First].Space]
		mine := p.Places[c.Recv.First].Peer == own.rank
		switch {
		case c.Op == mpi.WinFence:
			x.before, x.after = own.store, own.load
		case c.Op == mpi.WinLock && mine:
			x.after = own.load
		case c.Op == mpi.WinUnlock && mine:
			x.before = own.store
		}
	}
	return x, err
}

// separateRunner synchronises before or after a run.
type separateRunner struct {
	mpi.Runner
	before, after func()
}

func (r *separateRunner) Run(n mpi.Loops) (mpi.Measurement, error) {
	if r.before != nil {
		r.before()
	}
	m, err := r.Runner.Run(n)
	if r.after != nil {
		r.after()
	}
	return m, err
}

// TestSeparateWindows measures the one-sided kernels on an engine of separate windows. If a load or a store weren't
// synchronised, the check would find wrong data.
func TestSeparateWindows(t *testing.T) {
	var list []probe.Selection
	for _, k := range suites.Kernels() {
		random := k.Name == "Random_put" || k.Name == "Random_get"
		if k.Component == kernel.EXT && k.Name != "Window" || k.Component == kernel.RMA ||
			k.Component == kernel.PGAS && !random { // the windows of the random ones are large
			list = append(list, probe.Selection{Kernel: k})
		}
	}
	for _, kind := range []settings.WindowKind{settings.Created, settings.Allocated} {
		var result *probe.Result
		var once sync.Mutex
		require.NoError(t, local.Run(2, func(e mpi.Engine) error {
			c := probe.Config{Selections: list, Settings: settings.Settings{Rows: settings.Rows{Lengths: []int64{8,
				3000}}, Repetitions: settings.Repetitions{Max: 3,
				MaxNonAggr: 3, Policy: settings.Off},
				OneSided: settings.OneSided{Window: kind, Count: 20, Strides: []int64{2}}}}
			plan, err := probe.NewPlan(2, probe.On(e, c))
			if err != nil {
				return err
			}
			m, err := plan.Measure(&separate{e, map[mpi.Space]*copies{}}, rating.Observer[measured.Outcome]{})
			if err == nil && e.World().Rank() == 0 {
				once.Lock()
				defer once.Unlock()
				result = probe.NewResult(plan, m, probe.Run{Run: rating.Run{}})
			}
			return err
		}))
		checked := 0
		for _, b := range result.Blocks {
			for _, row := range b.Rows {
				require.Zero(t, row.Defects, "%s %s, %s, %d bytes", b.Component, b.Kernel, kind, row.Bytes)
				checked += int(row.Checked)
			}
		}
		require.Greater(t, checked, 80)
	}
}
