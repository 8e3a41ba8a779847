package main

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/doctor"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/flow"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/launch"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/probing"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/process"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/terminal"
	"github.com/effective-bandwidth/beff/internal/input"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
)

// doctorCommand is `beff doctor`: it examines a job as a run would find it, and measures nothing. With a question it
// runs a probe and explains its result, and with a result it explains that.
type doctorCommand struct {
	About          string  `arg:"" optional:"" name:"links|noise|load|cuts|calls|RESULT" help:"${doctor_about}"`
	Directory      string  `short:"p" placeholder:"DIR" default:"." help:"Look at DIR (default the current directory)."`
	Output         *string `short:"o" placeholder:"PATH" help:"${doctor_output}"`
	Force          bool    `help:"Overwrite existing output files."`
	System         bool    `help:"Draft the system.yaml of this system."`
	Buffers        string  `placeholder:"MEMORY" default:"host" help:"${doctor_buffers}"`
	flow.Processes `set:"engines=auto,mpi,local"`
}

// probe runs the probe that answers a question, and prints the answer.
func (c *doctorCommand) probe(p *process.Process) error {
	names := lists.Each(probing.Questions, func(q probing.Question) string { return q.Name })
	i := slices.Index(names, c.About)
	if i < 0 {
		return exit.Misuse("doctor %s: want %s, or the file of a result%s", c.About, words.Joined(names, "or"),
			words.DidYouMean(c.About, names))
	}
	return probing.Diagnose(p, probing.Questions[i], flow.Flags{Processes: c.Processes,
		Files: flow.Files{Output: c.Output, Force: c.Force}})
}

// explain prints the first screen of each result, and the command that finds out more about it.
func (c *doctorCommand) explain(p *process.Process) error {
	if c.Output != nil {
		return exit.Misuse("doctor -o: only links, noise, load, cuts and calls write a result")
	}
	files, err := publish.Read([]string{c.About}, nil)
	if err != nil {
		return err
	}
	var take publish.Flags
	taken, refused := take.Take(files)
	for i, d := range report.Documents(taken) {
		d.Next = nextOf(taken[i])
		if err := document.Brief(terminal.ScreenOf(p.Stdout, os.Getenv).Screen)(p.Stdout, d); err != nil {
			return err
		}
		if len(d.Screen) == 0 { // otherwise it is a row of the screen
			fmt.Fprintln(p.Text, "Next  "+d.Next)
		}
		probing.PrintMap(p.Text, taken[i].Probe())
	}
	return refused.End(p.Stderr)
}

// nextOf returns the command that finds out more about a result: the doctor's question for its cause or its first
// doubt, or the report.
func nextOf(f *report.File) string {
	h := f.Header()
	if f.OtherProgram() != nil || !h.Complete || f.Benchmark() == beffio.Benchmark || h.Engine.Kind().Simulated {
		return launch.Line("report", f.Path, "-o", input.Stem(f.Path)+".html")
	}
	variable, command := askNext(h)
	ranks := []string{"-n", strconv.Itoa(h.Processes)}
	if !h.Engine.Kind().Distributed {
		return launch.Line(append(command, ranks...)...)
	}
	line := append([]string{"mpirun"}, ranks...)
	if variable != "" {
		line = append([]string{"env", "-u", variable}, line...)
	}
	return words.ShellQuoted(line) + " " + launch.Line(command...)
}

// askNext returns the words of the command that finds out more about a result, and the variable without which it must
// run, or "". A cause that the doctor sees before a run needs no question.
func askNext(h parts.Header) (variable string, command []string) {
	question := ""
	switch cause := h.Verdict.SlowedBy(); {
	case cause != nil && cause.Variable != "":
		return cause.Variable, []string{"run"}
	case cause != nil && (cause.Code == "load" || cause.Code == "steal"):
		question = "noise"
	case cause != nil:
	case h.Verdict.Noisy:
		question = "noise"
	case h.Verdict.Valid && h.Processes > 4:
		question = "links"
	}
	return "", lists.Where([]string{"doctor", question}, func(word string) bool { return word != "" })
}

// Run is called by the command line.
func (c *doctorCommand) Run(p *process.Process) error {
	switch {
	case strings.ContainsRune(c.About, '/') || strings.HasSuffix(c.About, ".json") ||
		strings.HasSuffix(c.About, ".json.gz"):
		return c.explain(p)
	case c.About != "":
		return c.probe(p)
	case c.Output != nil:
		return exit.Misuse("doctor -o: only links, noise, load, cuts and calls write a result")
	}
	device, err := flow.MemoryFlags{Buffers: c.Buffers}.Choice()
	if err != nil {
		return err
	}
	return flow.Open(p, c.Processes, launch.Choice{Device: device}, 1, func(j *flow.Job) error {
		facts, err := doctor.Collect(j, c.Directory)
		if err != nil {
			return err
		}
		err = job.Do(j.Engine.World(), func() error {
			if c.System {
				return facts.WriteSystem(p.Text)
			}
			return facts.Write(p.Text)
		})
		if err != nil || c.System || device.Buffers == "" {
			return err
		}
		return doctor.Exchange(j, device.Buffers, p.Text)
	})
}
