package imb

import (
	"fmt"
	"io"
	"os"

	"github.com/effective-bandwidth/beff/probe"
)

// Request is what a command line asks for.
type Request struct {
	Component   probe.Component // the executable's; empty: names are looked up in all of them
	Names       []string        // as the user wrote them; none: the default list of Component
	Include     []string        // besides Names
	Exclude     []string
	Input       string // file with more Names
	Lengths     string // file with message lengths
	ThreadLevel string // of MPI_Init_thread; empty: MPI_Init
	Settings    probe.Settings

	// What IMB's options don't say.
	Help, Force, DryRun bool
	Ranks               *int
	Engine, Directory   string
	Output              *string
}

// New is a request with all defaults.
func New(c probe.Component) *Request {
	return &Request{
		Component: c, Engine: Engines[0], Directory: ".",
		Settings: probe.Settings{
			Policy: probe.DefaultPolicy, SampleTime: probe.DefaultSampleTime, Memory: probe.DefaultMemory,
		},
	}
}

// Name adds names of benchmarks, separated by commas.
func (r *Request) Name(list string) error {
	return names(func(r *Request) *[]string { return &r.Names })(r, list, "")
}

// Read reads the files that the request names and puts what is in them in their place, so that Config needs none: one
// process does it for all.
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

// Config finds the request's kernels and returns what is to be measured, without a directory.
func (r *Request) Config() (probe.Config, error) {
	selections, err := Select(r.Component, r.Names, r.Include, r.Exclude)
	config := probe.Config{Settings: r.Settings, Selections: selections}
	for i := range selections {
		s := &selections[i]
		s.Multi = s.Multi || r.Settings.Multi != nil
		if s.Multi && config.Settings.Multi == nil {
			config.Settings.Multi = new(int) // named Multi-: the slowest group is shown
		}
	}
	return config, err
}

// longestFile has room for all lengths and kernels; a device such as /dev/zero has no end.
const longestFile = 4 << 20

// readFile parses a file; its name is in the error once.
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
