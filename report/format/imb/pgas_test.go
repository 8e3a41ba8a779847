package imb_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/probe/suites"
	"github.com/effective-bandwidth/beff/report/format/imb"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
)

// pgasResult returns a result with all kernels of PGAS on 8 processes. A transfer takes 1 µs and the time of its bytes
// at 1 GB/s, and one pair is half as fast as the others.
func pgasResult() *probe.Result {
	r := &probe.Result{Processes: 8, Settings: settings.Settings{Columns: settings.PGASColumns}}
	for _, k := range suites.Kernels() {
		if k.Component != kernel.PGAS {
			continue
		}
		b := measured.Block{Kernel: k.Name, Component: k.Component, Processes: 8}
		origins := 8
		if k.Active == 2 {
			b.Processes, origins = 2, 4
			b.Groups = [][]int{{0, 4}, {1, 5}, {2, 6}, {3, 7}}
		}
		row := func(bytes, stride int64) {
			t := (1e-6 + float64(bytes)/1e9) * 10 * float64(k.Divisor)
			x := measured.Sample{Min: t, Max: 2 * t, Mean: t * 5 / 4}
			if k.Class == kernel.Partners {
				x.Each = append([]float64{2 * t}, slices.Repeat([]float64{t}, origins-1)...)
			}
			b.Rows = append(b.Rows, measured.Row{Bytes: bytes, Stride: stride, Repetitions: 10,
				Samples: []measured.Sample{x}})
		}
		switch {
		case k.Strided():
			row(131072, 1)
			row(131072, 32)
		case k.NoLength():
			row(0, 0)
		case k.Moved == 0 && k.Class == kernel.Partners:
			row(4, 0)
		default:
			row(4, 0)
			row(4<<20, 0)
		}
		r.Blocks = append(r.Blocks, b)
	}
	probe.Rederive(r)
	return r
}

// TestSuitesLayout compares the layout of --columns pgas with a golden file, which has the titles and widths of the
// suite.
func TestSuitesLayout(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, imb.Write(&b, pgasResult()))
	_, text, ok := strings.Cut(b.String(), "# Reduction_in_place\n")
	require.True(t, ok)
	fixture.Golden(t, "pgas.txt", text)
}

// TestSuitesUnits checks that the suite's megabytes have 2^20 bytes, with 4 MiB, which take 1 µs more than at 1 GB/s.
func TestSuitesUnits(t *testing.T) {
	r := pgasResult()
	r.Blocks = slices.DeleteFunc(r.Blocks, func(b measured.Block) bool { return b.Kernel != "Put_oneway" })
	for _, row := range r.Blocks[0].Rows {
		each := row.Samples[0].Each
		each[0] = each[1]
	}
	probe.Rederive(r)
	var b bytes.Buffer
	require.NoError(t, imb.Write(&b, r))
	require.Regexp(t, `(?m)^ +1048576 +10 +953\.447 MB/s$`, b.String())
}

// TestOneSidedColumns checks that beff's own text names stride, completion, window and target, and has the bandwidths
// of all origins.
func TestOneSidedColumns(t *testing.T) {
	r := pgasResult()
	r.Settings.Columns = ""
	for i := range r.Blocks {
		if b := &r.Blocks[i]; b.Kernel == "Put_oneway" {
			b.Completion, b.WindowKind, b.Target = settings.CompleteLocal, settings.Allocated, settings.TargetComputes
		}
	}
	var b bytes.Buffer
	require.NoError(t, imb.Write(&b, r))
	text := strings.Join(strings.Fields(b.String()), " ")
	for _, part := range []string{
		"# Benchmarking Put_oneway # ( 4 groups of 2 processes each running simultaneous )",
		"# locally complete, not complete, allocated windows, targets compute #",
		"#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec] Mbytes/sec slowest fastest together " +
			"4 10 1.00 2.01 1.26 3.49 1.99 3.98 7.97",
		"Mbytes/sec slowest fastest together both ways 4 10 1.00 2.01 1.26 3.49 1.99 3.98 7.97 6.97",
		"#bytes stride #repetitions", "131072 32 10 132.07 264.14 165.09 868.37 496.21 992.43 1984.86",
	} {
		require.True(t, strings.Contains(text, part), part)
	}
}
