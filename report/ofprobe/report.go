package ofprobe

import (
	"fmt"
	"io"

	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/format/imb"
	"github.com/effective-bandwidth/beff/report/format/resultfile"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/ranking"
	"github.com/effective-bandwidth/beff/report/tidy"
	"github.com/effective-bandwidth/beff/report/versus"
)

// Form is the form of result documents, whose blocks have a line each.
var Form = resultfile.NewForm("blocks", func(r *probe.Result) *[]probe.Block { return &r.Blocks },
	func(r *probe.Result) *string { return &r.Digest })

// Report is a result with everything that can be written of it. Probes are the detail behind ratings: they have no
// single number, and so no rank.
type Report struct{ *probe.Result }

// Head returns the result's identity and machine, to be read and to be overridden.
func (r Report) Head() parts.Head {
	h := parts.Head{Identity: &r.Identity, Machine: &r.Machine, Software: &r.Software,
		Complete: r.Complete, Circumstances: &r.Circumstances, Processes: r.Processes}
	if len(r.Criteria) > 0 { // not read from other programs' output
		v := r.Verdict()
		h.Verdict = &v
	}
	return h
}

// Sealed writes the result document with its digest.
func (r Report) Sealed(w io.Writer) error { return Form.Seal(w, r.Result) }

// Document returns the whole report, with its figures.
func (r Report) Document() *document.Document { return Document(r.Result, Figures(r.Result)) }

// KeyValue writes lines for scripts.
func (r Report) KeyValue(w io.Writer, verified bool) error { return KeyValue(w, r.Result, verified) }

// Texts returns the benchmark's own formats.
func (r Report) Texts() []parts.Text {
	list := []parts.Text{
		{Name: "imb", Ending: ".txt", Kept: true, Write: func(w io.Writer) error { return imb.Write(w, r.Result) }},
		{Name: "rows", Ending: ".csv", Kept: true, Write: func(w io.Writer) error { return CSV(w, r.Result) }},
		{Name: "repetitions", Ending: ".repetitions.csv", Write: func(w io.Writer) error {
			return Repetitions(w, r.Result)
		}},
		{Name: "samples", Ending: ".csv", Write: func(w io.Writer) error { return tidy.CSV(w, r.Tables()[0]) }},
	}
	if r.Result == nil || hasPairs(r.Result) {
		list = append(list,
			parts.Text{Name: "pairs", Ending: ".pairs.csv",
				Write: func(w io.Writer) error { return PairsCSV(w, r.Result) }},
			parts.Text{Name: "matrix", Ending: ".matrix.csv",
				Write: func(w io.Writer) error { return MatrixCSV(w, r.Result) }})
	}
	return list
}

// Bare returns the result alone.
func (r Report) Bare() *probe.Result { return r.Result }

// Compared returns the comparison of sides with the first one, and its figures: see Compare.
func Compared(names []string, sides [][]*probe.Result) (*versus.Comparison, error) {
	for i, runs := range sides {
		for _, r := range runs[1:] {
			if what := apart(runs[0], r); what != "" {
				return nil, fmt.Errorf("%s: %s of its runs differ: they can't be one side", names[i], what)
			}
		}
	}
	c, err := Compare(names, sides)
	if err != nil {
		return nil, err
	}
	return versus.Made(c.Document(Overlay(names, c.Results)), c.Others,
		func(o Other) versus.Difference { return o.Main }), nil
}

// apart names in what two results differ that runs of a side share; empty if they may be runs of one side.
func apart(a, b *probe.Result) string {
	kind := func(r *probe.Result) ranking.Engine { return ranking.EngineOf(r.Engine.Kind()) }
	switch {
	case kind(a) != kind(b) || a.Engine.Library != b.Engine.Library || a.Engine.Version != b.Engine.Version:
		return "the engines"
	case a.Processes != b.Processes || a.PerNode() != b.PerNode():
		return "the processes"
	case a.Settings.HowMeasured() != b.Settings.HowMeasured() || a.Settings.Timing != b.Settings.Timing ||
		(a.Settings.Precision == nil) != (b.Settings.Precision == nil) ||
		(a.Settings.CacheSize > 0) != (b.Settings.CacheSize > 0) || (a.Imported == "") != (b.Imported == ""):
		return "the ways of measuring"
	}
	return ""
}
