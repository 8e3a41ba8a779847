package ofprobe

import (
	"io"
	"strconv"
	"strings"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/findings"
	"github.com/effective-bandwidth/beff/report/format/imb"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/prove"
	"github.com/effective-bandwidth/beff/report/ranking"
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

// Entry returns the result as an entry of a ranking, without the system's name. It has no rating.
func (r Report) Entry() ranking.Entry {
	return ranking.Entry{
		Class: rating.Class{Benchmark: probe.Benchmark, Engine: rating.EngineOf(r.Engine.Kind()),
			Memory: r.Settings.Memory.Place()},
		Processes: r.Processes, PerNode: r.PerNode(), Date: r.Started,
		Status: r.status(), Cause: ranking.CauseOf(r.Result.Verdict()), Way: r.way(),
		Figures: probe.Figures.Values(r.Result),
		Found:   findings.Faults(r.Result),
		Kernels: words.First(3, lists.Each(kernelsOf(r.Result), (*Kernel).Title), ", ", ""),
	}
}

// way describes how the probe measured. Probes that differ in it measure different things.
func (r Report) way() string {
	s := &r.Settings
	list := []string{r.Methods(), words.Either(s.Memory.CacheSize > 0, "caches avoided", "caches used")}
	if s.InSeries() {
		list = append(list, "series")
	}
	if s.Series.Timing != "" && s.Series.Timing != settings.ByLoop {
		list = append(list, "timing "+string(s.Series.Timing))
	}
	return strings.Join(list, ", ")
}

// status returns the status of a probe. One that wasn't judged is valid if it is complete and its data were right.
func (r Report) status() ranking.Status {
	v := r.Verdict()
	if len(r.Criteria) == 0 {
		v.Valid = r.Complete && Defects(r.Result) == 0
	}
	return ranking.StatusOf(v)
}
