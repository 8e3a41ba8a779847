package probing

import (
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/config"
	"github.com/effective-bandwidth/beff/internal/input"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/probe/suites"
	"github.com/effective-bandwidth/beff/report/words"
)

// Request holds the kernels and the settings that a command line asks for. Read reads the files that it names.
type Request struct {
	Component   kernel.Component // of the executable (empty: names are looked up in all components)
	Names       []string         // as the user wrote them (empty: the default list of Component)
	Include     []string         // in addition to Names
	Exclude     []string
	Input       string    // file with more Names
	Factors     []float64 // the contents of the file Settings.Factors
	Lengths     string    // file with message lengths
	Edges       string    // file with the edges of neighbourhoods
	Skew        string    // file with the delay of each process
	ThreadLevel string    // for MPI_Init_thread, if the user named one: see Level
	Elements    []int64   // numbers of elements in messages of IMB-MT (nil: the usual ones)
	Settings    settings.Settings

	Limited []Limited
	Notices []string // lines for the user: options that were ignored, or interpreted differently

	// Values of beff's own options, and Help and List.
	Help, List bool
	Directory  string
	Devices    string // libmpi.DeviceChoice.Of

	// Flags are the keys of campaign files that are no options, and Flagged are their values, which the owner of the
	// request reads.
	Flags   []string
	Flagged []config.Value
}

// Limited is a given option that only affects kernels of some components.
type Limited struct {
	Option string // as users write it
	To     []kernel.Component
}

// pauseAround is the pause before and after a row of IMB-P2P, in seconds.
const pauseAround = 0.1

// NewRequest returns a request with all defaults. For an executable of IMB, c is its component, and the method is IMB
// 2021.11's. For beff probe c is empty, and each kernel is measured by the method of its suite.
func NewRequest(c kernel.Component) *Request {
	r := &Request{
		Component: c, Directory: ".",
		Settings: settings.Settings{
			Repetitions: settings.Repetitions{Policy: settings.Default.Policy,
				SampleTime: settings.Default.SampleTime}, Memory: settings.Memory{Limit: settings.Default.Memory},
		},
	}
	if c != "" {
		r.Settings.Method = settings.ByIMB2021
	}
	if c == kernel.P2P {
		r.Settings.PauseAround = pauseAround
	}
	return r
}

// Measuring returns the part of a request that selects and configures measurements, without directories and files.
func (r *Request) Measuring() *Request {
	m := *r
	m.Help, m.List, m.Directory, m.Devices, m.Flags, m.Flagged = false, false, "", "", nil, nil
	return &m
}

// Level returns the level for MPI_Init_thread, empty for MPI_Init: the user's, or the one that several threads need.
func (r *Request) Level() string {
	if senders, receivers := r.Settings.Threading.Sides(); r.ThreadLevel == "" && max(senders, receivers) > 1 {
		return mpi.Multiple
	}
	return r.ThreadLevel
}

// SetThreads sets the number of threads of IMB-MT if the user gave none: variable, which is OMP_NUM_THREADS, or one for
// each processor. As in IMB, a process has one thread below MPI_THREAD_MULTIPLE.
func (r *Request) SetThreads(variable string, processors int) {
	t := &r.Settings.Threading
	if r.ThreadLevel != mpi.Multiple || t.Threads > 0 {
		return
	}
	first, _, _ := strings.Cut(variable, ",") // further numbers are for nested regions
	n, err := strconv.Atoi(strings.TrimSpace(first))
	if err != nil || n < 1 {
		n = max(processors, 1)
	}
	t.Threads = min(n, settings.MaxThreads)
}

// Asks reports whether a request selects or configures measurements, apart from its method.
func (r *Request) Asks() bool {
	return !reflect.DeepEqual(r.Measuring(), NewRequest(r.Component).Measuring())
}

// Name adds names of benchmarks, separated by commas.
func (r *Request) Name(list string) error { return AddNames(&r.Names, list) }

// AddNames appends names of benchmarks, separated by commas.
func AddNames(to *[]string, list string) error {
	for name := range strings.SplitSeq(list, ",") {
		if name == "" {
			return errors.New("want names of benchmarks, separated by commas or blanks")
		}
		*to = append(*to, name)
	}
	return nil
}

// Unnamed reports whether the request selects no kernels.
func (r *Request) Unnamed() bool {
	return r.Component == "" && r.Input == "" && len(r.Names)+len(r.Include) == 0 && r.Settings.Library == nil
}

// Unread reports whether names of benchmarks or delays are still in files.
func (r *Request) Unread() bool { return r.Input != "" || r.Skew != "" }

// Read reads the files that the request names, and replaces the names by their contents. Config needs no files then, so
// one process can read them for all.
func (r *Request) Read() error {
	if r.Input != "" {
		names, err := readFile(r.Input, readNames)
		if err != nil {
			return fmt.Errorf("list of benchmarks: %w", err)
		}
		r.Names, r.Input = append(r.Names, names...), ""
	}
	if r.Lengths != "" {
		lengths, err := readFile(r.Lengths, readLengths)
		if _, are := ParseLengths(r.Lengths); err != nil && are == nil {
			return fmt.Errorf("list of message lengths: %w: -msgsize takes lengths, -msglen the name of a file", err)
		}
		if err != nil {
			return fmt.Errorf("list of message lengths: %w", err)
		}
		r.Settings.Rows.Lengths, r.Lengths = lengths, ""
	}
	if r.Edges != "" {
		edges, err := readFile(r.Edges, readEdges)
		if err != nil {
			return fmt.Errorf("edges: %w", err)
		}
		r.Settings.OSU.Neighbours, r.Edges = edges, ""
	}
	if r.Skew != "" {
		delays, err := readFile(r.Skew, readFactors)
		if err != nil {
			return fmt.Errorf("delays of processes: %w", err)
		}
		r.Settings.Series.Skew, r.Skew = settings.SkewOf("trace", delays...), ""
		if err := r.Settings.Check(); err != nil {
			return fmt.Errorf("delays of processes: %w", err)
		}
	}
	if name := r.Settings.FactorsFile(); name != "" && r.Factors == nil {
		factors, err := readFile(name, readFactors)
		if err != nil {
			return fmt.Errorf("factors: %w", err)
		}
		r.Factors = factors
	}
	return nil
}

// functions returns the kernels of users' functions.
func (r *Request) functions() (list []probe.Selection, err error) {
	if l := r.Settings.Library; l != nil {
		for _, name := range l.Functions {
			k, err := suites.FunctionKernel(name)
			if err != nil {
				return nil, err
			}
			list = append(list, probe.Selection{Kernel: k, Named: true})
		}
	}
	return list, r.Settings.CheckLibrary()
}

// Config selects the request's kernels and returns the configuration of the measurement, without a directory.
func (r *Request) Config() (probe.Config, error) {
	selections, err := r.functions()
	if err != nil {
		return probe.Config{}, err
	}
	if len(selections) == 0 || len(r.Names)+len(r.Include) > 0 {
		is2021 := r.Component != "" && r.Settings.Method == settings.ByIMB2021
		if is2021 {
			r.dropUnknown(&r.Names, &r.Include, &r.Exclude)
		}
		named, err := Select(r.Component, r.Names, r.Include, r.Exclude)
		if err != nil {
			return probe.Config{}, err
		}
		if is2021 && len(r.Names) == 0 { // the default list
			slices.SortStableFunc(named, func(a, b probe.Selection) int {
				return suites.PlaceInIMB2021(a.Kernel) - suites.PlaceInIMB2021(b.Kernel)
			})
		}
		selections = append(named, selections...)
	}
	r.noteWithoutEffect(selections)
	r.countElements()
	config := probe.Config{Settings: r.Settings, Selections: selections, Factors: r.Factors, Notices: r.Notices}
	for s := range lists.Elements(selections) {
		s.Multi = s.Multi || r.Settings.Who.Multi != nil
		if s.Multi && config.Settings.Who.Multi == nil {
			config.Settings.Who.Multi = new(int) // as by the prefix Multi-: show the slowest group
		}
	}
	return config, nil
}

// countElements sets the lengths of IMB-MT from the numbers of elements.
func (r *Request) countElements() {
	list := r.Elements
	if r.Component == kernel.MT && list == nil && r.Settings.DataType == settings.Characters {
		list = []int64{1, 2, 4, 8}
	}
	if list == nil {
		return
	}
	size := words.Either(r.Settings.DataType == settings.Characters, 1, int64(4))
	r.Settings.Rows.Lengths = lists.Each(list, func(n int64) int64 { return n * size })
}

// dropUnknown drops names that the executable doesn't know, with a notice each, as IMB does. It keeps a list that only
// has such names, so that an error names them.
func (r *Request) dropUnknown(lists ...*[]string) {
	for _, list := range lists {
		var kept []string
		for _, name := range *list {
			if found, _ := (&scope{component: r.Component}).candidates(name); len(found) > 0 {
				kept = append(kept, name)
			}
		}
		if len(kept) == 0 {
			continue
		}
		for _, name := range *list {
			if !slices.Contains(kept, name) {
				r.Notice("Invalid benchmark name %s: it is left out", words.OneLine(name))
			}
		}
		*list = kept
	}
}

// Notice adds a line for the user: an option was ignored, or interpreted differently.
func (r *Request) Notice(format string, values ...any) {
	r.Notices = lists.Unique(append(r.Notices, fmt.Sprintf(format, values...)))
}

// noteWithoutEffect adds notices for options that affect none of the selected kernels.
func (r *Request) noteWithoutEffect(selections []probe.Selection) {
	for _, limited := range r.Limited {
		if !slices.ContainsFunc(selections,
			func(s probe.Selection) bool { return slices.Contains(limited.To, s.Kernel.Component) }) {
			r.Notice("%s is ignored: it has no effect on these benchmarks", limited.Option)
		}
	}
	if r.Settings.ContigType != "" && r.Settings.Method != settings.ByIMB2021 {
		r.Settings.ContigType = ""
		r.Notice("-contig_type is ignored: the guide has elements one after the other")
	}
}

// LongestFile limits the size of a file, in bytes. It has room for all lengths and kernels.
const LongestFile = 32 << 10

// readFile parses a file. An error contains the file's name once.
func readFile[T any](name string, parse func(string) (T, error)) (T, error) {
	var none T
	text, err := input.ReadAll(name, LongestFile)
	if err != nil {
		return none, named(name, err)
	}
	v, err := parse(string(text))
	return v, named(name, err)
}

// named returns an error that contains the name of a file once, nil for nil.
func named(name string, err error) error {
	if e := (*fs.PathError)(nil); err == nil || errors.As(err, &e) {
		return err
	}
	return fmt.Errorf("%s: %w", name, err)
}
