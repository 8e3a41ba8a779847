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
	flow.BusyInterval = 0                                        // the output doesn't depend on other programs
	syscall.Umask(0o022)                                         // beff doesn't trust files that a group may change
	if len(os.Args) > 1 && os.Args[1] == scratch.GuardArgument { // the guard of a run in this process
		main()
		return
	}
	testscript.Main(cleaning{m}, map[string]func(){"beff": main, "beff-weighed": weighed, "imb-mpi1": main,
		"IMB-P2P": main})
}

// cleaning calls the functions in atEnd after all tests.
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

// TestScripts runs testdata/script, which uses the program as users do, each in a fresh directory and environment.
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

// screen ROWS ARGS… runs beff in a pipe and with 60, 80 and 120 columns. It must print a first screen: at most twelve
// lines and ROWS rows of a table, no wider than the columns, except for the line for scripts, which is the last one.
func screen(ts *testscript.TestScript, neg bool, args []string) {
	rows, err := strconv.Atoi(args[0])
	ts.Check(err)
	for _, columns := range []int{0, 60, 80, 120} {
		width := columns
		ts.Setenv("COLUMNS", strconv.Itoa(columns))
		if columns == 0 {
			width = 80 // of a pipe
		}
		_ = ts.Exec("beff", args[1:]...) // an invalid rating has a first screen, too
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

// sampled JOURNAL waits until the journal of a run in the background has samples.
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

// caught JOURNAL waits like sampled, and stops the process that writes the journal, because on a busy machine a short
// run would end before the script's next line. `sends` resumes the process.
func caught(ts *testscript.TestScript, neg bool, args []string) {
	sampled(ts, neg, args)
	ts.Check(syscall.Kill(writer(ts, args[0]), syscall.SIGSTOP))
}

// sends SIGNAL… JOURNAL sends signals, such as QUIT, to the process that writes a journal. The process may end after
// the first.
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

// leased FILE creates an empty file whose open for writing doesn't return before the script has ended (fcntl(2),
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

// emptied DIR waits until the directory is empty: a guard removes a run's files after the run has ended.
func emptied(ts *testscript.TestScript, neg bool, args []string) {
	await(ts, neg, args, "files are left in", func(path string) bool {
		entries, err := os.ReadDir(path)
		return err == nil && len(entries) == 0
	})
}

// await waits until a path, the command's only argument, has a property.
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
// requires no line at all, as from the silent ranks of a job.
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
		ts.Fatalf("stderr is not one line from beff")
	}
}

// proven reads and verifies a result document of b_eff.
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

// rating FILE reads the document of a whole measurement and checks it. `! rating FILE` is for a document that is not
// valid for comparison.
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

// ofMachine reports whether a warning is about the machine, its noise or the environment of the test
// (conformance.Environ), and not about the measurement.
func ofMachine(w rating.Warning) bool {
	codes := []string{"crowded", "embedded", "preloaded", "outliers", "not-precise", "not-positive",
		"load", "steal", "frequency", "throttled", "quota", "no_cma", "siblings", "unbound"}
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

// empty DIR checks that the directory is empty; `! empty DIR` checks that it isn't.
func empty(ts *testscript.TestScript, neg bool, args []string) {
	entries, err := os.ReadDir(ts.MkAbs(args[0]))
	ts.Check(err)
	if (len(entries) == 0) == neg {
		ts.Fatalf("%s has %d entries: %v", args[0], len(entries), entries)
	}
}

// measurements returns the number of samples in a result by the paper's rules.
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
