package report

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
	"github.com/effective-bandwidth/beff/report/ofbeff"
	"github.com/effective-bandwidth/beff/report/ofprobe"
	"github.com/effective-bandwidth/beff/report/parts"
)

// asked returns the tables of an answer, as lines of texts.
func asked(t *testing.T, files []*File, where string, row, col, by, of []string) (titles []string,
	tables [][][]string) {
	t.Helper()
	a, err := Ask([]string{where}, row, col, by, of)
	require.NoError(t, err)
	for _, f := range files {
		a.Add(f)
	}
	d, err := a.Document()
	require.NoError(t, err)
	require.NoError(t, d.Validate())
	for _, s := range d.Sections {
		titles = append(titles, s.Title)
		of := s.Blocks[0].(*document.Table)
		var lines [][]string
		var heads []string
		for _, c := range of.Columns {
			heads = append(heads, c.Name+c.Unit)
		}
		lines = append(lines, heads)
		for _, row := range of.Rows {
			var line []string
			for _, c := range row {
				line = append(line, c.Text)
			}
			lines = append(lines, line)
		}
		tables = append(tables, lines)
	}
	return titles, tables
}

// Cells have the geometric means of their rows.
func TestAsk(t *testing.T) {
	a := run(t, t.TempDir(), "a.json", "A", 1, nil)
	r := a.report.(ofbeff.Report).Result
	_, tables := asked(t, []*File{a}, "kind=detail, bytes>=1", []string{"pattern"}, []string{"method"}, nil, nil)
	require.Len(t, tables, 1)
	require.Equal(t, []string{"pattern", "sendrecvMB/s", "alltoallvMB/s", "nonblockingMB/s"}, tables[0][0])
	logs, n := map[string]float64{}, map[string]float64{}
	for i := range r.Samples {
		if s := &r.Samples[i]; r.Patterns[s.Pattern].Name == "ping-pong" {
			logs[r.Methods[s.Method]] += math.Log(r.Bandwidth(s))
			n[r.Methods[s.Method]]++
		}
	}
	require.Greater(t, n["sendrecv"], 20.0, "lengths and repetitions")
	i := slices.IndexFunc(tables[0], func(line []string) bool { return line[0] == "ping-pong" })
	for k, method := range []string{"sendrecv", "alltoallv", "nonblocking"} {
		require.Equal(t, parts.Four(math.Exp(logs[method]/n[method])/1e6).Text, tables[0][i][1+k], method)
	}
	_, tables = asked(t, []*File{a}, "", nil, nil, nil, []string{"b_eff", "latency_rings"})
	require.Equal(t, []string{"b_effMB/s", "latency_ringsµs"}, tables[0][0])
	require.Equal(t, parts.Four(r.Derived.BEff/1e6).Text, tables[0][1][0])
	require.Equal(t, parts.Four(r.Derived.LatencyRings/1e-6).Text, tables[0][1][1])

	for where, want := range map[string]string{"bites=1": "did you mean bytes",
		"bytes>1 ms": "want a number with a unit"} {
		_, err := Ask([]string{where}, nil, nil, nil, nil)
		require.ErrorContains(t, err, want)
	}
	_, err := Ask(nil, []string{"sytem"}, nil, nil, nil)
	require.ErrorContains(t, err, "did you mean system")
	_, err = Ask(nil, nil, nil, nil, []string{"library"})
	require.ErrorContains(t, err, "want a column of numbers")
}

// Rows of results that can't be averaged never share a cell: neither of different classes, nor systems, nor sizes.
func TestAskedApart(t *testing.T) {
	dir := t.TempDir()
	a, b := run(t, dir, "a.json", "A", 1, nil), run(t, dir, "b.json", "B", 2, nil)
	again := run(t, dir, "c.json", "A", 3, nil)
	_, tables := asked(t, []*File{a, b, again}, "", nil, nil, nil, []string{"b_eff"})
	require.Len(t, tables, 1)
	require.Equal(t, [][]string{{"system", "b_effMB/s"}}, tables[0][:1])
	require.Len(t, tables[0], 3)
	require.Equal(t, "A", tables[0][1][0])
	require.Equal(t, "B", tables[0][2][0])
	var text bytes.Buffer
	p := fixture.ProbeCluster()
	p.Add(kernel.MPI1, "PingPong", settings.Plain, 2, 1)
	p.Add(kernel.MPI1, "Allreduce", settings.Plain, 2, 1)
	p.Result.Settings.Lengths = fixture.ProbeLengths
	p.Result.Conclude(nil)
	require.NoError(t, ofprobe.Form.Seal(&text, &p.Result))
	probe := Read(file(t, dir, "p.json", text.String()))
	titles, tables := asked(t, []*File{a, probe}, "", []string{"bytes"}, nil, nil, nil)
	require.Len(t, titles, 2)
	require.NotEqual(t, titles[0], titles[1])
	require.Contains(t, tables[1][0], "kernel", "times of kernels aren't averaged")
}

// Sides are compared by the means of the rows that are asked for. Bandwidths and times of a machine that takes twice as
// long have half the speed, and three runs a side have an interval.
func TestAskedCompared(t *testing.T) {
	dir := t.TempDir()
	var sides []Side
	for k, slower := range []float64{1, 2} {
		var s Side
		for i, more := range []float64{1, 1.01, 1.02} {
			s = append(s, run(t, dir, fmt.Sprintf("%d-%d.json", k, i), []string{"A", "B"}[k], slower*more, nil))
		}
		sides = append(sides, s)
	}
	a, err := Ask([]string{"bytes<=4, kind=ring"}, []string{"bytes", "pass"}, nil, []string{"method"},
		[]string{"bandwidth", "seconds"})
	require.NoError(t, err)
	c, err := Compare(sides, a)
	require.NoError(t, err)
	require.NoError(t, c.Document.Validate())
	pair := c.Pairs[0]
	var names []string
	for _, g := range pair.Groups {
		names = append(names, g.Name)
		require.Len(t, g.Rows, 3)
		for i, r := range g.Rows {
			require.Equal(t, int64(1)<<i, r.Bytes)
			require.Equal(t, "pass 0", r.Name)
			require.Len(t, r.Shown, 1)
			require.Equal(t, 3, r.First.Runs)
			if strings.HasPrefix(g.Name, "bandwidth") {
				require.InEpsilon(t, 0.5, r.Ratio(), 1e-3)
				require.True(t, r.Interval().Known)
			}
		}
	}
	require.Equal(t, []string{"bandwidth, sendrecv, ring", "seconds, sendrecv, ring", "bandwidth, alltoallv, ring",
		"seconds, alltoallv, ring", "bandwidth, nonblocking, ring", "seconds, nonblocking, ring"}, names)
	require.True(t, a.Has(sides[0][0]))
	none, err := Ask([]string{"bytes=3"}, []string{"bytes"}, nil, nil, nil)
	require.NoError(t, err)
	require.False(t, none.Has(sides[0][0]))
}

// As one table an answer has a line for each cell, with the means in base units.
func TestAskedTable(t *testing.T) {
	dir := t.TempDir()
	a, err := Ask(nil, []string{"system", "processes"}, nil, nil, []string{"b_eff", "latency_rings"})
	require.NoError(t, err)
	files := []*File{run(t, dir, "a.json", "A", 1, nil), run(t, dir, "b.json", "B", 2, nil)}
	for _, f := range files {
		a.Add(f)
	}
	table, err := a.Table()
	require.NoError(t, err)
	var names []string
	for _, c := range table.Columns {
		names = append(names, c.Name)
	}
	require.Equal(t, []string{"class", "system", "processes", "per_node", "library", "longest", "b_eff",
		"latency_rings"}, names)
	i := 0
	for row := range table.Rows {
		d := files[i].report.(ofbeff.Report).Derived
		require.Equal(t, []string{"A", "B"}[i], row[1])
		require.InEpsilon(t, d.BEff, row[6], 1e-12)
		require.InEpsilon(t, d.LatencyRings, row[7], 1e-12)
		i++
	}
	require.Equal(t, 2, i)
}
