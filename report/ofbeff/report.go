package ofbeff

import (
	"io"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/format/hlrs"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/prove"
	"github.com/effective-bandwidth/beff/report/ranking"
)

// Form is the form of result documents, which have a line for each sample.
var Form = prove.NewForm("samples", func(r *beff.Result) *[]beff.Sample { return &r.Samples },
	func(r *beff.Result) *string { return &r.Digest })

// Report is a result with everything that can be written about it.
type Report struct{ *beff.Result }

// Header returns the result's identity and machine, for reading and for changes.
func (r Report) Header() parts.Header {
	return parts.Header{Identity: &r.Identity, Machine: &r.Machine, Software: &r.Software, Period: &r.Period,
		Complete: r.Complete, Circumstances: &r.Circumstances, Processes: r.Processes, Verdict: &r.Verdict}
}

// Sealed writes the result document with its digest.
func (r Report) Sealed(w io.Writer) error { return Form.Seal(w, r.Result) }

// Document returns the whole report, with its figures.
func (r Report) Document() *document.Document { return Document(r.Result, Figures(r.Result)) }

// Texts returns the benchmark's own formats.
func (r Report) Texts() []parts.Text {
	return []parts.Text{
		{Ending: ".txt", Kept: true, Write: func(w io.Writer) error { return document.PlainText(w, r.Document()) }},
		{Name: "sum", Ending: ".sum", Write: func(w io.Writer) error {
			return hlrs.BEff(w, r.Result, remarks(r.Result))
		}},
		{Name: "skampi", Ending: ".sko", Write: func(w io.Writer) error { return SKaMPI(w, r.Result) }},
	}
}

// Entry returns the result as an entry of a ranking, without the system's name.
func (r Report) Entry() ranking.Entry {
	return ranking.Entry{
		Class: rating.Class{Benchmark: beff.Benchmark, Rules: string(r.Rules),
			Engine: rating.EngineOf(r.Engine.Kind()), Limited: r.Limited(), Memory: r.Place()},
		Processes: r.Processes, PerNode: r.PerNode(), Longest: r.Lmax,
		MemoryPerProcess: r.MemoryPerProcess, Date: r.Started, Status: ranking.StatusOf(r.Verdict),
		Cause:   ranking.CauseOf(r.Verdict),
		Figures: beff.Figures.Values(r.Result),
	}
}

// Measured returns the samples.
func (r Report) Measured() any { return r.Samples }

// Bare returns the result itself.
func (r Report) Bare() *beff.Result { return r.Result }
