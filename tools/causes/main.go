// Command causes plants causes of slow results, one after the other, makes a short measurement by each MPI, and counts
// how often beff names them, as CSV. It needs root, because it mounts file systems and makes cgroups.
package main

import (
	_ "embed"
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

var (
	binary = flag.String("beff", "bin/beff", "path of beff, with its plug-ins in the same directory")
	only   = flag.String("only", "", "plant only causes whose name contains this")
	runs   = flag.Int("runs", 5, "runs of each cause and MPI")
)

//go:embed wrap.c
var wrapper string

// library is an MPI, with the words that start two processes.
type library struct {
	name     string
	launcher []string
}

var libraries = []library{
	{"Open MPI", []string{"mpirun.openmpi", "--oversubscribe", "-n", "2"}},
	{"MPICH", []string{"mpirun.mpich", "-n", "2"}},
}

// cause is a planted cause.
type cause struct {
	name   string
	want   string                                    // the code that must be first; empty: no cause may be named
	env    map[string][]string                       // of an MPI
	before []string                                  // words before the launcher
	inside []string                                  // words before each process
	plant  func(dir string) (undo func(), err error) // nil: nothing else
	io     bool                                      // rate files instead of messages
}

// mounted returns words that run a command in a mount namespace after a script.
func mounted(script string) []string {
	return []string{"unshare", "--mount", "sh", "-ec", script + `; exec "$@"`, "sh"}
}

// inGroup returns words that run a command in a cgroup of version 1, after it was made with the settings.
func inGroup(controller, settings string) (before []string, plant func(string) (func(), error)) {
	group := fmt.Sprintf("/sys/fs/cgroup/%s/beff-causes-%d", controller, os.Getpid())
	script := fmt.Sprintf("cd %s; %s; echo $$ >cgroup.procs; cd - >/dev/null", group, settings)
	return []string{"sh", "-ec", script + `; exec "$@"`, "sh"}, func(string) (func(), error) {
		if err := os.Mkdir(group, 0o755); err != nil {
			return nil, err
		}
		return func() {
			for range 50 { // until the last process has left
				if syscall.Rmdir(group) == nil {
					return
				}
				time.Sleep(100 * time.Millisecond)
			}
		}, nil
	}
}

// busy runs a loop on processor 0.
func busy(string) (func(), error) {
	c := exec.Command("taskset", "-c", "0", "sh", "-c", "while :; do :; done")
	if err := c.Start(); err != nil {
		return nil, err
	}
	return func() { _ = c.Process.Kill(); _ = c.Wait() }, nil
}

func table(dir string) []cause {
	quota, makeQuota := inGroup("cpu", "echo 100000 >cpu.cfs_period_us; echo 120000 >cpu.cfs_quota_us")
	set, makeSet := inGroup("cpuset", "cat ../cpuset.mems >cpuset.mems; echo 0 >cpuset.cpus")
	return []cause{
		{name: "none"},
		{name: "/dev/shm of 1 MB", want: "shm_small",
			before: mounted("mount -t tmpfs -o size=1m tmpfs /dev/shm")},
		{name: "read-only /dev/shm", want: "shm_read_only",
			before: mounted("mount -t tmpfs tmpfs /dev/shm; mount -o remount,ro /dev/shm")},
		{name: "CMA forbidden (seccomp)", want: "no_cma", inside: []string{filepath.Join(dir, "wrap")}},
		{name: "CPU quota of 60 %", want: "quota", before: quota, plant: makeQuota},
		{name: "cpuset of one core", want: "crowded", before: set, plant: makeSet},
		{name: "both ranks on one core", want: "crowded", inside: []string{"taskset", "-c", "0"}},
		{name: "another program on a core", want: "load", plant: busy},
		{name: "TCP by a variable", want: "tcp_variable", env: map[string][]string{
			"Open MPI": {"OMPI_MCA_pml=ob1", "OMPI_MCA_btl=tcp,self"}, "MPICH": {"UCX_TLS=tcp,self"}}},
		{name: "eager limit of 64 B by a variable", want: "eager_variable", env: map[string][]string{
			"Open MPI": {"OMPI_MCA_btl_vader_eager_limit=64"}, "MPICH": {"UCX_RNDV_THRESH=64"}}},
		{name: "file locks fail", want: "locks", io: true, inside: []string{filepath.Join(dir, "nolocks")}},
		{name: "file system 95 % full", want: "full", io: true, before: mounted(
			"mount -t tmpfs -o size=4g tmpfs files; dd if=/dev/zero of=files/other bs=1M count=3900 2>/dev/null")},
		{name: "cached reading", want: "memory", io: true},
	}
}

func main() {
	flag.Parse()
	if err := campaign(); err != nil {
		fmt.Fprintln(os.Stderr, "causes:", err)
		os.Exit(1)
	}
}

// campaign plants the causes and prints a line of CSV for each and each MPI.
func campaign() error {
	var err error
	if *binary, err = filepath.Abs(*binary); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "beff-causes")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	source := filepath.Join(dir, "wrap.c")
	if err := os.WriteFile(source, []byte(wrapper), 0o644); err != nil {
		return err
	}
	for _, words := range [][]string{{"-o", filepath.Join(dir, "wrap"), source},
		{"-DLOCKS", "-o", filepath.Join(dir, "nolocks"), source}} {
		if out, err := exec.Command("cc", words...).CombinedOutput(); err != nil {
			return fmt.Errorf("cc: %w: %s", err, out)
		}
	}
	w := csv.NewWriter(os.Stdout)
	_ = w.Write([]string{"cause", "MPI", "runs", "named first", "named", "slowed", "causes in the runs"})
	for _, c := range table(dir) {
		if !strings.Contains(c.name, *only) {
			continue
		}
		for _, l := range libraries {
			if _, err := exec.LookPath(l.launcher[0]); err != nil {
				continue
			}
			first, named, slowed := 0, 0, 0
			var seen []string
			for range *runs {
				f, err := c.rate(l, dir)
				if errors.Is(err, errNoResult) {
					fmt.Fprintf(os.Stderr, "causes: %s, %s: %v\n", c.name, l.name, err)
					seen = append(seen, "no result")
					continue
				}
				if err != nil {
					return fmt.Errorf("%s, %s: %w", c.name, l.name, err)
				}
				codes := strings.FieldsFunc(f["causes"], func(r rune) bool { return r == ',' })
				if len(codes) == 0 && c.want == "" || len(codes) > 0 && codes[0] == c.want {
					first++
				}
				if slices.Contains(codes, c.want) {
					named++
				}
				if f["slowed"] != "" {
					slowed++
				}
				seen = append(seen, f["causes"])
			}
			_ = w.Write([]string{c.name, l.name, fmt.Sprint(*runs), fmt.Sprint(first), fmt.Sprint(named),
				fmt.Sprint(slowed), strings.Join(seen, "; ")})
			w.Flush()
		}
	}
	return w.Error()
}

// errNoResult is the error of a run that the cause ended before the first sample.
var errNoResult = errors.New("no result")

// rate measures with the cause, and returns the facts of the result (kv).
func (c *cause) rate(l library, dir string) (map[string]string, error) {
	own, err := os.MkdirTemp(dir, "run")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(own)
	if err := os.Mkdir(filepath.Join(own, "files"), 0o755); err != nil {
		return nil, err
	}
	if c.plant != nil {
		undo, err := c.plant(own)
		if err != nil {
			return nil, err
		}
		defer undo()
	}
	args := []string{*binary, "probe", "PingPong", "--sample-time", "0.05s", "-o", "r"}
	if c.io {
		args = []string{*binary, "io", "-T", "10s", "--partitions", "2", "--memory", "64MiB", "--max-bytes", "128MiB",
			"-p", "files", "-o", "r"}
	}
	words := slices.Concat(c.before, l.launcher, c.inside, args)
	run := exec.Command(words[0], words[1:]...)
	run.Dir = own
	run.Env = append(append(os.Environ(), "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"),
		c.env[l.name]...)
	out, failed := run.CombinedOutput() // NOT VALID ends with 0, wrong data or a stopped run doesn't
	kv, err := exec.Command(*binary, "report", filepath.Join(own, "r.json"), "--format", "kv").Output()
	if err != nil {
		return nil, fmt.Errorf("%w: %w: %s", errNoResult, failed, out)
	}
	facts := map[string]string{}
	for line := range strings.Lines(string(kv)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		facts[name] = value
	}
	return facts, nil
}
