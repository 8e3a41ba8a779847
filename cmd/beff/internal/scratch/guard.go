package scratch

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"syscall"
	"time"
)

// GuardArgument is the first argument of a program that is started as the guard of a directory. Its main must then only
// call BeGuard with the second argument.
const GuardArgument = "guard-scratch-directory"

// Guard starts this program once more as a guard. The guard waits for the end of this process and removes the directory
// if this process could not. A launcher that ends a job gives its processes only about a second, which is too short to
// remove a file of many gigabytes.
func (d *Dir) Guard() error {
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("scratch directory: %w", err)
	}
	guard := &exec.Cmd{
		Path: self, Args: []string{os.Args[0], GuardArgument, d.Path}, Dir: "/",
		// its own session, to which terminals and launchers send no signals
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
	go guard.Wait() // so that it doesn't become a zombie
	return nil
}

// BeGuard runs a guard. It waits until the process that started it has closed its input or ended, and then removes the
// directory at path if it still exists.
func BeGuard(path string) error {
	signal.Ignore(syscall.SIGUSR1) // users send it to all processes of a program to ask for their state
	d, err := Adopt(path)          // now, while the name still belongs to the directory
	if err != nil {
		return err
	}
	if _, err := io.Copy(io.Discard, os.Stdin); err != nil {
		return err
	}
	// Other processes may still write. A later try removes a file that they create meanwhile, or one that NFS keeps
	// until it is closed.
	const tries, between = 120, 500 * time.Millisecond
	for range tries {
		if err = d.remove(); err == nil {
			return nil
		}
		time.Sleep(between)
	}
	return err
}

// closeOnExec keeps the guard from inheriting open files of this process, such as the sockets of an MPI library, which
// must be closed when this process ends.
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
