package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/probing"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/parts"
)

// Each question of doctor has kernels.
func TestDoctorProbes(t *testing.T) {
	for _, q := range probing.Questions {
		r := probing.NewRequest("")
		require.NoError(t, r.Name(q.Kernels), q.Name)
		c, err := r.Config()
		require.NoError(t, err, q.Name)
		require.NotEmpty(t, c.Selections, q.Name)
	}
}

// A cause decides on the next command: without its variable, or the doctor's question about it.
func TestAskNext(t *testing.T) {
	for want, v := range map[string]rating.Verdict{
		" doctor":       {Valid: true},
		" doctor noise": {Valid: true, Noisy: true},
		"UCX_TLS run": {Valid: true, Noisy: true, Slowed: "tcp_variable",
			Causes: []rating.Cause{{Code: "unbound"}, {Code: "tcp_variable", Spoils: true, Variable: "UCX_TLS"}}},
	} {
		variable, command := askNext(parts.Header{Verdict: &v, Processes: 2})
		require.Equal(t, want, variable+" "+strings.Join(command, " "))
	}
	for code, want := range map[string]string{"load": "doctor noise", "quota": "doctor", "shm_small": "doctor"} {
		v := rating.Verdict{Valid: true, Noisy: true, Slowed: code, Causes: []rating.Cause{{Code: code, Spoils: true}}}
		_, command := askNext(parts.Header{Verdict: &v, Processes: 64})
		require.Equal(t, want, strings.Join(command, " "), code)
	}
	_, command := askNext(parts.Header{Verdict: &rating.Verdict{Valid: true}, Processes: 64})
	require.Equal(t, []string{"doctor", "links"}, command)
}

// Under a launcher the doctor measures links between processes and explains the result.
func TestDoctorProbesUnderMPI(t *testing.T) {
	out, err := underMPI(t, launcher(t), 2, "doctor", "links").Output()
	require.NoError(t, err)
	for _, length := range []string{"8 B", "1 MiB"} {
		require.Regexp(t, `\nFound\s+Roundtrip_pairs, `+length+`: There\s+are\s+too few processes `, string(out))
	}
}

// Under a launcher the doctor shows the transports of the library, within seconds.
func TestDoctorUnderMPI(t *testing.T) {
	dir := t.TempDir()
	for ranks, want := range map[int]string{1: "each rank has a node to itself", 2: "shared memory; "} {
		c := underMPI(t, launcher(t), ranks, "doctor", "-p", dir)
		var stdout, stderr bytes.Buffer
		c.Stdout, c.Stderr = &stdout, &stderr
		require.NoError(t, c.Run(), &stderr)
		require.Empty(t, ours(stderr.String()))
		require.Contains(t, stdout.String(), "\nin a node  "+want)
		require.Regexp(t, `(?m)^library    (Open MPI|MPICH) [\d.]+ \(MPI [\d.]+\) by the interface (Open MPI|MPICH):$`,
			stdout.String())
		require.Regexp(t, `\nverdict    a rating here would be .*\n\z`, stdout.String())
		require.LessOrEqual(t, strings.Count(stdout.String(), "\n"), 25)
	}
}
