package mdtest

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/effective-bandwidth/beff/probe/settings"
)

// Option is a row of the table of options.
type Option struct {
	Letter string // empty: it has a long name alone
	Long   string // empty: it has a letter alone
	Value  string // its name in the help; empty: it has none
	Help   string // a sentence without its capital and stop; empty: it has no effect, or is refused
	// What a rate would be that is measured with it; empty: it isn't refused.
	Refused string
	set     func(l *Line, value string) error
}

// Spelling returns the option as users write it.
func (o *Option) Spelling() string {
	switch {
	case o.Letter == "":
		return "--" + o.Long
	case o.Long == "":
		return "-" + o.Letter
	}
	return "-" + o.Letter + ", --" + o.Long
}

// Options is the table, in the order of mdtest's letters.
var Options = []Option{
	{Letter: "h", Long: "help", Help: "show this", set: on(func(l *Line) *bool { return &l.Help })},
	{Letter: "a", Value: "POSIX", Help: "calls of the C library; MPI's own are those of `beff probe MPI_create`",
		set: setAPI},
	{Letter: "b", Value: "N", Help: "directories in each directory of a level of the tree",
		set: number(1, func(l *Line, n int64) { l.meta.Branching = int(n) })},
	{Letter: "d", Value: "DIR", Help: "where the run makes a directory of its own: it or the one above is there",
		set: setDirectory},
	{Letter: "C", Help: "measure creation", set: on(func(l *Line) *bool { return &l.create })},
	{Letter: "T", Help: "measure stat", set: on(func(l *Line) *bool { return &l.stat })},
	{Letter: "E", Help: "measure reading", set: on(func(l *Line) *bool { return &l.read })},
	{Letter: "r", Help: "measure removal", set: on(func(l *Line) *bool { return &l.remove })},
	{Letter: "U", Help: "measure renaming of directories, where other phases are named",
		set: on(func(l *Line) *bool { return &l.rename })},
	{Letter: "D", Help: "directories alone", set: on(func(l *Line) *bool { return &l.directories })},
	{Letter: "F", Help: "files alone", set: on(func(l *Line) *bool { return &l.files })},
	{Letter: "e", Value: "BYTES", Help: "bytes that are read of each file; without -C and -w they are written before",
		set: size(func(l *Line, n int64) { l.readBytes = n })},
	{Letter: "i", Value: "N", Help: "iterations of all phases",
		set: number(1, func(l *Line, n int64) { l.Settings.Passes = int(n) })},
	{Letter: "I", Value: "N", Help: "files or directories of a process in each directory of the tree",
		set: size(func(l *Line, n int64) { l.perDirectory = n })},
	{Letter: "k", Help: "make files by mknod", set: on(func(l *Line) *bool { return &l.meta.Nodes })},
	{Letter: "L", Help: "files in the lowest level of the tree alone",
		set: on(func(l *Line) *bool { return &l.meta.Leaves })},
	{Letter: "n", Value: "N", Help: "files or directories of each process",
		set: size(func(l *Line, n int64) { l.meta.Items = n })},
	{Letter: "N", Value: "N", Help: "look at files of the process N further on, or N nodes",
		set: number(0, func(l *Line, n int64) { l.meta.Shift = int(n) })},
	{Letter: "P", Help: "print rates and times", set: func(l *Line, _ string) error {
		l.meta.Text = settings.TextBoth
		return nil
	}},
	{Letter: "R", Help: "stat in a random order", set: on(func(l *Line) *bool { return &l.random })},
	{Long: "random-seed", Value: "N", Help: "seed of that order",
		set: number(0, func(l *Line, n int64) { l.meta.Seed = uint64(n) })},
	{Letter: "u", Help: "each process has a tree of directories of its own",
		set: on(func(l *Line) *bool { return &l.meta.Own })},
	{Letter: "w", Value: "BYTES", Help: "bytes that are written to each file",
		set: size(func(l *Line, n int64) { l.written = n })},
	{Letter: "W", Value: "SECONDS", Help: "end the creation then; each process goes on until it has as many as the " +
		"first one had", set: number(0, func(l *Line, n int64) { l.meta.Stonewall = float64(n) })},
	{Letter: "X", Long: "verify-read", Help: "what is read is always checked", set: without("")},
	{Letter: "y", Help: "bring each file to storage before it is closed",
		set: on(func(l *Line) *bool { return &l.meta.Synced })},
	{Letter: "Y", Help: "bring all data of the machine to storage at the end of each phase, which counts",
		set: on(func(l *Line) *bool { return &l.meta.AllSynced })},
	{Letter: "z", Value: "N", Help: "levels of the tree below the first directory",
		set: number(0, func(l *Line, n int64) { l.meta.Depth = int(n) })},
	{Letter: "Z", Help: "print times instead of rates", set: func(l *Line, _ string) error {
		if l.meta.Text != settings.TextBoth {
			l.meta.Text = settings.TextTimes
		}
		return nil
	}},
	{Letter: "B", Value: "N", Refused: "phases that overlap"},
	{Letter: "c", Refused: "files that one process makes for all"},
	{Letter: "f", Value: "N", set: without("without -l all processes take part")},
	{Letter: "g", Refused: "settings of a file system: give the directory its own"},
	{Letter: "G", Value: "N", set: without("data name their process and file")},
	{Letter: "l", Value: "N", Refused: "a series of numbers of processes: start as many as wanted"},
	{Letter: "p", Value: "SECONDS", Refused: "pauses between iterations"},
	{Letter: "s", Value: "N", set: without("without -l all processes take part")},
	{Letter: "S", Refused: "one file that all processes share"},
	{Letter: "t", set: without("no process enters a directory")},
	{Letter: "v", set: without("the result has the rest: --output")},
	{Letter: "V", Value: "N", set: without("the result has the rest: --output")},
	{Letter: "x", Value: "FILE", set: setStatus},
	{Long: "print-all-procs", set: without("the result has the times of all processes: --output")},
	{Long: "verify-write", Refused: "reading back what was just written"},
	{Long: "dataPacketType", Value: "TYPE", set: without("data name their process and file")},
	{Long: "run-cmd-before-phase", Value: "CMD", Refused: "commands between phases"},
	{Long: "run-cmd-after-phase", Value: "CMD", Refused: "commands between phases"},
	{Long: "allocateBufferOnGPU", Value: "N", Refused: "memory of accelerators"},
	{Long: "GPUid", Value: "N", Refused: "memory of accelerators"},
	{Long: "gpuDirect", Refused: "memory of accelerators"},
	{Long: "warningAsErrors", set: without("what fails ends the run")},
	{Long: "saveRankPerformanceDetails", Value: "FILE",
		set: without("the result has the times of all processes: --output")},
	{Long: "savePerOpDataCSV", Value: "PREFIX", set: without("the result has the times of all processes: --output")},
	{Long: "showRankStatistics", set: without("the result has the times of all processes: --output")},
	{Long: "posix.odirect", Refused: "calls that pass the system's cache (O_DIRECT)"},
}

// on returns the setter of a switch.
func on(to func(l *Line) *bool) func(*Line, string) error {
	return func(l *Line, _ string) error { *to(l) = true; return nil }
}

// without returns the setter of an option that has no effect, for a reason; without one it needs no notice.
func without(reason string) func(*Line, string) error {
	return func(l *Line, _ string) error {
		if reason != "" {
			l.Notices = append(l.Notices, fmt.Sprintf("%s is ignored: %s", l.under, reason))
		}
		return nil
	}
}

// number returns the setter of a whole number from least on.
func number(least int64, put func(l *Line, n int64)) func(*Line, string) error {
	return func(l *Line, value string) error {
		n, err := strconv.ParseInt(value, 10, 32)
		if err != nil || n < least {
			return fmt.Errorf("want a whole number from %d on", least)
		}
		put(l, n)
		return nil
	}
}

// units are the letters behind numbers, as mdtest has them.
var units = map[byte]int64{'k': 1 << 10, 'm': 1 << 20, 'g': 1 << 30, 't': 1 << 40}

// size returns the setter of a number that may have a unit behind it.
func size(put func(l *Line, n int64)) func(*Line, string) error {
	return func(l *Line, value string) error {
		digits, unit := strings.ToLower(value), int64(1)
		if n := len(digits); n > 0 && units[digits[n-1]] > 0 {
			digits, unit = digits[:n-1], units[digits[n-1]]
		}
		n, err := strconv.ParseInt(digits, 10, 64)
		if err != nil || n < 0 || n > math.MaxInt64/unit {
			return errors.New("want a number, such as 3901 or 4k")
		}
		put(l, n*unit)
		return nil
	}
}

func setAPI(_ *Line, value string) error {
	if !strings.EqualFold(value, "POSIX") {
		return errors.New("want POSIX, as mdtest: MPI's own calls are `beff probe MPI_create MPI_open MPI_delete`")
	}
	return nil
}

// setDirectory takes the directory. Of several mdtest's processes take turns.
func setDirectory(l *Line, value string) error {
	if value == "" || strings.Contains(value, "@") {
		return errors.New("want one directory")
	}
	l.Directory = value
	return nil
}

// setStatus notes the file of the number of files that a stonewall has left.
func setStatus(l *Line, value string) error {
	l.status = true
	return without("the creation of this run says how many files there are")(l, value)
}
