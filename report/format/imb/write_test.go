package imb_test

import (
	"bytes"
	"errors"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/probe/suites"
	"github.com/effective-bandwidth/beff/report/format/imb"
	"github.com/effective-bandwidth/beff/report/format/live"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
	"github.com/effective-bandwidth/beff/report/words"
)

func TestText(t *testing.T) {
	for name, r := range fixture.Probed() {
		t.Run(name, func(t *testing.T) { fixture.Golden(t, name+".txt", fixture.IMBText(t, r)) })
	}
}

// During a run, the pieces together are the text of the whole result.
func TestTextLive(t *testing.T) {
	p := fixture.ProbeCluster()
	p.Add(kernel.MPI1, "PingPong", settings.Plain, 2, 1)
	p.Add(kernel.NBC, "Ibcast", settings.Plain, 4, 1)
	whole := p.Result
	early := whole
	early.Blocks = nil
	var b bytes.Buffer
	text := live.NewFollower(&b, &early, imb.NewWriter(&early, []probe.Selection{named(t, "PingPong"),
		named(t, "Ibcast")}))
	require.NoError(t, text.Header())
	for i := range whole.Blocks {
		blocks := slices.Clone(whole.Blocks[:i+1])
		for j := range blocks[i].Rows {
			blocks[i].Rows = whole.Blocks[i].Rows[:j+1]
			require.NoError(t, text.Follow(blocks))
		}
	}
	require.NoError(t, text.End())
	require.Equal(t, strings.ReplaceAll(fixture.IMBText(t, &whole), ": 3 of each length", ""), b.String())
}

// scriptOf reads IMB's text as scripts do: it uses the patterns that public parsers have in common, and takes figures
// by their position. It returns the figures of each row, by table.
func scriptOf(t *testing.T, text string) map[string][][]float64 {
	header := regexp.MustCompile(`^# Benchmarking (.*)`)
	processes := regexp.MustCompile(`# #processes = (\d+)`)
	groups := regexp.MustCompile(`(\d+) groups of (\d+) processes`)
	mode := regexp.MustCompile(`#\s+MODE: (\S+)`)
	row := regexp.MustCompile(`^\s*(\d+)\s+\d+\s+(\d*\.?\d+)`)
	whole := regexp.MustCompile(`^\s+\d+(\s+\d+)*(\s+\d+\.\d+)+$`)
	tables := map[string][][]float64{}
	name, n, how := "", "", ""
	for _, line := range strings.Split(text, "\n") {
		if m := header.FindStringSubmatch(line); m != nil {
			name, n, how = strings.TrimSpace(m[1]), "", ""
		} else if m := processes.FindStringSubmatch(line); m != nil {
			n = m[1]
		} else if m := groups.FindStringSubmatch(line); m != nil {
			n = m[1] + "x" + m[2]
		} else if m := mode.FindStringSubmatch(line); m != nil {
			how = m[1]
		} else if whole.MatchString(line) {
			require.True(t, row.MatchString(line) || name == "Barrier" || name == "Ibarrier", line)
			var figures []float64
			for _, word := range strings.Fields(line) {
				x, err := strconv.ParseFloat(word, 64)
				require.NoError(t, err)
				figures = append(figures, x)
			}
			key := strings.TrimSpace(name + " " + n + " " + how)
			tables[key] = append(tables[key], figures)
		}
	}
	return tables
}

// Scripts for IMB find the result's figures, to the last printed digit.
func TestScripts(t *testing.T) {
	p := fixture.ProbeCluster()
	for _, one := range []struct {
		c         kernel.Component
		kernel    string
		mode      settings.Mode
		processes int
	}{
		{kernel.MPI1, "PingPong", settings.Plain, 2}, {kernel.MPI1, "Exchange", settings.Plain, 4},
		{kernel.MPI1, "Allreduce", settings.Plain, 4}, {kernel.MPI1, "Barrier", settings.Plain, 2},
		{kernel.EXT, "Unidir_Put", settings.Aggregate, 2}, {kernel.EXT, "Unidir_Put", settings.NonAggregate, 2},
		{kernel.IO, "P_Write_Indv", settings.Aggregate, 4}, {kernel.NBC, "Ibcast", settings.Plain, 4},
	} {
		p.Add(one.c, one.kernel, one.mode, one.processes, 1)
	}
	tables := scriptOf(t, fixture.IMBText(t, &p.Result))
	keys := []string{"PingPong 2", "Exchange 4", "Allreduce 4", "Barrier 2", "Unidir_Put 2 AGGREGATE",
		"Unidir_Put 2 NON-AGGREGATE", "P_Write_Indv 4 AGGREGATE", "Ibcast 4"}
	require.Len(t, tables, len(keys))
	for i, key := range keys {
		b := &p.Result.Blocks[i]
		require.Len(t, tables[key], len(b.Rows), key)
		for j, row := range b.Rows {
			d := row.Derived[0]
			want := map[string][]float64{
				"PingPong":   {d.Max / words.Micro, d.Bandwidth / words.Mega},
				"Unidir_Put": {d.Max / words.Micro, d.Bandwidth / words.Mega},
				"Exchange": {d.Min / words.Micro, d.Max / words.Micro, d.Mean / words.Micro,
					d.Bandwidth / words.Mega},
				"P_Write_Indv": {d.Min / words.Micro, d.Max / words.Micro, d.Mean / words.Micro,
					d.Bandwidth / words.Mega},
				"Allreduce": {d.Min / words.Micro, d.Max / words.Micro, d.Mean / words.Micro},
				"Barrier":   {d.Min / words.Micro, d.Max / words.Micro, d.Mean / words.Micro},
				"Ibcast": {d.Overlapped / words.Micro, d.Pure / words.Micro, d.Compute / words.Micro,
					100 * d.Overlap},
			}[b.Kernel]
			want = append([]float64{float64(row.Bytes), float64(row.Repetitions)}, want...)
			if b.Kernel == "Barrier" {
				want = want[1:]
			}
			require.InDeltaSlice(t, want, tables[key][j], 0.00501, "%s, %d bytes", key, row.Bytes)
		}
	}
}

// Scripts find the rows of groups, which begin with the number of the group.
func TestGroups(t *testing.T) {
	tables := scriptOf(t, fixture.IMBText(t, fixture.Probed()["multi1"]))
	rows := tables["Multi-PingPong 2x2"]
	require.Len(t, rows, 2*len(fixture.ProbeLengths))
	require.Equal(t, []float64{1, 0, 1000, 1.05, 0}, rows[1])
	rows = scriptOf(t, fixture.IMBText(t, fixture.Probed()["multi0"]))["Multi-PingPong 2x2"]
	require.Equal(t, []float64{4096, 1000, 1.27, 1.48, 1.37, 2767.42}, rows[4])
}

// Strict scripts don't take a row with wrong data for a row.
func TestDefects(t *testing.T) {
	text := fixture.IMBText(t, fixture.Probed()["missing"])
	require.Len(t, scriptOf(t, text)["Alltoall 4"], len(fixture.ProbeLengths)-4)
	require.Contains(t, text, "WRONG DATA: 7 defects")
}

// With the column of defects, a row shows the size of the difference.
func TestDefectsColumn(t *testing.T) {
	r := *fixture.Probed()["missing"]
	r.Settings.DefectsColumn, r.Blocks = true, slices.Clone(r.Blocks)
	r.Blocks[0].Rows = slices.Clone(r.Blocks[0].Rows)
	r.Blocks[0].Rows[1].Difference = 0.25
	text := fixture.IMBText(t, &r)
	require.Contains(t, text, "  t_avg[usec]      defects\n")
	require.Contains(t, text, "         0.95         0.00\n")
	require.Contains(t, text, "         0.95         0.25 # 7 defects in 3 repetitions\n")

	r.Blocks[0].Rows[1].Difference = math.MaxFloat64 // a difference that is NaN or infinite
	text = fixture.IMBText(t, &r)
	require.Contains(t, text, "         0.95     1.8e+308 # 7 defects in 3 repetitions\n")
}

// Kernels that need another number of processes are in the list, and IMB's line about them takes the place of a table.
func TestInvalid(t *testing.T) {
	r := *fixture.Probed()["pingpong"]
	r.Refused = []probe.Refused{{Kernel: "Stencil2D", Component: kernel.P2P, Before: "PingPong"},
		{Kernel: "SendRecv_Replace", Component: kernel.P2P}, {Kernel: "PingPing", Component: kernel.MPI1}}
	text := fixture.IMBText(t, &r)
	require.Contains(t, text, "\n# Stencil2D\n# PingPong\n# SendRecv_Replace\n# PingPing\n")
	before, after, found := strings.Cut(text, "# Benchmarking PingPong ")
	require.True(t, found)
	require.Contains(t, before, "\n# !! Benchmark Stencil2D is invalid for 4 processes !!\n")
	require.Contains(t, after, "\n# !! Benchmark SendRecv_Replace is invalid for 4 process !!\n"+
		"\n# !! Benchmark PingPing invalid for 4 processes !! \n\n")
}

type fullDisk struct{ left int }

func (w *fullDisk) Write(p []byte) (int, error) {
	if w.left--; w.left < 0 {
		return 0, errors.New("disk full")
	}
	return len(p), nil
}

func TestFails(t *testing.T) {
	r := fixture.Probed()["pingpong"]
	for left := range len(r.Blocks[0].Rows) + 3 {
		require.ErrorContains(t, imb.Write(&fullDisk{left}, r), "disk full")
	}
	none := *r
	none.Blocks = []measured.Block{{Kernel: "Pong", Component: kernel.MPI1, Processes: 2}}
	require.ErrorContains(t, imb.Write(new(bytes.Buffer), &none), "unknown kernel")
	none.Blocks = []measured.Block{{Kernel: "PingPong", Component: kernel.MPI1, Processes: 2,
		Rows: []measured.Row{{Bytes: 8}}}}
	require.ErrorContains(t, imb.Write(new(bytes.Buffer), &none), "8 bytes: a row has neither figures")
	none.Blocks, none.Complete = nil, false // the run ended before its first table
	text := fixture.IMBText(t, &none)
	require.Contains(t, text, "# Ended early")
	require.NotRegexp(t, "kernels of|List of", text)
}

// named returns the kernel with this name.
func named(t *testing.T, name string) probe.Selection {
	k, multi, found := suites.Find("", name)
	require.True(t, found)
	return probe.Selection{Kernel: k, Multi: multi}
}
