package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Threads of two processes measure at the same time: no wrong data, a time of each thread, and figures that follow. One
// thread runs at any level.
func TestThreadsUnderMPI(t *testing.T) {
	for line, each := range map[string]int{
		"imb mt -thread_level multiple --threads 2 -repeat 1 -warmup 1 -count 3":                            4,
		"imb mt -thread_level multiple --threads 2 -repeat 1 -malloc_algo parallel -barrier off PingPongMT": 4,
		"imb mt -repeat 3 -malloc_algo continuous -count 2 PingPongMT AllReduceMT":                          2,
		"osu latency_mt -t 2:2 -i 2 -x 0 -m 1:1":                                                            2,
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
