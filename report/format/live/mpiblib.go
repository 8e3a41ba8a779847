package live

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/probe/suites"
	"github.com/effective-bandwidth/beff/report/words"
)

// mpiblibText is the text of MPIBlib's tools p2p and collective (manual, 4.3, 4.4 and 9.23), written line by line, for
// scripts that read it. Package report/format/tools reads the text.
type mpiblibText struct {
	r       *probe.Result
	rows    strings.Builder // rows of the table of p2p, which follows the time
	pending bool            // the table isn't written yet
}

// MPIBlib is the Maker of the text of a result with series.
func MPIBlib(r *probe.Result, _ []probe.Selection) Text { return &mpiblibText{r: r} }

// FitsMPIBlib reports whether a result is meant for this text: its columns are MPIBlib's, all kernels have series, and
// none is of class Pairs.
func FitsMPIBlib(r *probe.Result, kernels []probe.Selection) bool {
	return r.Settings.Columns == settings.MPIBlibColumns && len(kernels) > 0 &&
		!slices.ContainsFunc(kernels, func(s probe.Selection) bool {
			return s.Kernel.Class == kernel.Pairs || !suites.Way(&r.Settings, s.Kernel).Series
		})
}

// Header writes the program as a comment. The other facts are above each table.
func (t *mpiblibText) Header(s *strings.Builder) {
	fmt.Fprintf(s, "#beff\t\t%s\n#\n", words.OneLine(t.r.Beff))
}

// Block begins a table.
func (t *mpiblibText) Block(s *strings.Builder, k *kernel.Kernel, b *measured.Block) {
	t.flush(s)
	if k.Active == 2 || k.Name == "Relayed" {
		s.WriteString("#p2p adaptive benchmark 0-1\n#\n")
		t.processors(s, b)
		t.lengths(s)
		t.precision(s)
		t.pending = true
		return
	}
	t.processors(s, b)
	fmt.Fprintf(s, "#nodes\t\t%d\n#root\t\t0\n#operation\t%s\n#timing\t\t%s\n#\n", b.Processes, operation(k),
		t.r.Settings.Clocked())
	t.precision(s)
	s.WriteString(head)
}

const head = "#msg\ttime\t\twtick\treps\tci\n"

// operation returns the name of a kernel's function in MPIBlib.
func operation(k *kernel.Kernel) string {
	switch k.Component {
	case kernel.MPIB:
		return "MPIB_" + k.Name
	case kernel.USER:
		return k.Name
	}
	return "MPI_" + k.Name
}

// processors writes the host of each process of a block, by its rank in the block.
func (t *mpiblibText) processors(s *strings.Builder, b *measured.Block) {
	s.WriteString("#Processors\n#rank\tprocessor\n")
	for rank, host := range t.r.HostsOf(b) {
		fmt.Fprintf(s, "#%d\t%s\n", rank, words.OneLine(host))
	}
	s.WriteString("#\n")
}

// lengths writes the set of message lengths. A stride of 0 means adaptive.
func (t *mpiblibText) lengths(s *strings.Builder) {
	list, a := t.r.Settings.Rows.Lengths, t.r.Settings.Rows.Adaptive
	set := settings.Adaptive{Difference: settings.Default.Adaptive.Difference, Stride: settings.Default.Adaptive.Stride,
		MaxLengths: settings.Default.Adaptive.MaxLengths}
	stride := int64(0)
	switch {
	case a != nil:
		set = *a
	case len(list) > 0:
		set.Min, set.Max = list[0], list[len(list)-1]
		if len(list) > 1 {
			stride = list[1] - list[0]
		}
	}
	fmt.Fprintf(s, "#Message set\n#min_size\t%d\n#max_size\t%d\n#stride\t\t%d\n#max_diff\t%e\n#min_stride\t%d\n"+
		"#max_num\t%d\n#\n", set.Min, set.Max, stride, set.Difference, set.Stride, set.MaxLengths)
}

// precision writes the rule that ends a series.
func (t *mpiblibText) precision(s *strings.Builder) {
	p := t.r.Settings.Rule()
	fmt.Fprintf(s, "#Precision\n#min_reps\t%d\n#max_reps\t%d\n#cl\t\t%e\n#eps\t\t%e\n#\n", p.Min, p.Max,
		p.Confidence, p.Relative)
}

// Row writes the length, seconds, whether the clock resolves them, the repetitions, and half of the interval in
// seconds, or nan if it isn't known.
func (t *mpiblibText) Row(s *strings.Builder, _ *kernel.Kernel, _ *measured.Block, row *measured.Row) error {
	line := fmt.Sprintf("#%d\t%s\n", row.Bytes, row.Missing)
	if x := row.Main(0); x != nil {
		by := t.r.Settings.Figure()
		value, _ := x.Of(by)
		half, known := x.HalfWidth(by)
		if !known {
			half = math.NaN()
		}
		resolved := words.Either(t.r.Clock != nil && t.r.Clock.Resolution < value, 1, 0)
		line = fmt.Sprintf("%d\t%e\t%d\t%d\t%s\n", row.Bytes, value, resolved, row.Repetitions, scientific(half))
	}
	if t.pending {
		s = &t.rows
	}
	s.WriteString(line)
	return nil
}

// scientific formats a number as C's %le does.
func scientific(x float64) string {
	if math.IsNaN(x) {
		return "nan"
	}
	return fmt.Sprintf("%e", x)
}

// End writes the time of the run, followed by the table of p2p.
func (t *mpiblibText) End(s *strings.Builder) {
	fmt.Fprintf(s, "#total benchmarking time: %e\n", t.r.WallSeconds)
	if t.pending {
		s.WriteString("#\n")
		t.flush(s)
	}
}

// flush writes the table of p2p if it is complete.
func (t *mpiblibText) flush(s *strings.Builder) {
	if t.pending {
		s.WriteString(head + t.rows.String())
	}
	t.rows.Reset()
	t.pending = false
}
