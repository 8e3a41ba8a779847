// Command beff rates the communication of a parallel machine by one number, b_eff.
package main

import (
	"fmt"
	"io"
	"os"
	"syscall"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/enough"
)

func main() {
	stdout := io.Writer(os.Stdout)
	if enough.Closed() {
		stdout = closed{}
	}
	os.Exit(run(commandLine(os.Args[0], os.Args[1:]), stdout, os.Stderr))
}

// closed is a standard output that is closed.
type closed struct{}

func (closed) Write([]byte) (int, error) {
	return 0, fmt.Errorf("standard output is closed: %w", syscall.EBADF)
}
