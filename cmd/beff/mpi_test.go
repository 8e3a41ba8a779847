package main

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/internal/conformance"
	"github.com/effective-bandwidth/beff/patterns"
)

// These tests run the built program as users do, with the plug-in that it makes with the compiler wrapper of MPICC,
// under the launcher that MPIRUN names, such as "mpirun.openmpi --oversubscribe". Without a launcher they are skipped.

var buildOnce = sync.OnceValues(func() (string, error) { return buildWith(os.Getenv("MPICC"), "--name", "tested") })

// buildWith builds beff, and its plug-in with a compiler wrapper, and returns the program's path. It accepts the
// options of "beff mpi add".
func buildWith(wrapper string, options ...string) (string, error) {
	dir, err := os.MkdirTemp("", "beff-test")
	if err != nil {
		return "", err
	}
	atEnd = append(atEnd, func() { os.RemoveAll(dir) })
	name := filepath.Join(dir, "beff")
	for _, c := range []*exec.Cmd{
		exec.Command("go", "build", "-ldflags=-w", "-o", name, "."),
		exec.Command(name, append([]string{"mpi", "add", "--mpicc", wrapper}, options...)...),
	} {
		c.Env = append(append(os.Environ(), noPlugins...), "CGO_ENABLED=0")
		if out, err := c.CombinedOutput(); err != nil {
			return "", fmt.Errorf("%w: %s", err, out)
		}
	}
	return name, nil
}

// noPlugins hides the plug-ins of the user who runs the tests.
var noPlugins = []string{"BEFF_PLUGINS=", "XDG_DATA_HOME=/nonexistent"}

// isOpenMPI5 reports whether the launcher is Open MPI 5's (PRRTE 3), which loses parts of lines of long texts, and the
// last lines of a job that it ends by a signal. With several programs in one job it crashes (5.0.7, Debian 13).
func isOpenMPI5(t testing.TB) bool {
	version, err := exec.Command(strings.Fields(launcher(t))[0], "--version").Output()
	require.NoError(t, err)
	return strings.Contains(string(version), "(Open MPI) 5.")
}

// underMPI returns a command that starts beff on the given number of ranks.
func underMPI(t testing.TB, launcher string, ranks int, args ...string) *exec.Cmd {
	binary := program(t)
	words := append(strings.Fields(launcher), "-n", fmt.Sprint(ranks), binary)
	c := exec.Command(words[0], append(words[1:], args...)...)
	c.Env = append(conformance.Environ(t, ranks), noPlugins...)
	return c
}

// program returns the path of the built program.
func program(t testing.TB) string {
	launcher(t)
	binary, err := buildOnce()
	require.NoError(t, err)
	return binary
}

func launcher(t testing.TB) string {
	words := os.Getenv("MPIRUN")
	if words == "" {
		t.Skip("MPIRUN and MPICC name no MPI: run make test-openmpi or make test-mpich")
	}
	return words
}

// ours returns the lines of stderr that beff itself printed, without the launcher's.
func ours(stderr string) []string {
	var lines []string
	for line := range strings.Lines(stderr) {
		if strings.HasPrefix(line, "beff: ") && !strings.HasPrefix(line, "beff: other programs keep ") {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return lines
}

func TestRatingUnderMPI(t *testing.T) {
	// With more ranks than cores an MPI that waits without yielding needs a time slice for each step, so the test
	// measures less.
	less := []string{"--patterns", "ring,random", "--methods", "sendrecv"}
	for ranks, selected := range map[int][]string{2: nil, 3: less, 4: less} {
		t.Run(fmt.Sprintf("P=%d", ranks), func(t *testing.T) {
			prefix := filepath.Join(t.TempDir(), "rating")
			c := underMPI(t, launcher(t), ranks, append([]string{"run", "--quick", "--verbose", "-o", prefix},
				selected...)...)
			var stdout, stderr bytes.Buffer
			c.Stdout, c.Stderr = &stdout, &stderr
			require.NoError(t, c.Run(), "%s\n%s", &stdout, &stderr)
			require.Regexp(t, `(?m)^b_eff = [\d.]+ MB/s = [\d.]+ \* `+fmt.Sprint(
				ranks)+` PEs with \d+ MB/PE on Linux .*\n\z`, stdout.String())
			require.NotContains(t, stdout.String()+stderr.String(), "panic")

			f, err := os.Open(prefix + ".json")
			require.NoError(t, err)
			defer f.Close()
			r, err := proven(f)
			require.NoError(t, err)
			require.Equal(t, ranks, r.Processes)
			require.Equal(t, "libmpi", r.Engine.Engine)
			require.True(t, r.Complete)
			m := r.Environment.MPI
			require.FileExists(t, m.File)
			require.Contains(t, filepath.Base(m.File), "libmpi")
			require.Len(t, m.SHA256, 64)
			require.Contains(t, m.Launcher, m.Interface+"'s mpirun")
			require.InEpsilon(t, fromSamples(r), r.Derived.BEff, 1e-12)
			again, err := recomputed(t, prefix+".json")
			require.NoError(t, err, again)
			text, err := os.ReadFile(prefix + ".txt")
			require.NoError(t, err)
			if !isOpenMPI5(t) {
				require.Equal(t, stdout.String(), string(text))
			}
		})
	}
}

// fromSamples computes b_eff from a document's samples by the formulas of the paper, without any of package beff's
// averages.
func fromSamples(r *beff.Result) float64 {
	type at struct{ pattern, length int }
	best := map[at]float64{}
	for _, s := range r.Samples {
		b := float64(r.Lengths[s.Length]) * float64(r.Patterns[s.Pattern].Messages) * float64(s.Loops) / s.Seconds
		best[at{s.Pattern, s.Length}] = max(best[at{s.Pattern, s.Length}], b)
	}
	logs, count := map[patterns.Kind]float64{}, map[patterns.Kind]float64{}
	for i, p := range r.Patterns {
		sum := 0.0
		for l := range r.Lengths {
			sum += best[at{i, l}]
		}
		logs[p.Kind] += math.Log(sum / 21)
		count[p.Kind]++
	}
	return math.Exp((logs[patterns.KindRing]/count[patterns.KindRing] +
		logs[patterns.KindRandom]/count[patterns.KindRandom]) / 2)
}

// Every failure prints one line on one rank, and ends the whole job quickly.
func TestRefusalsUnderMPI(t *testing.T) {
	none := filepath.Join(t.TempDir(), "none")
	existing := filepath.Join(t.TempDir(), "there")
	require.NoError(t, os.WriteFile(existing+".json", []byte("{}"), 0o644))
	for _, x := range []struct {
		ranks int
		args  string
		want  string
	}{
		{1, "run", "at least 2 processes"},
		{2, "run --nonsense", "unknown option --nonsense"},
		{2, "run --rules 1999", "--rules"},
		{2, "run -n 2", "-n is for the embedded engine"},
		{2, "run --engine local", "a separate rating in each process"},
		{2, "run --memory 100kB", "too little"},
		{2, "run --memory 1000TiB", "more than there is"},
		{2, "run --patterns nowhere", "unknown pattern"},
		{2, "run --methods rdma", "unknown method"},
		{2, "run --quick -o " + none + "/x", none + "/x.journal"},
		{2, "run --quick -o " + existing, "exists"},
	} {
		t.Run(x.args, func(t *testing.T) { refused(t, x.ranks, x.args, x.want) })
	}
}

// refused starts a job in parallel with others, and requires that it ends with one line about the mistake.
func refused(t *testing.T, ranks int, args, want string) {
	t.Parallel() // the launcher takes most of the time
	c := underMPI(t, launcher(t), ranks, strings.Fields(args)...)
	var stderr bytes.Buffer
	c.Stderr = &stderr
	require.Error(t, c.Run())
	lines := ours(stderr.String())
	require.Len(t, lines, 1, "%s", &stderr)
	require.Contains(t, lines[0], want)
	require.NotContains(t, stderr.String(), "goroutine")
}

// Under another MPI's launcher beff prints one error instead of separate ratings. No plug-in fits the launcher, and
// with the existing plug-in each process is the only one in its world.
func TestForeignLauncherUnderMPI(t *testing.T) {
	foreign := "mpirun.mpich"
	if strings.Contains(launcher(t), "mpich") {
		foreign = "mpirun.openmpi --oversubscribe"
	}
	if _, err := exec.LookPath(strings.Fields(foreign)[0]); err != nil {
		t.Skipf("%s is not installed: this needs a second MPI", foreign)
	}
	for want, args := range map[string][]string{
		"but none of the MPIs that are found fits it (tested): name its library by --mpi PATH": nil,
		"each finds 1": {"--mpi", "tested"},
	} {
		c := underMPI(t, foreign, 3, append([]string{"run", "--quick"}, args...)...)
		var stdout, stderr bytes.Buffer
		c.Stdout, c.Stderr = &stdout, &stderr
		require.Error(t, c.Run())
		require.Empty(t, stdout.String())
		lines := ours(stderr.String())
		require.Len(t, lines, 1, stderr.String())
		require.Contains(t, lines[0], "started as 3 processes")
		require.Contains(t, lines[0], want)
	}
}

// A job that a signal ends keeps its samples. The signal goes to the processes, as a batch system sends it: Hydra, if
// it gets the signal itself, kills them before it has read their output, and sometimes ends with 0.
func TestSignalUnderMPI(t *testing.T) {
	prefix := filepath.Join(t.TempDir(), "stopped")
	c := underMPI(t, launcher(t), 2, "run", "--memory", "64MiB", "-o", prefix)
	var stdout, stderr bytes.Buffer
	c.Stdout, c.Stderr = &stdout, &stderr
	require.NoError(t, c.Start())
	var ranks []int
	require.Eventually(t, func() bool {
		ranks = processesWith(t, prefix)
		return recorded(t, prefix) && len(ranks) == 2
	}, time.Minute, 100*time.Millisecond)
	killAll(t, ranks, syscall.SIGTERM)
	require.Error(t, c.Wait())
	require.Contains(t, stderr.String(), "beff: terminated: stopping; the measured data are in "+prefix+".json")
	require.Contains(t, stdout.String(), "NOT VALID: stopped before the end")
	f, err := os.Open(prefix + ".json")
	require.NoError(t, err, stderr.String())
	defer f.Close()
	r, err := proven(f)
	require.NoError(t, err)
	require.False(t, r.Complete)
	require.False(t, r.Valid)
	require.NotEmpty(t, r.Samples)
}

// killAll sends a signal to processes. The launcher may have ended the others when the first one ends.
func killAll(t *testing.T, processes []int, signal syscall.Signal) {
	t.Helper()
	require.NotEmpty(t, processes)
	for i, p := range processes {
		if err := syscall.Kill(p, signal); i == 0 || !errors.Is(err, syscall.ESRCH) {
			require.NoError(t, err)
		}
	}
}

// processesWith returns the process IDs of the beff processes with an argument.
func processesWith(t *testing.T, argument string) []int {
	binary := program(t)
	lines, err := filepath.Glob("/proc/[0-9]*/cmdline")
	require.NoError(t, err)
	var list []int
	for _, name := range lines {
		line, _ := os.ReadFile(name) // a process that has ended since has none
		words := strings.Split(string(line), "\x00")
		if words[0] != binary || !slices.Contains(words, argument) {
			continue
		}
		id, err := strconv.Atoi(filepath.Base(filepath.Dir(name)))
		require.NoError(t, err)
		list = append(list, id)
	}
	return list
}
