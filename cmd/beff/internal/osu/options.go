// Package osu reads the command lines of the OSU micro-benchmarks 7.4: osu_latency -m 1:65536 -i 1000. All their
// options are known. What has no effect here is a notice, so that scripts run on; what OSU refuses, it refuses.
package osu

//lint:file-ignore ST1005 these errors are in OSU's words, for which scripts look

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/imb"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
)

// Line is what a command line asks for.
type Line struct {
	*imb.Request
	Help, Version bool

	kernel    *kernel.Kernel
	low, high int64  // lengths in bytes; 0: the usual ones
	under     string // the option under way
}

// Option is a row of the table of options.
type Option struct {
	Short  string // a letter; all of OSU's have one
	Long   string
	Value  string // its name in the help; empty: there is none
	Joined bool   // the value may be left out, and stands behind the letter without a blank
	Help   string // a sentence without its capital and stop

	of  func(k *kernel.Kernel) bool // tests that it has an effect on; nil: all
	set func(l *Line, value string) error
}

// Kinds of tests, by the effect of options.
func collective(k *kernel.Kernel) bool { return k.Active == 0 && !k.InPairs() }
func windows(k *kernel.Kernel) bool    { return k.Windows() }
func oneSided(k *kernel.Kernel) bool   { return k.Recipe.Window != kernel.NoSide }
func overlap(k *kernel.Kernel) bool    { return k.Class == kernel.Hidden }
func rates(k *kernel.Kernel) bool      { return k.Name == "osu_mbw_mr" }

func threaded(k *kernel.Kernel) bool { return k.Recipe.Threads != nil }
func dealt(k *kernel.Kernel) bool    { return overlap(k) || threaded(k) }

func neighbourly(k *kernel.Kernel) bool { return k.Recipe.Neighbours }

// Options is the table, in the order of OSU's help.
var Options = []Option{
	{Short: "h", Long: "help", Help: "show this", set: func(l *Line, _ string) error { l.Help = true; return nil }},
	{Short: "v", Long: "version", Help: "show the version whose method and text this is",
		set: func(l *Line, _ string) error { l.Version = true; return nil }},
	{Short: "f", Long: "full", Help: "with the least and the largest time of the processes, and the repetitions",
		of: collective, set: func(l *Line, _ string) error { l.micro().Full = true; return nil }},
	{Short: "m", Long: "message-size", Value: "[MIN:]MAX", set: setLengths,
		Help: "message lengths MIN, twice that and so on up to MAX bytes"},
	{Short: "i", Long: "iterations", Value: "N", Help: "timed repetitions of each length",
		set: number("Number of Iterations", 1, func(l *Line, n int64) { l.Settings.MsgsPer = n })},
	{Short: "x", Long: "warmup", Value: "N", Help: "repetitions before them",
		set: number("Number of Iterations to Skip", 0, func(l *Line, n int64) { l.Settings.WarmUp = &n })},
	{Short: "M", Long: "mem-limit", Value: "BYTES",
		Help: "bytes that a process sends or receives at most: longer messages are left out",
		set:  number("Memory Limit", 1, func(l *Line, n int64) { l.Settings.Memory = max(n, leastMemory) })},
	{Short: "W", Long: "window-size", Value: "N", of: windows, Help: "messages of a window",
		set: number("Window Size", 1, func(l *Line, n int64) { l.Settings.Window = int(min(n, math.MaxInt32)) })},
	{Short: "b", Long: "buffer-num", Value: "single|multiple", set: setBuffers,
		Help: "multiple: each message of a window has memory of its own",
		of:   func(k *kernel.Kernel) bool { return windows(k) && !oneSided(k) }},
	{Short: "R", Long: "print-rate", Value: "0|1", of: rates, Help: "0: without messages per second",
		set: number("Print Rate", 0, func(l *Line, n int64) { l.micro().NoRate = n == 0 })},
	{Short: "t", Long: "num-test-calls", Value: "N|[S:]R", of: dealt, set: setDealt,
		Help: "calls of MPI_Test while the process computes; of osu_latency_mt the threads that send and receive"},
	{Short: "c", Long: "validation", Value: "log:DIR", Joined: true,
		Help: "with a column that says whether the data of the last repetition were right",
		set: func(l *Line, dir string) error {
			if l.micro().Validated = true; dir != "" {
				l.ignore("-c "+dir, "no log is written: `beff verify` proves the result")
			}
			return nil
		}},
	{Short: "z", Long: "tail-lat", Value: "P[,P…]", Joined: true,
		Help: "with percentiles of the repetitions: 50, 90 and 99, or those that are given", set: setTail},
	{Short: "w", Long: "win-options", Value: "create|allocate|dynamic", of: oneSided, Help: "how the window is made",
		set: chosen(settings.WindowKinds, func(l *Line, w settings.WindowKind) { l.oneSided().Window = w })},
	{Short: "s", Long: "sync-option", Value: "SYNC", of: oneSided,
		Help: "how transfers are completed: pscw, fence, lock, flush, flush_local or lock_all", set: setSync},
	{Short: "T", Long: "type", Value: "mpi_char|mpi_int|mpi_float", set: setType, Help: "type of the data"},
	{Short: "u", Long: "validation-warmup", Value: "N", set: without("data are checked behind the clock")},
	{Short: "V", Long: "vary-window", of: rates, set: without("give -W 1, -W 2 and so on in turn")},
	{Short: "p", Long: "num-pairs", Value: "N", of: rates, set: without("all processes take part, as in OSU 7.4")},
	{Short: "k", Long: "root-rank", Value: "fixed:0|rotate", of: collective, set: setRoot,
		Help: "the root: process 0, or each in turn"},
	{Short: "l", Long: "in-place", of: collective, set: without("send and receive buffers are apart")},
	{Long: "per", Value: "node|socket|core|nic",
		set:  chosen(settings.Parts, func(l *Line, per string) { l.Settings.Per = per }),
		Help: "one process takes part of each, and the others wait; pairs are across nodes"},
	{Short: "D", Long: "ddt", Value: "TYPE", set: without("data are adjacent elements")},
	{Short: "N", Long: "nhbr", Value: "cart:D:R|graph:FILE", of: neighbourly, set: setNeighbours,
		Help: "neighbours: up to R away in a periodic grid of D dimensions, or by a file with a line src,dst for " +
			"each edge"},
	{Short: "I", Long: "session", set: without("the process starts by MPI_Init")},
	{Short: "G", Long: "graph", Value: "tty,png,pdf", set: without("`beff report -o result.html` draws")},
	{Short: "P", Long: "papi", Value: "EVENTS:FILE", set: without("processor counters aren't read")},
	{Short: "d", Long: "accelerator", Value: "TYPE", set: without("data are in the memory of the processors")},
	{Short: "r", Long: "cuda-target", Value: "TARGET", set: without("data are in the memory of the processors")},
	{Short: "a", Long: "array-size", Value: "N", set: without("computing runs until the time is over")},
}

// without returns the setter of an option that has no effect, for a reason.
func without(reason string) func(l *Line, value string) error {
	return func(l *Line, _ string) error { l.ignore("", reason); return nil }
}

// number returns the setter of a whole number from least on. The error is OSU's.
func number(what string, least int64, put func(l *Line, n int64)) func(l *Line, value string) error {
	return func(l *Line, value string) error {
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil || n < least {
			return fmt.Errorf("Invalid %s", what)
		}
		put(l, n)
		return nil
	}
}

// chosen returns the setter of one of several words.
func chosen[T ~string](list []T, put func(l *Line, v T)) func(l *Line, value string) error {
	return func(l *Line, value string) error {
		if !slices.Contains(list, T(value)) {
			return fmt.Errorf("Invalid option or invalid argument")
		}
		put(l, T(value))
		return nil
	}
}

// setLengths takes MAX, MIN: or MIN:MAX. Like OSU it ignores a MIN of 0, and what is no number.
func setLengths(l *Line, value string) error {
	low, high, both := strings.Cut(value, ":")
	if !both {
		low, high = "", value
	}
	for _, x := range []struct {
		text string
		to   *int64
	}{{low, &l.low}, {high, &l.high}} {
		if n, err := strconv.ParseInt(x.text, 10, 64); err == nil && n > 0 && n <= 1<<settings.LongestLog {
			*x.to = n
		} else if x.text != "" {
			l.ignore("-m "+value, "lengths are from 1 byte on")
		}
	}
	return nil
}

// mostThreads is the largest number of threads of OSU's.
const mostThreads = 127

// setDealt takes the calls of MPI_Test, or the threads.
func setDealt(l *Line, value string) error {
	if !threaded(l.kernel) {
		return number("Number of Test Calls", 0, func(l *Line, n int64) {
			l.micro().Tests = int(min(n, settings.MostTests))
		})(l, value)
	}
	senders, receivers, both := strings.Cut(value, ":")
	if !both {
		senders, receivers = "1", value
	}
	t := l.Settings.Threads()
	for _, x := range []struct {
		text string
		to   *int
	}{{senders, &t.Senders}, {receivers, &t.Threads}} {
		n, err := strconv.Atoi(x.text)
		if err != nil || n < 1 || n > mostThreads {
			return fmt.Errorf("Invalid Number of Threads")
		}
		*x.to = n
	}
	l.Settings.Threading = &t
	return nil
}

func setBuffers(l *Line, value string) error {
	if value != "single" && value != "multiple" {
		return fmt.Errorf("Please use 'single' or 'multiple' for buffer type")
	}
	l.micro().Apart = value == "multiple"
	return nil
}

// setSync takes a synchronization. Puts both ways have two of them.
func setSync(l *Line, value string) error {
	list := settings.Synchronizations
	if l.kernel.Class == kernel.Stream && l.kernel.Moved > 1 {
		list = []settings.Synchronization{settings.ByPSCW, settings.ByFence}
	}
	return chosen(list, func(l *Line, s settings.Synchronization) { l.oneSided().Sync = s })(l, value)
}

func setType(l *Line, value string) error {
	names := map[string]settings.DataType{"mpi_char": "", "mpi_int": "int", "mpi_float": "float"}
	kind, known := names[value]
	if !known {
		l.ignore("-T "+value, "one of mpi_char, mpi_int and mpi_float is measured at a time")
		return nil
	}
	l.Settings.DataType = kind
	return nil
}

func setTail(l *Line, value string) error {
	l.micro().Tail = settings.DefaultTail
	if value == "" {
		return nil
	}
	l.micro().Tail = nil
	for _, word := range strings.Split(value, ",") {
		p, err := strconv.ParseFloat(word, 64)
		if err != nil || !(p >= 0 && p <= 100) {
			return fmt.Errorf("Invalid Percentile")
		}
		l.micro().Tail = append(l.micro().Tail, int(p))
	}
	return nil
}

func setRoot(l *Line, value string) error {
	switch value {
	case "fixed:0":
		l.Settings.RootShift = new(bool)
	case "rotate":
		on := true
		l.Settings.RootShift = &on
	default:
		l.ignore("-k "+value, "the root is process 0, or rotates")
	}
	return nil
}

// micro returns the settings of OSU's kernels, to be changed.
func (l *Line) micro() *settings.OSU {
	if l.Settings.OSU == nil {
		l.Settings.OSU = &settings.OSU{}
	}
	return l.Settings.OSU
}

// oneSided returns the settings of one-sided calls, to be changed.
func (l *Line) oneSided() *settings.OneSided {
	if l.Settings.OneSided == nil {
		l.Settings.OneSided = &settings.OneSided{}
	}
	return l.Settings.OneSided
}
