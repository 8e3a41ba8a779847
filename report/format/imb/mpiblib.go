package imb

import (
	"fmt"
	"math"
	"strings"

	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/probe/suites"
)

// mpiblib reports whether a kernel's table is in MPIBlib's columns.
func (t *Writer) mpiblib(k *kernel.Kernel) bool {
	return t.r.Settings.Columns == settings.MPIBlibColumns && suites.Way(&t.r.Settings, k).Series
}

// mpiblibHead writes the head of a table in MPIBlib's columns: keys and values, and the names of the columns.
func (t *Writer) mpiblibHead(s *strings.Builder, b *measured.Block) {
	p, timing := t.r.Settings.Rule(), t.r.Settings.Clocked()
	for _, list := range [][][2]string{
		{{"nodes", fmt.Sprint(b.Processes)}, {"root", "0"}, {"operation", b.Name()}, {"timing", string(timing)}},
		{{"min_reps", fmt.Sprint(p.Least)}, {"max_reps", fmt.Sprint(p.Most)},
			{"cl", fmt.Sprintf("%f", p.Confidence)}, {"eps", fmt.Sprintf("%f", p.Relative)}},
	} {
		if list[0][0] == "min_reps" {
			s.WriteString("#Precision\n")
		}
		for _, line := range list {
			fmt.Fprintf(s, "#%s\t%s\n", line[0], line[1])
		}
		s.WriteString("#\n")
	}
	s.WriteString("#msg\ttime\twtick\treps\tci\n")
}

// mpiblibLine writes a row in MPIBlib's columns: the length, seconds, whether the clock resolves them, the repetitions,
// and half of the interval in seconds, nan if it isn't known.
func (t *Writer) mpiblibLine(s *strings.Builder, row *measured.Row, group int) {
	by := t.r.Settings.Figure()
	x := row.Main(group)
	value, _ := x.Of(by)
	half, ok := x.HalfWidth(by)
	if !ok {
		half = math.NaN()
	}
	resolved := 0
	if t.r.Clock != nil && t.r.Clock.Resolution < value {
		resolved = 1
	}
	fmt.Fprintf(s, "%d\t%s\t%d\t%d\t%s\n", row.Bytes, scientific(value), resolved, row.Repetitions, scientific(half))
}

// scientific returns a number as C prints it by %le.
func scientific(x float64) string {
	if math.IsNaN(x) {
		return "nan"
	}
	return fmt.Sprintf("%e", x)
}
