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

// What happens to the files of a run, in each phase of b_eff_io and to the kernels that use files.

// inEach returns a fault in each of some phases.
func inEach(f fault, phases ...string) (list []fault) {
	for _, p := range phases {
		f.phase = p
		list = append(list, f)
	}
	return list
}

// ofFiles are the faults of the file systems that files are on.
var ofFiles = slices.Concat(
	inEach(fault{name: "the files' disk fills up", prepare: disk("files", "size=800m"), do: fills("files")}, "write",
		"files"),
	// Ordered calls of MPICH write a file of their own while they read.
	inEach(fault{name: "the files' disk fills up", harmless: true, prepare: disk("files", "size=800m"),
		do: fills("files")}, "rewrite", "read"),
	inEach(fault{name: "three inodes are left for the files", prepare: disk("files", "size=800m,nr_inodes=4")},
		"write", "files"),
	inEach(fault{name: "a quota of 40 MB for the files (ext4)", prepare: quota, needs: "setquota"}, "write", "files"),
	inEach(fault{name: "the files vanish", harmless: true, do: func(r *run) {
		_ = os.RemoveAll(filepath.Join(r.dir, "files"))
	}}, "write", "rewrite", "read", "files"),
	inEach(fault{name: "the files' server is killed (FUSE)", prepare: served, do: toServer(syscall.SIGKILL)}, "write",
		"rewrite", "read", "files"),
	inEach(fault{name: "the files' server stops for 16 s (FUSE), --hang-limit", prepare: served, flags: limit,
		do: serverStops}, "write", "rewrite", "read", "files"),
)

// nobody is the user whom quotas hold for: root may write more.
const nobody = "65534"

// quota makes a file system with little for the user who runs.
func quota(w *world) error {
	if err := image("files", "-O quota -E quotatype=usrquota", "usrquota")(w); err != nil {
		return fmt.Errorf("%w: %w", errNotHere, err)
	}
	files := filepath.Join(w.dir, "files")
	for _, line := range []string{"setquota -u " + nobody + " 0 40000 0 0 " + files, "chown -R " + nobody + " " + w.dir,
		"chmod a+x " + filepath.Dir(w.dir)} {
		if err := w.shell("%s", line); err != nil {
			return fmt.Errorf("%w: %w", errNotHere, err)
		}
	}
	w.wrapper = []string{"setpriv", "--reuid", nobody, "--regid", nobody, "--clear-groups"}
	return nil
}

// serverOf returns the file with the process of the server of a run's files.
func serverOf(dir string) string { return dir + "-server" }

// served puts the files onto a file system with a server of its own: this program.
func served(w *world) error {
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

// toServer returns a fault that sends the server of the files a signal.
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
