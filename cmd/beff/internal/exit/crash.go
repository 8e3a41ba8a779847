package exit

import (
	"os"
	"os/signal"
	"syscall"
)

// Crashes are the signals of crashes that another process sends. They are taken from the first milliseconds of this one
// on: the Go runtime prints all goroutines for them, and ends with the exit code of a wrong command line. A crash of
// this process itself is none of these.
var Crashes = []os.Signal{syscall.SIGABRT, syscall.SIGSEGV, syscall.SIGBUS, syscall.SIGFPE, syscall.SIGILL,
	syscall.SIGSYS, syscall.SIGTRAP}

// Come gets those that have come.
var Come = make(chan os.Signal, 1)

// This package imports little, because those that need little are initialized before those that need much, which takes
// some 10 ms (The Go Programming Language Specification, "Package initialization").
func init() { signal.Notify(Come, Crashes...) }
