// Command causes plants causes of slow results, one after the other, makes short measurements over each MPI, and prints
// CSV with how often beff names each cause. Two runs without a cause precede the runs with each cause of slow messages.
// The ratios compare medians with these two. It needs root, for file systems, cgroups and namespaces.
package main

import (
	"context"
	_ "embed"
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

var (
	binary = flag.String("beff", "bin/beff", "path of beff, with its plug-ins in the same directory")
	only   = flag.String("only", "", "plant only causes whose name contains this")
	runs   = flag.Int("runs", 5, "runs of each cause and MPI (three fifths as many with files)")
)

// longest is the time after which a run is ended. MPICH 4.0.2 over UCX sometimes doesn't return from MPI_Finalize.
const longest = 40 * time.Second

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
	link   []string                                  // of tools/slowlink/run, which checks the answer; nil: none
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
		{name: "a node at 50 Mbit/s", link: []string{"node", "3"}},
		{name: "a shared uplink at 8 Mbit/s", link: []string{"load", "shared"}},
		{name: "a link that loses 1 %", link: []string{"loss", "1"}},
	}
}

func main() {
	flag.Parse()
	if err := campaign(); err != nil {
		fmt.Fprintln(os.Stderr, "causes:", err)
		os.Exit(1)
	}
}

// start is the directory in which the program was started, the top of the sources.
var start string

// campaign plants the causes and prints a line of CSV for each and each MPI.
func campaign() error {
	var err error
	if start, err = os.Getwd(); err != nil {
		return err
	}
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
	_ = w.Write([]string{"cause", "MPI", "runs", "named first", "named", "slowed", "latency", "bandwidth",
		"causes in the runs"})
	plain := map[string]*row{}
	for _, c := range table(dir) {
		if !strings.Contains(c.name, *only) {
			continue
		}
		for _, l := range libraries {
			if _, err := exec.LookPath(l.launcher[0]); err != nil || c.link != nil && l.name != "Open MPI" {
				continue
			}
			n, r, before := *runs, row{}, row{}
			switch {
			case c.io:
				n = (3*n + 4) / 5
			case c.link == nil:
				if plain[l.name] == nil {
					plain[l.name] = &row{}
				}
				for range 2 {
					if err := (&cause{name: "none"}).run(l, dir, &before, plain[l.name]); err != nil {
						return err
					}
				}
			}
			for range n {
				if err := c.run(l, dir, &r); err != nil {
					return err
				}
			}
			r.write(w, c.name, l.name, &before)
		}
	}
	for _, l := range libraries {
		if plain[l.name] != nil {
			plain[l.name].write(w, "none", l.name, &row{})
		}
	}
	return w.Error()
}

// row counts how often beff named a cause, and has the figures and the named causes of the runs.
type row struct {
	runs, first, named, slowed int
	latencies, bandwidths      []float64
	seen                       []string
}

// run measures once with the cause, and adds the outcome to the rows.
func (c *cause) run(l library, dir string, rows ...*row) error {
	one := row{runs: 1}
	f, err := c.rate(l, dir)
	switch {
	case c.link != nil:
		one.seen = []string{"named"}
		if one.first, one.named = 1, 1; err != nil {
			one = row{runs: 1, seen: []string{"not named"}}
		}
	case errors.Is(err, errNoResult):
		fmt.Fprintf(os.Stderr, "causes: %s, %s: %v\n", c.name, l.name, err)
		one.seen = []string{"no result"}
		if strings.Contains(err.Error(), "beff: /dev/shm") { // the line that beff prints before MPI_Init
			one.first, one.named, one.seen = 1, 1, []string{"MPI doesn't start, and beff names the cause"}
		}
	case err != nil:
		return fmt.Errorf("%s, %s: %w", c.name, l.name, err)
	default:
		codes := strings.FieldsFunc(f["causes"], func(r rune) bool { return r == ',' })
		if len(codes) == 0 && c.want == "" || len(codes) > 0 && codes[0] == c.want {
			one.first = 1
		}
		if slices.Contains(codes, c.want) {
			one.named = 1
		}
		if f["slowed"] != "" {
			one.slowed = 1
		}
		one.seen = []string{f["causes"]}
		one.latencies, one.bandwidths = number(f["latency_us"]), number(f["bandwidth_MBps"])
	}
	for _, r := range rows {
		r.runs, r.first, r.named, r.slowed = r.runs+1, r.first+one.first, r.named+one.named, r.slowed+one.slowed
		r.latencies, r.bandwidths = append(r.latencies, one.latencies...), append(r.bandwidths, one.bandwidths...)
		r.seen = append(r.seen, one.seen...)
	}
	return nil
}

// number returns the number in a text, if there is one.
func number(text string) []float64 {
	if x, err := strconv.ParseFloat(text, 64); err == nil {
		return []float64{x}
	}
	return nil
}

// write writes the row of a cause, with ratios to the runs before.
func (r *row) write(w *csv.Writer, cause, mpi string, before *row) {
	ratio := func(values, base []float64) string {
		if len(values) == 0 || len(base) == 0 {
			return ""
		}
		return strconv.FormatFloat(median(values)/median(base), 'g', 3, 64)
	}
	_ = w.Write([]string{cause, mpi, fmt.Sprint(r.runs), fmt.Sprint(r.first), fmt.Sprint(r.named),
		fmt.Sprint(r.slowed), ratio(r.latencies, before.latencies), ratio(r.bandwidths, before.bandwidths),
		strings.Join(r.seen, "; ")})
	w.Flush()
}

func median(list []float64) float64 {
	list = slices.Sorted(slices.Values(list))
	return (list[(len(list)-1)/2] + list[len(list)/2]) / 2
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
	if c.link != nil {
		words = append([]string{filepath.Join(start, "tools/slowlink/run")}, c.link...)
	}
	limit, cancel := context.WithTimeout(context.Background(), longest)
	defer cancel()
	run := exec.CommandContext(limit, words[0], words[1:]...)
	run.Dir = own
	run.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	run.Cancel = func() error { return syscall.Kill(-run.Process.Pid, syscall.SIGTERM) }
	run.WaitDelay = 5 * time.Second
	run.Env = append(append(os.Environ(), "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
		"BEFF="+*binary), c.env[l.name]...)
	if c.link != nil {
		return nil, run.Run()
	}
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
