// Package mpiblib reads the command lines of MPIBlib's tools p2p and collective (manual, 4.3, 4.4 and 7.5).
package mpiblib

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/probing"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/probe/suites"
)

// The tools.
const (
	P2P        = "p2p"
	Collective = "collective"
)

// Line is a parsed command line.
type Line struct {
	*probing.Request
	Help bool

	tool               string
	least, most        int64 // message lengths, bytes
	stride             int64 // 0: adaptive
	adaptive           settings.Adaptive
	precision          settings.Precision
	library, operation string
	suboptions         string
	relayed            bool
	relays             int
}

// Option is a row of the table of options.
type Option struct {
	Letter byte
	Value  string // the value's name in the help (empty: no value)
	Help   string // a sentence without its capital and stop
	tool   string // empty: both tools
	set    func(l *Line, value string) error
}

// Has reports whether a tool has the option.
func (o *Option) Has(tool string) bool { return o.tool == "" || o.tool == tool }

// Options is the table, in the order of MPIBlib's help. Defaults are MPIBlib's.
var Options = []Option{
	{Letter: 'h', Help: "show this", set: func(l *Line, _ string) error { l.Help = true; return nil }},
	{Letter: 'v', Help: "do nothing: the result document has all", set: func(*Line, string) error { return nil }},
	{Letter: 'l', Value: "FILE", tool: Collective, set: text(func(l *Line) *string { return &l.library }),
		Help: "take the operation from this shared library (default MPIBlib's own algorithms, or the MPI library)"},
	{Letter: 'o', Value: "TEXT", tool: Collective, set: text(func(l *Line) *string { return &l.suboptions }),
		Help: "pass suboptions to the library; MPIBlib's own algorithms take sgv=0 to 3 and verbose"},
	{Letter: 'O', Value: "NAME", tool: Collective, set: text(func(l *Line) *string { return &l.operation }),
		Help: "measure this operation, whose name contains Bcast, Scatter and so on"},
	{Letter: 'f', Value: "FILE", tool: Collective,
		set:  text(func(l *Line) *string { return &l.Settings.Blocks.Factors }),
		Help: "read factors of the processes for scatterv and gatherv (default 1)"},
	{Letter: 't', Value: "TIMING", tool: Collective, Help: "time by max, root or global (default max)",
		set: func(l *Line, v string) error {
			l.Settings.Series.Timing = settings.Timing(v)
			if l.Settings.Series.Timing == settings.ByLoop || !slices.Contains(settings.Timings,
				l.Settings.Series.Timing) {
				return errors.New("undefined measurement method")
			}
			return nil
		}},
	{Letter: 'm', Value: "N", Help: "begin with messages of N bytes (default 0)",
		set: length(func(l *Line) *int64 { return &l.least })},
	{Letter: 'M', Value: "N", Help: "end with messages of N bytes, without these in collective (default 204800)",
		set: length(func(l *Line) *int64 { return &l.most })},
	{Letter: 'S', Value: "N", Help: "step by N bytes between lengths; 0 makes p2p adaptive (default 1024)",
		set: length(func(l *Line) *int64 { return &l.stride })},
	{Letter: 'd', Value: "D", Help: "limit the difference of adaptive lengths, 0 to 1 (default 0.1)",
		set: part(func(l *Line) *float64 { return &l.adaptive.Difference })},
	{Letter: 's', Value: "N", Help: "leave at least N bytes between adaptive lengths (default 64)",
		set: length(func(l *Line) *int64 { return &l.adaptive.Stride })},
	{Letter: 'n', Value: "N", Help: "make at most N adaptive lengths (default 100)",
		set: count(func(l *Line, n int) { l.adaptive.MaxLengths = n })},
	{Letter: 'r', Value: "N", Help: "make at least N repetitions (default 5)", set: count(func(l *Line, n int) {
		l.precision.Min = int64(n)
		l.precision.Max = max(l.precision.Max, l.precision.Min)
	})},
	{Letter: 'R', Value: "N", Help: "make at most N repetitions (default 100)", set: count(func(l *Line, n int) {
		l.precision.Max = int64(n)
		l.precision.Min = min(l.precision.Max, l.precision.Min)
	})},
	{Letter: 'c', Value: "D", Help: "set the confidence level, 0 to 1 (default 0.95)",
		set: part(func(l *Line) *float64 { return &l.precision.Confidence })},
	{Letter: 'e', Value: "D", Help: "set the relative error, 0 to 1 (default 0.025)",
		set: part(func(l *Line) *float64 { return &l.precision.Relative })},
	{Letter: 'p', Value: "0|1",
		Help: "do nothing; beff probe Roundtrip_pairs --option at-once measures pairs at the same time",
		set: flag(func(l *Line, on bool) {
			if on {
				l.Notices = append(l.Notices, "-p 1 is ignored: see beff probe Roundtrip_pairs --option at-once")
			}
		})},
	{Letter: 'P', Value: "0|1", Help: "send messages in pieces through further processes of the job (default 0)",
		set: flag(func(l *Line, on bool) { l.relayed = on })},
	{Letter: 'x', Value: "N", Help: "use N further processes for -P 1 (default 2)",
		set: count(func(l *Line, n int) { l.relays = n })},
	{Letter: 'i', Value: "N", Help: "do nothing", tool: P2P, set: func(*Line, string) error { return nil }},
}

func text(to func(l *Line) *string) func(*Line, string) error {
	return func(l *Line, v string) error { *to(l) = v; return nil }
}

func length(to func(l *Line) *int64) func(*Line, string) error {
	return func(l *Line, v string) error {
		n, err := strconv.ParseInt(v, 10, 64)
		if err != nil || n < 0 {
			return errors.New("want a number of bytes")
		}
		*to(l) = n
		return nil
	}
}

func count(put func(l *Line, n int)) func(*Line, string) error {
	return func(l *Line, v string) error {
		n, err := strconv.ParseInt(v, 10, 32)
		if err != nil || n < 1 {
			return errors.New("want a number of at least 1")
		}
		put(l, int(n))
		return nil
	}
}

func part(to func(l *Line) *float64) func(*Line, string) error {
	return func(l *Line, v string) error {
		x, err := strconv.ParseFloat(v, 64)
		if err != nil || !(x > 0 && x < 1) {
			return errors.New("want a number between 0 and 1")
		}
		*to(l) = x
		return nil
	}
}

func flag(put func(l *Line, on bool)) func(*Line, string) error {
	return func(l *Line, v string) error {
		if v != "0" && v != "1" {
			return errors.New("want 0 or 1")
		}
		put(l, v == "1")
		return nil
	}
}

// Parse parses the arguments of a tool as getopt does: letters may follow each other after one dash, and a value may
// follow its letter directly. Words that aren't options are ignored.
func Parse(tool string, args []string) (*Line, error) {
	if tool != P2P && tool != Collective {
		return nil, fmt.Errorf("unknown tool %q: want %s or %s", tool, P2P, Collective)
	}
	a := settings.Default.Adaptive
	l := &Line{Request: probing.NewRequest(""), tool: tool, most: 204800, stride: 1024,
		precision: settings.Default.Precision,
		adaptive:  settings.Adaptive{Difference: a.Difference, Stride: a.Stride, MaxLengths: a.MaxLengths}, relays: 2}
	for len(args) > 0 {
		word := args[0]
		args = args[1:]
		if word == "--" {
			break
		}
		letters, is := strings.CutPrefix(word, "-")
		for is && letters != "" {
			i := slices.IndexFunc(Options, func(o Option) bool { return o.Letter == letters[0] && o.Has(tool) })
			if i < 0 {
				return nil, fmt.Errorf("%s: invalid option -- '%s'", tool, letters[:1])
			}
			o, value := &Options[i], ""
			letters = letters[1:]
			switch {
			case o.Value == "":
			case letters != "":
				value, letters = letters, ""
			case len(args) == 0:
				return nil, fmt.Errorf("%s: option requires an argument -- '%c'", tool, o.Letter)
			default:
				value, args = args[0], args[1:]
			}
			if err := o.set(l, value); err != nil {
				return nil, fmt.Errorf("%s: -%c %s: %w", tool, o.Letter, value, err)
			}
		}
	}
	if l.Help {
		return l, nil
	}
	return l, l.settle()
}

// settle converts the given options to settings.
func (l *Line) settle() error {
	s := &l.Settings
	s.Columns, s.Series.Precision = settings.MPIBlibColumns, &l.precision
	s.Who.MinProcesses = settings.MaxCount // all processes
	last := l.most
	var err error
	if l.tool == Collective {
		last--
		err = l.setOperation()
	} else if l.Names = []string{"Roundtrip"}; l.relayed {
		l.Names, s.Blocks.Relays, s.Series.Timing = []string{"Relayed"}, l.relays, settings.ByMax
	}
	switch {
	case err != nil:
	case l.stride > 0:
		s.Rows.Lengths, err = settings.RegularLengths(l.least, last, l.stride)
	case l.tool == Collective:
		err = errors.New("-S 0: want a stride of at least 1, lengths of collective operations aren't adaptive")
	default:
		l.adaptive.Min, l.adaptive.Max = l.least, l.most
		s.Rows.Adaptive = &l.adaptive
	}
	if err == nil {
		err = s.Check()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", l.tool, err)
	}
	return nil
}

// own is the name of MPIBlib's library of algorithms, which beff has as kernels.
const own = "libmpib_coll.so"

// setOperation finds the kernel for the operation: a function of the named library, unless that is MPIBlib's own.
func (l *Line) setOperation() error {
	s := &l.Settings
	s.Series.Timing = cmp.Or(s.Series.Timing, settings.ByMax)
	if l.operation == "" {
		return errors.New("which operation? -O MPIB_Scatter_binomial, for instance")
	}
	if l.library != "" && l.library != own {
		s.Library = &settings.Library{File: l.library, Functions: []string{l.operation}, Options: l.suboptions}
		return nil
	}
	component, name := kernel.MPI1, strings.TrimPrefix(l.operation, "MPI_")
	if rest, is := strings.CutPrefix(l.operation, "MPIB_"); is {
		component, name = kernel.MPIB, rest
	}
	if strings.HasSuffix(name, "Comm_dup_free") {
		component, name = kernel.MPIB, "Comm_dup"
	}
	k, _, found := suites.Find(component, name)
	if !found {
		return fmt.Errorf("operation %s not found in library %s", l.operation, own)
	}
	l.Names = []string{k.Name}
	if k.Algorithm != nil && k.Algorithm.Vector && !strings.Contains(k.Name, "flat") {
		s.Blocks.Counts = settings.CountsDuplicate // MPIBlib's default for trees
	}
	for _, word := range strings.Split(l.suboptions, ",") {
		key, value, _ := strings.Cut(word, "=")
		ways := map[string]string{"0": settings.CountsDuplicate, "1": settings.CountsBroadcast,
			"2": settings.CountsMessage, "3": ""}
		way, known := ways[value]
		switch {
		case key == "" || key == "verbose":
		case key != "sgv" || !known:
			return fmt.Errorf("-o %s: want sgv=0 to sgv=3, or verbose", word)
		default:
			s.Blocks.Counts = way
		}
	}
	return nil
}
