// Package crowd lets tests start more processes of an MPI than there are free cores, without waiting for the kernel at
// each message. It changes when a waiting process runs, but nothing in the library's work. On a busy machine there are
// never enough cores, so only a benchmark with a core for each process gets the library unchanged.
package crowd

import (
	_ "embed"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
)

//go:embed preload/yield.c
var yield []byte

// Environ returns the environment in which a launcher starts processes on this machine. A library that it names is
// deleted at the end of the test.
func Environ(t testing.TB, processes int) []string {
	t.Helper()
	if _, measures := t.(*testing.B); processes == 1 || measures && processes <= runtime.NumCPU() {
		return os.Environ()
	}
	source := filepath.Join(t.TempDir(), "yield.c")
	if err := os.WriteFile(source, yield, 0o644); err != nil {
		t.Fatal(err)
	}
	library := source + ".so"
	out, err := exec.Command("cc", "-O2", "-shared", "-fPIC", "-o", library, source, "-ldl").CombinedOutput()
	if err != nil {
		t.Fatalf("compile yield.c: %v: %s", err, out)
	}
	return append(os.Environ(), "LD_PRELOAD="+library)
}
