package ofprobe

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
)

// contested returns a result in which the library needs 4 µs and 100 ps a byte, binomial trees 2 µs and 200 ps, chains
// 8 µs and 50 ps. The first is named last.
func contested() *probe.Result {
	p := fixture.ProbeCluster()
	for _, x := range []struct {
		c                kernel.Component
		name             string
		latency, perByte float64
	}{
		{kernel.MPIB, "Bcast_binomial", 2e-6, 200e-12}, {kernel.MPIB, "Bcast_chain", 8e-6, 50e-12},
		{kernel.MPI1, "Bcast", 4e-6, 100e-12}, {kernel.MPIB, "Scatter_flat", 1e-6, 0},
	} {
		p.Latency, p.PerByte = x.latency, x.perByte
		p.Add(x.c, x.name, settings.Plain, 4, 1)
	}
	return &p.Result
}

// Binomial trees win to 20 kB, then the library to 80 kB; chains win above.
func TestContests(t *testing.T) {
	require.Equal(t, []string{
		"Bcast on 4 processes, 0 to 4096 bytes: Bcast_binomial (1.87 times as fast as Bcast)",
		"Bcast on 4 processes, 65536 bytes: Bcast",
		"Bcast on 4 processes, 1048576 to 4194304 bytes: Bcast_chain (1.87 times as fast as Bcast)",
	}, Contests(contested()))
	r := contested()
	d := Document(r, Figures(r))
	require.NoError(t, d.Validate())
	require.Equal(t, "Bcast: library against algorithms", d.Sections[1].Title)
	require.Len(t, d.Sections[1].Blocks, 3, "a table, a picture, a note")
	var ids []string
	for _, f := range chart.Figures(contestPlots(r)...) {
		ids = append(ids, f.ID)
		require.Equal(t, "2 times", f.Drawing.(*chart.Chart).Y.Format(2), "a ratio has no unit")
		for _, tick := range f.Drawing.(*chart.Chart).Y.Ticks {
			require.NotContains(t, tick.Label, "s")
		}
	}
	require.Equal(t, []string{"probe-contest-bcast-ratio"}, ids)
}

// Without the library's call the first algorithm is the base, and a single kernel is not a contest.
func TestContestWithoutLibrary(t *testing.T) {
	r := contested()
	r.Blocks = r.Blocks[:2]
	require.Equal(t, "Bcast on 4 processes, 0 to 4096 bytes: Bcast_binomial", Contests(r)[0])
	require.Equal(t, "Bcast on 4 processes, 65536 to 4194304 bytes: Bcast_chain (2.63 times as fast as Bcast_binomial)",
		Contests(r)[1])
	r.Blocks = r.Blocks[:1]
	require.Empty(t, Contests(r))
	r = contested()
	r.Blocks = r.Blocks[2:3]
	require.Empty(t, Contests(r))
	require.Empty(t, algorithmSections(r, nil))
}
