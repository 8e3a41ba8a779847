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

// inEach returns copies of a fault, one for each phase.
func inEach(f fault, phases ...string) (list []fault) {
	for _, p := range phases {
		f.phase = p
		list = append(list, f)
	}
	return list
}

// fileFaults are the faults of the file system with the rated files.
var fileFaults = slices.Concat(
	inEach(fault{name: "the files' disk fills up", prepare: tmpfs("files", "size=800m"), inject: keepFull},
		"write", "files", "metadata"),
	// Existing data is overwritten in place, and read. Ordered calls of MPICH write a separate file.
	inEach(fault{name: "the files' disk fills up", prepare: tmpfs("files", "size=800m"), inject: keepFull,
		harmless: true},
		"rewrite", "read"),
	inEach(fault{name: "the files' inodes run out", prepare: tmpfs("files", "size=800m,nr_inodes=4000"),
		inject: takeInodes},
		"write", "files", "metadata"),
	inEach(fault{name: "the files' inodes run out", prepare: tmpfs("files", "size=800m,nr_inodes=4000"),
		inject:   takeInodes,
		harmless: true}, "rewrite", "read"),
	inEach(fault{name: "a quota of 16 MB for the files (btrfs)", prepare: btrfs, inject: setQuota, needs: "mkfs.btrfs"},
		"write", "rewrite", "files", "metadata"),
	inEach(fault{name: "a quota of 16 MB for the files (btrfs)", prepare: btrfs, inject: setQuota, needs: "mkfs.btrfs",
		harmless: true}, "read"),
	inEach(fault{name: "the files vanish", inject: func(r *run) {
		_ = os.RemoveAll(filepath.Join(r.dir, "files"))
	}, harmless: true}, everywhere...),
	inEach(fault{name: "the files' server is killed (FUSE)", prepare: fuseServer,
		inject: signalServer(syscall.SIGKILL)},
		everywhere...),
	inEach(fault{name: "the files' server stops for 16 s (FUSE), --hang-limit", prepare: fuseServer, flags: hangLimit,
		inject: stopServer}, everywhere...),
)

// everywhere lists the phases that use files.
var everywhere = []string{"write", "rewrite", "read", "files", "metadata"}

// untilEnd calls do with pauses until the run ends, but for at most 40 s.
func untilEnd(r *run, pause time.Duration, do func()) {
	for begin := time.Now(); time.Since(begin) < 40*time.Second; time.Sleep(pause) {
		do()
		select {
		case <-r.ended:
			return
		default:
		}
	}
}

// keepFull fills the file system of the files until the run ends, again and again, because a run frees the space of
// files that it removes.
func keepFull(r *run) { untilEnd(r, time.Millisecond, func() { fillDisk("files")(r) }) }

// takeInodes takes all inodes of the file system of the files until the run ends.
func takeInodes(r *run) {
	untilEnd(r, time.Millisecond, func() {
		for err := error(nil); err == nil; {
			name := filepath.Join(r.dir, "files", fmt.Sprint("other", len(r.clean)))
			if err = os.WriteFile(name, nil, 0o600); err == nil {
				r.clean = append(r.clean, name)
			}
		}
	})
}

// btrfs creates a file system for the files that can have a quota. A quota of btrfs also applies to root, and the
// kernel needs nothing except btrfs.
func btrfs(w *setup) error {
	err := image("files", "mkfs.btrfs -q", "noatime")(w)
	if err == nil {
		err = w.shell("btrfs quota enable %s", filepath.Join(w.dir, "files"))
	}
	if err != nil {
		return fmt.Errorf("%w: %w", errNotHere, err)
	}
	return nil
}

// setQuota sets the quota, which existing data may exceed.
func setQuota(r *run) {
	_ = exec.Command("btrfs", "qgroup", "limit", "16M", filepath.Join(r.dir, "files")).Run()
}

// serverOf returns the file with the process number of the server for a run's files.
func serverOf(dir string) string { return dir + "-server" }

// fuseServer puts the files onto a file system with its own server, which is this program.
func fuseServer(w *setup) error {
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
	w.afterwards("rm -rf %s", store)
	w.afterwards("umount -l %s", files)
	w.afterwards("kill -9 %d", c.Process.Pid)
	for begin := time.Now(); w.shell("mountpoint -q %s", files) != nil; time.Sleep(50 * time.Millisecond) {
		if time.Since(begin) > 5*time.Second {
			return fmt.Errorf("%w: FUSE", errNotHere)
		}
	}
	return os.WriteFile(serverOf(w.dir), []byte(strconv.Itoa(c.Process.Pid)), 0o644)
}

// serve mounts a file system with the contents of a directory, and serves it until it is unmounted.
func serve(directory, at string) error {
	s := new(slowfs.Server)
	if err := s.Mount(directory, at); err != nil {
		return err
	}
	s.Wait()
	return nil
}

// signalServer returns a fault that sends a signal to the server of the files.
func signalServer(s syscall.Signal) func(*run) {
	return func(r *run) {
		text, _ := os.ReadFile(serverOf(r.dir))
		if pid, err := strconv.Atoi(strings.TrimSpace(string(text))); err == nil {
			_ = syscall.Kill(pid, s)
		}
	}
}

// stopServer stops the server of the files for a while.
func stopServer(r *run) {
	signalServer(syscall.SIGSTOP)(r)
	time.Sleep(frozen)
	signalServer(syscall.SIGCONT)(r)
}
