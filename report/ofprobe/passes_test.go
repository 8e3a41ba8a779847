package ofprobe

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
	"github.com/effective-bandwidth/beff/report/tidy"
)

// stridedResult returns a result of a strided kernel in two passes: 2 µs for each block of the stride, in the second
// pass twice as much.
func stridedResult() *probe.Result {
	r := fixture.ProbeCluster().Result
	precision := settings.Default.Precision
	r.Settings.Series.Precision, r.Settings.Passes = &precision, 2
	r.Settings.OneSided = settings.OneSided{Strides: []int64{1, 4}}
	r.Clock = &measured.Clock{Resolution: 1e-9, Reading: 3e-8}
	for pass := 1; pass <= 2; pass++ {
		b := measured.Block{Kernel: "Strided_put_target", Component: kernel.PGAS, Processes: 2, Pass: pass,
			Completion: settings.CompleteEach, WindowKind: settings.WindowKinds[0], Groups: [][]int{{0, 2}, {1, 3}}}
		for _, stride := range r.Settings.OneSided.Strides {
			t := int64(pass) * stride * 2e6
			b.Rows = append(b.Rows, measured.Row{Bytes: 131072, Stride: stride, Repetitions: 5, Checked: 1,
				Series: []measured.Series{{Ended: settings.Precise, Max: []int64{t, t, t, t, t}}}})
		}
		r.Blocks = append(r.Blocks, b)
	}
	probe.Rederive(&r)
	return &r
}

// Rows of one length with different strides are different rows in all tables.
func TestStridesAreApart(t *testing.T) {
	r := stridedResult()
	require.NoError(t, r.Check())
	blocks := seriesBlocks(r, kernelsOf(r)[0])
	require.Len(t, blocks, 2)
	series, passes := blocks[0].(*document.Table), blocks[1].(*document.Table)
	require.Equal(t, "stride", series.Columns[2].Name)
	rows := cellsOf(series)
	require.Len(t, rows, 4)
	require.Contains(t, rows[0], "pass 1 | 131072 | 1 | 5 | precision | 2.000 |")
	require.Contains(t, rows[3], "pass 2 | 131072 | 4 | 5 | precision | 16.000 |")
	require.Equal(t, "stride", passes.Columns[2].Name)
	rows = cellsOf(passes)
	require.Len(t, rows, 2)
	require.Contains(t, rows[0], " | 131072 | 1 | 2 | 2.000 | 3.000 | 4.000 | 66.7")
	require.Contains(t, rows[1], " | 131072 | 4 | 2 | 8.000 | 12.000 | 16.000 | 66.7")

	var b bytes.Buffer
	require.NoError(t, tidy.CSV(&b, Report{r}.Tables()[0]))
	lines, err := csv.NewReader(&b).ReadAll()
	require.NoError(t, err)
	stride := slices.Index(lines[0], "stride")
	require.Equal(t, "1", lines[1][stride])
	require.Equal(t, "4", lines[len(lines)-1][stride])
}

// Each pass over pairs has its own figures and tables, each of them once, which name the pass.
func TestPairsInPasses(t *testing.T) {
	p := fixture.ProbeCluster()
	p.Result.Processes = 8
	p.Result.Placement = []job.Placement{{Host: "n001", Ranks: "0-3", Processes: 4, Processors: 4},
		{Host: "n002", Ranks: "4-7", Processes: 4, Processors: 4}}
	p.Result.Settings.Passes = 2
	for pass := 1; pass <= 2; pass++ {
		AddPairs(p, "Roundtrip_pairs", 8, func(int, int, int) float64 { return float64(pass) * 1e-6 }).Pass = pass
	}
	r := &p.Result
	require.NoError(t, r.Check())
	figures := Figures(r)
	d := Document(r, figures)
	require.NoError(t, d.Validate())
	ids := map[string]int{}
	var headings []string
	for _, s := range d.Sections {
		for _, b := range s.Blocks {
			switch x := b.(type) {
			case *document.Figure:
				ids[x.ID]++
				require.Contains(t, x.Caption, fmt.Sprintf("Pass %s.", x.ID[len(x.ID)-1:]))
			case *document.Table:
				ids[x.ID]++
			case document.Paragraph:
				if strings.HasPrefix(string(x), "8 bytes between") {
					headings = append(headings, string(x))
				}
			}
		}
	}
	require.Equal(t, []string{"8 bytes between 8 processes, pass 1, 27 repetitions per pair:",
		"8 bytes between 8 processes, pass 2, 27 repetitions per pair:"}, headings)
	for _, part := range []string{"probe-mpib-roundtrip-pairs-ranks", "probe-mpib-roundtrip-pairs-nodes",
		"mpib-roundtrip-pairs-slowest"} {
		for pass := 1; pass <= 2; pass++ {
			require.Equal(t, 1, ids[fmt.Sprintf("%s-8-8-pass-%d", part, pass)], "%s, pass %d", part, pass)
		}
	}
	require.Len(t, figures, 4)

	var b bytes.Buffer
	require.NoError(t, tidy.CSV(&b, Report{r}.Tables()[2]))
	lines, err := csv.NewReader(&b).ReadAll()
	require.NoError(t, err)
	pass := slices.Index(lines[0], "pass")
	require.Equal(t, "1", lines[1][pass])
	require.Equal(t, "2", lines[len(lines)-1][pass])
}

// Only the jumps of the first pass are drawn, for each number of processes.
func TestJumpsOfTheFirstPass(t *testing.T) {
	r := seriesResult()
	other := copied(r)
	for i := range other.Blocks {
		other.Blocks[i].Processes = 2
	}
	r.Blocks = append(other.Blocks, r.Blocks...)
	steps := 0
	for _, l := range Figures(r)[0].Drawing.(*chart.Chart).Layers {
		if of := reflect.ValueOf(l); of.Type().Name() == "steps" {
			steps += of.Len()
		}
	}
	require.Equal(t, 2, steps)
}
