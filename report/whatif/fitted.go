package whatif

import (
	"fmt"
	"math"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
	"github.com/effective-bandwidth/beff/sim/machine"
	"github.com/effective-bandwidth/beff/stats"
)

// Fit returns the machine whose times are closest to the times of ratings, and a document about its parameters and
// residuals.
func Fit(sources []Source) (*machine.Machine, *document.Document, error) {
	f, err := newFit(sources)
	if err != nil {
		return nil, nil, err
	}
	m, found, least, err := f.solve()
	if err != nil {
		return nil, nil, err
	}
	all, err := f.residuals(&m)
	if err != nil {
		return nil, nil, err
	}
	return &m, &document.Document{Title: "Fit of a machine", Subtitle: m.Name, Sections: []document.Section{
		{ID: "parameters", Title: "Parameters", Blocks: []document.Block{estimatesTable(found, least)}},
		{ID: "residuals", Title: "Residuals", Blocks: []document.Block{residualsTable(all)}},
	}}, f.stretch(&m)
}

// percent returns a cell with the difference of two times in percent. log is the logarithm of their ratio.
func percent(format string, log float64) document.Cell {
	x := 100 * (math.Exp(log) - 1)
	return document.Number(x, fmt.Sprintf(format, x))
}

// estimatesTable returns the table of parameters. least is the mean distance between measured and computed times.
func estimatesTable(found []estimate, least float64) *document.Table {
	var t parts.Table[estimate]
	t.Text("parameter", func(p estimate) string { return p.key })
	t.Number("value", "", func(p estimate) document.Cell {
		return document.Number(p.value, fmt.Sprintf("%.4g", p.value))
	})
	t.Number("error with half", "%", func(p estimate) document.Cell { return percent("%.1f", p.half) })
	t.Number("error with twice", "%", func(p estimate) document.Cell { return percent("%.1f", p.twice) })
	t.Text("determined", func(p estimate) string { return words.Either(p.determined, "yes", "no") })
	return t.Of(&document.Table{ID: "fitted-parameters", Caption: fmt.Sprintf("Fitted parameters in seconds or bytes "+
		"per second. Computed times differ from measured ones by %s %% on average. The table shows this error with "+
		"half and with twice the value, after all other parameters are fitted again. If the error is no larger then, "+
		"the times don't determine the parameter.", percent("%.1f", least).Text)}, found)
}

// classes are ranges of lengths whose residuals are shown together.
var classes = []struct {
	name        string
	above, most int64 // bytes
}{{"up to 1 KiB", 0, 1 << 10}, {"1 to 128 KiB", 1 << 10, 128 << 10}, {"longer", 128 << 10, math.MaxInt64}}

// rowKey identifies the residuals of a method in a file.
type rowKey struct{ file, method string }

// residualsTable returns the table of residuals of methods.
func residualsTable(all []residual) *document.Table {
	middle := func(format string, k rowKey, holds func(residual) bool, value func(residual) float64) document.Cell {
		found := lists.Where(all, func(r residual) bool { return r.file == k.file && r.method == k.method && holds(r) })
		if len(found) == 0 {
			return document.Text("")
		}
		return percent(format, stats.Middle(lists.Each(found, value)))
	}
	rows := lists.Unique(lists.Each(all, func(r residual) rowKey { return rowKey{r.file, r.method} }))
	var t parts.Table[rowKey]
	t.Text("file", func(k rowKey) string { return k.file })
	t.Text("method", func(k rowKey) string { return k.method })
	for _, c := range classes {
		t.Number(c.name, "%", func(k rowKey) document.Cell {
			return middle("%+.1f", k, func(r residual) bool { return r.length > c.above && r.length <= c.most },
				func(r residual) float64 { return r.log })
		})
	}
	t.Number("typical", "%", func(k rowKey) document.Cell {
		return middle("%.1f", k, func(residual) bool { return true }, residual.size)
	})
	return t.Of(&document.Table{ID: "fitted-residuals", Caption: "How much longer the measured times are than the " +
		"machine's: the median of each class of lengths, and the typical difference (the median of absolute " +
		"differences). The machine's times follow only from its parameters here, without the factors of lengths."},
		rows)
}
