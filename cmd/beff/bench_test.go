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
	"github.com/effective-bandwidth/beff/report/ofprobe"
)

// BenchmarkEmbedded prints the ring bandwidths of the embedded engine and of the MPI's shared memory, at P = 2,
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

// rings runs a `beff run` command and returns its verified result.
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

// BenchmarkHistograms prints how much histograms cost in a series of messages of 1 byte: the ratios of the time of a
// message, and of the wall time, with --quantiles to without. It measures both in turn.
func BenchmarkHistograms(b *testing.B) {
	const pairs = 9
	program(b)
	for b.Loop() {
		var messages, walls []float64
		for range pairs {
			listed, listedWall := series(b)
			counted, countedWall := series(b, "--quantiles", "50,99,99.9")
			messages, walls = append(messages, counted/listed), append(walls, countedWall/listedWall)
		}
		fmt.Fprintf(os.Stdout, "\nPingPong of 1 byte, %s repetitions, P = 2, with histograms over without, median of "+
			"%d pairs (min … max): a message %.3f (%.3f … %.3f), the wall time %.3f (%.3f … %.3f)\n", repetitions,
			pairs, median(messages), slices.Min(messages), slices.Max(messages), median(walls), slices.Min(walls),
			slices.Max(walls))
	}
}

// repetitions is the number of repetitions in a series of BenchmarkHistograms.
const repetitions = "100000"

// series measures a series with flags. It returns the median of its times, and the seconds of the run.
func series(b *testing.B, flags ...string) (seconds, wall float64) {
	prefix := filepath.Join(b.TempDir(), "probe")
	out, err := underMPI(b, launcher(b), 2, append([]string{"probe", "PingPong", "--msgsize", "1", "--repetitions",
		repetitions + ":" + repetitions, "--timing", "loop", "--force", "-o", prefix}, flags...)...).CombinedOutput()
	require.NoError(b, err, "%s", out)
	data, err := os.ReadFile(prefix + ".json")
	require.NoError(b, err)
	r, err := ofprobe.Verify(data)
	require.NoError(b, err)
	return r.Blocks[0].Rows[0].Statistics[0].Median, r.WallSeconds
}

func median(x []float64) float64 {
	x = slices.Sorted(slices.Values(x))
	return x[len(x)/2]
}
