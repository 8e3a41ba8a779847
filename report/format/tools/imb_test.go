package tools

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/report/foreign"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
	"github.com/effective-bandwidth/beff/report/ofprobe"
)

// A written probe is read as the tables that comparisons use, with the printed digits.
func TestIMBOwn(t *testing.T) {
	for name, r := range fixture.Probed() {
		got, err := readAs(t, fixture.IMBText(t, r))
		require.NoError(t, err, name)
		require.Equal(t, []any{foreign.ProbeProgram, r.Complete, r.Processes, r.Command, r.Host.Machine},
			[]any{got.Program, got.Complete, got.Processes, got.Command, got.Host.Machine}, name)
		require.True(t, r.Started.Equal(got.Started), name)
		want := ofprobe.Report{Result: r}.Common()
		require.Len(t, got.Tables, len(want.Tables), name)
		for i, x := range want.Tables {
			y := got.Tables[i]
			require.Equal(t, []any{x.Test, x.Operation, x.Way, x.Processes, x.Lengths},
				[]any{y.Test, y.Operation, y.Way, y.Processes, y.Lengths}, name)
			time := y.Main(foreign.Seconds)
			for _, row := range x.Rows {
				slowest := 0.0
				for _, other := range y.Rows {
					if other.Bytes == row.Bytes {
						slowest = max(slowest, other.Values[time])
					}
				}
				require.InDelta(t, row.Values[0], slowest, 0.0051e-6, "%s, %d bytes", name, row.Bytes)
			}
		}
	}
	r, err := readAs(t, fixture.IMBText(t, fixture.Probed()["missing"]))
	require.NoError(t, err)
	require.Equal(t, 1, r.Failed())
	require.Contains(t, r.Tables[0].Settings, foreign.Setting{Name: "4194304 bytes", Value: "int-overflow"})
}

// The first throughput with enough digits shows how large a megabyte is. If there is none, it has 10^6 bytes.
func TestIMBMegabyte(t *testing.T) {
	for _, of2 := range []bool{false, true} {
		r := fixture.Probed()["pingpong"]
		r.Settings.MegaBytesOf2 = of2
		text := strings.ReplaceAll(fixture.IMBText(t, r), "# Mbyte", "# other")
		got, err := readAs(t, text)
		require.NoError(t, err)
		x := &got.Tables[0]
		last := x.Rows[len(x.Rows)-1]
		require.InEpsilon(t, float64(last.Bytes)/last.Values[x.Main(foreign.Seconds)],
			last.Values[x.Main(foreign.BytesPerSecond)], 1e-4)
	}
}

// Texts of other versions are read. They were printed, or written by hand like the guide's samples and the programs'
// formats.
func TestIMBVersions(t *testing.T) {
	tests := func(r *foreign.Result) []string {
		return lists.Each(r.Tables, func(x foreign.Table) string { return x.Test })
	}
	at := func(r *foreign.Result, table int, column string, bytes int64) float64 {
		x := r.Tables[table]
		for i, c := range x.Columns {
			if c.Name == column {
				return row(t, r, table, bytes).Values[i]
			}
		}
		require.Fail(t, "no column "+column)
		return 0
	}
	for name, check := range map[string]func(r *foreign.Result){
		"3.2": func(r *foreign.Result) {
			require.Equal(t, []string{"PingPong", "Allreduce"}, tests(r))
			require.Equal(t, "./IMB-MPI1 PingPong Allreduce -npmin 4", r.Command)
			require.Equal(t, 4, r.Processes)
			require.InDelta(t, 350.25e-6, at(r, 0, "t", 1<<20), 1e-12)
			require.InEpsilon(t, 2855.10*(1<<20), at(r, 0, "Mbytes/sec", 1<<20), 1e-12)
			require.Equal(t, []any{foreign.Message, foreign.HalfRoundTrip},
				[]any{r.Tables[0].Operation, r.Tables[0].Way})
			require.Equal(t, []any{foreign.Collective("Allreduce"), foreign.BackToBack},
				[]any{r.Tables[1].Operation, r.Tables[1].Way})
		},
		"3.2-io": func(r *foreign.Result) {
			require.Equal(t, []string{"P_Write_Indv", "P_Write_Indv"}, tests(r))
			require.Contains(t, r.Tables[0].Settings, foreign.Setting{Name: "mode", Value: "aggregate"})
			require.Contains(t, r.Tables[1].Settings, foreign.Setting{Name: "mode", Value: "non-aggregate"})
		},
		"2021-rma": func(r *foreign.Result) {
			require.Equal(t, []string{"Accumulate", "Truly_passive_put", "One_put_all"}, tests(r))
			require.InDelta(t, 12.5e-6, at(r, 1, "t_ovrl", 0), 1e-12)
			require.Equal(t, 20e9, at(r, 2, "Mbytes/sec", 100_000))
			require.False(t, r.Complete)
		},
		"2021-p2p": func(r *foreign.Result) {
			require.Equal(t, []string{"PingPong", "PingPing", "Stencil2D"}, tests(r))
			require.InDelta(t, 24.93e-6, at(r, 0, "t", 1024), 1e-12)
			require.Equal(t, 40112.0, at(r, 0, "Msg/sec", 1024))
			require.True(t, r.Complete)
		},
		"2021-uniband": func(r *foreign.Result) {
			require.Equal(t, []string{"Uniband", "Biband"}, tests(r))
			require.Equal(t, 64, r.Tables[1].Window)
			require.Equal(t, 597e6, at(r, 1, "Mbytes/sec", 4<<20))
			require.Equal(t, 142.0, at(r, 1, "Msg/sec", 4<<20))
		},
		"2021-multi": func(r *foreign.Result) {
			require.Equal(t, []string{"Multi-PingPong", "Multi-Uniband"}, tests(r))
			require.Equal(t, []any{foreign.SeveralPairs, 4}, []any{r.Tables[0].Operation, r.Tables[0].Processes})
			require.Len(t, r.Tables[0].Rows, 4)
			require.Equal(t, "group 1", r.Tables[0].Rows[3].Label)
			require.Equal(t, []float64{5e9, 5e6}, r.Tables[1].Rows[2].Values)
			require.True(t, r.Complete)
		},
		"2021-mt": func(r *foreign.Result) {
			require.Len(t, r.Tables, 10)
			require.Contains(t, r.Tables[0].Settings, foreign.Setting{Name: "threads", Value: "2"})
			require.True(t, r.Complete)
		},
	} {
		r := readSample(t, "imb/"+name+".txt")
		require.Equal(t, "IMB", r.Program, name)
		check(r)
	}
}

// A text that ends early is not complete, wherever it ends.
func TestIMBTruncated(t *testing.T) {
	for _, name := range []string{"exchange", "multi1"} {
		text := fixture.IMBText(t, fixture.Probed()[name])
		for end := strings.Index(text, "#bytes") + 160; end < len(text)-30; end += 7 {
			r, err := readAs(t, text[:end])
			require.NoError(t, err, text[:end])
			require.False(t, r.Complete)
		}
	}
}

// Contradictory text is refused, with the line.
func TestIMBRefused(t *testing.T) {
	for name, c := range map[string]struct{ of, old, new, want string }{
		"nothing": {"pingpong", "# Benchmarking PingPong", "# Measuring PingPong",
			"it has no figures"},
		"throughput":     {"pingpong", "9976.21", "8976.21", "line 53: 8976.21 Mbytes/sec: "},
		"other megabyte": {"pingpong", "9976.21", "9514.05", "and a Mbyte of 10^6 bytes as above"},
		"order":          {"exchange", "420.43", "370.43", "not in this order"},
		"repetitions": {"pingpong", "4194304           10", "4194304            0",
			"line 53: #repetitions: 0 repetitions"},
		"twice": {"allreduce", "      4194304 ", "      1048576 ", "1048576 bytes occur twice"},
		"text": {"allreduce", "      4194304           10", "      4194304          ten",
			`#repetitions: "ten" is not a whole number`},
		"half": {"allreduce", "      4194304           10", "      4194304          0.5", "not a whole number"},
		"more": {"allreduce", "      4194304           10", "      4194304   10       10",
			"6 figures in a table of 5 columns"},
		"less": {"pingpong", "      1048576           40", "      1048576", "3 figures in a table of 4 columns"},
		"two runs": {"pingpong", "# All processes entering MPI_Finalize",
			"# All processes entering MPI_Finalize\n# Intel(R) MPI Benchmarks 2021.11, MPI-1 part",
			"it has 2 runs"},
	} {
		text := fixture.IMBText(t, fixture.Probed()[c.of])
		require.Contains(t, text, c.old, name)
		_, err := readAs(t, strings.Replace(text, c.old, c.new, 1))
		require.ErrorContains(t, err, c.want, name)
		require.NotContains(t, err.Error(), "\n")
	}
}

// Tables whose throughputs have no digits are read.
func TestIMBFew(t *testing.T) {
	p := fixture.ProbeCluster()
	p.Add(kernel.MPI1, "PingPong", settings.Plain, 2, 1)
	b := p.Add(kernel.MPI1, "PingPing", settings.Plain, 2, 1)
	b.Rows = b.Rows[:2]
	r, err := readAs(t, fixture.IMBText(t, &p.Result))
	require.NoError(t, err)
	require.Len(t, r.Tables, 2)
}
