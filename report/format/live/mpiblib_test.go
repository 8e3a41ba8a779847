package live_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/format/live"
	"github.com/effective-bandwidth/beff/report/format/tools"
)

// result returns a result with two lengths, on two processes on two hosts.
func result(name string, component kernel.Component) *probe.Result {
	precision := settings.Default.Precision
	r := &probe.Result{Processes: 2, Clock: &measured.Clock{Resolution: 1e-9, Reading: 3e-8},
		Software: rating.Software{Beff: "0.1.0"}, Period: rating.Period{WallSeconds: 2.5},
		Settings: settings.Settings{Series: settings.Series{Precision: &precision, Timing: settings.ByMax},
			Columns: settings.MPIBlibColumns, Rows: settings.Rows{Lengths: []int64{8, 1024}}}}
	r.Placement = []job.Placement{{Host: "a", Ranks: "0", Processes: 1}, {Host: "b", Ranks: "1", Processes: 1}}
	r.Blocks = []measured.Block{{Kernel: name, Component: component, Processes: 2, Rows: []measured.Row{
		{Bytes: 8, Repetitions: 5, Checked: 1, Series: []measured.Series{{Ended: settings.AtMost,
			Max: []int64{10e6, 12e6, 11e6, 10e6, 12e6}}}},
		{Bytes: 1024, Repetitions: 1, Checked: 1, Series: []measured.Series{{Ended: settings.OutOfTime,
			Max: []int64{20e6}}}},
	}}}
	probe.Rederive(r)
	return r
}

func textOf(t *testing.T, r *probe.Result) string {
	var s strings.Builder
	require.True(t, live.FitsMPIBlib(r, live.Selections(r)))
	require.NoError(t, live.Write(&s, r, live.MPIBlib))
	return s.String()
}

const (
	head       = "#beff\t\t0.1.0\n#\n"
	processors = "#Processors\n#rank\tprocessor\n#0\ta\n#1\tb\n#\n"
	precision  = "#Precision\n#min_reps\t5\n#max_reps\t100\n#cl\t\t9.500000e-01\n#eps\t\t2.500000e-02\n#\n"
	table      = "#msg\ttime\t\twtick\treps\tci\n8\t1.100000e-05\t1\t5\t1.241664e-06\n1024\t2.000000e-05\t1\t1\tnan\n"
)

// The text of the tool collective (MPIBlib manual, 4.4 and 9.23) has MPIBlib's and MPI's names of operations.
func TestMPIBlibCollective(t *testing.T) {
	for name, want := range map[string]string{"Scatter_binomial": "MPIB_Scatter_binomial", "Bcast": "MPI_Bcast"} {
		component := kernel.MPI1
		if strings.Contains(name, "_") {
			component = kernel.MPIB
		}
		require.Equal(t, head+processors+"#nodes\t\t2\n#root\t\t0\n#operation\t"+want+"\n#timing\t\tmax\n#\n"+precision+
			table+"#total benchmarking time: 2.500000e+00\n", textOf(t, result(name, component)))
	}
}

// In the text of the tool p2p (manual, 4.3) the table comes last.
func TestMPIBlibP2P(t *testing.T) {
	require.Equal(t, head+"#p2p adaptive benchmark 0-1\n#\n"+processors+"#Message set\n#min_size\t8\n"+
		"#max_size\t1024\n#stride\t\t1016\n#max_diff\t1.000000e-01\n#min_stride\t64\n#max_num\t100\n#\n"+precision+
		"#total benchmarking time: 2.500000e+00\n#\n"+table, textOf(t, result("Roundtrip", kernel.MPIB)))
}

// The reader for MPIBlib's output finds the same times.
func TestMPIBlibRead(t *testing.T) {
	text := textOf(t, result("Scatter_binomial", kernel.MPIB))
	r, err := tools.Read(strings.NewReader(text), "x.txt")
	require.NoError(t, err)
	got := r.Tables
	require.Len(t, got, 1)
	require.Equal(t, "MPIB_Scatter_binomial", got[0].Test)
	require.Equal(t, "beff probe 0.1.0", r.Program+" "+r.ProgramVersion, "the text must not be taken for MPIBlib's")
	require.Equal(t, []float64{1.1e-5}, got[0].Rows[0].Values)
}

// Results with other columns or without series don't fit.
func TestMPIBlibFits(t *testing.T) {
	r := result("Bcast", kernel.MPI1)
	r.Settings.Columns = ""
	require.False(t, live.FitsMPIBlib(r, live.Selections(r)))
	r = result("Bcast", kernel.MPI1)
	r.Settings.Series.Precision = nil
	require.False(t, live.FitsMPIBlib(r, live.Selections(r)), "no series")
	require.False(t, live.FitsMPIBlib(r, nil))
}
