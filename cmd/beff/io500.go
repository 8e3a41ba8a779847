package main

import (
	"path/filepath"
	"time"

	"github.com/alecthomas/kong"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	iorline "github.com/effective-bandwidth/beff/cmd/beff/internal/ior"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/size"
	"github.com/effective-bandwidth/beff/ior"
	"github.com/effective-bandwidth/beff/mpi/job"
)

// io500Command is `beff io500`: an IO500-like set.
type io500Command struct {
	Directory string      `short:"p" placeholder:"DIR" default:"." help:"${io500_directory}"`
	Stonewall *size.Time  `placeholder:"TIME" help:"${io500_stonewall}"`
	API       string      `name:"api" enum:"POSIX,MPIIO" default:"POSIX" help:"Calls on large files."`
	Easy      *size.Bytes `placeholder:"SIZE" help:"${io500_easy}"`
	//lint:ignore SA5008 each tag sets a variable
	measuring `set:"output=${io500_output}" set:"engines=auto,mpi,local"`
}

// Run is called by the command line.
func (c *io500Command) Run(p *process, _ *kong.Context) error {
	seconds, easy := float64(ior.LeastStonewall), int64(2<<20)
	if c.Stonewall != nil {
		seconds = time.Duration(*c.Stonewall).Seconds()
	}
	if c.Easy != nil {
		easy = int64(*c.Easy)
	}
	directory, err := filepath.Abs(c.Directory)
	if err != nil {
		return err
	}
	if seconds <= 0 {
		return exit.Misuse("--stonewall: want a time, such as 300")
	}
	var notices []string
	r := &iorRun{measuring: c.measuring, own: true, notices: &notices,
		tests: func(processes int, layout *job.Layout) ([]ior.Settings, error) {
			l := iorline.Reordered()
			l.ShiftBy(processes, layout)
			notices = l.Notices
			return ior.IO500(ior.API(c.API), easy, seconds, l.Settings.Shift, processes,
				func(name string) string { return filepath.Join(directory, name) }), nil
		}}
	return r.run(p)
}
