package ofprobe

import (
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
	"github.com/effective-bandwidth/beff/stats"
)

// metadataID is the ID of the table and the picture of metadata rates.
const metadataID = "metadata-rates"

// phaseRates is a phase of metadata on files of one length: the rates of all processes together in each pass, of each
// process, and at the stonewalls.
type phaseRates struct {
	*Kernel
	rowPlace
	passes, each, walls []float64
}

// ratesOf returns the metadata phases of a result.
func ratesOf(r *probe.Result) (list []phaseRates) {
	for _, k := range kernelsOf(r) {
		if k.Class != kernel.Metadata {
			continue
		}
		for _, b := range k.Blocks {
			for i := range b.Rows {
				list = k.rate(list, b, &b.Rows[i])
			}
		}
	}
	return list
}

// rate adds the rates of a row.
func (k *Kernel) rate(list []phaseRates, b *measured.Block, row *measured.Row) []phaseRates {
	if len(row.Derived) == 0 || len(row.Samples) == 0 {
		return list
	}
	of := rowPlace{measuredOn: measuredInAnyPass(b), bytes: row.Bytes}
	at := slices.IndexFunc(list, func(x phaseRates) bool { return x.Kernel == k && x.rowPlace == of })
	if at < 0 {
		at = len(list)
		list = append(list, phaseRates{Kernel: k, rowPlace: of})
	}
	x := &list[at]
	x.passes = append(x.passes, row.Derived[0].Rate)
	for _, seconds := range row.Samples[0].Each {
		if seconds > 0 {
			x.each = append(x.each, float64(row.Repetitions)/seconds)
		}
	}
	if row.Wall != nil {
		x.walls = append(x.walls, row.Wall.Rate())
	}
	return list
}

// metadataSection returns the section of the rates by phase, which is empty without any.
func metadataSection(r *probe.Result, figures []*document.Figure) document.Section {
	rows := ratesOf(r)
	confidence := r.Settings.Rule().Confidence
	mean := func(list []float64) float64 { m, _ := stats.Mean(list, confidence); return m }
	interval := func(list []float64) document.Cell {
		m, in := stats.Mean(list, confidence)
		if !in.Known {
			return document.Text("-")
		}
		return parts.HalfWidth((in.High - in.Low) / m / 2)
	}
	var t parts.Table[phaseRates]
	t.Text("phase", func(x phaseRates) string { return x.Title() })
	t.Text("measured on", func(x phaseRates) string { return x.measuredOn })
	files := slices.ContainsFunc(rows, func(x phaseRates) bool { return x.bytes > 0 })
	t.If(files).Number("length", "B", func(x phaseRates) document.Cell { return document.Whole(x.bytes) })
	t.Number("rate", "ops/s", func(x phaseRates) document.Cell { return figureIf(true, mean(x.passes), 1) })
	t.Number("±", "%", func(x phaseRates) document.Cell { return interval(x.passes) })
	t.Number("per process", "ops/s", func(x phaseRates) document.Cell {
		return figureIf(len(x.each) > 0, mean(x.each), 1)
	})
	t.Number("±", "%", func(x phaseRates) document.Cell { return interval(x.each) })
	t.Number("slowest", "ops/s", func(x phaseRates) document.Cell { return extreme(x.each, slices.Min[[]float64]) })
	t.Number("fastest", "ops/s", func(x phaseRates) document.Cell { return extreme(x.each, slices.Max[[]float64]) })
	walled := slices.ContainsFunc(rows, func(x phaseRates) bool { return len(x.walls) > 0 })
	t.If(walled).Number("at the stonewall", "ops/s",
		func(x phaseRates) document.Cell { return figureIf(len(x.walls) > 0, mean(x.walls), 1) })
	table := t.Of(&document.Table{ID: metadataID + "-table", Sortable: true, Caption: fmt.Sprintf("The rate of each "+
		"phase is the number of items of all processes divided by the time of the slowest one, averaged over all "+
		"passes. The rates per process are averaged over the processes. ± is half of an interval with a confidence of "+
		"%g %%, for each of these means if it has three values or more.", 100*confidence)}, rows)
	return parts.Section("metadata", "Metadata", append([]document.Block{table}, parts.FiguresWithPrefix(figures,
		metadataID)...)...)
}

// extreme returns a cell of the smallest or the largest value of a list.
func extreme(list []float64, of func([]float64) float64) document.Cell {
	if len(list) == 0 {
		return document.Text("-")
	}
	return figureIf(true, of(list), 1)
}

// ratesPlot returns the picture of the rates by phase, with their intervals over the passes.
func ratesPlot(r *probe.Result) chart.Dots {
	d := chart.Dots{ID: metadataID, Title: "Rate of each phase of metadata", X: chart.Operations, Of: "phases",
		Each:    "lengths",
		Caption: "Operations per second of all processes in each phase. Whiskers are intervals over the passes."}
	rows := ratesOf(r)
	several := slices.ContainsFunc(rows, func(x phaseRates) bool {
		return !x.NoLength() && x.rowPlace != rows[len(rows)-1].rowPlace && x.bytes > 0
	})
	for _, x := range rows {
		m, in := stats.Mean(x.passes, r.Settings.Rule().Confidence)
		dot := chart.Dot{Spread: chart.Spread{Low: m, Mean: m, High: m}}
		if in.Known && in.Low > 0 {
			dot.Spread = chart.Spread{Low: in.Low, Mean: m, High: in.High}
		}
		if !x.NoLength() && several {
			dot.Name = words.Count(int(x.bytes), "byte")
		}
		if n := len(d.Groups); n > 0 && d.Groups[n-1].Name == x.Title() {
			d.Groups[n-1].Dots = append(d.Groups[n-1].Dots, dot)
			continue
		}
		d.Groups = append(d.Groups, chart.Group{Name: x.Title(), Dots: []chart.Dot{dot}})
	}
	return d
}

// layoutOf describes the files and directories of metadata kernels, or returns "" if there are none.
func layoutOf(r *probe.Result) string {
	rows := ratesOf(r)
	if len(rows) == 0 {
		return ""
	}
	m := r.Settings.Metadata
	text := fmt.Sprintf("%s%s of each process in %s", words.Either(m.Stonewall > 0, "up to ", ""),
		words.Count(int(m.All()), "item"), words.Either(m.OwnTree, "its own directories", "shared directories"))
	if n := m.Directories(); n > 1 {
		text += fmt.Sprintf(", %d in a tree%s", n, words.Either(m.Leaves, ", only in the lowest level", ""))
	}
	if m.RankShift > 0 {
		text += ", shifted by " + words.Count(m.RankShift, "process")
	}
	if m.Read != nil && slices.ContainsFunc(rows, func(x phaseRates) bool { return x.Name == "File_read" }) {
		text += fmt.Sprintf(", %s read from each file", words.Count(int(*m.Read), "byte"))
	}
	for _, x := range []struct {
		is   bool
		text string
	}{
		{m.Stonewall > 0, fmt.Sprintf("made until %g s", m.Stonewall)},
		{m.Synced, "sync of each file"}, {m.AllSynced, "sync at the end of each phase"},
	} {
		if x.is {
			text += ", " + x.text
		}
	}
	return text
}

// madeOf describes how many items each process has made until the stonewall, or returns "" without one.
func madeOf(r *probe.Result) string {
	var made []int64
	for _, row := range r.Rows() {
		if row.Wall != nil {
			made = append(made, row.Repetitions)
		}
	}
	if len(made) == 0 {
		return ""
	}
	least, most := slices.Min(made), slices.Max(made)
	return "; made by each process: " + words.Either(least < most, fmt.Sprintf("%d to ", least), "") + fmt.Sprint(most)
}
