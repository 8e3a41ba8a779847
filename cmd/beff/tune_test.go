package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/report/oftune"
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
		"Allreduce --from x.json":          "leave out Allreduce",
		"Allreduce -n 2 --launch /no/such": "no such file or directory",
	} {
		list := strings.Fields(words)
		if strings.Contains(words, "/no/such") {
			list = append(list, "--into", t.TempDir())
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

// A job that fails by default ends the campaign in a line, and is tried again by the next one. Another campaign can't
// go on in its directory.
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
	code, _, err = tuned(append(line, "--seed", "2")...)
	require.Equal(t, exit.Usage, code)
	require.Contains(t, err, "another campaign")
}

// The script asks for as many processes as the largest number, and starts the command itself.
func TestTuneScript(t *testing.T) {
	code, out, err := tuned("Bcast", "-n", "8,60", "--script", "slurm", "--nodes=2", "--launch", "srun --mpi=pmix")
	require.Zero(t, code, err)
	require.Contains(t, out, "#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=30\n")
	require.True(t, strings.HasSuffix(out, "\nbeff tune Bcast -n 8,60 --launch 'srun --mpi=pmix'\n"), out)
}

// knownTuning is a campaign in which one algorithm is twice as fast at the longer length.
func knownTuning() *tune.Result {
	r := &tune.Result{Benchmark: tune.Benchmark, SchemaVersion: tune.SchemaVersion, Library: "Open MPI",
		Version: "4.1.4", Plan: tune.Plan{Collectives: []string{"Allreduce"}, Processes: []int{4},
			Lengths: []int64{8, 64}, Rounds: 6, Pairs: 6, Tolerance: 1.05, Within: 0.02},
		Algorithms: map[string][]tune.Algorithm{"Allreduce": {{Number: 4, Name: "ring"}}},
		Skipped:    []tune.Skipped{{Collective: "Allreduce", Processes: 4, Algorithm: "two_proc", Reason: "it hung"}},
		Evidence: []tune.Evidence{{Collective: "Allreduce", Processes: 4, Bytes: 64, Algorithm: "ring", Default: 721,
			Forced: 1521, Ruled: 1521}},
		Files: map[string]string{".rules": "1\n2\n"}, Use: []string{"OMPI_MCA_x=1"}}
	for round := 1; round <= 6; round++ {
		jitter := 1 + 0.001*float64(round%3)
		for setting, phase := range map[string]tune.Phase{"ring": tune.Choosing, tune.Ruled: tune.Proving} {
			r.Samples = append(r.Samples, tune.Sample{Phase: phase, Collective: "Allreduce", Processes: 4,
				Setting: tune.Default, Round: round, Seconds: []float64{1e-6, 8e-6 * jitter}},
				tune.Sample{Phase: phase, Collective: "Allreduce", Processes: 4, Setting: setting, Round: round,
					Seconds: []float64{1e-6, 4e-6}})
		}
	}
	r.Derived = r.Derive()
	return r
}

// A result is reported again only if all in it follows from its samples.
func TestTuneFrom(t *testing.T) {
	r := knownTuning()
	path := filepath.Join(t.TempDir(), "tune.json")
	write := func() {
		var b bytes.Buffer
		require.NoError(t, oftune.Form.Seal(&b, r))
		require.NoError(t, os.WriteFile(path, b.Bytes(), 0o644))
	}
	write()
	code, out, err := tuned("--from", path, "-v")
	require.Zero(t, code, err)
	for _, want := range []string{"the file of rules is better than the default: +100.", "64 bytes ring",
		"OMPI_MCA_x=1",
		"two_proc is left out: it hung", "1521", "| yes"} {
		require.Contains(t, out, want)
	}
	r.Derived.Rules[0].Algorithm.Name = "other"
	write()
	code, _, err = tuned("--from", path)
	require.NotZero(t, code)
	require.Contains(t, err, "derived")
	r.Derived = r.Derive()
	r.Samples[0].Processes = 5
	write()
	_, _, err = tuned("--from", path)
	require.Contains(t, err, "sample 0 is of no job of the plan")
}

// Open MPI's monitoring counts messages of two kinds, in a file of each process.
func TestMessagesOf(t *testing.T) {
	prefix := filepath.Join(t.TempDir(), "x")
	for rank, text := range []string{
		"# P\nE\t0\t1\t100 bytes\t7 msgs sent\t0,7\nC\t0\t1\t9 bytes\t9 msgs sent\n",
		"E\t1\t0\t8 bytes\t2 msgs sent\t2\nI\t1\t0\t8 bytes\t3 msgs sent\t2\n",
	} {
		require.NoError(t, os.WriteFile(prefix+"."+string(rune('0'+rank))+".prof", []byte(text), 0o644))
	}
	n, err := messagesOf(prefix, 2)
	require.NoError(t, err)
	require.EqualValues(t, 12, n)
	_, err = messagesOf(prefix, 3)
	require.ErrorContains(t, err, "no messages were counted by Open MPI")
}
