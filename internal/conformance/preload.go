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

// preloads is the directory of Environ's library, or empty if it wasn't made.
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

// Environ returns the environment for a launcher on this machine. With it, tests can start more processes of an MPI
// than there are free cores, without waiting for the kernel at each message. It preloads a library that makes waiting
// processes yield, but doesn't change the work of the MPI. On a busy machine there are never enough cores, so only a
// single process, or a benchmark with a core for each process, gets an unchanged MPI.
func Environ(t testing.TB, processes int) []string {
	t.Helper()
	if _, measures := t.(*testing.B); processes == 1 || measures && processes <= runtime.NumCPU() {
		return os.Environ()
	}
	library, err := preload()
	require.NoError(t, err)
	return append(os.Environ(), "LD_PRELOAD="+library)
}

// Clean removes Environ's library. A test binary calls it at its end.
func Clean() {
	if preloads != "" {
		os.RemoveAll(preloads)
	}
}
