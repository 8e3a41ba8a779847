package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/internal/scripted"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/probe/suites"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/ofbeff"
)

// layouts has functions that return the number of ranks on a node with an index.
var layouts = map[string]func(node int) int{
	"1 a node":   func(int) int { return 1 },
	"48 a node":  func(int) int { return 48 },
	"128 a node": func(int) int { return 128 },
	"uneven":     func(node int) int { return 40 + node*7%23 },
}

// hostsOf returns the ranks of each node.
func hostsOf(processes int, on func(node int) int) (hosts [][]int) {
	for ranks := lists.Numbers(processes); len(ranks) > 0; {
		n := min(on(len(hosts)), len(ranks))
		hosts, ranks = append(hosts, ranks[:n:n]), ranks[n:]
	}
	return hosts
}

// cost is the cost of a function, such as making a plan, in this process.
type cost struct {
	allocations, bytes uint64
	processor          time.Duration
}

// costOf calls f and returns the cost of the call.
func costOf(f func()) cost {
	used := func() time.Duration {
		var u syscall.Rusage
		_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	began := used()
	f()
	took := used() - began
	runtime.ReadMemStats(&after)
	return cost{after.Mallocs - before.Mallocs, after.TotalAlloc - before.TotalAlloc, took}
}

// The cost of a plan grows at most in proportion to the number of processes, on every layout of the nodes. It matters
// because each process of a large job makes the plan before the first message.
func TestPlansOfManyProcesses(t *testing.T) {
	probing := func(s settings.Settings, components ...kernel.Component) func(int, [][]int) error {
		return func(processes int, hosts [][]int) error {
			c := probe.Config{Hosts: hosts, Share: 4 << 30, Settings: s}
			for _, k := range suites.Kernels() {
				if slices.Contains(components, k.Component) {
					c.Selections = append(c.Selections, probe.Selection{Kernel: k})
				}
			}
			_, err := probe.NewPlan(processes, c)
			return err
		}
	}
	one := 1
	all := suites.Components()
	plans := map[string]func(processes int, hosts [][]int) error{
		"run": func(processes int, _ [][]int) error {
			_, err := beff.NewPlan(processes, beff.Config{Rules: beff.Rules2001, Memory: 4 << 30})
			return err
		},
		"io": func(processes int, _ [][]int) error {
			_, err := beffio.NewPlan(processes, beffio.Config{Rules: beffio.RulesPaper, Memory: 1 << 30,
				MaxBytes: 1 << 60})
			return err
		},
		"all suites":        probing(settings.Settings{}, all...),
		"the multiple mode": probing(settings.Settings{Who: settings.Who{Multi: &one}}, kernel.MPI1, kernel.EXT),
		"a grid of ranks": func(processes int, hosts [][]int) error {
			grid := settings.Settings{Who: settings.Who{Map: []int{10, processes / 10}}}
			return probing(grid, kernel.MPI1)(processes, hosts)
		},
		"victims of congestors": probing(settings.Settings{IMB: settings.IMB{Method: settings.ByLoad}}, kernel.Load),
	}
	for _, c := range all {
		plans[suites.Title(c)] = probing(settings.Settings{}, c)
	}
	for name, on := range layouts {
		hosts := map[int][][]int{}
		for _, processes := range []int{1e3, 1e4, 1e5} {
			hosts[processes] = hostsOf(processes, on)
		}
		for what, plan := range plans {
			var costs []cost
			for _, processes := range []int{1e3, 1e4, 1e5} {
				costs = append(costs, costOf(func() { require.NoError(t, plan(processes, hosts[processes]), what) }))
			}
			t.Logf("%s, %s: %+v", what, name, costs)
			const most = 15 // times as much for ten times as many processes; a constant part is free
			before, after := costs[1], costs[2]
			require.LessOrEqual(t, after.allocations, most*before.allocations+1e3, "%s, %s", what, name)
			require.LessOrEqual(t, after.bytes, most*before.bytes+1<<20, "%s, %s", what, name)
			require.LessOrEqual(t, after.processor, most*before.processor+5*time.Second, "%s, %s", what, name)
		}
	}
}

// At the start rank 0 needs some hundred bytes of memory for each process. A gather needs little more memory than its
// result.
func TestGathersOfManyProcesses(t *testing.T) {
	c := &mpi.SoloComm{Processes: 100_000}
	for name, x := range map[string]struct {
		most   uint64 // bytes for each process
		gather func() error
	}{
		"locate": {250, func() error {
			_, err := job.Locate(c, job.Node{Host: "r00c0-0000-ib0", CPUs: make(job.CPUs, 4)})
			return err
		}},
		"64 values": {600, func() error {
			_, err := job.GatherNumbers(c, make([]float64, 64))
			return err
		}},
	} {
		got := costOf(func() { require.NoError(t, x.gather()) })
		t.Logf("%s: %+v", name, got)
		require.Less(t, got.bytes, x.most*uint64(c.Processes), name)
	}
}

// With up to 256 processes all pairs are measured. With more, the number of pairs is proportional to the processes.
func TestRoundsOfManyProcesses(t *testing.T) {
	for processes, pairs := range map[int]int{256: 256 * 255 / 2, 1e3: 8e3, 1e4: 8e4, 1e5: 8e5} {
		var s settings.Settings
		r, err := s.Rounds(processes)
		require.NoError(t, err)
		require.Equal(t, pairs, r.Pairs)
	}
	var plan bytes.Buffer
	require.Zero(t, run(strings.Fields("probe Oneway_pairs --dry-run -n 1000"), &plan, io.Discard))
	require.Contains(t, plan.String(), "Oneway_pairs: 8000 of 499500 pairs; process 0 keeps 1.099 MiB of times")
}

// A rating of 100,000 processes with all patterns, methods and lengths makes a small document. It verifies, and its
// page shows groups of hosts instead of each host.
func TestLargeDocument(t *testing.T) {
	const processes = 100_000
	plan, err := beff.NewPlan(processes, beff.Config{Rules: beff.Rules2001, Memory: 4 << 30, Seed: 1, Passes: 3})
	require.NoError(t, err)
	e := &scripted.Engine{Processes: processes, Cost: scripted.Linear(1e-6, 1e9)}
	m, err := plan.Measure(e, rating.Observer[beff.Measured]{Now: e.Now})
	require.NoError(t, err)
	for x := range lists.Elements(m.Samples) {
		x.Mean = x.Min // all processes are alike
	}
	for name, on := range layouts {
		layout := job.Layout{Memory: 4 << 30}
		for i, ranks := range hostsOf(processes, on) {
			host := fmt.Sprintf("r%02dc%d-%04d-ib0", i/4096, i/512%8, i%512)
			layout.Placement = append(layout.Placement, job.NewPlacement(host, ranks))
		}
		r := beff.NewResult(plan, m, rating.Run{Version: rating.Release, Library: e.Library(), Layout: layout})
		path := filepath.Join(t.TempDir(), "a.json")
		var b bytes.Buffer
		require.NoError(t, ofbeff.Form.Seal(&b, r))
		t.Logf("%s: %d hosts, %d bytes", name, len(layout.Placement), b.Len())
		require.Less(t, b.Len(), 4_000_000, name)
		require.NoError(t, os.WriteFile(path, b.Bytes(), 0o600))
		var f *report.File
		t.Logf("%s: read and proven: %+v", name, costOf(func() { f = report.Read(path) }))
		require.NoError(t, f.Problem)
		var page bytes.Buffer
		require.NoError(t, document.HTML(&page, f.Document()))
		require.Less(t, strings.Count(page.String(), "-ib0"), 1100, name)
		t.Logf("%s: page of %d bytes", name, page.Len())
	}
}

// watched is an engine that collects garbage when beff asks for it, like engines that hold the collector off between
// measurements. most is the size of the largest heap before a collection.
type watched struct {
	*scripted.Engine
	most uint64
}

func (w *watched) Collect() error {
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	w.most = max(w.most, now.HeapAlloc)
	runtime.GC()
	return nil
}

// On 100,000 processes rank 0 needs little memory to plan and measure victims and congestors, whatever the times are,
// because histograms are merged by reductions.
func TestLargeLoad(t *testing.T) {
	const processes = 100_000
	noise := rand.New(rand.NewPCG(1, 2))
	k, _, found := suites.Find(kernel.Load, "Ring_latency")
	require.True(t, found)
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	for _, name := range []string{"1 a node", "128 a node"} { // the extremes; each takes some seconds
		on := layouts[name]
		hosts := hostsOf(processes, on)
		if n := len(hosts); n%2 == 1 { // both sides get as many
			hosts = append(hosts[:n-2], slices.Concat(hosts[n-2:]...))
		}
		e := &watched{Engine: &scripted.Engine{Processes: processes, Cost: scripted.Linear(1e-6, 1e9),
			Members: func(int, int) int { return len(hosts) / 2 }, // of a group of congestors
			Each:    func(scripted.Step, int64) []float64 { return []float64{1e-6 * math.Exp(noise.NormFloat64()/2)} }}}
		c := probe.Config{Hosts: hosts, Share: 4 << 30, Engine: e,
			Selections: []probe.Selection{{Kernel: k}}}
		runtime.GC() // a second collection frees the memory that encoding/json keeps
		require.NoError(t, e.Collect())
		var before runtime.MemStats
		runtime.ReadMemStats(&before)
		debug.SetGCPercent(100)
		plan, err := probe.NewPlan(processes, c)
		require.NoError(t, err)
		require.NoError(t, e.Collect())
		e.most = 0
		debug.SetGCPercent(-1)
		out, err := plan.Measure(e, rating.Observer[measured.Outcome]{Now: e.Now})
		require.NoError(t, err)
		most := e.most - before.HeapAlloc
		require.True(t, slices.ContainsFunc(out.Blocks, func(b measured.Block) bool { // rank 0 may be a victim in few
			return b.Rows[0].Load.Isolated.N() == int64(processes)*1984
		}), name)
		for b := range lists.Elements(out.Blocks) {
			b.Rows = nil // their size doesn't depend on the processes
		}
		text, err := json.Marshal(out.Blocks)
		require.NoError(t, err)
		t.Logf("%s: %d rows, %d bytes, a document of %d", name, len(out.Blocks), most, len(text))
		require.Less(t, len(text), len(out.Blocks)*(7*processes/on(0)+100_000), name)
		require.Less(t, most, uint64(50e6), name)
	}
}
