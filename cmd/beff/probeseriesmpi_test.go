package main

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/probe/settings"
)

// Series of kernels of each kind run with each timing, with no wrong data and complete rows, and the documents verify.
// If processes have their own clocks, the offsets of the timing global are known.
func TestSeriesUnderMPI(t *testing.T) {
	for _, timing := range settings.Timings {
		t.Run(string(timing), func(t *testing.T) {
			prefix := filepath.Join(t.TempDir(), "probe")
			args := []string{"probe", "--timing", string(timing), "--repetitions", "5:20", "--lengths", "0:1024:1024",
				"--option", "compute=1ms", "-p", t.TempDir(), "-o", prefix, "PingPong", "Bcast", "Ialltoall",
				"Unidir_Put", "Unidir_put", "P_Write_Priv", "C_Read_Shared", "S_IWrite_Expl"}
			out, err := underMPI(t, launcher(t), 2, args...).CombinedOutput()
			require.NoError(t, err, string(out))
			r := readProbe(t, prefix+".json")
			require.True(t, r.Complete)
			require.Equal(t, timing, r.Settings.Clocked())
			require.Positive(t, r.Clock.Resolution)
			for _, b := range r.Blocks {
				for _, row := range b.Rows {
					require.Empty(t, row.Missing, b.Kernel)
					require.Zero(t, row.Defects, b.Kernel)
					require.GreaterOrEqual(t, row.Repetitions, int64(5), b.Kernel)
					require.Len(t, row.Statistics, len(row.Series), b.Kernel)
					if timing == settings.ByGlobal && !r.Clock.Global {
						require.Len(t, row.Offsets.Before.Offsets, b.Processes*max(1, len(b.Groups)), b.Kernel)
						require.Less(t, row.Offsets.Uncertainty, 1.0, b.Kernel)
					}
				}
			}
		})
	}
}
