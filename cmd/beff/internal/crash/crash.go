// Package crash takes the signals of crashes that another process sends, from the first milliseconds of this one on.
// The Go runtime prints all goroutines for them, and ends with the exit code of a wrong command line. A crash of this
// process itself is none of these.
package crash

import (
	"os"
	"os/signal"
	"syscall"
)

// Signals are those of crashes.
var Signals = []os.Signal{syscall.SIGABRT, syscall.SIGSEGV, syscall.SIGBUS, syscall.SIGFPE, syscall.SIGILL,
	syscall.SIGSYS, syscall.SIGTRAP}

// Come gets those that have come.
var Come = make(chan os.Signal, 1)

// Packages that need little are initialized before those that need much, which takes some 10 ms (The Go Programming
// Language Specification, "Package initialization").
func init() { signal.Notify(Come, Signals...) }
