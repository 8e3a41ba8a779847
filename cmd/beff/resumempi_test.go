package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/internal/conformance"
	"github.com/effective-bandwidth/beff/rating/journal"
	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/document"
)

// journalOf returns the current journal of a run, or an empty one if there is none yet.
func journalOf(t testing.TB, prefix string) *journal.Journal {
	text, err := os.ReadFile(prefix + journal.Suffix)
	if err == nil {
		if left, err := journal.Parse(text); err == nil {
			return left
		}
	}
	return &journal.Journal{}
}

// recorded reports whether a run's journal has samples.
func recorded(t testing.TB, prefix string) bool { return len(journalOf(t, prefix).Records) > 0 }

// killRun starts a run on two processes, kills the given ranks when samples are recorded, and returns the run's prefix.
// If the run ended before that, as it may on a busy machine, killRun tries again with a run that is four times as long.
func killRun(t *testing.T, args func(times int) string, ranks ...int) (prefix string) {
	for times := 1; times <= 64; times *= 4 {
		prefix = filepath.Join(t.TempDir(), "killed")
		mark := "BEFF_TEST_MARK=" + prefix
		c := underMPI(t, launcher(t), 2, append(strings.Fields(args(times)), "-o", prefix)...)
		c.Env = append(c.Env, mark)
		require.NoError(t, c.Start())
		ended := make(chan error, 1)
		go func() { ended <- c.Wait() }()
		require.Eventually(t, func() bool { return recorded(t, prefix) || len(ended) > 0 }, 2*time.Minute,
			20*time.Millisecond)
		processes := ranksOf(t, mark)
		for _, rank := range ranks {
			if p, runs := processes[rank]; runs {
				_ = syscall.Kill(p, syscall.SIGKILL)
			}
		}
		err := <-ended
		f := report.Read(prefix + ".json")
		require.NoError(t, f.Problem)
		if !f.Complete() {
			conformance.RequireDied(t, c.Path, err, "")
			return prefix
		}
	}
	require.Fail(t, "each run ended before it was killed")
	return ""
}

// Whichever rank is killed, the samples are kept. The job resumes with them on the same number of processes, and on no
// other.
func TestResumeUnderMPI(t *testing.T) {
	for rank := range 2 {
		prefix := killRun(t, func(times int) string {
			return fmt.Sprintf("run --quick --memory 512KiB --patterns ring --passes %d", times)
		}, rank)
		var stdout, stderr bytes.Buffer
		if rank == 0 {
			c := underMPI(t, launcher(t), 3, "run", "--resume", prefix)
			c.Stderr = &stderr
			require.Error(t, c.Run())
			require.Contains(t, stderr.String(), "the journal has 2 processes, but this job has 3")
			stderr.Reset()
		}
		c := underMPI(t, launcher(t), 2, "run", "--resume", prefix, "-v")
		c.Stdout, c.Stderr = &stdout, &stderr
		require.NoError(t, c.Run(), "%s\n%s", &stdout, &stderr)
		require.Contains(t, stdout.String(), "the run was measured in 2 parts")
		require.NoFileExists(t, prefix+journal.Suffix)
		f := report.Read(prefix + ".json")
		require.NoError(t, f.Problem)
		require.True(t, f.Complete())
		require.Equal(t, beff.Benchmark, f.Benchmark())
	}
}

// After beff io or beff probe is killed in the middle of its run, --resume completes the run, and its result can be
// verified.
func TestResumeOthersUnderMPI(t *testing.T) {
	scratch := t.TempDir()
	for name, args := range map[string]func(times int) string{
		"io": func(times int) string {
			return fmt.Sprintf("io -T %ds --partitions 2 --memory 128MiB --max-bytes 512MiB -p %s", 3*times, scratch)
		},
		"probe": func(times int) string {
			return fmt.Sprintf("probe --sample-time %.1f --iter 1000000 --msglog 0:3 PingPong Allreduce Bcast",
				0.1*float64(times))
		},
	} {
		t.Run(name, func(t *testing.T) {
			prefix := killRun(t, args, 0, 1)
			awaitEmpty(t, scratch)
			out, err := underMPI(t, launcher(t), 2, name, "--resume", prefix, "-p", scratch).CombinedOutput()
			require.NoError(t, err, "%s", out)
			require.Contains(t, string(out), "beff: resuming after sample ")
			require.NoFileExists(t, prefix+journal.Suffix)
			out, err = exec.Command(program(t), "verify", prefix+".json").CombinedOutput()
			require.NoError(t, err)
			require.Regexp(t, "^"+prefix+".json: verified: [^\n]*\n  stated, not proven:\n", string(out))
			f := report.Read(prefix + ".json")
			require.True(t, f.Complete())
			require.Regexp(t, `measured in 2 parts`, string(asText(t, f)))
			awaitEmpty(t, scratch)
		})
	}
}

// awaitEmpty waits until a directory is empty. Its guard removes the files after the run has ended.
func awaitEmpty(t *testing.T, dir string) {
	require.Eventually(t, func() bool {
		entries, err := os.ReadDir(dir)
		return err == nil && len(entries) == 0
	}, 20*time.Second, 100*time.Millisecond, "the files are still there")
}

// asText returns a report as text, in one line.
func asText(t testing.TB, f *report.File) string {
	var b bytes.Buffer
	require.NoError(t, document.PlainText(&b, f.Document()))
	return strings.Join(strings.Fields(b.String()), " ")
}
