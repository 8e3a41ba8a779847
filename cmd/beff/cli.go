package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/alecthomas/kong"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/launch"
	"github.com/effective-bandwidth/beff/mpi"
)

// version of the program, in every result.
const version = "0.1.0"

// Exit codes.
const (
	exitFailed = 1
	exitUsage  = 2
)

// cli is the command line.
type cli struct {
	Run     runCommand       `cmd:"" help:"Measure b_eff, the effective communication bandwidth of this machine."`
	Version kong.VersionFlag `help:"Show the version."`
}

// process is this process as the commands see it.
type process struct {
	launcher       *launch.Launcher
	stdout, stderr io.Writer
}

// run is the whole program: it returns the exit code. Of the processes of a launcher only the first one prints.
func run(args []string, stdout, stderr io.Writer) int {
	p := &process{launch.Find(os.Getenv), stdout, stderr}
	if !p.launcher.Speaks() {
		p.stdout, p.stderr = io.Discard, io.Discard
	}
	call, err := p.parse(args)
	switch {
	case err != nil:
		fmt.Fprintf(p.stderr, "beff: %v\n", err)
		return exitUsage
	case call == nil:
		return 0
	}
	if err := call.Run(p); err != nil && !errors.Is(err, mpi.ErrAborted) {
		fmt.Fprintf(p.stderr, "beff: %v\n", err)
		return exitFailed
	}
	return 0
}

// parse returns the command to run, nil if the command line asked for help only.
func (p *process) parse(args []string) (call *kong.Context, err error) {
	helped := false
	parser, err := kong.New(&cli{}, kong.Name("beff"), kong.Description(description), kong.Writers(p.stdout, p.stderr),
		kong.Vars{"version": "beff " + version}, kong.Exit(func(int) { helped = true }), kong.ConfigureHelp(kong.HelpOptions{Compact: true}))
	if err != nil {
		return nil, err
	}
	if len(args) == 0 {
		args = []string{"--help"}
	}
	call, err = parser.Parse(args)
	if helped {
		return nil, nil
	}
	return call, err
}

const description = `beff rates the communication of a parallel machine by one number, b_eff.

  mpirun -n 64 beff run -o mymachine     over the MPI that beff was built with
  beff run                               over the embedded engine: this machine's memory`
