package imb

import (
	"fmt"
	"io"
	"os"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/launch"
	"github.com/effective-bandwidth/beff/probe"
)

// Request holds the settings of a command line.
type Request struct {
	Component   probe.Component // of the executable; empty: names are looked up in all components
	Names       []string        // as the user wrote them; empty: the default list of Component
	Include     []string        // in addition to Names
	Exclude     []string
	Input       string // file with more Names
	Lengths     string // file with message lengths
	ThreadLevel string // of MPI_Init_thread; empty: MPI_Init
	Settings    probe.Settings

	// Values of beff's own options, and Help.
	Help, Force, DryRun bool
	Ranks               *int
	Engine, Directory   string
	MPI                 string // name of a plug-in
	Output              *string
}

// New returns a request with all defaults.
func New(c probe.Component) *Request {
	return &Request{
		Component: c, Engine: launch.Auto, Directory: ".",
		Settings: probe.Settings{
			Policy: probe.DefaultPolicy, SampleTime: probe.DefaultSampleTime, Memory: probe.DefaultMemory,
		},
	}
}

// Name adds names of benchmarks, separated by commas.
func (r *Request) Name(list string) error {
	return names(func(r *Request) *[]string { return &r.Names })(r, list, "")
}

// Read replaces the names of the files Input and Lengths by the contents of these files. Config then needs no files, so
// that one process can read them for all.
func (r *Request) Read() error {
	if r.Input != "" {
		names, err := readFile(r.Input, ReadNames)
		if err != nil {
			return fmt.Errorf("list of benchmarks: %w", err)
		}
		r.Names, r.Input = append(r.Names, names...), ""
	}
	if r.Lengths != "" {
		lengths, err := readFile(r.Lengths, ReadLengths)
		if err != nil {
			return fmt.Errorf("list of message lengths: %w", err)
		}
		r.Settings.Lengths, r.Lengths = lengths, ""
	}
	return nil
}

// Config selects the request's kernels and returns the configuration of the measurement, without a directory.
func (r *Request) Config() (probe.Config, error) {
	selections, err := Select(r.Component, r.Names, r.Include, r.Exclude)
	config := probe.Config{Settings: r.Settings, Selections: selections}
	for i := range selections {
		s := &selections[i]
		s.Multi = s.Multi || r.Settings.Multi != nil
		if s.Multi && config.Settings.Multi == nil {
			config.Settings.Multi = new(int) // from the prefix Multi-: the slowest group is shown
		}
	}
	return config, err
}

// longestFile is the most bytes that are read of a file. It has room for all lengths and kernels. It is needed because
// a device such as /dev/zero has no end.
const longestFile = 4 << 20

// readFile parses a file. The error contains the file's name once.
func readFile[T any](name string, parse func(string) (T, error)) (T, error) {
	var none T
	f, err := os.Open(name)
	if err != nil {
		return none, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, longestFile+1))
	if err != nil {
		return none, err
	}
	if len(text) > longestFile {
		return none, fmt.Errorf("%s: it is longer than %d bytes", name, longestFile)
	}
	v, err := parse(string(text))
	if err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return v, err
}
