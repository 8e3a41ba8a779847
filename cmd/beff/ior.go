package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/alecthomas/kong"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	iorline "github.com/effective-bandwidth/beff/cmd/beff/internal/ior"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/scratch"
	"github.com/effective-bandwidth/beff/ior"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report"
	iortext "github.com/effective-bandwidth/beff/report/format/ior"
	"github.com/effective-bandwidth/beff/report/input"
	"github.com/effective-bandwidth/beff/report/ofior"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
)

// iorCommand is `beff ior -a MPIIO -t 1m …`: the command lines of IOR.
type iorCommand struct {
	Args []string `arg:"" optional:"" help:"${ior_args}"`
	Cold bool     `help:"${ior_cold}"`
	//lint:ignore SA5008 each tag sets a variable
	measuring `set:"output=${ior_output}" set:"engines=auto,mpi,local"`
}

// take takes the words that IOR's grammar is for.
func (c *iorCommand) take(words []string) { c.Args = words }

// letters says that IOR's options are letters.
func (*iorCommand) letters() {}

// Run is called by the command line.
func (c *iorCommand) Run(p *process, line *kong.Context) error {
	l, err := iorline.Parse(c.Args)
	if err == nil && l.Script != "" && !l.Help {
		var text []byte
		if text, err = input.ReadAll(l.Script, longestScript); err == nil {
			err = l.ReadScript(string(text))
		}
	}
	switch {
	case err != nil:
		return exit.Misuse("ior: %w", err)
	case l.Help:
		return c.usage(p, line.Selected(), nil)
	}
	r := &iorRun{tests: func(processes int, layout *job.Layout) ([]ior.Settings, error) {
		list, err := l.Tests(processes, layout)
		for i := range list {
			list[i].Cold = c.Cold
			err = errors.Join(err, c.canFill("-M", list[i].Filled, list[i].Transfer, layout))
		}
		return list, exit.With(exit.Usage, err)
	}, own: l.Own(), measuring: c.measuring, notices: &l.Notices}
	return r.run(p)
}

// longestScript is the most bytes that are read of a script of IOR.
const longestScript = 1 << 20

// usage lists the options.
func (c *iorCommand) usage(p *process, node *kong.Node, _ []string) error {
	var s strings.Builder
	fmt.Fprintf(&s, "Usage: beff ior [options]\n\nTests of files by the method, options and text of IOR %s.\n\n"+
		"Options:\n", iortext.Version)
	w := tabwriter.NewWriter(&s, 0, 0, 2, ' ', 0)
	for _, o := range iorline.Options {
		if o.Help != "" {
			letter := words.Either(o.Short != "", "-"+o.Short+", ", "")
			fmt.Fprintf(w, "  %s--%s %s\t%s\n", letter, o.Long, o.Value, o.Help)
		}
	}
	return p.writeFlags(&s, w, node)
}

// iorRun is a run of tests of files.
type iorRun struct {
	measuring
	tests   func(processes int, layout *job.Layout) ([]ior.Settings, error) // rank 0 calls it
	own     bool                                                            // the files are in a directory of the run
	notices *[]string
	stderr  io.Writer
}

func (r *iorRun) run(p *process) error {
	r.stderr = p.stderr
	return measure(p, &order{measuring: r.measuring, least: 1, benchmark: ior.Benchmark, none: ofior.Report{},
		asks: true}, r.plan)
}

// iorTarget is a configuration with the file system as rank 0 sees it.
type iorTarget struct {
	Config     ior.Config
	FileSystem ior.FileSystem
}

// target returns the checked configuration by the command line and by the facts that rank 0 finds.
func (r *iorRun) target(processes int, layout *job.Layout) (t iorTarget, err error) {
	if t.Config.Tests, err = r.tests(processes, layout); err != nil {
		return t, err
	}
	plan, err := ior.NewPlan(processes, t.Config)
	if err != nil {
		return t, exit.With(exit.Usage, err)
	}
	file, err := filepath.Abs(plan.Tests[0].File)
	if err != nil {
		return t, err
	}
	for i := range plan.Tests {
		name := plan.Tests[i].File
		if info, err := os.Stat(name); strings.HasSuffix(name, "/") || err == nil && info.IsDir() {
			return t, exit.Misuse("-o %s is a directory: name a file in it", name)
		}
		if s := &plan.Tests[i]; r.own && filepath.Dir(s.File) != filepath.Dir(plan.Tests[0].File) {
			return t, exit.Misuse("files in %s and in %s: give one -o for each command", filepath.Dir(s.File),
				filepath.Dir(plan.Tests[0].File))
		}
	}
	facts, err := scratch.Facts(filepath.Dir(file))
	if err != nil {
		return t, err
	}
	t.FileSystem = facts
	if err := fits(plan.Bytes()-there(plan), facts); err != nil && !r.DryRun {
		return t, err
	}
	if facts.Size > 0 && plan.Bytes() == 0 {
		t.Config.Room, t.Config.Files = max(facts.Free/10*9, 1), facts.FreeFiles/10*9
	}
	return t, nil
}

// there returns the bytes of files that are there and are written over.
func there(p *ior.Plan) (bytes int64) {
	for i := range p.Tests {
		if s := &p.Tests[i]; s.Write && s.Existing {
			for _, path := range s.Paths(p.Processes) {
				if info, err := os.Stat(path); err == nil {
					bytes += info.Size()
				}
			}
		}
	}
	return bytes
}

// plan makes the plan of the tests.
func (r *iorRun) plan(e mpi.Engine, layout *job.Layout, before *past) (*benchmark[ior.Measured], error) {
	to, err := decide(e, before, func(was *iorTarget) (iorTarget, error) {
		now, err := r.target(e.World().Size(), layout)
		if was != nil { // these don't say what is measured
			now.FileSystem.Free, now.FileSystem.FreeFiles = was.FileSystem.Free, was.FileSystem.FreeFiles
			now.Config.Room, now.Config.Files = was.Config.Room, was.Config.Files
		}
		return now, err
	})
	if err != nil {
		return nil, err
	}
	plan, err := ior.NewPlan(e.World().Size(), to.Config)
	if err != nil {
		return nil, err
	}
	b := &benchmark[ior.Measured]{
		decided: to, room: int64(plan.Measurements()) * sampleBytes, unit: "call",
		describe: func(w io.Writer) error { return ofior.Plan(w, plan, to.FileSystem, e.Library()) },
		begin: func(stderr io.Writer) {
			for _, n := range *r.notices {
				fmt.Fprintf(stderr, "beff: %s\n", words.OneLine(n))
			}
		},
		measure: func(directory string, watch rating.Observer[ior.Measured]) (*ior.Measured, error) {
			plan.Directory = directory
			return plan.Measure(e, watch)
		},
		samples: func(m *ior.Measured) int { return len(m.Samples) },
		seconds: func(m *ior.Measured) float64 { return m.WallSeconds },
		since:   (*ior.Measured).Since, add: (*ior.Measured).Add, trim: plan.Trim,
		verdict: func(m *ior.Measured) error {
			if w := ior.WrongIn(plan.Tests, m.Samples); w.All() > 0 {
				var all []string
				if w.Transfers > 0 {
					all = append(all, words.Count(int(w.Transfers), "wrong transfer"))
				}
				if w.Files > 0 {
					all = append(all, words.Count(int(w.Files), "wrong file"))
				}
				return fmt.Errorf("wrong data: %s; %s in all", w.First, strings.Join(all, ", "))
			}
			return nil
		},
		report: func(m *ior.Measured, run rating.Run) report.Report {
			return ofior.Report{Result: ior.NewResult(plan, m, ior.Run{Run: run, FileSystem: to.FileSystem})}
		},
	}
	if r.own {
		b.parent = to.FileSystem.Directory
	} else {
		b.stays = func(m *ior.Measured) string {
			list := plan.Left(m)
			if len(list) == 0 {
				return ""
			}
			more := words.Either(len(list) > 1, fmt.Sprintf(" and %d more", len(list)-1), "")
			return "files are kept: " + words.OneLine(list[0]) + more
		}
	}
	b.show = b.atEnd(func(w io.Writer, of report.Report) error {
		made := of.(ofior.Report).Result
		tellNoise(r.stderr, made.Verdict)
		for _, w := range made.Warnings {
			if w.Code == ior.NoRoom {
				fmt.Fprintf(r.stderr, "beff: %s: %s\n", w.Text, w.Remedy)
			}
		}
		if v := made.Verdict; v.State() == rating.IsNotValid && made.Complete {
			fmt.Fprintf(r.stderr, "beff: %s: %s\n", parts.Standing(v, rating.Doubt{}), parts.NotMet(v.Criteria))
		}
		if made.Set() {
			return iortext.WriteIO500(w, made)
		}
		return iortext.Write(w, made)
	})
	return b, nil
}
