package probe_test

import (
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/effective-bandwidth/beff/internal/fault"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/rating"
)

// Data that were just written are read from memory. That is a warning, but not noise. If they were dropped before, it
// is neither. Files that stay in memory although they were dropped are noise.
func TestColdFiles(t *testing.T) {
	measured := func(dir string, cold bool, s settings.Settings) *probe.Result {
		s.Rows.Lengths, s.Who.MinProcesses, s.Memory.Cold = []int64{0, 1 << 16}, 3, cold
		r := onLocal(t, 3, probe.Config{Selections: named(t, "P_Read_Indv", "P_Read_Priv", "C_Read_Shared",
			"P_Read_Expl", "P_Write_Expl"), Directory: dir, Settings: s})
		for _, b := range r.Blocks {
			for _, row := range b.Rows {
				reads := row.Bytes > 0 && b.Kernel != "P_Write_Expl"
				require.Equal(t, reads, row.Pages != nil, "%s, %d bytes", b.Kernel, row.Bytes)
			}
		}
		return r
	}
	sign := func(r *probe.Result) rating.Sign {
		i := slices.IndexFunc(r.Signs, func(s rating.Sign) bool { return s.Name == "memory" })
		require.GreaterOrEqual(t, i, 0)
		return r.Signs[i]
	}
	ofMemory := func(w rating.Warning) bool { return w.Code == "memory" }
	dir := t.TempDir()
	var at unix.Statfs_t
	require.NoError(t, unix.Statfs(dir, &at))
	for _, s := range []settings.Settings{{Repetitions: settings.Repetitions{Max: 3, Policy: settings.Off}},
		{Series: settings.Series{Quantiles: []float64{50}}}} {
		r := measured(dir, false, s)
		require.True(t, slices.ContainsFunc(r.Warnings, ofMemory))
		require.False(t, slices.ContainsFunc(r.Signs, func(s rating.Sign) bool { return s.Name == "memory" }))
		if r := measured(dir, true, s); at.Type != unix.TMPFS_MAGIC {
			require.Zero(t, sign(r).Value)
			require.True(t, sign(r).Quiet)
			require.False(t, slices.ContainsFunc(r.Warnings, ofMemory))
		}
	}
	memory, err := os.MkdirTemp("/dev/shm", "beff")
	if err != nil {
		t.Skip(err)
	}
	defer os.RemoveAll(memory)
	require.False(t, sign(measured(memory, true, settings.Settings{Repetitions: settings.Repetitions{Max: 3,
		Policy: settings.Off}})).Quiet)
}

// A call that stalls is the first of the slowest ones, with its process, repetition and place in the file.
func TestSlowestCalls(t *testing.T) {
	stalls := fault.Fault{Rank: 1, Run: func(_ int, run fault.Run) (mpi.Measurement, error) {
		m, err := run()
		if len(m.Each) > 7 {
			m.Each[7] += 30
		}
		return m, err
	}}
	r := onLocal(t, 2, probe.Config{Selections: named(t, "P_Write_Expl"), Directory: t.TempDir(),
		Settings: settings.Settings{Rows: settings.Rows{Lengths: []int64{4096}},
			Series: settings.Series{Quantiles: []float64{50}}, Who: settings.Who{MinProcesses: 2}}}, stalls)
	row := &r.Blocks[0].Rows[0]
	require.Len(t, row.SlowCalls, mpi.MaxSlowest)
	x := row.SlowCalls[0]
	require.InDelta(t, 30, x.Seconds, 1)
	// One repetition is the warm-up. Each repetition has 2048 bytes of process 0, then 2048 of process 1.
	require.Equal(t, []int64{1, 8, 8*4096 + 2048}, []int64{x.Rank, x.Repetition, x.Offset})
	require.InDelta(t, float64(row.Series[0].Counted.Max.Max)/1e12, x.Seconds, 1e-9)
	for _, other := range row.SlowCalls[1:] {
		require.Equal(t, other.Repetition*4096+2048*other.Rank, other.Offset)
	}
	row.SlowCalls[1].Rank = 2
	require.ErrorContains(t, r.Check(), "slow call 1: rank 2 of 2")
}
