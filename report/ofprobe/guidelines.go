package ofprobe

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
)

// judgedRow is a row of a guideline with its judgement.
type judgedRow struct {
	kernel *Kernel
	block  *measured.Block
	*measured.Row
}

// judgedRows returns the guidelines' rows of a result.
func judgedRows(r *probe.Result) (list []judgedRow) {
	for _, k := range kernelsOf(r) {
		for _, b := range k.Blocks {
			for i := range b.Rows {
				if row := &b.Rows[i]; row.Judgement != nil && len(row.Derived) > 0 {
					list = append(list, judgedRow{k, b, row})
				}
			}
		}
	}
	return list
}

// guidelineSections returns the section of guidelines: the rows in which one is violated or undecided, the worst first,
// and the pictures of all ratios.
func guidelineSections(r *probe.Result, figures []*document.Figure) []document.Section {
	rows := judgedRows(r)
	if len(rows) == 0 {
		return nil
	}
	all := len(rows)
	rows = slices.DeleteFunc(rows, func(x judgedRow) bool { return x.Judgement.Verdict == measured.Kept })
	slices.SortStableFunc(rows, func(a, b judgedRow) int {
		return cmp.Or(cmp.Compare(b.Judgement.Verdict, a.Judgement.Verdict),
			-cmp.Compare(a.Derived[0].Ratio, b.Derived[0].Ratio))
	})
	text := fmt.Sprintf("A call should take no longer than a mock-up that reaches the same result with other calls "+
		"of the library. Both are timed in up to %d rounds. A guideline is violated if the call took more than %.4g "+
		"times as long as the mock-up in so many rounds that, over all %s together, the probability of any wrong "+
		"violation is at most 5 %% (sign test, Holm). It is kept if the interval of the ratio ends at this factor or "+
		"below. Otherwise it is undecided.", measured.Rounds,
		cmp.Or(r.Settings.Tolerance, settings.Default.Tolerance), words.Count(all, "row"))
	var t parts.Table[judgedRow]
	t.Text("guideline", func(x judgedRow) string { return x.kernel.Calls })
	t.Text("measured on", func(x judgedRow) string { return MeasuredOn(x.block) })
	t.Number("length", "B", func(x judgedRow) document.Cell { return document.Whole(int(x.Bytes)) })
	t.Number("call", "µs", func(x judgedRow) document.Cell { return parts.Microseconds(x.Derived[0].Max) })
	t.Number("mock-up", "µs", func(x judgedRow) document.Cell { return parts.Microseconds(x.Derived[0].MockUp) })
	t.Number("ratio", "", func(x judgedRow) document.Cell { return parts.Number(x.Derived[0].Ratio, 3) })
	t.Text("interval", func(x judgedRow) string {
		return fmt.Sprintf("%.3f to %.3f", x.Derived[0].RatioLow, x.Derived[0].RatioHigh)
	})
	t.Text("corrected probability", func(x judgedRow) string { return fmt.Sprintf("%.2g", x.Judgement.Corrected) })
	t.Text("verdict", func(x judgedRow) string { return string(x.Judgement.Verdict) })
	blocks := []document.Block{document.Paragraph(text)}
	if len(rows) > 0 {
		blocks = append(blocks, t.Of(&document.Table{ID: "guidelines-table", Sortable: true, Caption: "Guidelines " +
			"that are violated, and those that aren't decided; all others are kept. Times are medians of the " +
			"rounds. The ratio is the median of the rounds' ratios, not the ratio of these times. The interval " +
			"(95 %) is for a single row."}, rows))
	}
	return []document.Section{{ID: "guidelines", Title: "Guidelines",
		Blocks: append(blocks, parts.FiguresWithPrefix(figures, guidelinesID)...)}}
}

// guidelinesID begins the IDs of the pictures of all guidelines.
const guidelinesID = "probe-ratios"

// ratioPlot returns the picture of a guideline's ratios over the length, with their intervals and the tolerance.
func ratioPlot(r *probe.Result, k *Kernel) chart.Plot {
	var curves []curve
	for _, b := range k.Blocks {
		curves = append(curves, curve{name: MeasuredOn(b), block: b, point: func(row *measured.Row) chart.Point {
			if len(row.Derived) == 0 || row.Derived[0].Max == 0 {
				return chart.Point{}
			}
			t := &row.Derived[0]
			return chart.Point{Y: t.Ratio, Low: t.RatioLow, High: t.RatioHigh}
		}})
	}
	p := plot("probe-"+k.Key()+"-ratio", k.Calls+": ratio of the times", chart.Ratio.Named("ratio of the times"),
		curves)
	p.Bars = "the 95 % intervals of the ratios"
	p.Level = &chart.Level{Y: cmp.Or(r.Settings.Tolerance, settings.Default.Tolerance), Text: "tolerance"}
	return p
}

// ratioPlots returns the pictures of the ratios of all guidelines, next to each other if there are many.
func ratioPlots(r *probe.Result) (list []chart.Picture) {
	var small []chart.Plot
	for _, k := range kernelsOf(r) {
		if p := ratioPlot(r, k); k.Class == kernel.CallAndMockUp && !p.Empty() {
			p.Title = k.Calls
			small, list = append(small, p), append(list, p)
		}
	}
	if len(small) < manyKernels {
		return list
	}
	return grids(guidelinesID, "Guidelines A ≤ B: time of A divided by the time of B", small,
		func(axes string) string {
			return "A guideline A ≤ B says that a call takes no longer than others with the same result. The charts " +
				"show the time of A divided by the time of B over the " + axes + ". Above the line, A is too slow."
		})
}
