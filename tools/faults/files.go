package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/effective-bandwidth/beff/tools/slowfs"
)

// The faults in the files of a run, in each phase of b_eff_io and for the kernels that use files.

// inEach returns a fault in each of some phases.
func inEach(f fault, phases ...string) (list []fault) {
	for _, p := range phases {
		f.phase = p
		list = append(list, f)
	}
	return list
}

// fileFaults are the faults of the files' file systems.
var fileFaults = slices.Concat(
	inEach(fault{name: "the files' disk fills up", prepare: disk("files", "size=800m"), do: staysFull},
		"write", "files", "metadata"),
	// Existing data is overwritten in place, and read. Ordered calls of MPICH write a separate file.
	inEach(fault{name: "the files' disk fills up", prepare: disk("files", "size=800m"), do: staysFull, harmless: true},
		"rewrite", "read"),
	inEach(fault{name: "the files' inodes run out", prepare: disk("files", "size=800m,nr_inodes=4000"), do: inodes},
		"write", "files", "metadata"),
	inEach(fault{name: "the files' inodes run out", prepare: disk("files", "size=800m,nr_inodes=4000"), do: inodes,
		harmless: true}, "rewrite", "read"),
	inEach(fault{name: "a quota of 16 MB for the files (btrfs)", prepare: quota, do: limits, needs: "mkfs.btrfs"},
		"write", "rewrite", "files", "metadata"),
	inEach(fault{name: "a quota of 16 MB for the files (btrfs)", prepare: quota, do: limits, needs: "mkfs.btrfs",
		harmless: true}, "read"),
	inEach(fault{name: "the files vanish", do: func(r *run) {
		_ = os.RemoveAll(filepath.Join(r.dir, "files"))
	}, harmless: true}, everywhere...),
	inEach(fault{name: "the files' server is killed (FUSE)", prepare: served, do: toServer(syscall.SIGKILL)},
		everywhere...),
	inEach(fault{name: "the files' server stops for 16 s (FUSE), --hang-limit", prepare: served, flags: limit,
		do: serverStops}, everywhere...),
)

// everywhere lists the phases that use files.
var everywhere = []string{"write", "rewrite", "read", "files", "metadata"}

// untilEnd calls do again and again, because a run frees the space of files that it removes.
func untilEnd(r *run, do func()) {
	for begin := time.Now(); time.Since(begin) < 20*time.Second; time.Sleep(time.Millisecond) {
		do()
		select {
		case <-r.ended:
			return
		default:
		}
	}
}

// staysFull fills the file system of the files until the run ends.
func staysFull(r *run) { untilEnd(r, func() { fills("files")(r) }) }

// inodes takes all inodes of the file system of the files until the run ends.
func inodes(r *run) {
	untilEnd(r, func() {
		for err := error(nil); err == nil; {
			name := filepath.Join(r.dir, "files", fmt.Sprint("other", len(r.clean)))
			if err = os.WriteFile(name, nil, 0o600); err == nil {
				r.clean = append(r.clean, name)
			}
		}
	})
}

// quota creates a file system for the files that limits their size. A quota of btrfs also applies to root, and the
// kernel needs nothing except btrfs.
func quota(w *setup) error {
	err := image("files", "mkfs.btrfs -q", "noatime")(w)
	if err == nil {
		err = w.shell("btrfs quota enable %s", filepath.Join(w.dir, "files"))
	}
	if err != nil {
		return fmt.Errorf("%w: %w", errNotHere, err)
	}
	return nil
}

// limits sets the quota, which existing data may exceed.
func limits(r *run) {
	_ = exec.Command("btrfs", "qgroup", "limit", "16M", filepath.Join(r.dir, "files")).Run()
}

// serverOf returns the file with the process number of the server for a run's files.
func serverOf(dir string) string { return dir + "-server" }

// served puts the files onto a file system with its own server, which is this program.
func served(w *setup) error {
	self, err := os.Executable()
	store, files := w.dir+"-store", filepath.Join(w.dir, "files")
	if err = errors.Join(err, os.Mkdir(store, 0o755)); err != nil {
		return err
	}
	c := exec.Command(self, "-serve", store, files)
	c.Stderr = os.Stderr
	if err := c.Start(); err != nil {
		return err
	}
	w.undo = append(w.undo, func() { _ = c.Wait() })
	w.later("rm -rf %s", store)
	w.later("umount -l %s", files)
	w.later("kill -9 %d", c.Process.Pid)
	for begin := time.Now(); w.shell("mountpoint -q %s", files) != nil; time.Sleep(50 * time.Millisecond) {
		if time.Since(begin) > 5*time.Second {
			return fmt.Errorf("%w: FUSE", errNotHere)
		}
	}
	return os.WriteFile(serverOf(w.dir), []byte(strconv.Itoa(c.Process.Pid)), 0o644)
}

// serve shows a directory at a place until that is unmounted.
func serve(directory, at string) error {
	s := new(slowfs.Server)
	if err := s.Mount(directory, at); err != nil {
		return err
	}
	s.Wait()
	return nil
}

// toServer returns a fault that sends a signal to the server of the files.
func toServer(s syscall.Signal) func(*run) {
	return func(r *run) {
		text, _ := os.ReadFile(serverOf(r.dir))
		if pid, err := strconv.Atoi(strings.TrimSpace(string(text))); err == nil {
			_ = syscall.Kill(pid, s)
		}
	}
}

// serverStops stops the server of the files for a while.
func serverStops(r *run) {
	toServer(syscall.SIGSTOP)(r)
	time.Sleep(frozen)
	toServer(syscall.SIGCONT)(r)
}
