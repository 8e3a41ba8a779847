package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/tune"
)

// tuned runs beff tune with words, and returns its exit code and what it printed.
func tuned(words ...string) (code int, out, err string) {
	var stdout, stderr bytes.Buffer
	code = run(append([]string{"tune"}, words...), &stdout, &stderr)
	return code, stdout.String(), stderr.String()
}

// What can't be tuned is said in a line, before anything starts.
func TestTuneMisuse(t *testing.T) {
	for words, want := range map[string]string{
		"":                                 "want collectives",
		"Scan -n 2":                        `no choice of algorithms for "Scan"`,
		"Allreduce":                        "want two processes",
		"Allreduce -n 1,2":                 "want two processes",
		"Allreduce -n 2 --rounds 4":        "--rounds: want 5 to 100",
		"Allreduce -n 2 --pairs 4":         "--pairs",
		"Allreduce -n 2 --tolerance 0.9":   "--tolerance",
		"Allreduce -n 2 --within 0":        "--within",
		"Allreduce -n 2 --lengths 8:4":     "--lengths: want bytes",
		"Allreduce -n 2 --lengths 3":       "--lengths: want bytes",
		"Allreduce -n 2":                   "no launcher",
		"Allreduce -n 2 --launch a_-n_4":   "leave out the number",
		"Allreduce -n 2 --launch /no/such": "--launch /no/such: there is no directory /no",
		"Allreduce -n 2 --launch no_such":  "--launch no: executable file not found",
		"Allreduce -n 2 --launch _":        "--launch: want a command",
	} {
		list := strings.Fields(words)
		for i := range list {
			list[i] = strings.ReplaceAll(list[i], "_", " ")
		}
		code, _, err := tuned(list...)
		require.NotZero(t, code, words)
		require.Contains(t, err, want, words)
		require.Equal(t, 1, strings.Count(err, "\n"), err)
	}
	lengths, err := powers("8:48")
	require.NoError(t, err)
	require.Equal(t, []int64{8, 16, 32, 48}, lengths)
}

// A dry run says how many jobs there are, and makes none. A launcher that starts nothing is named.
func TestTunePlan(t *testing.T) {
	into := filepath.Join(t.TempDir(), "into")
	line := []string{"Barrier", "Bcast", "-n", "2,4", "--within", "5%", "--launch", "true", "--into", into}
	code, out, err := tuned(append(line, "--dry-run")...)
	require.Zero(t, code, err)
	require.Contains(t, err, "at most 370 jobs: Barrier and Bcast on 2 and 4 processes, 6 rounds")
	require.Contains(t, err, "19 lengths: 4, 8, 16, …, 1048576 bytes")
	require.Contains(t, out, " probe Barrier --npmin 2 --timing max ")
	require.NoDirExists(t, into)
	code, _, err = tuned(line...)
	require.Equal(t, exit.Failed, code)
	require.Contains(t, err, "Barrier on 2 processes by default: it ended without a result")
	require.NoError(t, writable(t.TempDir()))
	require.ErrorContains(t, writable("tune_test.go/x"), "not a directory")
}

// A job that fails by default ends the campaign in a line, and is tried again by the next one. Another campaign can't
// go on in its directory once something was measured.
func TestTuneFails(t *testing.T) {
	dir := t.TempDir()
	launcher := filepath.Join(dir, "launcher")
	require.NoError(t, os.WriteFile(launcher, []byte("#!/bin/sh\necho it broke >&2\nexit 7\n"), 0o755))
	into := filepath.Join(dir, "into")
	line := []string{"Allreduce", "-n", "2", "--launch", launcher, "--into", into}
	code, _, err := tuned(line...)
	require.Equal(t, exit.Failed, code)
	require.Contains(t, err, "it broke")
	failed, _ := filepath.Glob(filepath.Join(into, "*.failed"))
	require.Empty(t, failed)
	require.NoError(t, os.WriteFile(filepath.Join(into, "result.json"), nil, 0o600))
	code, _, err = tuned(append(line, "--seed", "2")...)
	require.Equal(t, exit.Usage, code)
	require.Contains(t, err, "another campaign")
}

// A signal ends the job that runs with all of its processes, and the campaign in a line.
func TestCampaignStops(t *testing.T) {
	dir := t.TempDir()
	launcher, late := filepath.Join(dir, "launcher"), filepath.Join(dir, "late")
	script := "#!/bin/sh\n(sleep 0.5; touch " + late + ") &\nkill -TERM $PPID\nwait\n"
	require.NoError(t, os.WriteFile(launcher, []byte(script), 0o755))
	var said bytes.Buffer
	p := &process{stderr: &said, signals: &taken{}}
	begun := time.Now()
	err := p.campaign("into", func(j jobs) error {
		_, err := j.measured(filepath.Join(dir, "job"), 0, nil, func(bool) []string { return []string{launcher} })
		require.ErrorIs(t, err, context.Canceled)
		return err
	})
	require.EqualError(t, err, "stopped: the same command goes on with what is in into")
	require.Equal(t, "beff: terminated: ending the job that runs\n", said.String())
	time.Sleep(600*time.Millisecond - time.Since(begun))
	require.NoFileExists(t, late)
}

// The script asks for as many processes as the largest number, and starts the command itself.
func TestTuneScript(t *testing.T) {
	code, out, err := tuned("Bcast", "-n", "8,60", "--script", "slurm", "--nodes=2", "--launch", "srun --mpi=pmix")
	require.Zero(t, code, err)
	require.Contains(t, out, "#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=30\n")
	require.True(t, strings.HasSuffix(out, "\nbeff tune Bcast -n 8,60 --launch 'srun --mpi=pmix'\n"), out)
	_, out, _ = tuned("Bcast", "-n", "8", "--script", "flux")
	require.True(t, strings.HasSuffix(out, "\nbeff tune Bcast -n 8 --launch 'flux run'\n"), out)
}

// Open MPI's monitoring counts messages of two kinds, in a file of each process.
func TestTrafficOf(t *testing.T) {
	prefix := filepath.Join(t.TempDir(), "x")
	for rank, text := range []string{
		"# P\nE\t0\t1\t100 bytes\t7 msgs sent\t0,6\nC\t0\t1\t9 bytes\t9 msgs sent\n",
		"E\t1\t0\t8 bytes\t2 msgs sent\t2\nI\t1\t0\t8 bytes\t3 msgs sent\n",
	} {
		require.NoError(t, os.WriteFile(prefix+"."+string(rune('0'+rank))+".prof", []byte(text), 0o644))
	}
	sent, err := trafficOf(prefix, 2)
	require.NoError(t, err)
	require.EqualValues(t, 12, sent.Sum())
	require.EqualValues(t, 6, sent[tune.Way{From: 0, To: 1, Class: 1}])
	require.EqualValues(t, 3, sent[tune.Way{From: 1, To: 0, Class: -1}], "of no class")
	_, err = trafficOf(prefix, 3)
	require.ErrorContains(t, err, "no messages were counted by Open MPI")
}
