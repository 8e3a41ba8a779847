package main

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/suites"
)

// All guidelines run on two processes over an MPI: both sides of each leave the right data, and each row has a verdict.
func TestGuidelinesUnderMPI(t *testing.T) {
	prefix := filepath.Join(t.TempDir(), "guided")
	out, err := underMPI(t, launcher(t), 2, "probe", "guidelines", "--msgsize", "24", "--iter", "1", "-o",
		prefix).CombinedOutput()
	require.NoError(t, err, string(out))
	r, rows := readProbe(t, prefix+".json"), 0
	for _, b := range r.Blocks {
		k, _, found := suites.Find(b.Component, b.Kernel)
		require.True(t, found && k.MinProcesses <= 2, b.Kernel)
		for _, row := range b.Rows {
			if row.Missing == "" { // a library may lack persistent collective calls
				require.Zero(t, row.Defects, b.Kernel)
				require.Len(t, row.Guideline.Call, measured.Rounds, b.Kernel)
				require.NotNil(t, row.Judgement, b.Kernel)
				rows++
			}
		}
	}
	require.GreaterOrEqual(t, rows, 50)
}
