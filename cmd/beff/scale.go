package main

import (
	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/launch"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/process"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	"github.com/effective-bandwidth/beff/report/whatif"
	"github.com/effective-bandwidth/beff/report/words"
)

// modelScale is `beff model scale`.
type modelScale struct {
	Machines []string `arg:"" name:"machine" help:"${model_machine}"`
	Ranks    []int    `short:"n" default:"16,64,256,1024" placeholder:"P,…" help:"${model_scale_ranks}"`
	varied
	publish.Writing
}

// Run is called by the command line.
func (c *modelScale) Run(p *process.Process) error {
	formats, err := c.Chosen(publish.Without("kv"))
	if err != nil {
		return err
	}
	var machines [][]whatif.Point
	for _, name := range c.Machines {
		m, err := launch.ReadMachine(name, c.Set...)
		if err != nil {
			return err
		}
		points, err := whatif.Scale(m, c.Ranks, uint64(c.Seed))
		if err != nil {
			return exit.With(exit.Usage, err)
		}
		machines = append(machines, points)
	}
	d := whatif.Growth(machines)
	d.Next = "beff model scale " + words.Quoted(c.Machines) + " -o growth.html"
	papers := []*publish.Paper{{Name: "scale", Document: d}}
	return c.Publish(p.Stdout, p.Stderr, papers, formats)
}
