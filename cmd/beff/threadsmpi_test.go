package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Threads of two processes measure at the same time, with no wrong data, a time for each thread, and figures that
// follow from them. A single thread runs at any level.
func TestThreadsUnderMPI(t *testing.T) {
	for line, each := range map[string]int{
		"imb mt -thread_level multiple --threads 2 -repeat 1 -warmup 1 -count 3":                            4,
		"imb mt -thread_level multiple --threads 2 -repeat 1 -malloc_algo parallel -barrier off PingPongMT": 4,
		"imb mt -repeat 3 -malloc_algo continuous -count 2 PingPongMT AllReduceMT":                          2,
		"probe Fragments_threads --option threads=3 --iter 3 --msglog 0:4":                                  3,
		"probe osu:latency_mt --option threads=2 --option senders=2 --iter 2 --option warmup=0 --msgsize 1": 2,
	} {
		t.Run(line, func(t *testing.T) {
			prefix := filepath.Join(t.TempDir(), "threads")
			out, err := underMPI(t, launcher(t), 2, append(strings.Fields(line), "-o", prefix)...).CombinedOutput()
			require.NoError(t, err, string(out))
			for _, b := range readProbe(t, prefix+".json").Blocks {
				require.NotEmpty(t, b.Rows)
				for _, row := range b.Rows {
					require.Len(t, row.Samples, 1)
					require.Len(t, row.Samples[0].Each, each, b.Kernel)
					require.Zero(t, row.Defects, b.Kernel)
					require.Equal(t, row.Bytes > 0, row.Checked == 1, b.Kernel)
					require.Equal(t, b.Threads > 1, row.Derived[0].Fairness > 0, b.Kernel)
				}
			}
		})
	}
}

// Threads of two processes make the parts of messages ready. The data arrive, and the figures are those for parts. If
// the library lacks such messages, beff prints a line.
func TestPartsOfThreadsUnderMPI(t *testing.T) {
	prefix := filepath.Join(t.TempDir(), "parts")
	out, err := underMPI(t, launcher(t), 2, strings.Fields("probe Partitioned_threads --iter 4 --msgsize 24 "+
		"--option threads=2 --option partitions=1,3,8 -o "+prefix)...).CombinedOutput()
	if err != nil {
		require.Contains(t, string(out), "needs MPI_Psend_init of MPI 4.0, which Open MPI 4.1")
		return
	}
	blocks := readProbe(t, prefix+".json").Blocks
	require.Len(t, blocks, 2) // without and with a delay
	for _, b := range blocks {
		require.Equal(t, 2, b.Threads)
		require.Len(t, b.Rows, 3)
		for _, row := range b.Rows {
			require.Zero(t, row.Defects)
			require.Equal(t, int64(1), row.Checked)
			x := row.Derived[0]
			require.True(t, x.Usual > 0 && x.Last > 0 && x.Max > x.Last+b.Delay, "%+v", x)
			require.InEpsilon(t, 24/x.Last, x.Perceived, 1e-9)
		}
	}
}
