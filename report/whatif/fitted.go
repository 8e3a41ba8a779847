package whatif

import (
	"fmt"
	"math"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/parts"
)

// Parameter is a fitted value, in seconds or bytes per second, with half of its 95 % interval relative to it.
type Parameter struct {
	Key    string
	Value  float64
	Within float64
}

// Fitted returns what a fit found, and by length a measured result beside the simulated ones of the fitted parameters
// alone, and of the fitted machine with its factors of lengths.
func Fitted(measured, bare, simulated *beff.Result, list []Parameter) *document.Document {
	found := &document.Table{ID: "fitted-parameters",
		Caption: "Fitted parameters in seconds or bytes per second, with " +
			"95 % intervals.", Columns: parts.Columns("parameter", [2]string{"value"}, [2]string{"±", "%"})}
	for _, p := range list {
		within := document.Text("not told")
		if p.Within < 1 {
			within = parts.Number(100*p.Within, 1)
		}
		found.Rows = append(found.Rows, []document.Cell{document.Text(p.Key),
			document.Number(p.Value, fmt.Sprintf("%.4g", p.Value)), within})
	}
	beside := &document.Table{ID: "fitted-lengths", Caption: "The average over rings and randoms of each length: " +
		"measured, by the fitted parameters alone, and with the machine's factors of lengths, which make them agree.",
		Columns: parts.Columns("length", [2]string{"measured", "MB/s"}, [2]string{"parameters", "MB/s"},
			[2]string{"difference", "%"}, [2]string{"with factors", "MB/s"}, [2]string{"difference", "%"})}
	worst, worstBare := 0.0, 0.0
	percent := func(x float64) document.Cell { return document.Number(100*x, fmt.Sprintf("%+.1f", 100*x)) }
	row := func(name string, a, b, c float64) {
		if a > 0 && b > 0 && c > 0 {
			worstBare, worst = max(worstBare, math.Abs(b/a-1)), max(worst, math.Abs(c/a-1))
			beside.Rows = append(beside.Rows, []document.Cell{document.Text(name), parts.Bandwidth(a),
				parts.Bandwidth(b),
				percent(b/a - 1), parts.Bandwidth(c), percent(c/a - 1)})
		}
	}
	m, b, s := &measured.Derived, &bare.Derived, &simulated.Derived
	for l, length := range measured.Lengths {
		if l < min(len(m.PerLength), len(b.PerLength), len(s.PerLength)) {
			row(rating.Bytes(length), m.PerLength[l], b.PerLength[l], s.PerLength[l])
		}
	}
	row("b_eff", m.BEff, b.BEff, s.BEff)
	return &document.Document{Title: "Fit of " + parts.NameOf(measured.System, measured.Host), Date: measured.Started,
		Subtitle: fmt.Sprintf("%d processes", measured.Processes), Sections: []document.Section{
			{ID: "parameters", Title: "Parameters", Blocks: []document.Block{found}},
			{ID: "beside", Title: "Measured and simulated", Blocks: []document.Block{beside,
				document.Paragraph(fmt.Sprintf("They differ by %.1f %% at most, by the parameters alone by %.1f %%.",
					100*worst, 100*worstBare))}},
		}}
}
