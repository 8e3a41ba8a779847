package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/launch"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/plugins"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/scratch"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/report"
)

// version of the program, in every result.
const version = "0.1.0"

// cli is the command line.
type cli struct {
	Run     runCommand       `cmd:"" help:"Measure b_eff, the effective communication bandwidth of this machine."`
	IO      ioCommand        `cmd:"" name:"io" help:"Measure b_eff_io, the effective I/O bandwidth of a file system."`
	Probe   probeCommand     `cmd:"" help:"${probe}"`
	MPI1    imbCommand       `cmd:"" name:"imb-mpi1" passthrough:"" help:"IMB-MPI1 by its own command line."`
	EXT     imbCommand       `cmd:"" name:"imb-ext" passthrough:"" help:"IMB-EXT by its own command line."`
	IMBIO   imbCommand       `cmd:"" name:"imb-io" passthrough:"" help:"IMB-IO by its own command line."`
	NBC     imbCommand       `cmd:"" name:"imb-nbc" passthrough:"" help:"IMB-NBC by its own command line."`
	RMA     imbCommand       `cmd:"" name:"imb-rma" passthrough:"" help:"IMB-RMA by its own command line."`
	MPI     mpiCommand       `cmd:"" name:"mpi" help:"${mpi_command}"`
	Report  reportCommand    `cmd:"" help:"Write reports of results: text, CSV, Markdown, HTML, PDF, plots."`
	Compare compareCommand   `cmd:"" help:"Put results side by side: ratios, spread, what drives the gap."`
	List    listCommand      `cmd:"" help:"Rank the systems of many results."`
	Verify  verifyCommand    `cmd:"" help:"Prove that all figures of results follow from their samples."`
	Sign    signCommand      `cmd:"" help:"Sign results with an SSH key."`
	Rerun   rerunCommand     `cmd:"" help:"Print the command that measures a result again."`
	Import  importCommand    `cmd:"" help:"${import}"`
	Version kong.VersionFlag `help:"Show the version."`
}

// newCLI returns the commands with the values that their types don't hold.
func newCLI() *cli {
	return &cli{
		Probe: probeCommand{Run: newProbeRun()},
		MPI1:  imbCommand{component: probe.MPI1}, EXT: imbCommand{component: probe.EXT},
		IMBIO: imbCommand{component: probe.IO},
		NBC:   imbCommand{component: probe.NBC}, RMA: imbCommand{component: probe.RMA},
	}
}

// process is this process as the commands see it.
type process struct {
	args           []string
	launcher       *launch.Launcher
	stdout, stderr io.Writer // io.Discard in a silent process
	speaks         bool
	out, err       io.Writer // the real ones
}

// speak makes this the process that talks to the user, or a silent one.
func (p *process) speak(speaks bool) {
	p.speaks, p.stdout, p.stderr = speaks, p.out, p.err
	if !speaks {
		p.stdout, p.stderr = io.Discard, io.Discard
	}
}

// silence is the time that a silent process waits before it fails. A launcher ends the whole job with the first process
// that fails, and drops the last lines of the others.
const silence = 500 * time.Millisecond

// run is the whole program and returns its exit code. Of the processes of a launcher only the first one prints.
func run(args []string, stdout, stderr io.Writer) int {
	if len(args) == 2 && args[0] == scratch.GuardArgument {
		if err := scratch.BeGuard(args[1]); err != nil {
			return exit.Failed
		}
		return 0
	}
	if len(args) == 2 && args[0] == plugins.DescribeArgument {
		if err := plugins.BeDescriber(args[1], stdout); err != nil {
			fmt.Fprintln(stderr, err)
			return exit.Failed
		}
		return 0
	}
	p := &process{args: args, launcher: launch.Find(os.Getenv), out: stdout, err: stderr}
	p.speak(p.launcher.Speaks())
	code, err := p.execute(args)
	if err != nil && !errors.Is(err, mpi.ErrAborted) {
		fmt.Fprintf(p.stderr, "beff: %v\n", err)
	}
	if code != 0 && !p.speaks {
		time.Sleep(silence)
	}
	return code
}

func (p *process) execute(args []string) (code int, err error) {
	call, err := p.parse(args)
	switch {
	case err != nil:
		return exit.Usage, err
	case call == nil:
		return 0, nil
	}
	err = call.Run(p)
	return exit.Code(err), err
}

// parse returns the command to run, nil if the command line asked for help only.
func (p *process) parse(args []string) (call *kong.Context, err error) {
	helped := false
	parser, err := kong.New(newCLI(), kong.Name("beff"), kong.Description(description),
		kong.Writers(p.stdout, p.stderr), texts,
		kong.Vars{"version": "beff " + version, "formats": formats()},
		kong.Exit(func(int) { helped = true }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}))
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

const description = `beff rates the communication and the I/O of a parallel machine by one number each,
b_eff and b_eff_io.

  mpirun -n 64 beff run -o mymachine             communication, over the MPI of that mpirun (beff mpi add)
  mpirun -n 64 beff io -p /scratch -o myscratch  I/O
  mpirun -n 64 beff probe PingPong Allreduce     details: the kernels of the Intel MPI Benchmarks
  beff run                                       over the embedded engine: this machine's memory
  beff report mymachine.json -o reports          what was measured, as documents
  beff compare old.json new.json                 side by side, and where the difference comes from`

// formats returns the names of the formats that commands have, for help texts.
func formats() string {
	return publish.Names(publish.Without("kv", publish.Plots)) + "; also " + publish.Plots + " (report, compare) and " +
		"kv, " + strings.Join(report.TextNames(), ", ") + " (report)"
}
