// Package ior reads the command lines of IOR 4: ior -a MPIIO -t 1m -b 16m -C -e. The options that procurements use are
// known; what has no effect here is a notice, so that scripts run on, and what would measure something else is refused.
package ior

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/effective-bandwidth/beff/ior"
)

// Line is what a command line asks for.
type Line struct {
	ior.Settings
	Help    bool
	Script  string // path of the file of -f, whose tests ReadScript takes; empty: none
	Notices []string

	reorder bool    // -C
	nodes   int64   // -Q
	random  int64   // how often -z was given
	tasks   int64   // -N; 0: all
	part    float64 // of a node's memory that -M fills
	node    int64   // bytes of a node that it fills, if it names no part
	task    int64   // bytes that each process fills
	tests   []*Line // of a script; nil: this one
	under   string
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

// on returns the function of a switch. 0 switches it off.
func on(of func(l *Line) *bool) func(*Line, string) error {
	return func(l *Line, value string) error { *of(l) = value != "0"; return nil }
}

// count returns the function of a number of at least some, which may have a letter as sizes have.
func count(least int64, set func(l *Line, n int64)) func(*Line, string) error {
	return func(l *Line, value string) error {
		n, err := bytes(value)
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
		if *of(l), err = bytes(value); err == nil && *of(l) == 0 {
			err = fmt.Errorf("%q: want a byte or more", value)
		}
		return err
	}
}

// without notes that an option has no effect, and why. One that is switched off has none anyway.
func without(reason string) func(*Line, string) error {
	return func(l *Line, value string) error {
		if value != "0" {
			l.Notices = append(l.Notices, l.under+" is ignored: "+reason)
		}
		return nil
	}
}

// refused refuses an option that would change what is measured, unless it is switched off.
func refused(reason string) func(*Line, string) error {
	return func(_ *Line, value string) error {
		if value == "0" {
			return nil
		}
		return fmt.Errorf("not measured here: %s", reason)
	}
}

// Options is the table: IOR's letters, those that it had until 3.3, and the names without a letter that -O and scripts
// take.
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
		set: on(func(l *Line) *bool { return &l.Write })},
	{Short: "r", Long: "readFile", Help: "read alone", set: on(func(l *Line) *bool { return &l.Read })},
	{Short: "z", Long: "randomOffset", Help: "transfers in random order within a block; -z -z: over all of a process",
		set: setRandom},
	{Short: "k", Long: "keepFile", Help: "keep the files", set: on(func(l *Line) *bool { return &l.Keep })},
	{Short: "E", Long: "useExistingTestFile", Help: "write over files that are there",
		set: on(func(l *Line) *bool { return &l.Existing })},
	{Short: "D", Long: "deadlineForStonewalling", Value: "SECONDS", Help: "end each phase after so many seconds",
		set: count(0, func(l *Line, n int64) { l.Stonewall = float64(n) })},
	{Short: "o", Long: "testFile", Value: "PATH", Help: "path of the file (testFile)",
		set: setFile},
	{Short: "R", Long: "checkRead", Help: "read, and compare the first and last 8 bytes of each transfer",
		set: on(func(l *Line) *bool { return &l.Compare })},
	{Long: "stoneWallingWearOut", Help: "after -D, go on until all have made as many transfers as the first",
		set: on(func(l *Line) *bool { return &l.WearOut })},
	{Short: "M", Long: "memoryPerNode", Value: "SIZE|PART%", Help: "memory of each node that the processes fill",
		set: setMemory},
	{Long: "memoryPerTask", Value: "SIZE", Help: "memory that each process fills",
		set: count(0, func(l *Line, n int64) { l.part, l.node, l.task = 0, 0, n })},
	{Short: "N", Long: "numTasks", Value: "N", Help: "processes: all that there are, or an error",
		set: count(0, func(l *Line, n int64) { l.tasks = n })},
	{Short: "f", Long: "scriptFile", Value: "FILE", Help: "tests of a script, between IOR START and IOR STOP",
		set: func(l *Line, v string) error { l.Script = v; return nil }},
	{Short: "O", Long: "directives", Value: "NAME=VALUE,…", Help: "options by their names, such as fsync=1",
		set: setNamed},
	{Short: "h", Long: "help", Help: "show this", set: on(func(l *Line) *bool { return &l.Help })},
	{Short: "v", Long: "verbose", set: without("the document has everything")},
	{Short: "q", Long: "quitOnError", set: without("a run ends at its first error")},
	{Short: "m", Long: "multiFile", set: refused("a file of each repetition (-m)")},
	{Short: "Z", Long: "reorderTasksRandom", set: refused("readers by chance (-Z): give -C")},
	{Short: "W", Long: "checkWrite", set: refused("reading back what was just written (-W): give -R")},
	{Short: "u", Long: "uniqueDir", set: refused("directories of their own (-u)")},
	{Short: "l", Long: "dataPacketType", Value: "TYPE", set: without("data are random, with marks")},
	{Short: "G", Long: "setTimeStampSignature", Value: "N", set: without("data are random, with marks")},
	{Short: "d", Long: "interTestDelay", Value: "SECONDS", set: refused("pauses between tests (-d)")},
	{Short: "T", Long: "maxTimeDuration", Value: "MINUTES", set: refused("a limit in minutes (-T): give --wall")},
	{Short: "y", Long: "dualMount", set: refused("two mounts (-y)")},
	{Short: "B", Long: "posix.odirect", set: refused("calls that pass the system's cache (O_DIRECT)")},
	{Long: "randomPrefill", Value: "SIZE", set: refused("files that are written before")},
	{Long: "dryRun", set: refused("--dry-run shows the plan")},
	{Short: "U", Long: "mpiio.hintsFileName", Value: "FILE", set: refused("hints: the library's variables set them")},
	{Short: "p", Long: "mpiio.preallocate", set: refused("files of a size that is set before")},
	{Short: "S", Long: "mpiio.useStridedDatatype", set: refused("strided datatypes: beff io does it")},
	{Short: "V", Long: "mpiio.useFileView", set: refused("file views: beff io does it")},
	{Short: "P", Long: "mpiio.useSharedFilePointer", set: refused("shared file pointers: beff io does it")},
	{Long: "random-offset-seed", Value: "N", Help: "of the random order (1)",
		set: count(0, func(l *Line, n int64) { l.Seed = uint64(n) })},
	{Short: "A", Long: "refNum", Value: "N", set: without("results have names")},
	{Short: "H", Long: "mpiio.showHints", set: without("`beff io` shows hints")},
	{Short: "j", Long: "outlierThreshold", Value: "SECONDS", set: without("the result has the times")},
	{Short: "K", Long: "keepFileWithError", set: without("files of a run that fails are removed, unless -k is given")},
	{Short: "x", Long: "singleXferAttempt", set: without("no transfer is tried again")},
	{Short: "X", Long: "reorderTasksRandomSeed", Value: "N", set: without("readers are not by chance")},
	{Long: "warningAsErrors", set: without("what fails ends the run")},
	{Long: "reorderTasks", Help: "-C by its older name", set: on(func(l *Line) *bool { return &l.reorder })},
	{Short: "J", Long: "setAlignment", Value: "SIZE", set: refused("HDF5")},
	{Short: "n", Long: "noFill", set: refused("HDF5; processes are given by --ranks")},
	{Short: "I", Long: "individualDataSets", set: refused("HDF5")},
	{Long: "minTimeDuration", Value: "SECONDS", set: refused("transfers that are repeated for a time: give -D")},
	{Long: "interIODelay", Value: "MICROSECONDS", set: refused("pauses between transfers")},
	{Long: "stoneWallingWearOutIterations", Value: "N", set: refused("what another run has written until its " +
		"stonewall: write and read in one command")},
	{Long: "stoneWallingStatusFile", Value: "FILE",
		set: without("write and read in one command: then reading knows how much was written")},
	{Long: "numNodes", Value: "N", set: refused("nodes are those that the processes are on")},
	{Long: "numTasksOnNode0", Value: "N", set: refused("nodes are those that the processes are on")},
	{Long: "allocateBufferOnGPU", Value: "N", set: refused("memory of accelerators")},
	{Long: "GPUid", Value: "N", set: refused("memory of accelerators")},
	{Long: "gpuDirect", set: refused("memory of accelerators")},
	{Long: "useO_DIRECT", set: refused("calls that pass the system's cache (O_DIRECT)")},
	{Long: "posix.rangelocks", set: refused("locks of what is moved")},
	{Long: "posix.lustre.stripecount", Value: "N", set: refused(ofDirectory)},
	{Long: "posix.lustre.stripesize", Value: "SIZE", set: refused(ofDirectory)},
	{Long: "posix.lustre.startost", Value: "N", set: refused(ofDirectory)},
	{Long: "posix.lustre.pool", Value: "NAME", set: refused(ofDirectory)},
	{Long: "posix.lustre.ignorelocks", set: refused(ofDirectory)},
	{Long: "posix.beegfs.NumTargets", Value: "N", set: refused(ofDirectory)},
	{Long: "posix.beegfs.ChunkSize", Value: "SIZE", set: refused(ofDirectory)},
	{Long: "posix.gpfs.hintaccess", set: refused(ofDirectory)},
	{Long: "posix.gpfs.releasetoken", Value: "N", set: refused(ofDirectory)},
	{Long: "posix.gpfs.finegrainwritesharing", set: refused(ofDirectory)},
	{Long: "posix.gpfs.finegrainreadsharing", set: refused(ofDirectory)},
	{Long: "posix.gpfs.createsharing", set: refused(ofDirectory)},
	{Long: "summaryFormat", Value: "NAME", set: without("`beff report` has all formats")},
	{Long: "summaryFile", Value: "FILE", set: without("`--output` says where the text goes")},
	{Long: "summaryAlways", set: without("the text has all tests")},
	{Long: "saveRankPerformanceDetailsCSV", Value: "FILE", set: without("the result has the times")},
	{Long: "savePerOpDataCSV", Value: "FILE", set: without("the result has the times of phases")},
	{Long: "debug", Value: "TEXT", set: without("the document has everything")},
	{Long: "platform", Value: "NAME", set: without("the document has the machine")},
}

// ofDirectory is why what only one kind of file system has isn't set by this program.
const ofDirectory = "settings of a file system: give the directory its own"

// setNamed takes names with values.
func setNamed(l *Line, value string) error {
	for _, pair := range strings.Split(value, ",") {
		name, v, joined := strings.Cut(pair, "=")
		name, v = strings.TrimSpace(name), strings.TrimSpace(v)
		o := named(l.table, name)
		switch {
		case o == nil || o.Short == "O":
			return fmt.Errorf("unknown name %q", name)
		case !joined || v == "":
			return fmt.Errorf("%s: want %s=VALUE", name, name)
		}
		if err := l.take(o, name, v); err != nil {
			return err
		}
	}
	return nil
}

// named returns the option of a name, in letters of either case; nil: there is none.
func named(table []Option, name string) *Option {
	i := slices.IndexFunc(table, func(o Option) bool { return strings.EqualFold(o.Long, name) })
	if i < 0 {
		return nil
	}
	return &table[i]
}

// setFile takes the path. IOR's processes take those of a list in turn.
func setFile(l *Line, value string) error {
	if strings.Contains(value, "@") {
		return errors.New("want one file: those of a list, of which IOR's processes take one in turn, need a run each")
	}
	l.File = value
	return nil
}

// setRandom counts how often the order was asked to be random, or takes the number.
func setRandom(l *Line, value string) error {
	if value == "" {
		l.random++
		return nil
	}
	return count(0, func(l *Line, n int64) { l.random = n })(l, value)
}

// setMemory takes a part of a node's memory, or bytes of it.
func setMemory(l *Line, value string) error {
	l.part, l.node, l.task = 0, 0, 0
	number, percent := strings.CutSuffix(value, "%")
	if !percent {
		return count(0, func(l *Line, n int64) { l.node = n })(l, value)
	}
	x, err := strconv.ParseFloat(number, 64)
	if err != nil || !(x >= 0 && x <= 100) {
		return fmt.Errorf("%q: want a part such as 50%%, or a size", value)
	}
	l.part = x / 100
	return nil
}

// bytes reads a number with a letter for a power of 1024. As IOR does, it reads 1m, 1MB and 1MiB alike.
func bytes(text string) (int64, error) {
	number := strings.TrimRight(text, "kKmMgGtTpPiIbB")
	letter := " "
	if unit := strings.ToLower(text[len(number):]); unit != "" {
		letter = strings.TrimSuffix(strings.TrimSuffix(unit, "b"), "i")
	}
	shift := 10 * strings.Index(" kmgtp", letter)
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n < 0 || shift < 0 || len(letter) > 1 || n > 1<<62>>shift {
		return 0, fmt.Errorf("%q is no size: want something like 47008, 256k or 1m", text)
	}
	return n << shift, nil
}
