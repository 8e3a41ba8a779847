package exit

import (
	"os"
	"os/signal"
	"syscall"
)

// Crashes are the signals of crashes that another process sends. They are handled from the first milliseconds of this
// process, because for them the Go runtime prints all goroutines, and ends with the exit code of a wrong command line.
// A crash of this process itself isn't one of them.
var Crashes = []os.Signal{syscall.SIGABRT, syscall.SIGSEGV, syscall.SIGBUS, syscall.SIGFPE, syscall.SIGILL,
	syscall.SIGSYS, syscall.SIGTRAP}

// Signals receives the signals that end this process.
var Signals = make(chan os.Signal, 1)

// This package imports little, because packages with few imports are initialized before others, which takes some 10 ms
// (The Go Programming Language Specification, "Package initialization").
func init() { signal.Notify(Signals, Crashes...) }
