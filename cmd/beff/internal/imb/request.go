package imb

import (
	"fmt"
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

// Defaults of IMB's options: the guide's, and where it names a parameter without its value, that of today's IMB.
const (
	secondsPerSample = 10
	memory           = 1 << 30
	cacheSize        = 8 << 20 // CACHE_SIZE of IMB_mem_info.h
	cacheLine        = 64
)

// New is a request with all defaults.
func New(c probe.Component) *Request {
	return &Request{
		Component: c, Engine: "auto", Directory: ".",
		Settings: probe.Settings{Policy: probe.Dynamic, SampleTime: secondsPerSample, Memory: memory},
	}
}

// Config reads the files that the request names, finds its kernels and returns what is to be measured, without a directory.
func (r *Request) Config() (probe.Config, error) {
	config := probe.Config{Settings: r.Settings}
	names := r.Names
	if r.Input != "" {
		more, err := readFile(r.Input, ReadNames)
		if err != nil {
			return config, fmt.Errorf("list of benchmarks %w", err)
		}
		names = append(append([]string(nil), names...), more...)
	}
	if r.Lengths != "" {
		lengths, err := readFile(r.Lengths, ReadLengths)
		if err != nil {
			return config, fmt.Errorf("list of message lengths %w", err)
		}
		config.Settings.Lengths = lengths
	}
	var err error
	config.Selections, err = Select(r.Component, names, r.Include, r.Exclude)
	for i := range config.Selections {
		s := &config.Selections[i]
		s.Multi = s.Multi || r.Settings.Multi != nil
		if s.Multi && config.Settings.Multi == nil {
			config.Settings.Multi = new(int) // named Multi-: the slowest group is shown
		}
	}
	return config, err
}

// readFile parses a file; its name is in the error once.
func readFile[T any](name string, parse func(string) (T, error)) (T, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		var none T
		return none, err
	}
	v, err := parse(string(text))
	if err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return v, err
}
