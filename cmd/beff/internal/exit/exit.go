// Package exit says how the program ends: the codes, the errors that carry them, and the signals of crashes.
package exit

import (
	"errors"
	"fmt"
)

// The codes. An error without one of its own ends with Failed.
const (
	Failed = 1
	Usage  = 2 // the command line was wrong
	Below  = 3 // beff compare --fail-below, beff trend --baseline: it is below; beff accept: missed
	// Unfinished: the wall limit has come. The result is whole as far as it goes, and --resume goes on with it.
	Unfinished = 4
	// NotJudged: results can't be used for this: a gate has those of two classes, or one that isn't valid, a comparison
	// those of two benchmarks.
	NotJudged = 5
	Undecided = 6 // more runs are needed
)

// coded is an error with an exit code of its own.
type coded struct {
	error
	code int
}

func (c *coded) Unwrap() error { return c.error }

// ExitCode makes it a job.ExitCoder, so that the code goes with the error to other processes.
func (c *coded) ExitCode() int { return c.code }

// With returns err with an exit code of its own; nil for nil.
func With(code int, err error) error {
	if err == nil {
		return nil
	}
	return &coded{err, code}
}

// Misuse returns an error of the command line that its parser can't see.
func Misuse(format string, args ...any) error { return With(Usage, fmt.Errorf(format, args...)) }

// Code returns the exit code of an error, 0 for nil.
func Code(err error) int {
	if err == nil {
		return 0
	}
	var c interface { // job.ExitCoder, which is in a package that needs much
		error
		ExitCode() int
	}
	if errors.As(err, &c) {
		return c.ExitCode()
	}
	return Failed
}
