package ofprobe

import (
	"io"
	"strconv"
	"strings"

	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/format/imb"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/prove"
	"github.com/effective-bandwidth/beff/report/tidy"
	"github.com/effective-bandwidth/beff/report/words"
)

// Form is the form of result documents, which have a line for each block.
var Form = prove.NewForm("blocks", func(r *probe.Result) *[]measured.Block { return &r.Blocks },
	func(r *probe.Result) *string { return &r.Digest })

// Report is a result with everything that can be written about it. Probes explain ratings in detail: they have no
// single number, and so no rank.
type Report struct{ *probe.Result }

// Header returns the result's identity and machine, for reading and for changes.
func (r Report) Header() parts.Header {
	h := parts.Header{Identity: &r.Identity, Machine: &r.Machine, Software: &r.Software, Period: &r.Period,
		Complete: r.Complete, Circumstances: &r.Circumstances, Processes: r.Processes,
		Unproven: measured.Unproven}
	if len(r.Criteria) > 0 { // judged
		v := r.Verdict()
		h.Verdict = &v
	}
	return h
}

// Sealed writes the result document with its digest.
func (r Report) Sealed(w io.Writer) error { return Form.Seal(w, r.Result) }

// Document returns the whole report, with its figures.
func (r Report) Document() *document.Document { return Document(r.Result, Figures(r.Result)) }

// Texts returns the benchmark's own formats.
func (r Report) Texts() []parts.Text {
	text := func(w io.Writer) error { return imb.Write(w, r.Result) }
	list := []parts.Text{
		{Ending: ".txt", Kept: true, Write: text},
		{Ending: ".csv", Kept: true, Write: func(w io.Writer) error {
			t := rowTable(r.Result)
			t.By = r.Beff
			return tidy.CSV(w, t)
		}},
		{Name: "imb", Ending: ".imb", Write: text},
		{Name: "skampi", Ending: ".sko", Write: func(w io.Writer) error { return SKaMPI(w, r.Result) }},
	}
	if r.Result == nil || len(r.Factors) > 0 {
		list = append(list, parts.Text{Name: "factors", Ending: ".factors",
			Write: func(w io.Writer) error { return writeFactors(w, r.Beff, r.Factors) }})
	}
	return list
}

// writeFactors writes the factors of the processes, one per line, as --factors FILE reads them.
func writeFactors(w io.Writer, version string, factors []float64) error {
	var b strings.Builder
	b.WriteString("# beff " + words.OneLine(version) + "\n")
	for _, f := range factors {
		b.WriteString(strconv.FormatFloat(f, 'g', -1, 64) + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Measured returns the blocks.
func (r Report) Measured() any { return r.Blocks }

// Bare returns the result itself.
func (r Report) Bare() *probe.Result { return r.Result }
