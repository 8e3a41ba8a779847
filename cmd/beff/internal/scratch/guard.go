package scratch

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"
)

// GuardArgument is what a program is started with to be the guard of a directory: its main must then call BeGuard and
// nothing else.
const GuardArgument = "guard-scratch-directory"

// Guard starts this program once more, as a process that does nothing but wait for the end of this one, and removes the
// directory if this process could not: a launcher that ends a job gives its processes a second, and a file of many
// gigabytes is not removed in that.
func (d *Dir) Guard() error {
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("scratch directory: %w", err)
	}
	guard := &exec.Cmd{
		Path: self, Args: []string{os.Args[0], GuardArgument, d.Path}, Dir: "/",
		// not one of the processes that a terminal or a launcher signals
		SysProcAttr: &syscall.SysProcAttr{Setsid: true},
	}
	closeOnExec()
	if d.guard, err = guard.StdinPipe(); err == nil {
		err = guard.Start()
	}
	if err != nil {
		d.guard = nil
		return fmt.Errorf("scratch directory: start its guard: %w", err)
	}
	go guard.Wait() // so that it is no zombie
	return nil
}

// BeGuard is the life of a guard: it ends when the process that started it has removed its directory, or has ended
// itself.
func BeGuard(path string) error {
	if _, err := io.Copy(io.Discard, os.Stdin); err != nil {
		return err
	}
	// Other processes may still write: a file that is made meanwhile, or one that NFS keeps until it is closed, is
	// removed later.
	const tries, between = 120, 500 * time.Millisecond
	var last error
	for range tries {
		d, err := Adopt(path)
		if err != nil {
			return nil // it is gone
		}
		if last = d.Remove(); last == nil {
			return nil
		}
		time.Sleep(between)
	}
	return last
}

// closeOnExec lets the guard have nothing of what this process has open, such as the sockets of an MPI: they must end
// with it.
func closeOnExec() {
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return
	}
	for _, e := range entries {
		if fd, err := strconv.Atoi(e.Name()); err == nil && fd > 2 {
			syscall.CloseOnExec(fd)
		}
	}
}
