package main

import (
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/flow"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/host"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/imb"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/launch"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/process"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/scratch"
	"github.com/effective-bandwidth/beff/fabric"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/plugins"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/words"
)

// doctorCommand is `beff doctor`: it looks at a job as a run would find it, and measures nothing. Asked about
// something, it runs a probe and says what its result means.
type doctorCommand struct {
	About          string `arg:"" optional:"" name:"links|noise|load|cuts|calls" help:"${doctor_about}"`
	Directory      string `short:"p" placeholder:"DIR" default:"." help:"${io_directory}"`
	flow.Processes `set:"engines=auto,mpi,local"`
}

// doctorProbes holds what the doctor probes, by what it is asked about.
var doctorProbes = map[string]string{"links": "Roundtrip_pairs", "noise": "noise", "load": "load", "cuts": "cut",
	"calls": "guidelines"}

// probe measures what the doctor is asked about, and prints what the result means.
func (c *doctorCommand) probe(p *process.Process) error {
	kernels, known := doctorProbes[c.About]
	if !known {
		return exit.Misuse("doctor %s: want links, noise, load, cuts or calls%s", c.About,
			words.Meant(c.About, slices.Collect(maps.Keys(doctorProbes))))
	}
	r := imb.New("")
	if err := r.Name(kernels); err != nil {
		return err
	}
	if c.About == "cuts" && c.Topology != "" {
		r.Settings.Cuts = []string{fabric.Grow}
	}
	err := orderProbe(p, r, &flow.Order{Flags: flow.Flags{Processes: c.Processes}, Command: "beff probe " + kernels},
		func(b *calls) flow.Benchmark[measured.Outcome] { return diagnosis{b, b, b} })
	if err != nil {
		return fmt.Errorf("probe %s: %w", kernels, err)
	}
	return nil
}

// diagnosis is a probe that prints no rows, so that the first screen of its result is printed at the end.
type diagnosis struct {
	flow.Benchmark[measured.Outcome]
	flow.Trimmer[measured.Outcome]
	flow.Checker[measured.Outcome]
}

// looked is the time in which the doctor looks at the other load of the hosts.
const looked = time.Second

// visit is what a doctor has seen, on rank 0.
type visit struct {
	plugins  []plugins.Plugin
	launcher *launch.Launcher
	library  mpi.Library
	layout   *job.Layout
	env      *rating.Environment
	load     *rating.Load
	ways     []host.Ways // of each rank; nil: ranks are one process
	copies   []string    // why a rank can't read the memory of its neighbour on the node; empty: it can
	limited  bool        // the memory is that of a cgroup
	locked   int64       // bytes that may be locked
	guards   string      // host.Guards
	shm      int64       // bytes that are free in /dev/shm; 0: not known

	directory  beffio.FileSystem
	unwritable error // the directory isn't shared, or can't be written to
}

// Run is called by the command line.
func (c *doctorCommand) Run(p *process.Process) error {
	if c.About != "" {
		return c.probe(p)
	}
	return flow.Open(p, c.Processes, launch.Choice{}, 1, func(j *flow.Job) error {
		v, err := c.visit(j)
		if err != nil || j.Engine.World().Rank() > 0 {
			return err
		}
		return v.write(p.Stdout)
	})
}

// visit looks. It is collective, and returns nil on all ranks but the first.
func (c *doctorCommand) visit(j *flow.Job) (*visit, error) {
	e, layout := j.Engine, j.Layout
	meter := host.NewMeter("/")
	time.Sleep(looked)
	uses, err := job.Gather(e.World(), meter.Use())
	if err != nil {
		return nil, err
	}
	env, err := j.Environment(c.Directory)
	if err != nil {
		return nil, err
	}
	unwritable := shares(j, c.Directory)
	v := &visit{launcher: j.Launcher, library: e.Library(), layout: layout, env: env, unwritable: unwritable}
	if e.Library().Kind().Distributed {
		if err := v.reach(e.World(), layout); err != nil {
			return nil, err
		}
	}
	if e.World().Rank() > 0 {
		return nil, nil
	}
	v.load = host.Load(layout, host.Governor("/"), uses)
	v.limited, v.locked, v.guards = host.Limited("/"), host.Locked(), host.Guards("/")
	if v.ways == nil {
		v.plugins = j.Plugins()
	}
	if there, err := scratch.Facts("/dev/shm"); err == nil {
		v.shm = there.Free
	}
	if v.directory, err = scratch.Facts(c.Directory); err != nil {
		v.unwritable = err
	}
	if path, err := filepath.Abs(c.Directory); err == nil {
		v.directory.Directory = path
	}
	return v, nil
}

// shares returns why a directory is none for the files of a job: rank 0 can't make one in it, or others don't see that.
// All ranks have the same error.
func shares(j *flow.Job, directory string) error {
	dir, err := j.Share(directory, false)
	if err != nil {
		return err
	}
	return job.Do(j.Engine.World(), dir.Remove)
}

// reach finds by which ways processes reach each other. Each has sent messages by now. It is collective.
func (v *visit) reach(world mpi.Comm, layout *job.Layout) (err error) {
	if v.ways, err = job.Gather(world, host.WaysOf("/")); err != nil {
		return err
	}
	peers, err := job.Decide(world, func() ([]host.Ways, error) { return neighbours(layout, v.ways), nil })
	if err != nil {
		return err
	}
	failed := ""
	if peer := peers[world.Rank()]; peer.Process != 0 {
		if err := host.Copies(peer); err != nil {
			failed = err.Error()
		}
	}
	v.copies, err = job.Gather(world, failed)
	return err
}

// neighbours returns for each rank where the memory of the next one on its node is; nothing for one that is alone.
func neighbours(layout *job.Layout, ways []host.Ways) []host.Ways {
	list := make([]host.Ways, len(ways))
	for _, ranks := range layout.Ranks {
		for i, rank := range ranks {
			if next := ranks[(i+1)%len(ranks)]; next != rank {
				w := ways[next]
				w.Shared, w.Devices, w.Components = nil, nil, nil
				list[rank] = w
			}
		}
	}
	return list
}

// The screen that a visit is shown on.
const (
	screenLines   = 25
	screenColumns = 80
	labelColumns  = 11
	mostOfRow     = 2 // lines
)

// write shows the visit on one screen: a row for each question, what would spoil a rating, and the verdict.
func (v *visit) write(w io.Writer) error {
	lines := []string{fmt.Sprintf("beff %s: what a run would find here", version)}
	for _, q := range questions {
		lines = append(lines, row(q.name, q.answer(v), mostOfRow)...)
	}
	found := v.findings()
	last := row("verdict", verdictOf(found), 1)
	for i, f := range found {
		next := append(row(f.spoils.String(), f.Text, mostOfRow), row("", "-> "+f.Remedy, mostOfRow)...)
		room := screenLines - len(lines) - len(last)
		if i < len(found)-1 {
			room-- // for how many there are more
		}
		if len(next) > room {
			lines = append(lines, row("", fmt.Sprintf("… and %d more", len(found)-i), 1)...)
			break
		}
		lines = append(lines, next...)
	}
	for _, line := range append(lines, last...) {
		if _, err := fmt.Fprintln(w, line); err != nil {
			return fmt.Errorf("stdout: %w", err)
		}
	}
	return nil
}

// findings returns what would spoil a rating, the worst first.
func (v *visit) findings() (list []finding) {
	for _, find := range finders {
		list = append(list, find(v)...)
	}
	slices.SortStableFunc(list, func(a, b finding) int { return int(a.spoils) - int(b.spoils) })
	return list
}
