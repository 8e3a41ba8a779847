package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
)

// A signal that ends a process takes the parts of files with it that the process writes.
func TestSignalLeavesNoParts(t *testing.T) {
	const inside = "BEFF_TEST_PARTS"
	listed := func(dir string) []os.DirEntry {
		entries, err := os.ReadDir(dir)
		require.NoError(t, err)
		return entries
	}
	if path := os.Getenv(inside); path != "" {
		defer (&process{signals: &taken{}}).catch()()
		_, err := publish.NewPart(path)
		require.NoError(t, err)
		require.Len(t, listed(filepath.Dir(path)), 1)
		require.NoError(t, syscall.Kill(os.Getpid(), syscall.SIGTERM))
		select {}
	}
	path := filepath.Join(t.TempDir(), "a.json")
	c := exec.Command(os.Args[0], "-test.run=^TestSignalLeavesNoParts$")
	c.Env = append(os.Environ(), inside+"="+path)
	require.Error(t, c.Run())
	require.Equal(t, syscall.SIGTERM, c.ProcessState.Sys().(syscall.WaitStatus).Signal())
	require.Empty(t, listed(filepath.Dir(path)))
}
