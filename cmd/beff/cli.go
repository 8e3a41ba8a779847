package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/host"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/process"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/scratch"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/terminal"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/plugins"
	"github.com/effective-bandwidth/beff/rating"
)

// version is the version of the program, which every result contains.
const version = rating.Release

// cli is the command line. Each command names its group. Within a group, commands that are used most come first.
type cli struct {
	Run        runCommand        `cmd:"" group:"measure" help:"Measure b_eff, the bandwidth of communication."`
	IO         ioCommand         `cmd:"" group:"measure" name:"io" help:"${io}"`
	Probe      probeCommand      `cmd:"" group:"measure" help:"${probe}"`
	IMB        imbCommands       `cmd:"" group:"measure" name:"imb" help:"${imb}"`
	MPIBlib    mpiblibCommand    `cmd:"" group:"measure" name:"mpiblib" help:"${mpiblib}"`
	Doctor     doctorCommand     `cmd:"" group:"find" help:"${doctor}"`
	Report     reportCommand     `cmd:"" group:"judge" help:"${report}"`
	Compare    compareCommand    `cmd:"" group:"judge" help:"${compare}"`
	Rank       rankCommand       `cmd:"" group:"judge" help:"${rank}"`
	Trend      trendCommand      `cmd:"" group:"judge" help:"${trend}"`
	Accept     acceptCommand     `cmd:"" group:"judge" help:"${accept}"`
	AB         abCommand         `cmd:"" group:"judge" name:"ab" help:"Compare two settings, run by run in one job."`
	Import     importCommand     `cmd:"" group:"results" help:"${import}"`
	Export     exportCommand     `cmd:"" group:"results" help:"${export}"`
	Site       siteCommand       `cmd:"" group:"results" help:"Make a web site of many results."`
	Verify     verifyCommand     `cmd:"" group:"results" help:"${verify}"`
	MPI        mpiCommand        `cmd:"" group:"setup" name:"mpi" help:"${mpi_command}"`
	Model      modelCommand      `cmd:"" group:"setup" help:"${model}"`
	Config     configCommand     `cmd:"" group:"setup" hidden:"" help:"Show the values that beff.toml gives to flags."`
	About      versionCommand    `cmd:"" group:"setup" hidden:"" name:"version" help:"Show version and plug-ins."`
	Help       helpCommand       `cmd:"" group:"setup" hidden:"" help:"Explain a command, as in beff help run."`
	Completion completionCommand `cmd:"" group:"setup" hidden:"" help:"Print the completion script of a shell."`
	Words      wordsCommand      `cmd:"" group:"setup" hidden:"" name:"complete-words" passthrough:""`
	Manual     manualCommand     `cmd:"" group:"setup" hidden:"" help:"Write the pages of the manual."`
	Version    kong.VersionFlag  `help:"Show the version."`
	HelpAll    helpAll           `help:"Show all flags of a command."`
}

// newCLI returns the commands, with initial values for those whose zero value isn't usable.
func newCLI() *cli {
	return &cli{Probe: probeCommand{Run: newProbeRun()}, IMB: newIMBCommands()}
}

// minFiles is the least number of files that a process must be able to open. With fewer the Go runtime itself fails.
const minFiles = 16

// run is the whole program, for args without its name, and returns the exit code.
func run(args []string, stdout, stderr io.Writer) int {
	if len(args) == 2 && args[0] == scratch.GuardArgument {
		if err := scratch.BeGuard(args[1]); err != nil {
			return exit.Failed
		}
		return 0
	}
	if asked, err := plugins.Load(args, stdout); err != nil {
		fmt.Fprintln(stderr, err)
		return exit.Failed
	} else if asked {
		return 0
	}
	if n := host.MaxOpenFiles(); n < minFiles {
		fmt.Fprintf(stderr, "beff: only %d files may be open at a time (ulimit -n): want at least %d\n", n, minFiles)
		return exit.Failed
	}
	p := process.New(args, stdout, stderr)
	defer p.Catch()()
	code, err := execute(p, args)
	if err != nil && !errors.Is(err, mpi.ErrAborted) {
		fmt.Fprintf(p.Stderr, "beff: %s\n", terminal.Plain(err))
	}
	if code != 0 {
		p.Leave(err)
	}
	return code
}

func execute(p *process.Process, args []string) (code int, err error) {
	call, err := parseLine(p, args)
	switch {
	case err != nil:
		return exit.Code(err), err
	case call == nil:
		return 0, nil
	}
	err = call.Run(p)
	return exit.Code(err), err
}

// newParser returns the parser of a command line. It only knows the command with which the line begins, or all commands
// if the line begins with none.
func newParser(p *process.Process, args []string, options ...kong.Option) (*kong.Kong, error) {
	short, long := inPlace(texts)
	all := newCLI()
	return kong.New(all, append(options, kong.Name("beff"), kong.Description(description), short, long,
		all.withOnly(args),
		kong.WithHyphenPrefixedParameters(len(args) > 0 && args[0] == "ab"), // its settings are words of a command line
		kong.Vars{"version": "beff " + version},
		kong.ExplicitGroups(groups), kong.Help(showHelp), kong.WithBeforeResolve(configuring(p)),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}), kong.PostBuild(withGuides))...)
}

// withOnly returns an option that leaves out all commands except the one with which a command line begins, if there is
// one: with the flags of all commands a process took 15 ms longer to start.
func (c *cli) withOnly(args []string) kong.Option {
	known := slices.Equal(args, []string{"--version"})
	var others []string
	for _, f := range reflect.VisibleFields(reflect.TypeFor[cli]()) {
		_, command := f.Tag.Lookup("cmd")
		switch {
		case !command:
		case len(args) > 0 && cmp.Or(f.Tag.Get("name"), strings.ToLower(f.Name)) == args[0]:
			known = true
		default:
			others = append(others, f.Name)
		}
	}
	if !known {
		return kong.IgnoreFields()
	}
	return kong.IgnoreFields(`^cli\.(` + strings.Join(others, "|") + `)$`)
}

// wholeModel returns the model of all commands.
func wholeModel(p *process.Process) (*kong.Application, error) {
	parser, err := newParser(p, nil)
	if err != nil {
		return nil, err
	}
	return parser.Model, nil
}

// parseLine returns the command to run, nil if the command line only asked for help.
func parseLine(p *process.Process, args []string) (call *kong.Context, err error) {
	helped := false
	stdout := &checked{Writer: p.Stdout}
	var out io.Writer = stdout
	if process.IsTerminal(p.Stdout) {
		out = p.Stdout // the parser asks for its width
	}
	if len(args) == 0 {
		args = []string{"--help"}
	}
	parser, err := newParser(p, args, kong.Writers(out, p.Stderr), kong.Exit(func(int) { helped = true }))
	if err != nil {
		return nil, err
	}
	of, args, words := splitLine(parser.Model, args)
	if call, err = parser.Parse(args); of != nil && err == nil {
		of.setWords(words)
	}
	switch {
	case stdout.err != nil:
		return nil, stdout.err
	case helped:
		return nil, nil
	}
	return call, exit.With(exit.Usage, misused(err))
}

// checked is a writer that keeps its first error, because the parser drops some.
type checked struct {
	io.Writer
	err error
}

func (c *checked) Write(text []byte) (int, error) {
	n, err := c.Writer.Write(text)
	if c.err == nil {
		c.err = err
	}
	return n, err
}

const description = `beff rates the communication and the I/O of a parallel machine by one number each,
b_eff and b_eff_io.

  mpirun -n 64 beff run -o mymachine    communication, over the MPI of mpirun
  mpirun -n 64 beff io -p /scratch -o myscratch                 I/O
  mpirun -n 64 beff probe PingPong Allreduce                    single calls
  beff run                              this machine's memory, without an MPI
  beff report mymachine.json -o mymachine.html                  a web page
  beff compare old.json new.json        differences, and their causes`

// verbose holds the flag of commands that print a rating.
type verbose struct {
	Verbose bool `short:"v" group:"output" help:"Print the whole report, not only its main lines."`
}
