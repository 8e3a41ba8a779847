package report_test

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
	"github.com/effective-bandwidth/beff/report/internal/golden"
)

func TestIMBText(t *testing.T) {
	for name, r := range fixture.Probed() {
		t.Run(name, func(t *testing.T) { golden.Equal(t, "imb_"+name+".txt", fixture.IMBText(t, r)) })
	}
}

// Live, the same comes piece by piece as at once.
func TestIMBTextLive(t *testing.T) {
	p := fixture.ProbeCluster()
	p.Add(probe.MPI1, "PingPong", probe.Plain, 2, 1)
	p.Add(probe.NBC, "Ibcast", probe.Plain, 4, 1)
	whole := p.Result
	early := whole
	early.Blocks = nil
	var b bytes.Buffer
	text := report.NewIMBText(&b, &early, []probe.Selection{fixture.Kernel(t, "PingPong"), fixture.Kernel(t, "Ibcast")})
	require.NoError(t, text.Header())
	for i := range whole.Blocks {
		require.NoError(t, text.Block(&whole.Blocks[i]))
		for j := range whole.Blocks[i].Rows {
			require.NoError(t, text.Row(&whole.Blocks[i], &whole.Blocks[i].Rows[j]))
		}
	}
	require.NoError(t, text.End())
	require.Equal(t, strings.ReplaceAll(fixture.IMBText(t, &whole), ": 3 of each length", ""), b.String())
}

// imbScript reads IMB's text as scripts do: by the patterns that public parsers have in common, the figures by their
// place.
func imbScript(t *testing.T, text string) map[string][][]float64 {
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

// What scripts for IMB find are the figures, to their last printed digit.
func TestIMBScripts(t *testing.T) {
	p := fixture.ProbeCluster()
	for _, one := range []struct {
		c         probe.Component
		kernel    string
		mode      probe.Mode
		processes int
	}{
		{probe.MPI1, "PingPong", probe.Plain, 2}, {probe.MPI1, "Exchange", probe.Plain, 4},
		{probe.MPI1, "Allreduce", probe.Plain, 4}, {probe.MPI1, "Barrier", probe.Plain, 2},
		{probe.EXT, "Unidir_Put", probe.Aggregate, 2}, {probe.EXT, "Unidir_Put", probe.NonAggregate, 2},
		{probe.IO, "P_Write_Indv", probe.Aggregate, 4}, {probe.NBC, "Ibcast", probe.Plain, 4},
	} {
		p.Add(one.c, one.kernel, one.mode, one.processes, 1)
	}
	tables := imbScript(t, fixture.IMBText(t, &p.Result))
	keys := []string{"PingPong 2", "Exchange 4", "Allreduce 4", "Barrier 2", "Unidir_Put 2 AGGREGATE",
		"Unidir_Put 2 NON-AGGREGATE", "P_Write_Indv 4 AGGREGATE", "Ibcast 4"}
	require.Len(t, tables, len(keys))
	for i, key := range keys {
		b := &p.Result.Blocks[i]
		require.Len(t, tables[key], len(b.Rows), key)
		for j, row := range b.Rows {
			d := row.Derived[0]
			want := map[string][]float64{
				"PingPong": {d.Max / micro, d.Bandwidth / mega}, "Unidir_Put": {d.Max / micro, d.Bandwidth / mega},
				"Exchange":     {d.Min / micro, d.Max / micro, d.Mean / micro, d.Bandwidth / mega},
				"P_Write_Indv": {d.Min / micro, d.Max / micro, d.Mean / micro, d.Bandwidth / mega},
				"Allreduce":    {d.Min / micro, d.Max / micro, d.Mean / micro},
				"Barrier":      {d.Min / micro, d.Max / micro, d.Mean / micro},
				"Ibcast":       {d.Overlapped / micro, d.Pure / micro, d.Compute / micro, 100 * d.Overlap},
			}[b.Kernel]
			want = append([]float64{float64(row.Bytes), float64(row.Repetitions)}, want...)
			if b.Kernel == "Barrier" {
				want = want[1:]
			}
			require.InDeltaSlice(t, want, tables[key][j], 0.00501, "%s, %d bytes", key, row.Bytes)
		}
	}
}

// Rows of the groups are found with their group before them.
func TestIMBGroups(t *testing.T) {
	tables := imbScript(t, fixture.IMBText(t, fixture.Probed()["multi1"]))
	rows := tables["Multi-PingPong 2x2"]
	require.Len(t, rows, 2*len(fixture.ProbeLengths))
	require.Equal(t, []float64{1, 0, 1000, 1.05, 0}, rows[1])
	rows = imbScript(t, fixture.IMBText(t, fixture.Probed()["multi0"]))["Multi-PingPong 2x2"]
	require.Equal(t, []float64{4096, 1000, 1.27, 1.48, 1.37, 2767.42}, rows[4])
}

// A row with wrong data is none for strict scripts.
func TestIMBDefects(t *testing.T) {
	text := fixture.IMBText(t, fixture.Probed()["missing"])
	require.Len(t, imbScript(t, text)["Alltoall 4"], len(fixture.ProbeLengths)-4)
	require.Contains(t, text, "WRONG DATA: 7 defects")
}

const (
	mega  = 1e6
	micro = 1e-6
)

func TestIMBFails(t *testing.T) {
	r := fixture.Probed()["pingpong"]
	for left := range len(r.Blocks[0].Rows) + 3 {
		require.ErrorIs(t, report.IMB(&fixture.Disk{Room: left}, r), fixture.ErrFull)
	}
	none := *r
	none.Blocks = []probe.Block{{Kernel: "Pong", Component: probe.MPI1, Processes: 2}}
	require.ErrorContains(t, report.IMB(new(bytes.Buffer), &none), "unknown kernel")
	none.Blocks = []probe.Block{{Kernel: "PingPong", Component: probe.MPI1, Processes: 2,
		Rows: []probe.Row{{Bytes: 8}}}}
	require.ErrorContains(t, report.IMB(new(bytes.Buffer), &none), "8 bytes: no figures")
}
