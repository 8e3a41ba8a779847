// Package exit defines how the program ends: the exit codes, errors with exit codes, and the signals of crashes.
package exit

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// The codes. An error without a code ends with Failed.
const (
	Failed = 1
	Usage  = 2 // the command line was wrong
	Below  = 3 // below the limit of beff compare --fail-below or beff trend --baseline, or beff accept: missed
	// Unfinished: the wall limit was reached. The result is correct as far as it goes, and --resume resumes the run.
	Unfinished = 4
	// NotJudged: results can't be used for this purpose. For example, a gate got results of two classes or an invalid
	// result, or a comparison got results of two benchmarks.
	NotJudged = 5
	Undecided = 6 // more runs are needed
)

// coded is an error with an exit code.
type coded struct {
	error
	code int
}

func (c *coded) Unwrap() error { return c.error }

// ExitCode makes coded a job.ExitCoder, so that the code goes with the error to other processes.
func (c *coded) ExitCode() int { return c.code }

// With returns err with an exit code. It returns nil if err is nil.
func With(code int, err error) error {
	if err == nil {
		return nil
	}
	return &coded{err, code}
}

// Misuse returns an error in the command line that its parser can't find.
func Misuse(format string, args ...any) error { return With(Usage, fmt.Errorf(format, args...)) }

// Code returns the exit code of an error, or 0 if err is nil.
func Code(err error) int {
	if err == nil {
		return 0
	}
	var c interface { // job.ExitCoder, which is in a package with many imports
		error
		ExitCode() int
	}
	if errors.As(err, &c) {
		return c.ExitCode()
	}
	return Failed
}

// Crashes are the signals of crashes, which are handled if another process sends them. They are handled from the first
// milliseconds of this process, because the Go runtime would print all goroutines, and end with the exit code of a
// wrong command line. A crash of this process itself isn't handled.
var Crashes = []os.Signal{syscall.SIGABRT, syscall.SIGSEGV, syscall.SIGBUS, syscall.SIGFPE, syscall.SIGILL,
	syscall.SIGSYS, syscall.SIGTRAP}

// Signals receives the signals that end this process.
var Signals = make(chan os.Signal, 1)

// This package imports little, because packages with few imports are initialized before others, which takes some 10 ms
// (The Go Programming Language Specification, "Package initialization").
func init() { signal.Notify(Signals, Crashes...) }
