package imb

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe"
)

// option is one of a command line's options.
type option struct {
	names []string // with their dashes
	value string   // what the value is called; empty: there is none
	list  bool     // all words up to the next option belong to it
	set   func(*Request, string) error
	help  string
}

// options is the guide's list ("Command-line Control"), and below it ours.
var options = []option{
	{names: []string{"-npmin"}, value: "P", help: "the least processes that benchmarks run on: P, 2P, 4P, … and all " +
		"(default: 2, of IMB-IO 1)",
		set: whole(func(r *Request) *int { return &r.Settings.LeastProcs })},
	{names: []string{"-multi"}, value: "0|1", help: "several groups at once. 0: the slowest group is shown, 1: all are",
		set: setMulti},
	{names: []string{"-off_cache"}, value: "SIZE[,LINE]", help: "avoid the last level cache, of SIZE MB (2^20 " +
		"bytes) with lines of LINE bytes; -1: 8,64",
		set: text(func(r *Request, c Cache) { r.Settings.CacheSize, r.Settings.CacheLine = c.Size, c.Line })},
	{names: []string{"-iter"}, value: "N[,VOL[,NONAGGR[,POLICY]]]", help: "the most repetitions, the most data that " +
		"they move (2^20 bytes), the most in non-aggregate mode",
		set: text(func(r *Request, i Iter) { i.Set(&r.Settings) })},
	{names: []string{"-iter_policy"}, value: "POLICY", help: policies + " (default: dynamic)", set: setPolicy},
	{names: []string{"-time"}, value: "SECONDS", help: "how long a message length may take (default: 10)",
		set: setTime},
	{names: []string{"-mem"}, value: "GB", help: "memory of a process for messages (2^30 bytes; default: 1)",
		set: setMemory},
	{names: []string{"-msglen"}, value: "FILE", help: "message lengths, one in a line",
		set: word(func(r *Request) *string { return &r.Lengths })},
	{names: []string{"-msglog"}, value: "[MIN:]MAX", help: "message lengths 0 and 2^MIN to 2^MAX (default: 0:22, of " +
		"IMB-IO 0:24)",
		set: text(func(r *Request, l Log) { r.Settings.Lengths, r.Lengths = l.Lengths(), "" })},
	{names: []string{"-map"}, value: "PxQ", help: "number the processes along the rows of a matrix",
		set: text(func(r *Request, g Grid) { r.Settings.Map = []int{g.P, g.Q} })},
	{names: []string{"-input"}, value: "FILE", help: "names of benchmarks, one in a line",
		set: word(func(r *Request) *string { return &r.Input })},
	{names: []string{"-include"}, value: "NAME…", list: true, help: "benchmarks besides those that run anyway",
		set: names(func(r *Request) *[]string { return &r.Include })},
	{names: []string{"-exclude"}, value: "NAME…", list: true, help: "benchmarks that don't run",
		set: names(func(r *Request) *[]string { return &r.Exclude })},
	{names: []string{"-thread_level"}, value: "LEVEL", help: "single, funneled, serialized or multiple: " +
		"MPI_Init_thread instead of MPI_Init", set: setThreads},
	{names: []string{"-h", "-help", "--help"}, help: "show this", set: flag(func(r *Request) *bool { return &r.Help })},

	{names: []string{"-o", "--output"}, value: "PREFIX", help: "beff's own: write PREFIX.json (everything), " +
		"PREFIX.txt (this text) and PREFIX.csv (a line for each row)",
		set: func(r *Request, v string) error { r.Output = &v; return nil }},
	{names: []string{"--force"}, help: "overwrite existing output files",
		set: flag(func(r *Request) *bool { return &r.Force })},
	{names: []string{"-p"}, value: "DIR", help: "directory for the files of IMB-IO (default: the current one)",
		set: word(func(r *Request) *string { return &r.Directory })},
	{names: []string{"-n", "--ranks"}, value: "P", help: "ranks of the embedded engine, where there is no mpirun",
		set: setRanks},
	{names: []string{"--engine"}, value: "ENGINE", help: "auto, mpi or local (default: auto)", set: setEngine},
	{names: []string{"--dry-run"}, help: "show what would be measured",
		set: flag(func(r *Request) *bool { return &r.DryRun })},
}

// Options calls show for each option: how it is written, and what it does.
func Options(show func(usage, help string)) {
	for _, o := range options {
		show(strings.TrimSpace(strings.Join(o.names, ", ")+" "+o.value), o.help)
	}
}

// Parse reads a command line of component's executable, without the executable. Options come in any order, names of
// benchmarks between them, separated by blanks or commas. The last value of an option counts. An error is one line that
// names the option.
func Parse(c probe.Component, args []string) (*Request, error) {
	r := New(c)
	take := names(func(r *Request) *[]string { return &r.Names })
	for i := 0; i < len(args); i++ {
		if !strings.HasPrefix(args[i], "-") {
			if err := take(r, args[i]); err != nil {
				return nil, err
			}
			continue
		}
		name, value, joined := args[i], "", false
		if strings.HasPrefix(name, "--") {
			name, value, joined = strings.Cut(name, "=")
		}
		o := find(name)
		switch {
		case o == nil:
			return nil, fmt.Errorf("option %q is not known: beff %s -help shows those that are", name, executable(c))
		case o.value == "" && joined:
			return nil, fmt.Errorf("option %s has no value", name)
		case o.value != "" && !joined:
			if i++; i == len(args) {
				return nil, fmt.Errorf("option %s: %s is missing", name, o.value)
			}
			value = args[i]
		}
		if err := o.set(r, value); err != nil {
			return nil, fmt.Errorf("%s %q: %w", name, value, err)
		}
		for o.list && i+1 < len(args) && !strings.HasPrefix(args[i+1], "-") {
			i++
			if err := o.set(r, args[i]); err != nil {
				return nil, fmt.Errorf("%s %q: %w", name, args[i], err)
			}
		}
	}
	return r, nil
}

func find(name string) *option {
	for i := range options {
		for _, n := range options[i].names {
			if n == name {
				return &options[i]
			}
		}
	}
	return nil
}

// unmarshaler is a pointer to T that reads text.
type unmarshaler[T any] interface {
	*T
	UnmarshalText([]byte) error
}

func text[T any, P unmarshaler[T]](set func(*Request, T)) func(*Request, string) error {
	return func(r *Request, value string) error {
		var v T
		err := P(&v).UnmarshalText([]byte(value))
		if err == nil {
			set(r, v)
		}
		return err
	}
}

func flag(to func(*Request) *bool) func(*Request, string) error {
	return func(r *Request, _ string) error { *to(r) = true; return nil }
}

func word(to func(*Request) *string) func(*Request, string) error {
	return func(r *Request, value string) error {
		if value == "" {
			return errors.New("want a name")
		}
		*to(r) = value
		return nil
	}
}

func whole(to func(*Request) *int) func(*Request, string) error {
	return func(r *Request, value string) error {
		v, err := strconv.ParseUint(value, 10, 31)
		if err != nil || v == 0 {
			return errors.New("want a whole number from 1 on")
		}
		*to(r) = int(v)
		return nil
	}
}

func names(to func(*Request) *[]string) func(*Request, string) error {
	return func(r *Request, value string) error {
		for name := range strings.SplitSeq(value, ",") {
			if name == "" {
				return errors.New("want names of benchmarks, separated by commas or blanks")
			}
			*to(r) = append(*to(r), name)
		}
		return nil
	}
}

func setMulti(r *Request, value string) error {
	v, err := strconv.Atoi(value)
	if err != nil || v != 0 && v != 1 {
		return errors.New("want 0 or 1")
	}
	r.Settings.Multi = &v
	return nil
}

func setPolicy(r *Request, value string) (err error) {
	policy, err := policyOf(value)
	if err == nil {
		r.Settings.Policy = policy
	}
	return err
}

func setTime(r *Request, value string) error {
	v, err := strconv.ParseFloat(value, 64)
	if err != nil || !(v > 0) || math.IsInf(v, 1) {
		return errors.New("want a positive number of seconds")
	}
	r.Settings.SampleTime = v
	return nil
}

func setMemory(r *Request, value string) error {
	v, err := positive(value, 1<<30)
	if err != nil {
		return errors.New("want a positive number of GB (2^30 bytes)")
	}
	r.Settings.Memory = v
	return nil
}

func setThreads(r *Request, value string) error {
	if !slices.Contains(mpi.ThreadLevels, value) {
		return errors.New("want single, funneled, serialized or multiple")
	}
	r.ThreadLevel = value
	return nil
}

func setRanks(r *Request, value string) error {
	n := 0
	err := whole(func(*Request) *int { return &n })(r, value)
	r.Ranks = &n
	return err
}

func setEngine(r *Request, value string) error {
	if value != "auto" && value != "mpi" && value != "local" {
		return errors.New("want auto, mpi or local")
	}
	r.Engine = value
	return nil
}
