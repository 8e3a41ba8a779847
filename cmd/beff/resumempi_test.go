package main

import (
	"bytes"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/rating/journal"
	"github.com/effective-bandwidth/beff/report"
)

// recorded reports whether samples of a run are in its journal.
func recorded(prefix string) bool {
	text, err := os.ReadFile(prefix + journal.Suffix)
	if err != nil {
		return false
	}
	left, err := journal.Parse(text)
	return err == nil && len(left.Records) > 0
}

// Whichever rank is killed, what was measured is there, and the job goes on with it: on as many processes, and on no
// others.
func TestResumeUnderMPI(t *testing.T) {
	for killed := range 2 {
		prefix := filepath.Join(t.TempDir(), "killed")
		mark := "BEFF_TEST_MARK=" + prefix
		c := underMPI(t, launcher(t), 2, "run", "--memory", "512KiB", "--patterns", "ring", "--methods", "sendrecv", "-o",
			prefix)
		c.Env = append(c.Env, mark)
		require.NoError(t, c.Start())
		require.Eventually(t, func() bool { return recorded(prefix) }, 2*time.Minute, 20*time.Millisecond)
		require.NoError(t, syscall.Kill(ranksOf(t, mark)[killed], syscall.SIGKILL))
		require.Error(t, c.Wait())

		f := report.Read(prefix + ".json")
		require.NoError(t, f.Problem)
		require.False(t, f.Complete())
		var stdout, stderr bytes.Buffer
		c = underMPI(t, launcher(t), 3, "run", "--resume", prefix)
		c.Stderr = &stderr
		require.Error(t, c.Run())
		require.Contains(t, stderr.String(), "the journal is of 2 processes, these are 3")
		stderr.Reset()
		c = underMPI(t, launcher(t), 2, "run", "--resume", prefix)
		c.Stdout, c.Stderr = &stdout, &stderr
		require.NoError(t, c.Run(), "%s\n%s", &stdout, &stderr)
		require.Contains(t, stdout.String(), "the run was measured in 2 parts")
		require.NoFileExists(t, prefix+journal.Suffix)
		f = report.Read(prefix + ".json")
		require.NoError(t, f.Problem)
		require.True(t, f.Complete())
		require.Equal(t, beff.Benchmark, f.Benchmark())
	}
}
