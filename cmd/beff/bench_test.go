package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
)

// BenchmarkEmbedded prints the ring bandwidth of the embedded engine against that of the MPI's shared memory, at P = 2,
// measured in turn.
func BenchmarkEmbedded(b *testing.B) {
	const pairs = 9
	binary := program(b)
	for b.Loop() {
		for _, memory := range []string{"128MiB", "1GiB"} {
			var local, mpi, ratio []float64
			var r *beff.Result
			for range pairs {
				args := []string{"run", "--quick", "--patterns", "ring", "--memory", memory}
				l := rings(b, exec.Command(binary, append(args, "--engine", "local", "-n", "2")...))
				r = rings(b, underMPI(b, launcher(b), 2, args...))
				local, mpi, ratio = append(local, l.Derived.RingsAtLmax), append(mpi, r.Derived.RingsAtLmax),
					append(ratio, l.Derived.RingsAtLmax/r.Derived.RingsAtLmax)
			}
			fmt.Fprintf(os.Stdout, "\nrings at %d MB, P = 2, median of %d pairs (min … max): embedded %.0f MB/s, %s "+
				"%s %.0f MB/s, ratio %.2f (%.2f … %.2f)\n",
				r.Lmax>>20, pairs, median(local)/1e6, r.Engine.Library, r.Engine.Version, median(mpi)/1e6,
				median(ratio), slices.Min(ratio), slices.Max(ratio))
		}
	}
}

// rings runs a command of `beff run` and reads its result.
func rings(b *testing.B, c *exec.Cmd) *beff.Result {
	prefix := filepath.Join(b.TempDir(), "rating")
	c.Args = append(c.Args, "--force", "-o", prefix)
	out, err := c.CombinedOutput()
	require.NoError(b, err, "%s", out)
	f, err := os.Open(prefix + ".json")
	require.NoError(b, err)
	defer f.Close()
	r, err := proven(f)
	require.NoError(b, err)
	return r
}

func median(x []float64) float64 {
	x = slices.Sorted(slices.Values(x))
	return x[len(x)/2]
}
