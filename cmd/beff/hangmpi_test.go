package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
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
	"github.com/effective-bandwidth/beff/report"
)

// text collects the output of processes, and can be read while they run.
type text struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (t *text) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.b.Write(p)
}

func (t *text) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.b.String()
}

// ranksOf returns the process IDs, by rank, of the beff processes with mark in their environment. It leaves out the
// processes that guard directories.
func ranksOf(t *testing.T, mark string) map[int]int {
	found := map[int]int{}
	environs, err := filepath.Glob("/proc/[0-9]*/environ")
	require.NoError(t, err)
	for _, name := range environs {
		data, err := os.ReadFile(name)
		if err != nil || !bytes.Contains(data, []byte(mark)) {
			continue
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(name)))
		require.NoError(t, err)
		words, _ := os.ReadFile(filepath.Join(filepath.Dir(name), "cmdline"))
		program, rest, _ := strings.Cut(string(words), "\x00")
		if strings.Contains(rest, "guard") {
			continue
		}
		for _, entry := range strings.Split(string(data), "\x00") {
			for _, variable := range []string{"OMPI_COMM_WORLD_RANK=", "PMI_RANK="} {
				rank, is := strings.CutPrefix(entry, variable)
				if n, err := strconv.Atoi(rank); is && err == nil && filepath.Base(program) == "beff" {
					found[n] = pid
				}
			}
		}
	}
	return found
}

// hanging starts a run on two processes, stops a rank when samples are recorded, and waits for the other rank's report.
func hanging(t *testing.T, stopped int, flags ...string) (c *exec.Cmd, stderr *text, prefix string, pids map[int]int) {
	prefix = filepath.Join(t.TempDir(), "hang")
	mark := "BEFF_TEST_MARK=" + prefix
	c = underMPI(t, launcher(t), 2, append([]string{"run", "--memory", "4MiB", "-o", prefix}, flags...)...)
	stderr = &text{}
	c.Env, c.Stderr = append(c.Env, mark), stderr
	require.NoError(t, c.Start())
	t.Cleanup(func() {
		for _, pid := range ranksOf(t, mark) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		_ = c.Process.Kill()
	})
	await := func(what string, done func() bool) {
		require.Eventually(t, done, 2*time.Minute, 50*time.Millisecond, "%s: %s", what, stderr)
	}
	await("measuring", func() bool { return recorded(t, prefix) })
	pids = ranksOf(t, mark)
	require.Len(t, pids, 2)
	require.NoError(t, syscall.Kill(pids[stopped], syscall.SIGSTOP))
	line := regexp.MustCompile(`(?m)^beff: rank ` + strconv.Itoa(1-stopped) +
		` on \S+: \d+ s in MPI_\w+.*, (pattern|repetition) `)
	await("the other rank reports", func() bool { return line.MatchString(stderr.String()) })
	return c, stderr, prefix, pids
}

// If one rank is stopped, the other notices and names the call in which it waits. When the stopped rank resumes, both
// report that, and the result has the wait.
func TestStoppedUnderMPI(t *testing.T) {
	t.Parallel() // most of the time the processes wait
	c, stderr, prefix, pids := hanging(t, 1, "--patience", "1s")
	require.Eventually(t, func() bool {
		return strings.Contains(stderr.String(), "beff: 1 of 2 ranks wait (") &&
			strings.Contains(stderr.String(), "; rank 1 on ")
	}, time.Minute, 50*time.Millisecond, "rank 0 sums up: %s", stderr)
	// MPICH's own handler would end some of these processes, but not in every run.
	for range 20 {
		before := strings.Count(stderr.String(), "beff: rank 0 on ")
		require.NoError(t, syscall.Kill(pids[0], syscall.SIGUSR1))
		require.Eventually(t, func() bool { return strings.Count(stderr.String(), "beff: rank 0 on ") > before },
			time.Minute, 50*time.Millisecond, "SIGUSR1 is answered: %s", stderr)
	}
	require.NoError(t, syscall.Kill(pids[1], syscall.SIGCONT))
	require.Eventually(t, func() bool {
		return regexp.MustCompile(`(?m)^beff: rank 0 on \S+ continues after \d+ s$`).MatchString(stderr.String()) &&
			regexp.MustCompile(`(?m)^beff: rank 1 on \S+: \d+ s stopped, or without`).MatchString(stderr.String())
	}, time.Minute, 50*time.Millisecond, "both continue: %s", stderr)
	require.NoError(t, c.Process.Signal(syscall.SIGTERM))
	_ = c.Wait()
	data, err := os.ReadFile(prefix + ".json")
	require.NoError(t, err)
	var r beff.Result
	require.NoError(t, json.Unmarshal(data, &r))
	if isOpenMPI5(t) && len(r.Waits) == 0 { // killed before the result is written again
		r.Waits = journalOf(t, prefix).Waits
	}
	require.NotEmpty(t, r.Waits)
	require.Regexp(t, "^MPI_", r.Waits[0].Call)
	require.NotEmpty(t, r.Environment.Bindings)
}

// A run that hangs for longer than the limit fails, whichever rank hangs. Its samples stay.
func TestHangLimitUnderMPI(t *testing.T) {
	for _, stopped := range []int{0, 1} {
		t.Run(strconv.Itoa(stopped), func(t *testing.T) {
			t.Parallel()
			c, stderr, prefix, _ := hanging(t, stopped, "--patience", "1s", "--hang-limit", "3s")
			err := c.Wait()
			require.Error(t, err)
			require.Contains(t, stderr.String(), "beff: ended by --hang-limit: rank "+strconv.Itoa(1-stopped)+" on ")
			// Hydra kills the stopped rank by signal 9, and joins the codes bit by bit: 1 or 9, depending on which
			// comes in time.
			require.Contains(t, []int{1, 1 | 9}, c.ProcessState.ExitCode(), "%s", stderr)
			require.True(t, recorded(t, prefix), "what was measured is still there")
			f := report.Read(prefix + ".json")
			require.NoError(t, f.Problem)
			require.True(t, f.Usable)
			require.False(t, f.Complete())
		})
	}
}

// SIGTERM to the launcher ends a job whose rank 0 is stopped.
func TestTerminatedUnderMPI(t *testing.T) {
	t.Parallel()
	c, stderr, prefix, _ := hanging(t, 0, "--patience", "1s")
	require.NoError(t, c.Process.Signal(syscall.SIGTERM))
	require.Error(t, c.Wait(), "%s", stderr) // Open MPI's launcher resumes rank 0; Hydra doesn't
	if !isOpenMPI5(t) && !strings.Contains(stderr.String(), "beff: terminated: stopping") {
		require.Regexp(t, `(?m)^beff: rank 1 on \S+: terminated, and rank 0 doesn't end the run`, stderr.String())
	}
	require.True(t, recorded(t, prefix), "what was measured is still there")
}

// The result of a run that hangs and is killed contains the wait, and so does the resumed run.
func TestHangKilledUnderMPI(t *testing.T) {
	c, stderr, prefix, pids := hanging(t, 1, "--patience", "1s", "--patterns", "ring", "--methods", "sendrecv")
	wait := func() bool { return len(journalOf(t, prefix).Waits) > 0 }
	require.Eventually(t, wait, time.Minute, 50*time.Millisecond, "%s", stderr)
	killAll(t, slices.Collect(maps.Values(pids)), syscall.SIGKILL)
	conformance.RequireDied(t, c.Path, c.Wait(), stderr.String())
	again := underMPI(t, launcher(t), 2, "run", "--resume", prefix)
	out, err := again.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Regexp(t, `(?m)^beff: before that, a process made no progress for some time: rank 0 on \S+: \d+ s in MPI_`,
		string(out))
	data, err := os.ReadFile(prefix + ".json")
	require.NoError(t, err)
	var r beff.Result
	require.NoError(t, json.Unmarshal(data, &r))
	require.NotEmpty(t, r.Waits)
	require.Equal(t, 0, r.Waits[0].Rank)
}
