// Package ior reads the command lines of IOR 4: ior -a MPIIO -t 1m -b 16m -C -e. The options that procurements use are
// known; what has no effect here is a notice, so that scripts run on, and what would measure something else is refused.
package ior

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/effective-bandwidth/beff/ior"
)

// Line is what a command line asks for.
type Line struct {
	ior.Settings
	Help    bool
	Notices []string

	reorder bool  // -C
	nodes   int64 // -Q
	under   string
	phases  bool // -w or -r was given
	table   []Option
}

// Option is a row of the table of options.
type Option struct {
	Short string
	Long  string
	Value string // its name in the help; empty: there is none
	Help  string // empty: it has no effect

	set func(l *Line, value string) error
}

// on returns the function of a switch.
func on(of func(l *Line) *bool) func(*Line, string) error {
	return func(l *Line, _ string) error { *of(l) = true; return nil }
}

// count returns the function of a number of at least some.
func count(least int64, set func(l *Line, n int64)) func(*Line, string) error {
	return func(l *Line, value string) error {
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil || n < least {
			return fmt.Errorf("%q: want a number of %d or more", value, least)
		}
		set(l, n)
		return nil
	}
}

// length returns the function of a number of bytes.
func length(of func(l *Line) *int64) func(*Line, string) error {
	return func(l *Line, value string) (err error) {
		*of(l), err = bytes(value)
		return err
	}
}

// without notes that an option has no effect, and why.
func without(reason string) func(*Line, string) error {
	return func(l *Line, _ string) error {
		l.Notices = append(l.Notices, l.under+" is ignored: "+reason)
		return nil
	}
}

// refused refuses an option that would change what is measured.
func refused(reason string) func(*Line, string) error {
	return func(*Line, string) error { return fmt.Errorf("not measured here: %s", reason) }
}

// Options is the table, by IOR's letters.
var Options = []Option{
	{Short: "a", Long: "api", Value: "POSIX|MPIIO", Help: "calls that move the data (default: POSIX)",
		set: func(l *Line, v string) error { l.API = ior.API(strings.ToUpper(v)); return nil }},
	{Short: "b", Long: "blockSize", Value: "SIZE", Help: "bytes that a process moves in adjacent transfers (1m)",
		set: length(func(l *Line) *int64 { return &l.Block })},
	{Short: "t", Long: "transferSize", Value: "SIZE", Help: "bytes of a transfer (256k)",
		set: length(func(l *Line) *int64 { return &l.Transfer })},
	{Short: "s", Long: "segmentCount", Value: "N", Help: "blocks of each process",
		set: count(1, func(l *Line, n int64) { l.Segments = n })},
	{Short: "i", Long: "repetitions", Value: "N", Help: "how often the test is made",
		set: count(1, func(l *Line, n int64) { l.Repetitions = int(min(n, 1<<30)) })},
	{Short: "c", Long: "collective", Help: "collective calls", set: on(func(l *Line) *bool { return &l.Collective })},
	{Short: "F", Long: "filePerProc", Help: "a file of each process",
		set: on(func(l *Line) *bool { return &l.FilePerProcess })},
	{Short: "C", Long: "reorderTasksConstant", Help: "read what another process has written: one of the next node",
		set: on(func(l *Line) *bool { return &l.reorder })},
	{Short: "Q", Long: "taskPerNodeOffset", Value: "N", Help: "nodes between reader and writer, with -C (1)",
		set: count(0, func(l *Line, n int64) { l.nodes = n })},
	{Short: "e", Long: "fsync", Help: "bring data to the device at the end of writing",
		set: on(func(l *Line) *bool { return &l.Sync })},
	{Short: "Y", Long: "fsyncPerWrite", Help: "bring data to the device after each transfer",
		set: on(func(l *Line) *bool { return &l.SyncEach })},
	{Short: "g", Long: "intraTestBarriers", Help: "barriers between opening, moving and closing",
		set: on(func(l *Line) *bool { return &l.Barriers })},
	{Short: "w", Long: "writeFile", Help: "write alone (default: write and read)",
		set: func(l *Line, _ string) error { l.phases, l.Write = true, true; return nil }},
	{Short: "r", Long: "readFile", Help: "read alone", set: func(l *Line, _ string) error {
		l.phases, l.Read = true, true
		return nil
	}},
	{Short: "z", Long: "randomOffset", Help: "transfers in random order within a block; -z -z: over all of a process",
		set: func(l *Line, _ string) error {
			l.Scattered = l.Random || l.Scattered
			l.Random = !l.Scattered
			return nil
		}},
	{Short: "k", Long: "keepFile", Help: "keep the files", set: on(func(l *Line) *bool { return &l.Keep })},
	{Short: "E", Long: "useExistingTestFile", Help: "write over files that are there",
		set: on(func(l *Line) *bool { return &l.Existing })},
	{Short: "D", Long: "deadlineForStonewalling", Value: "SECONDS", Help: "end each phase after so many seconds",
		set: count(0, func(l *Line, n int64) { l.Stonewall = float64(n) })},
	{Short: "o", Long: "testFile", Value: "PATH", Help: "path of the file (testFile)",
		set: func(l *Line, v string) error { l.File = v; return nil }},
	{Short: "R", Long: "checkRead", Help: "compare the first and last 8 bytes of each transfer with what was written",
		set: on(func(l *Line) *bool { return &l.Compare })},
	{Short: "O", Long: "summaryAlg", Value: "NAME=VALUE,…", Help: "options by their names: stoneWallingWearOut=1",
		set: setNamed},
	{Short: "h", Long: "help", Help: "show this", set: on(func(l *Line) *bool { return &l.Help })},
	{Short: "v", Long: "verbose", set: without("the document has everything")},
	{Short: "q", Long: "quitOnError", set: without("a run ends at its first error")},
	{Short: "m", Long: "multiFile", set: refused("a file of each repetition (-m)")},
	{Short: "Z", Long: "reorderTasksRandom", set: refused("readers by chance (-Z): give -C")},
	{Short: "W", Long: "checkWrite", set: refused("reading back what was just written (-W): give -R")},
	{Short: "u", Long: "uniqueDir", set: refused("directories of their own (-u)")},
	{Short: "M", Long: "memoryPerNode", Value: "PART",
		set: refused("filled memory (-M): beff io --cold --fill does it")},
	{Short: "l", Long: "dataPacketType", Value: "TYPE", set: without("data are random, with marks")},
	{Short: "G", Long: "setTimeStampSignature", Value: "N", set: without("data are random, with marks")},
	{Short: "d", Long: "interTestDelay", Value: "SECONDS", set: refused("pauses between tests (-d)")},
	{Short: "T", Long: "maxTimeDuration", Value: "MINUTES", set: refused("a limit in minutes (-T): give --wall")},
	{Short: "f", Long: "scriptFile", Value: "FILE", set: refused("scripts (-f)")},
	{Short: "N", Long: "numTasks", Value: "N", set: refused("a part of the processes (-N): start as many as wanted")},
	{Short: "y", Long: "dualMount", set: refused("two mounts (-y)")},
	{Short: "B", Long: "posix.odirect", set: refused("calls that pass the system's cache (O_DIRECT)")},
	{Long: "randomPrefill", Value: "SIZE", set: refused("files that are written before")},
	{Long: "dryRun", set: refused("--dry-run shows the plan")},
	{Long: "mpiio.hintsFileName", Value: "FILE", set: refused("hints: the library's variables set them")},
	{Long: "mpiio.preallocate", set: refused("files of a size that is set before")},
	{Long: "mpiio.useStridedDatatype", set: refused("strided datatypes: beff io does it")},
	{Long: "mpiio.useFileView", set: refused("file views: beff io does it")},
	{Long: "mpiio.useSharedFilePointer", set: refused("shared file pointers: beff io does it")},
	{Long: "random-offset-seed", Value: "N", Help: "of the random order (1)",
		set: count(0, func(l *Line, n int64) { l.Seed = uint64(n) })},
	{Short: "A", Long: "refNum", Value: "N", set: without("results have names")},
	{Short: "H", Long: "mpiio.showHints", set: without("`beff io` shows hints")},
	{Short: "j", Long: "outlierThreshold", Value: "SECONDS", set: without("the result has the times")},
	{Short: "K", Long: "keepFileWithError", set: without("files of a run that fails are removed, unless -k is given")},
	{Short: "x", Long: "singleXferAttempt", set: without("no transfer is tried again")},
	{Short: "X", Long: "reorderTasksRandomSeed", Value: "N", set: without("readers are not by chance")},
	{Long: "warningAsErrors", set: without("what fails ends the run")},
}

// names are options that -O takes by their names, 0 or 1 or with a value.
var names = map[string]func(l *Line, value string) error{
	"stoneWallingWearOut":           func(l *Line, v string) error { l.WearOut = v != "0"; return nil },
	"summaryFormat":                 without("`beff report` has all formats"),
	"summaryFile":                   without("`--output` says where the text goes"),
	"stoneWallingStatusFile":        without("write and read in one command: then reading knows how much was written"),
	"saveRankPerformanceDetailsCSV": without("the result has the times"),
}

// setNamed takes names with values. Those that have a letter are known by their names, too.
func setNamed(l *Line, value string) error {
	for _, pair := range strings.Split(value, ",") {
		name, v, _ := strings.Cut(pair, "=")
		set := names[name]
		for _, o := range l.table {
			if o.Long == name && o.Short != "O" {
				if set = o.set; o.Value == "" && v == "0" {
					set = func(*Line, string) error { return nil }
				}
			}
		}
		if set == nil {
			return fmt.Errorf("unknown name %q", name)
		}
		if err := set(l, v); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// bytes reads a number of bytes with a letter for a power of 1024.
func bytes(text string) (int64, error) {
	shift, number := 0, strings.TrimRight(strings.ToLower(text), "kmgt")
	if len(text)-len(number) == 1 {
		shift = 10 * (1 + strings.IndexByte("kmgt", strings.ToLower(text)[len(text)-1]))
	}
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n < 1 || n > 1<<62>>shift || len(text)-len(number) > 1 {
		return 0, fmt.Errorf("%q is no size: want something like 47008, 256k or 1m", text)
	}
	return n << shift, nil
}
