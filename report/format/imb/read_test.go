package imb_test

import (
	"bytes"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/report/format/imb"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
	"github.com/effective-bandwidth/beff/report/ofprobe"
)

// What is written comes back: the same tables, and the figures to their printed digits.
func TestRead(t *testing.T) {
	for name, want := range fixture.Probed() {
		t.Run(name, func(t *testing.T) {
			text := fixture.IMBText(t, want)
			r := fixture.ImportIMB(t, text)
			require.Equal(t, "imb.txt", r.Imported)
			require.Equal(t, want.Complete, r.Complete)
			require.Equal(t, want.Started, r.Started)
			require.Equal(t, want.Processes, r.Processes)
			require.Equal(t, want.Command, r.Command)
			require.Equal(t, want.Settings.Multi, r.Settings.Multi)
			require.Equal(t, want.Settings.MegaBytesOf2 && name != "missing", r.Settings.MegaBytesOf2)
			require.Len(t, r.Blocks, len(want.Blocks))
			for i, b := range want.Blocks {
				have := r.Blocks[i]
				rows := have.Rows
				b.Rows, have.Rows = nil, nil
				require.Equal(t, b, have)
				for j, row := range want.Blocks[i].Rows {
					require.Equal(t, row.Bytes, rows[j].Bytes)
					require.Equal(t, row.Missing, rows[j].Missing)
					require.Equal(t, row.Repetitions, rows[j].Repetitions)
					require.Equal(t, row.Defects, rows[j].Defects)
					require.Len(t, rows[j].Derived, len(row.Derived))
				}
			}
			require.Equal(t, timesOf(text), timesOf(fixture.IMBText(t, r)))
		})
	}
}

// timesOf are the rows of a text without what follows from times, whose digits an import can't keep.
func timesOf(text string) []string {
	var list []string
	follows := false
	for _, line := range strings.Split(text, "\n") {
		if strings.Contains(line, "#repetitions") {
			follows = strings.Contains(line, "Mbytes/sec") || strings.Contains(line, "overlap")
		}
		if words := strings.Fields(line); len(words) > 0 && !strings.HasPrefix(line, "#") {
			if follows && !strings.Contains(line, "#") {
				words = words[:len(words)-1]
			}
			list = append(list, strings.Join(words, " "))
		}
	}
	return list
}

// The megabyte is that of the first throughput with digits enough.
func TestReadMegabyte(t *testing.T) {
	for _, of2 := range []bool{false, true} {
		r := fixture.Probed()["pingpong"]
		r.Settings.MegaBytesOf2 = of2
		require.Equal(t, of2, fixture.ImportIMB(t, fixture.IMBText(t, r)).Settings.MegaBytesOf2)
	}
	p := fixture.ProbeCluster()
	p.Latency, p.PerByte = 1e-3, 0
	b := p.Add(kernel.MPI1, "PingPong", settings.Plain, 2, 1)
	b.Rows = b.Rows[:2]
	require.Equal(t, "megabytes", fixture.ImportIMB(t, fixture.IMBText(t, &p.Result)).Warnings[1].Code)
}

// Texts of other versions, written by hand after the guide's samples and the formats of the programs.
func TestReadVersions(t *testing.T) {
	for name, check := range map[string]func(r *probe.Result){
		"3.2": func(r *probe.Result) {
			require.True(t, r.Settings.MegaBytesOf2)
			require.Equal(t, []string{"PingPong", "Allreduce"}, kernelsOf(r))
			require.Equal(t, "MPI_THREAD_SINGLE", r.ThreadLevel)
			require.Equal(t, "./IMB-MPI1 PingPong Allreduce -npmin 4", r.Command)
			require.Equal(t, 2, r.Blocks[0].Waiting)
			require.InDelta(t, 350.25e-6, r.Blocks[0].Rows[2].Derived[0].Max, 1e-12)
		},
		"3.2-io": func(r *probe.Result) {
			require.Equal(t, []string{"P_Write_Indv", "P_Write_Indv"}, kernelsOf(r))
			require.Equal(t, settings.Aggregate, r.Blocks[0].Mode)
			require.Equal(t, settings.NonAggregate, r.Blocks[1].Mode)
		},
		"2021-rma": func(r *probe.Result) {
			require.False(t, r.Settings.MegaBytesOf2)
			require.Equal(t, []string{"Accumulate", "Truly_passive_put", "One_put_all"}, kernelsOf(r))
			require.Equal(t, kernel.RMA, r.Blocks[0].Component)
			require.InDelta(t, 12.5e-6, r.Blocks[1].Rows[0].Derived[0].Passive, 1e-12)
			require.False(t, r.Complete)
		},
		"2021-p2p": func(r *probe.Result) {
			require.Equal(t, []string{"PingPong", "PingPing", "Stencil2D"}, kernelsOf(r))
			require.Equal(t, kernel.P2P, r.Blocks[0].Component)
			require.InDelta(t, 24.93e-6, r.Blocks[0].Rows[0].Derived[0].Mean, 1e-12)
			require.InDelta(t, 1.0/40112, r.Blocks[0].Rows[0].Derived[0].Max, 1e-9)
			require.Zero(t, r.Blocks[0].Rows[0].Samples[0].Min, "not known")
			require.InDelta(t, 4/1788530.0, r.Blocks[2].Rows[0].Derived[0].Max, 1e-12)
			require.Equal(t, settings.ByToday, r.Settings.Method)
			require.True(t, r.Complete)
		},
		"2021-uniband": func(r *probe.Result) {
			require.Equal(t, []string{"Uniband", "Biband"}, kernelsOf(r))
			require.Equal(t, 64, r.Blocks[1].WindowSize)
			times := r.Blocks[1].Rows[3].Derived[0] // 128 messages
			require.InDelta(t, 128*4194304/597e6, times.Max, 1e-5)
			require.Equal(t, times.Max, times.Min)
			require.InDelta(t, 597e6, times.Bandwidth, 5000)
			require.False(t, r.Settings.MegaBytesOf2)
		},
		"2021-multi": func(r *probe.Result) {
			require.Equal(t, 1, *r.Settings.Multi)
			require.Equal(t, [][]int{{0, 1}, {2, 3}}, r.Blocks[0].Groups)
			require.Len(t, r.Blocks[0].Rows[1].Samples, 2)
			b := r.Blocks[1]
			require.Equal(t, "Uniband", b.Kernel)
			require.Equal(t, 64, b.WindowSize)
			for i, group := range b.Rows[1].Derived {
				rate := float64(5-i) * 1e6
				require.InEpsilon(t, 64/rate, group.Max, 1e-12)
				require.InEpsilon(t, rate, group.Rate, 1e-12)
				require.InEpsilon(t, 1000*rate, group.Bandwidth, 1e-12)
			}
			require.True(t, r.Complete)
		},
	} {
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile("testdata/read_" + name + ".txt")
			require.NoError(t, err)
			check(fixture.ImportIMB(t, string(text)))
		})
	}
}

func kernelsOf(r *probe.Result) []string {
	var list []string
	for _, b := range r.Blocks {
		list = append(list, b.Kernel)
	}
	return list
}

// A text that ends early is not complete, wherever it ends.
func TestReadTruncated(t *testing.T) {
	for _, name := range []string{"exchange", "multi1"} {
		text := fixture.IMBText(t, fixture.Probed()[name])
		tables := strings.Index(text, "#bytes")
		for end := tables + 120; end < len(text)-30; end += 7 {
			r, err := imb.Read(strings.NewReader(text[:end]), "a")
			require.NoError(t, err, text[:end])
			require.False(t, r.Complete)
			require.Equal(t, "truncated", r.Warnings[len(r.Warnings)-1].Code)
		}
	}
}

// What contradicts itself is refused with its line.
func TestReadRefused(t *testing.T) {
	for name, c := range map[string]struct{ of, old, new, want string }{
		"nothing": {"pingpong", "# Benchmarking PingPong", "# Measuring PingPong",
			"no table of the Intel MPI Benchmarks"},
		"throughput": {"pingpong", "9976.21", "8976.21",
			"line 53: 8976.21 Mbytes/sec: 420.43 usec give 9514.07 to 9976.22, and a Mbyte of 10^6 or 2^20 bytes"},
		"other megabyte": {"pingpong", "9976.21", "9514.05", "and a Mbyte of 10^6 bytes as above"},
		"order":          {"exchange", "420.43", "370.43", "not in this order"},
		"repetitions":    {"pingpong", "4194304           10", "4194304            0", "line 53: 0 repetitions"},
		"twice":          {"allreduce", "      4194304 ", "      1048576 ", "1048576 bytes are there twice"},
		"text": {"allreduce", "      4194304           10", "      4194304          ten",
			`#repetitions is "ten"`},
		"half": {"allreduce", "      4194304           10", "      4194304          0.5", "no whole number"},
		"more": {"allreduce", "      4194304           10", "      4194304   10       10",
			"6 figures in a table of 5 columns"},
		"less":  {"pingpong", "      1048576           40", "      1048576", "3 figures in a table of 4 columns"},
		"group": {"multi1", "            1         1024", "            2         1024", "group 2 of 2"},
		"no group": {"multi1", "            1         1024         1000         1.16       884.65\n", "",
			"lacks groups"},
		"ranks":       {"multi1", "# Group  1:     2    3", "# Group  1:     2    3    4", "more ranks"},
		"fewer ranks": {"multi1", "# Group  1:     2    3", "# Group  1:     2", "does not say all of its processes"},
		"mode":        {"write", "NON-AGGREGATE", "SOME", "mode"},
		"two runs": {"pingpong", "# All processes entering MPI_Finalize",
			"# All processes entering MPI_Finalize\n# Intel(R) MPI Benchmarks 2021.11, MPI-1 part",
			"another run begins"},
	} {
		t.Run(name, func(t *testing.T) {
			text := fixture.IMBText(t, fixture.Probed()[c.of])
			require.Contains(t, text, c.old)
			_, err := imb.Read(strings.NewReader(strings.Replace(text, c.old, c.new, 1)), "a")
			require.ErrorContains(t, err, c.want)
			require.NotContains(t, err.Error(), "\n")
		})
	}
}

// Whatever is read gives an error of one line, or a result whose text is read the same again.
func FuzzRead(f *testing.F) {
	for _, r := range fixture.Probed() {
		f.Add(fixture.IMBText(f, r))
	}
	for _, name := range []string{"3.2", "3.2-io", "2021-rma", "2021-multi"} {
		text, err := os.ReadFile("testdata/read_" + name + ".txt")
		require.NoError(f, err)
		f.Add(string(text))
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := imb.Read(strings.NewReader(text), "a")
		if err != nil {
			require.NotContains(t, err.Error(), "\n")
			return
		}
		require.NoError(t, r.Check())
		var b bytes.Buffer
		require.NoError(t, ofprobe.Form.Seal(&b, r))
		written := fixture.IMBText(t, r)
		again, err := imb.Read(strings.NewReader(written), "a")
		require.NoError(t, err)
		require.Equal(t, rows(written), rows(fixture.IMBText(t, again)))
		for _, block := range r.Blocks {
			for _, row := range block.Rows {
				for _, d := range row.Derived {
					require.False(t, math.IsNaN(d.Max) || math.IsInf(d.Bandwidth, 0))
				}
			}
		}
	})
}

// rows returns the lines of a text that have figures.
func rows(text string) []string {
	return slices.DeleteFunc(strings.Split(text, "\n"), func(line string) bool { return !strings.HasPrefix(line, " ") })
}
