package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// run is a run of beff with a fault.
type run struct {
	dir      string // with its results (r.json) and its files (files)
	launcher []string
	cmd      *exec.Cmd
	mark     string // in the environment of all its processes
	begun    time.Time
	hit      time.Time // when the fault was injected
	lines    lines
	ended    chan struct{}
	exit     int
	clean    []string      // files in the run's directory that the campaign has made
	reported time.Duration // from the fault to beff's first line (negative: none came)
	line     string        // beff's first line about the fault
}

// lines collects the lines that a run prints to stderr, with their times.
type lines struct {
	mu   sync.Mutex
	part bytes.Buffer
	list []timedLine
}

type timedLine struct {
	at   time.Time
	text string
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.part.Write(p)
	for {
		text, err := l.part.ReadString('\n')
		if err != nil {
			l.part.Reset()
			l.part.WriteString(text)
			return len(p), nil
		}
		l.list = append(l.list, timedLine{time.Now(), strings.TrimSpace(text)})
	}
}

// remarks are the beginnings of lines that report no fault: remarks before the first sample, and lines at the end.
var remarks = []string{"beff: this rating will ", "beff: T = ", "beff: a file system that writes ",
	"beff: the embedded engine rates ", "beff: done", "beff: fastest", "beff: valid, but noisy",
	"beff: valid, slowed: other programs"}

// first returns the first line about a fault since a time. The line is beff's, or comes from a library or the Go
// runtime that ends the job itself. Lines of progress don't count.
func (l *lines) first(since time.Time) (timedLine, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range l.list {
		begins := func(begin string) bool { return strings.HasPrefix(s.text, begin) }
		about := slices.ContainsFunc([]string{"beff: ", "Abort(", "fatal error: ", "SIG"}, begins) &&
			!slices.ContainsFunc(remarks, begins) &&
			!strings.Contains(s.text, ", elapsed ") && !strings.Contains(s.text, ", no progress for ") &&
			!strings.Contains(s.text, " continues after ")
		if about && !s.at.Before(since) {
			return s, true
		}
	}
	return timedLine{}, false
}

// dumped reports whether the Go runtime has printed its goroutines.
func (l *lines) dumped() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.ContainsFunc(l.list, func(s timedLine) bool { return strings.HasPrefix(s.text, "goroutine ") })
}

// done reports whether the run has printed that it is complete.
func (l *lines) done() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.ContainsFunc(l.list, func(s timedLine) bool { return strings.HasPrefix(s.text, "beff: done") })
}

// start starts a run in its own directory. The words of wrapper precede the launcher's, and the words of inner precede
// beff's in each process.
func start(e engine, dir string, env, wrapper, inner []string, args ...string) (*run, error) {
	r := &run{dir: dir, launcher: e.launcher, mark: fmt.Sprintf("BEFF_FAULTS=%d-%s.", os.Getpid(), filepath.Base(dir)),
		ended: make(chan struct{})}
	words := slices.Concat(wrapper, e.launcher, inner, []string{*binary}, args, e.flags)
	r.cmd = exec.Command(words[0], words[1:]...)
	r.cmd.Dir, r.cmd.Stderr = dir, &r.lines
	r.cmd.Env = append(append(os.Environ(), r.mark, "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"),
		env...)
	r.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	r.cmd.WaitDelay = time.Second
	r.begun = time.Now()
	r.hit = r.begun
	if err := r.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		_ = r.cmd.Wait()
		r.exit = r.cmd.ProcessState.ExitCode()
		close(r.ended)
	}()
	return r, nil
}

// awaitPhase waits until a phase of a run begins, at most a minute. Usually it waits for a sample on disk, for init
// until all processes exist, for start until the journal exists, for write until the first files have a byte, and for
// rewrite and read until there is a sample of that access. It returns false if the run has ended before.
func (r *run) awaitPhase(phase string) bool {
	for begin := time.Now(); time.Since(begin) < time.Minute; {
		select {
		case <-r.ended:
			return false
		case <-time.After(10 * time.Millisecond):
		}
		_, missing := os.Stat(filepath.Join(r.dir, "r.journal"))
		if phase == "init" {
			if n := len(r.processes()); n == 2 || n == 1 && len(r.launcher) == 0 {
				break
			}
			continue
		}
		if sample, is := map[string]string{"rewrite": `"access":"rewrite"`, "read": `"access":"read"`}[phase]; is {
			if text, _ := os.ReadFile(filepath.Join(r.dir, "r.journal")); bytes.Contains(text, []byte(sample)) {
				break
			}
			continue
		}
		if phase == "start" && missing == nil || phase == "write" && r.writing() || r.samples() > 0 {
			break
		}
	}
	return true
}

// writing reports whether the rated files have any contents.
func (r *run) writing() bool {
	names, _ := filepath.Glob(filepath.Join(r.dir, "files", "*", "data*"))
	return slices.ContainsFunc(names, func(name string) bool {
		info, err := os.Stat(name)
		return err == nil && info.Size() > 0
	})
}

// process is one process of a run.
type process struct{ pid, rank int }

// processes returns the run's beff processes, found by the mark in their environment, without the guard.
func (r *run) processes() (list []process) {
	environs, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, name := range environs {
		data, err := os.ReadFile(name)
		if err != nil || !bytes.Contains(data, []byte(r.mark)) {
			continue
		}
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(name)))
		words, _ := os.ReadFile(filepath.Join("/proc", fmt.Sprint(pid), "cmdline"))
		first, rest, _ := bytes.Cut(words, []byte{0})
		if filepath.Base(string(first)) != filepath.Base(*binary) || bytes.Contains(rest, []byte("guard")) {
			continue
		}
		p := process{pid: pid}
		for _, entry := range strings.Split(string(data), "\x00") {
			for _, name := range []string{"OMPI_COMM_WORLD_RANK=", "PMI_RANK="} {
				if value, ok := strings.CutPrefix(entry, name); ok {
					p.rank, _ = strconv.Atoi(value)
				}
			}
		}
		list = append(list, p)
	}
	return list
}

// signal sends a signal to a rank, or to the launcher.
func (r *run) signal(rank int, s syscall.Signal) {
	r.hit = time.Now()
	if rank == launcher {
		_ = syscall.Kill(r.cmd.Process.Pid, s)
		return
	}
	for _, p := range r.processes() {
		if p.rank == rank || len(r.processes()) == 1 { // the embedded engine has one process
			_ = syscall.Kill(p.pid, s)
		}
	}
}

// stop tells the run to end in order, after a fault that it should have survived.
func (r *run) stop() { _ = syscall.Kill(r.cmd.Process.Pid, syscall.SIGTERM) }

// wait waits for the end of the run, and records the first line about the fault. After the given time it kills the run.
func (r *run) wait(most time.Duration) (hung bool) {
	select {
	case <-r.ended:
	case <-time.After(most):
		hung = true
	}
	for _, p := range r.processes() {
		_ = syscall.Kill(p.pid, syscall.SIGKILL)
	}
	_ = syscall.Kill(-r.cmd.Process.Pid, syscall.SIGKILL)
	<-r.ended
	r.reported = -1
	for _, name := range r.clean {
		_ = os.Remove(name)
	}
	if s, ok := r.lines.first(r.hit); ok {
		r.reported, r.line = s.at.Sub(r.hit), strings.TrimPrefix(s.text, "beff: ")
	}
	return hung
}

// samples returns the number of samples on disk, in the result or in its journal.
func (r *run) samples() int {
	most := 0
	for _, name := range []string{"r.json", "r.journal"} {
		data, err := os.ReadFile(filepath.Join(r.dir, name))
		if err != nil {
			continue
		}
		var result struct {
			Samples []json.RawMessage `json:"samples"`
			Blocks  []struct {
				Rows []json.RawMessage `json:"rows"`
			} `json:"blocks"`
		}
		n := 0
		if json.Unmarshal(data, &result) == nil {
			n = len(result.Samples)
			for _, b := range result.Blocks {
				n += len(b.Rows)
			}
		} else {
			for line := range bytes.Lines(data) {
				has := func(text string) bool { return bytes.Contains(line, []byte(text)) }
				if has(" whole:") || has(" data:") && !has(`"Samples":null`) && !has(`"Samples":[]`) {
					n++
				}
			}
		}
		most = max(most, n)
	}
	return most
}

// verified reports whether the result on disk is proven. A result with wrong data may be proven, too, although verify
// ends with 1.
func (r *run) verified() bool {
	out, err := exec.Command(*binary, "verify", filepath.Join(r.dir, "r.json")).Output()
	return err == nil || bytes.Contains(out, []byte("WRONG DATA: verified"))
}

// files returns the names in the directory of the rated files. A file system whose servers are dead may never answer.
func (r *run) files() ([]string, error) {
	entries, _ := os.ReadDir(r.dir) // without a look at their types
	if !slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() == "files" }) {
		return nil, os.ErrNotExist
	}
	c := exec.Command("ls", "-A", filepath.Join(r.dir, "files"))
	answer := make(chan error, 1)
	var text bytes.Buffer
	c.Stdout = &text
	if err := c.Start(); err != nil {
		return nil, err
	}
	go func() { answer <- c.Wait() }()
	select {
	case err := <-answer:
		return strings.Fields(text.String()), err
	case <-time.After(time.Second):
		_ = c.Process.Kill()
		return nil, os.ErrDeadlineExceeded
	}
}

// left describes the files that remain apart from the results: files of the run, and empty results.
func (r *run) left() string {
	var list []string
	for begin := time.Now(); ; time.Sleep(100 * time.Millisecond) { // the guard may need a moment
		names, err := r.files()
		switch {
		case errors.Is(err, os.ErrNotExist):
			list = []string{"nothing is there"}
		case err != nil:
			list = []string{"not known in -p: it doesn't answer"}
		case len(names) > 0:
			list = []string{fmt.Sprintf("%d in -p", len(names))}
		default:
			list = nil
		}
		if len(list) == 0 || errors.Is(err, os.ErrNotExist) || time.Since(begin) > 5*time.Second {
			break
		}
	}
	entries, _ := os.ReadDir(r.dir)
	for _, e := range entries {
		if !e.Type().IsRegular() { // a file system whose servers are dead doesn't even return the type of its root
			continue
		}
		if info, err := e.Info(); err == nil && (info.Size() == 0 || strings.Contains(e.Name(), ".part")) {
			list = append(list, e.Name())
		}
	}
	if len(list) == 0 {
		return "nothing"
	}
	return strings.Join(list, ", ")
}
