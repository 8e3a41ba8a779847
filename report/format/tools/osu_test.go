package tools

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/report/foreign"
)

// OSU's texts are read with the figures in the files.
func TestOSU(t *testing.T) {
	r := readSample(t, "osu/latency.txt")
	require.Equal(t, "7.4", r.ProgramVersion)
	x := r.Tables[0]
	require.Equal(t, []string{"Avg Latency(us)"}, heads(&x))
	require.Equal(t, []any{"osu_latency", foreign.Message, foreign.HalfRoundTrip, 2, true, 21},
		[]any{x.Test, x.Operation, x.Way, x.Processes, x.Lengths, len(x.Rows)})
	require.Equal(t, []foreign.Setting{{Name: "Datatype", Value: "MPI_CHAR"}}, x.Settings)
	require.Equal(t, []float64{2e-7}, row(t, r, 0, 1).Values)
	require.Equal(t, []float64{4.5093e-3}, row(t, r, 0, 1<<20).Values)

	r = readSample(t, "osu/bw.txt")
	require.Equal(t, foreign.Window, r.Tables[0].Way)
	require.Equal(t, []float64{21.07e6}, row(t, r, 0, 1).Values)
	require.Contains(t, r.Tables[0].Words(), "a window of messages under way at once, then an answer (window size not "+
		"printed, by default 64)")

	r = readSample(t, "osu/mbw_mr.txt")
	require.Equal(t, []any{2, 64}, []any{r.Tables[0].Processes, r.Tables[0].Window})
	require.Equal(t, []string{"MB/s", "Messages/s"}, heads(&r.Tables[0]))
	require.Equal(t, []float64{22.70e6, 22701475.60}, row(t, r, 0, 1).Values)
	require.Contains(t, r.Tables[0].Words(), "a window of 64 messages under way")

	r = readSample(t, "osu/allreduce.txt")
	require.Equal(t, []string{"Avg Latency(us)", "Min Latency(us)", "Max Latency(us)"}, heads(&r.Tables[0]))
	require.Equal(t, foreign.Row{Bytes: 8, Repetitions: 50, Values: []float64{0.18e-6, 0.15e-6, 0.21e-6}},
		row(t, r, 0, 8))
	require.Equal(t, foreign.Operation("allreduce"), r.Tables[0].Operation)

	// Columns are recognised by their headings, in any order and with or without other columns.
	swapped, err := readAs(t, "# OSU MPI Allreduce Latency Test v7.4\n# Size  Max Latency(us)  Iterations   "+
		"Avg Latency(us)  Validation  Min Latency(us)\n8   0.21  50  0.18  Pass  0.15\n")
	require.NoError(t, err)
	require.Equal(t, []string{"Max Latency(us)", "Avg Latency(us)", "Min Latency(us)"}, heads(&swapped.Tables[0]))
	require.Equal(t, 1, swapped.Tables[0].Main(foreign.Seconds))
	require.Equal(t, foreign.Row{Bytes: 8, Repetitions: 50, Values: []float64{0.21e-6, 0.18e-6, 0.15e-6}},
		row(t, swapped, 0, 8))

	r = readSample(t, "osu/allreduce-z.txt")
	require.Equal(t, []string{"Avg Latency(us)", "P50 Tail Lat(us)", "P90 Tail Lat(us)", "P99 Tail Lat(us)"},
		heads(&r.Tables[0]))
	require.Equal(t, []float64{0.36e-6, 0.3e-6, 0.35e-6, 0.44e-6}, row(t, r, 0, 4).Values)

	r = readSample(t, "osu/allreduce-c.txt")
	require.Equal(t, 1, r.Failed())
	require.True(t, row(t, r, 0, 16).Failed)

	r = readSample(t, "osu/barrier.txt")
	require.False(t, r.Tables[0].Lengths)
	require.Equal(t, []foreign.Row{{Repetitions: 100, Values: []float64{0.27e-6, 0.27e-6, 0.27e-6}}}, r.Tables[0].Rows)
	require.Len(t, readSample(t, "osu/barrier0.txt").Tables[0].Rows, 1)

	r = readSample(t, "osu/iallreduce-f.txt")
	require.Equal(t, []any{"osu_iallreduce", foreign.Operation("iallreduce"), foreign.Overlapped},
		[]any{r.Tables[0].Test, r.Tables[0].Operation, r.Tables[0].Way})
	require.Len(t, r.Tables[0].Columns, 9)
	require.InDelta(t, 0.6339, row(t, r, 0, 4).Values[8], 1e-12)
	require.Equal(t, foreign.Operation("ibarrier"), readSample(t, "osu/ibarrier.txt").Tables[0].Operation)

	r = readSample(t, "osu/put_latency.txt")
	require.Equal(t, []foreign.Setting{{Name: "Window creation", Value: "MPI_Win_allocate"},
		{Name: "Synchronization", Value: "MPI_Win_flush"}, {Name: "Datatype", Value: "MPI_CHAR"}}, r.Tables[0].Settings)
	require.Equal(t, foreign.PutBothWays, readSample(t, "osu/put_bibw.txt").Tables[0].Operation)
	require.Equal(t, foreign.FetchAndOp, readSample(t, "osu/fop.txt").Tables[0].Operation)
	require.Equal(t, []float64{0.249, 0.249, 0.249}, readSample(t, "osu/init.txt").Tables[0].Rows[0].Values)
}

// The title of each of OSU's MPI benchmarks determines its name and operation.
func TestOSUTitles(t *testing.T) {
	for title, want := range map[string]string{
		"Latency Test": "osu_latency message", "All-to-All Personalized Exchange Latency Test": "osu_alltoall alltoall",
		"Non-Blocking Broadcast Latency Test":              "osu_ibcast ibcast",
		"Non-blocking Neighborhood Alltoallw Latency Test": "osu_ineighbor_alltoallw ineighbor_alltoallw",
		"Neighborhood All-to-Allv Latency Test":            "osu_neighbor_alltoallv neighbor_alltoallv",
		"Reduce_scatter_block Latency Test":                "osu_reduce_scatter_block reduce_scatter_block",
		"Non-blocking Reduce_scatter_block Latency Test":   "osu_ireduce_scatter_block ireduce_scatter_block",
		"Allreduce Persistent Latency Test":                "osu_allreduce_persistent ",
		"Bi-Directional Bandwidth Persistent Test":         "osu_bibw_persistent ",
		"_Compare_and_swap latency Test":                   "osu_cas_latency compare_and_swap",
		"_Get Bandwidth Test":                              "osu_get_bw get",
		"Bandwidth Fan-In Test":                            "osu_bw_fan_in fan_in",
		"Something New Test":                               "Something New Test ",
	} {
		x := osuKnown(title)
		require.Equal(t, want, x.name+" "+string(x.operation), title)
	}
}

// A file may have several texts one after the other, with lines of launchers. Texts may be from GPUs or end early.
func TestOSUTexts(t *testing.T) {
	r, err := readAs(t, sample(t, "osu/latency.txt")+"mpirun noticed something\n"+sample(t, "osu/bw.txt"))
	require.NoError(t, err)
	require.Len(t, r.Tables, 2)
	require.True(t, r.Complete)

	r, err = readAs(t, "\n# OSU MPI-CUDA Latency Test v7.5\n"+
		"# Send Buffer on DEVICE (D) and Receive Buffer on HOST (H)\n"+
		"# Size          Latency (us)\n8 3.14\n16 3.1")
	require.NoError(t, err)
	require.False(t, r.Complete, "the last line has no end")
	require.Equal(t, []foreign.Row{{Bytes: 8, Values: []float64{3.14e-6}}}, r.Tables[0].Rows)
	require.Equal(t, []foreign.Setting{{Name: "devices", Value: "CUDA"},
		{Name: foreign.Buffers, Value: "D H"}}, r.Tables[0].Settings)
}
