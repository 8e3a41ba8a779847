package ofprobe

import (
	"io"

	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/format/imb"
	"github.com/effective-bandwidth/beff/report/format/resultfile"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/versus"
)

// Report is a result with all that can be written of it. Probes are the detail behind ratings: they have no single
// number, and so no place in a ranking.
type Report struct{ *probe.Result }

// Head returns what the result says of itself.
func (r Report) Head() parts.Head { return parts.Head{Identity: &r.Identity, Machine: &r.Machine} }

// Sealed writes the result document with its digest.
func (r Report) Sealed(w io.Writer) error { return resultfile.Probe.Seal(w, r.Result) }

// Document returns the whole report, with its figures.
func (r Report) Document() *document.Document { return Document(r.Result, Figures(r.Result)) }

// KeyValue writes lines for scripts.
func (r Report) KeyValue(w io.Writer, verified bool) error { return KeyValue(w, r.Result, verified) }

// Texts returns the benchmark's own formats.
func (r Report) Texts() []parts.Text {
	return []parts.Text{
		{Name: "imb", Ending: ".txt", Kept: true, Write: func(w io.Writer) error { return imb.Write(w, r.Result) }},
		{Name: "rows", Ending: ".csv", Kept: true, Write: func(w io.Writer) error { return CSV(w, r.Result) }},
		{Name: "pairs", Ending: ".pairs.csv", Write: func(w io.Writer) error { return PairsCSV(w, r.Result) }},
		{Name: "matrix", Ending: ".matrix.csv", Write: func(w io.Writer) error { return MatrixCSV(w, r.Result) }},
	}
}

// Bare returns the result alone.
func (r Report) Bare() *probe.Result { return r.Result }

// Compared returns results side by side with the first one, with their figures: see Compare.
func Compared(names []string, results []*probe.Result) (*versus.Comparison, error) {
	c, err := Compare(names, results)
	if err != nil {
		return nil, err
	}
	return versus.Made(c.Document(Overlay(names, results)), c.Others, func(o Other) float64 { return o.Ratio }), nil
}
