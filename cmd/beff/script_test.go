package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rivo/uniseg"
	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/sys/unix"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/flow"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/scratch"
	"github.com/effective-bandwidth/beff/internal/conformance"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/rating/journal"
	"github.com/effective-bandwidth/beff/report/ofbeff"
	"github.com/effective-bandwidth/beff/report/ofbeffio"
	"github.com/effective-bandwidth/beff/report/ofprobe"
)

func TestMain(m *testing.M) {
	flow.LookFor = 0                                             // what is printed doesn't depend on who else is here
	syscall.Umask(0o022)                                         // files that a group may change aren't trusted
	if len(os.Args) > 1 && os.Args[1] == scratch.GuardArgument { // of a run in a test's own process
		main()
		return
	}
	testscript.Main(cleaning{m}, map[string]func(){"beff": main, "beff-weighed": weighed, "imb-mpi1": main,
		"IMB-P2P": main})
}

// cleaning calls what tests left in atEnd when all have run.
type cleaning struct{ testscript.TestingM }

var atEnd []func()

func (c cleaning) Run() int {
	defer func() {
		conformance.Clean()
		for _, f := range atEnd {
			f()
		}
	}()
	return c.TestingM.Run()
}

// TestScripts runs testdata/script: the program as users run it, with a fresh directory and environment each.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script", RequireUniqueNames: true, UpdateScripts: os.Getenv("UPDATE") != "",
		Condition: condition,
		Setup: func(e *testscript.Env) error {
			e.Setenv("GOMAXPROCS", os.Getenv("GOMAXPROCS")) // as make test sets them
			e.Setenv("GOGC", os.Getenv("GOGC"))
			e.Setenv("LC_ALL", "C.UTF-8")
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"fails":  fails,
			"rating": rate,

			"iorating": ioRating,
			"probes":   probes,
			"empty":    empty,
			"emptied":  emptied,
			"sampled":  sampled,
			"caught":   caught,
			"sends":    sends,
			"leased":   leased,
			"screen":   screen,
		},
	})
}

func condition(name string) (bool, error) {
	switch name {
	case "root":
		return os.Getuid() == 0, nil
	}
	return false, fmt.Errorf("unknown condition %q", name)
}

// screen ROWS ARGS… runs beff in a pipe and with 60, 80 and 120 columns. It must print a first screen: twelve lines and
// so many rows of a table at most, as wide as there are columns, but for the line for scripts, which is the last one.
func screen(ts *testscript.TestScript, neg bool, args []string) {
	rows, err := strconv.Atoi(args[0])
	ts.Check(err)
	for _, columns := range []int{0, 60, 80, 120} {
		width := columns
		ts.Setenv("COLUMNS", strconv.Itoa(columns))
		if columns == 0 {
			width = 80 // of a pipe
		}
		_ = ts.Exec("beff", args[1:]...) // what isn't valid has a first screen, too
		lines := strings.Split(strings.TrimSuffix(ts.ReadFile("stdout"), "\n"), "\n")
		if len(lines) > 12+rows || len(lines) < 3 {
			ts.Fatalf("%d columns: %d lines", columns, len(lines))
		}
		for i, line := range lines {
			script := strings.HasPrefix(line, "b_eff") && i == len(lines)-1
			if uniseg.StringWidth(line) > width && !script {
				ts.Fatalf("%d columns: line of %d: %s", columns, uniseg.StringWidth(line), line)
			}
		}
	}
	ts.Setenv("COLUMNS", "")
}

// sampled JOURNAL waits until there are samples of a run in the background in its journal.
func sampled(ts *testscript.TestScript, neg bool, args []string) {
	await(ts, neg, args, "no samples are in", func(path string) bool {
		text, err := os.ReadFile(path)
		if err != nil {
			return false
		}
		left, err := journal.Parse(text)
		return err == nil && len(left.Records) > 0
	})
}

// caught JOURNAL is sampled, and stops the process that writes the journal: a short run would be over before the next
// line on a machine that is busy. The next signal that is sent lets it go on.
func caught(ts *testscript.TestScript, neg bool, args []string) {
	sampled(ts, neg, args)
	ts.Check(syscall.Kill(writer(ts, args[0]), syscall.SIGSTOP))
}

// sends SIGNAL… JOURNAL sends signals, such as QUIT, to the process that writes a journal, which may end by the first.
func sends(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 2 || neg {
		ts.Fatalf("want signals and a journal")
	}
	last := len(args) - 1
	pid := writer(ts, args[last])
	for i, name := range append(args[:last:last], "CONT") {
		if err := syscall.Kill(pid, unix.SignalNum("SIG"+name)); i == 0 || !errors.Is(err, syscall.ESRCH) {
			ts.Check(err)
		}
	}
}

// writer returns the process that writes a journal.
func writer(ts *testscript.TestScript, path string) int {
	left, err := journal.Parse([]byte(ts.ReadFile(path)))
	ts.Check(err)
	return left.Head.Owner.PID
}

// leased FILE makes an empty file whose open for writing doesn't return before the script has ended (fcntl(2),
// "Leases"; 45 s at most), as on a file system that doesn't answer.
func leased(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 1 || neg {
		ts.Fatalf("want one path")
	}
	name := ts.MkAbs(args[0])
	ts.Check(os.WriteFile(name, nil, 0o600))
	f, err := os.Open(name)
	ts.Check(err)
	ts.Defer(func() { f.Close() })
	_, err = unix.FcntlInt(f.Fd(), unix.F_SETLEASE, unix.F_RDLCK)
	ts.Check(err)
}

// emptied DIR waits until nothing is in it: a guard removes a run's files after the run has ended.
func emptied(ts *testscript.TestScript, neg bool, args []string) {
	await(ts, neg, args, "files are left in", func(path string) bool {
		entries, err := os.ReadDir(path)
		return err == nil && len(entries) == 0
	})
}

// await waits until a command's only argument, a path, has a property.
func await(ts *testscript.TestScript, neg bool, args []string, otherwise string, has func(path string) bool) {
	if len(args) != 1 || neg {
		ts.Fatalf("want one path")
	}
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if has(ts.MkAbs(args[0])) {
			return
		}
	}
	ts.Fatalf("after a minute %s %s", otherwise, args[0])
}

// fails CODE ARGS… runs beff, which must end with this exit code, nothing on stdout and one line on stderr. `! fails`
// wants no line at all, as from the silent ranks of a job.
func fails(ts *testscript.TestScript, neg bool, args []string) {
	err := ts.Exec("beff", args[1:]...)
	stdout, stderr := ts.ReadFile("stdout"), ts.ReadFile("stderr")
	switch {
	case err == nil:
		ts.Fatalf("beff succeeded")
	case err.Error() != "exit status "+args[0]:
		ts.Fatalf("beff ended with: %v", err)
	case stdout != "":
		ts.Fatalf("stdout is not empty")
	case neg && stderr != "":
		ts.Fatalf("stderr is not empty")
	case !neg && (!strings.HasPrefix(stderr, "beff: ") || strings.Count(stderr, "\n") != 1 ||
		!strings.HasSuffix(stderr, "\n")):
		ts.Fatalf("stderr is not one line of beff's")
	}
}

// proven reads the document of a measurement as users do: proven.
func proven(f io.Reader) (*beff.Result, error) {
	data, err := io.ReadAll(f)
	if err != nil {
		return nil, err
	}
	return ofbeff.Verify(data)
}

func measuredIO(f io.Reader) (*beffio.Result, error) {
	data, err := io.ReadAll(f)
	if err != nil {
		return nil, err
	}
	return ofbeffio.Verify(data)
}

// rating FILE reads the document of a whole measurement and checks it; `! rating FILE` is for one that is not valid for
// comparison.
func rate(ts *testscript.TestScript, neg bool, args []string) {
	f, err := os.Open(ts.MkAbs(args[0]))
	ts.Check(err)
	defer f.Close()
	r, err := proven(f)
	ts.Check(err)
	if !r.Complete || r.Valid == neg {
		ts.Fatalf("complete: %t, valid: %t", r.Complete, r.Valid)
	}
	if n := measurements(r); len(r.Samples) != n {
		ts.Fatalf("%d samples of %d measurements", len(r.Samples), n)
	}
}

// ioRating FILE reads the document of a whole measurement of b_eff_io and checks it.
func ioRating(ts *testscript.TestScript, neg bool, args []string) {
	f, err := os.Open(ts.MkAbs(args[0]))
	ts.Check(err)
	defer f.Close()
	r, err := measuredIO(f)
	ts.Check(err)
	if !r.Complete || r.Derived.BEffIO == 0 || len(r.Errors) > 0 {
		ts.Fatalf("complete: %t, b_eff_io: %v, errors: %v", r.Complete, r.Derived.BEffIO, r.Errors)
	}
}

// ofMachine reports whether a warning is about the machine, how steady it is, and the way of the test
// (conformance.Environ), instead of what was measured.
func ofMachine(w rating.Warning) bool {
	codes := []string{"crowded", "embedded", "preloaded", "outliers", "not-precise", "not-positive",
		"load", "steal", "frequency", "throttled"}
	return slices.Contains(codes, w.Code)
}

// probes FILE KERNEL… reads the document of a whole probe and checks it: it has these kernels, with figures and
// without defects.
func probes(ts *testscript.TestScript, neg bool, args []string) {
	data, err := os.ReadFile(ts.MkAbs(args[0]))
	ts.Check(err)
	r, err := ofprobe.Verify(data)
	ts.Check(err)
	if warnings := slices.DeleteFunc(r.Warnings, ofMachine); !r.Complete || len(warnings) > 0 {
		ts.Fatalf("complete: %t, warnings: %v", r.Complete, warnings)
	}
	var kernels []string
	for _, b := range r.Blocks {
		for _, row := range b.Rows {
			if row.Missing != "" || row.Defects > 0 || row.Bytes > 0 && row.Checked == 0 || len(row.Derived) == 0 {
				ts.Fatalf("%s: %+v", b.Kernel, row)
			}
		}
		if !slices.Contains(kernels, b.Kernel) {
			kernels = append(kernels, b.Kernel)
		}
	}
	if !slices.Equal(kernels, args[1:]) {
		ts.Fatalf("kernels: %v", kernels)
	}
}

// empty DIR has nothing in it; `! empty DIR` has.
func empty(ts *testscript.TestScript, neg bool, args []string) {
	entries, err := os.ReadDir(ts.MkAbs(args[0]))
	ts.Check(err)
	if (len(entries) == 0) == neg {
		ts.Fatalf("%s has %d entries: %v", args[0], len(entries), entries)
	}
}

// measurements is how many samples a result by the paper's rules has.
func measurements(r *beff.Result) int {
	n := 0
	for _, p := range r.Patterns {
		if p.Name == "ping-pong" {
			n++
		} else {
			n += len(r.Methods)
		}
	}
	return n * len(r.Lengths) * r.Repetitions
}
