package ab

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/process"
	"github.com/stretchr/testify/require"
)

// A setting has variables, a launcher, a binary, and further words of the command line.
func TestABSettings(t *testing.T) {
	c := &Campaign{A: `X=1 Y='a b' --mpi openmpi`, B: `--launch "mpirun -n 3 --tag 'p q'" --beff=/opt/beff --seed 2`,
		Launch: "srun -n 4", Line: []string{"run", "--quick"}}
	sides, err := c.settings()
	require.NoError(t, err)
	require.Equal(t, []string{"X=1", "Y=a b"}, sides[0].variables)
	require.Equal(t, []string{"srun", "-n", "4"}, sides[0].launch)
	require.Equal(t, []string{"--mpi", "openmpi"}, sides[0].words)
	require.Equal(t, []string{"mpirun", "-n", "3", "--tag", "p q"}, sides[1].launch)
	require.Equal(t, "/opt/beff run --quick --seed 2 -o d", strings.Join(c.command(&setting{binary: sides[1].binary,
		words: sides[1].words}, "d", false), " "))
	c.A = `X='1`
	_, err = c.settings()
	require.ErrorContains(t, err, "isn't closed")
	c.A, c.Launch = "X=1", ""
	t.Setenv("SLURM_NTASKS", "")
	_, err = c.settings()
	require.ErrorContains(t, err, "no launcher")
	t.Setenv("SLURM_NTASKS", "8")
	sides, err = c.settings()
	require.NoError(t, err)
	require.Equal(t, []string{"srun"}, sides[0].launch)
}

// The seed determines the order within each pair. Both orders occur about equally often.
func TestABOrder(t *testing.T) {
	first := 0
	for pair := range 100 {
		require.Equal(t, orderOf(3, pair), orderOf(3, pair))
		first += orderOf(3, pair)[0]
	}
	require.InDelta(t, 50, first, 20)
}

// Another comparison can use a directory only if it has no runs.
func TestABBegin(t *testing.T) {
	c := &Campaign{Into: filepath.Join(t.TempDir(), "new"), A: "X=1"}
	require.NoError(t, c.begin())
	require.NoError(t, c.begin())
	c.A = "X=2"
	require.NoError(t, c.begin())
	require.NoError(t, os.WriteFile(c.prefix(0, 1)+".journal", nil, 0o600))
	require.NoError(t, c.begin())
	c.A = "X=3"
	require.ErrorContains(t, c.begin(), "another comparison")
	text, err := os.ReadFile(filepath.Join(c.Into, "ab.txt"))
	require.NoError(t, err)
	require.Contains(t, string(text), "a: X=2\n")
}

// A signal ends all processes of the running job, and then the campaign, with one line.
func TestCampaignStops(t *testing.T) {
	dir := t.TempDir()
	launcher, late := filepath.Join(dir, "launcher"), filepath.Join(dir, "late")
	script := "#!/bin/sh\n(sleep 0.5; touch " + late + ") &\nkill -TERM $PPID\nwait\n"
	require.NoError(t, os.WriteFile(launcher, []byte(script), 0o755))
	var said bytes.Buffer
	p := &process.Process{Stderr: &said}
	begun := time.Now()
	err := inCampaign(p, "into", func(j jobs) error {
		_, err := j.measured(filepath.Join(dir, "job"), nil, func(bool) []string { return []string{launcher} })
		require.ErrorIs(t, err, context.Canceled)
		return err
	})
	require.EqualError(t, err, "stopped: the same command resumes with the runs in into")
	require.Equal(t, "beff: terminated: ending the job that runs\n", said.String())
	time.Sleep(600*time.Millisecond - time.Since(begun))
	require.NoFileExists(t, late)
}

// The reason is the last line that the failed run itself printed, except for remarks on resuming and stopping.
func TestReason(t *testing.T) {
	for said, want := range map[string]string{
		"beff: 2 of 2 processors are busy\nbeff: full\nbeff: --resume x measures the rest\n": "full",
		"====\nsrun: error: node1\nbeff: SIGTERM: stopped\n":                                 "srun: error: node1",
		"beff: SIGTERM: stopped\n": "SIGTERM: stopped",
	} {
		require.Equal(t, want, reason(said))
	}
}
