package conformance

import (
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

//go:embed preload/yield.c
var yield []byte

// preloads is the directory of the library of Environ; empty if none was made.
var preloads string

// preload makes the library, once for all tests of a binary, and returns its path.
var preload = sync.OnceValues(func() (library string, err error) {
	if preloads, err = os.MkdirTemp("", "beff-preload"); err != nil {
		return "", err
	}
	source := filepath.Join(preloads, "yield.c")
	if err := os.WriteFile(source, yield, 0o644); err != nil {
		return "", err
	}
	library = source + ".so"
	out, err := exec.Command("cc", "-O2", "-shared", "-fPIC", "-o", library, source, "-ldl").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("compile yield.c: %w: %s", err, out)
	}
	return library, nil
})

// Environ returns the environment in which a launcher starts processes on this machine: tests may start more processes
// of an MPI than there are free cores, without waiting for the kernel at each message. A library that it names changes
// when a waiting process runs, but nothing in the work of the MPI. On a busy machine there are never enough cores, so
// only a benchmark with a core for each process gets the MPI unchanged.
func Environ(t testing.TB, processes int) []string {
	t.Helper()
	if _, measures := t.(*testing.B); processes == 1 || measures && processes <= runtime.NumCPU() {
		return os.Environ()
	}
	library, err := preload()
	require.NoError(t, err)
	return append(os.Environ(), "LD_PRELOAD="+library)
}

// Clean removes the library of Environ. A test binary calls it at its end.
func Clean() {
	if preloads != "" {
		os.RemoveAll(preloads)
	}
}
