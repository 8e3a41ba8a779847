package ofbeffio

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/format/hlrs"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/prove"
	"github.com/effective-bandwidth/beff/report/ranking"
	"github.com/effective-bandwidth/beff/report/words"
)

// Form is the form of result documents, which have a line for each sample.
var Form = prove.NewForm("samples", func(r *beffio.Result) *[]beffio.Sample { return &r.Samples },
	func(r *beffio.Result) *string { return &r.Digest })

// Report is a result with everything that can be written about it.
type Report struct{ *beffio.Result }

// Header returns the result's identity and machine, for reading and for changes.
func (r Report) Header() parts.Header {
	return parts.Header{Identity: &r.Identity, Machine: &r.Machine, Software: &r.Software, Period: &r.Period,
		Complete: r.Complete, Circumstances: &r.Circumstances, Processes: r.Processes,
		Rated: r.Derived.Processes, Verdict: &r.Verdict}
}

// Sealed writes the result document with its digest.
func (r Report) Sealed(w io.Writer) error { return Form.Seal(w, r.Result) }

// Document returns the whole report, with its figures.
func (r Report) Document() *document.Document { return Document(r.Result, Figures(r.Result)) }

// Texts returns the benchmark's own formats.
func (r Report) Texts() []parts.Text {
	return []parts.Text{{Name: "sum", Ending: ".sum", Kept: true,
		Write: func(w io.Writer) error { return hlrs.BEffIO(w, r.Result) }}}
}

// Entry returns the result as an entry of a ranking, without the system's name.
func (r Report) Entry() ranking.Entry {
	return ranking.Entry{
		Class: rankedIn(r.Result), Processes: r.Processes, PerNode: r.PerNode(), Longest: r.MPart,
		MemoryPerProcess: r.MemoryPerProcess, Date: r.Started, Status: ranking.StatusOf(r.Verdict),
		Cause:   ranking.CauseOf(r.Verdict),
		Figures: beffio.Figures.Values(r.Result),
	}
}

// rankedIn returns the class in which a result is ranked.
func rankedIn(r *beffio.Result) rating.Class {
	list := []string{string(r.Rules), words.Either(r.Within > 0, "adaptive", ""),
		words.Either(r.Short(), beffio.ShortClass, ""), words.Either(r.Keep, "files kept", ""), r.Reading()}
	rules := strings.Join(slices.DeleteFunc(list, func(s string) bool { return s == "" }), ", ")
	return rating.Class{Benchmark: beffio.Benchmark, Rules: rules,
		Engine: rating.EngineOf(r.Engine.Kind()), Limited: r.Limited()}
}

// Measured returns the samples.
func (r Report) Measured() any { return r.Samples }

// Bare returns the result itself.
func (r Report) Bare() *beffio.Result { return r.Result }

// Line returns the line that scripts search for. Important remarks follow the machine's name. If there is no b_eff_io,
// because access methods are missing, the line says so.
func Line(r *beffio.Result) string {
	d := beffio.Derive(r)
	if d.BEffIO == 0 {
		return "b_eff_io not computed: " + r.NotComputed()
	}
	h := &r.Host
	return fmt.Sprintf("b_eff_io = %s MB/s on %s with %s MByte/PE, scheduled time=%s min, rules "+
		"%s, on %s%s", words.Megabytes(d.BEffIO, 1), words.Processes(d.Processes),
		words.Memory(r.MemoryPerProcess), minutes(r.Duration/float64(len(r.Partitions))), r.Rules,
		words.OneLine(strings.Join([]string{h.System, h.Name, h.Release, h.Version, h.Machine}, " ")),
		parts.OfSystem(r.System)+parts.By(r.Beff)+remarks(r))
}

// minutes returns seconds as minutes, with one decimal or, below six seconds, two significant digits.
func minutes(seconds float64) string {
	const least = 6
	if seconds < least {
		return fmt.Sprintf("%.2g", seconds/60)
	}
	return fmt.Sprintf("%.1f", seconds/60)
}

func remarks(r *beffio.Result) string {
	text := ""
	if r.Engine.Kind().Embedded {
		text += ", embedded engine"
	}
	text += parts.Remark(r.Verdict, r.Estimate())
	if n := r.WrongChunks(-1); n > 0 {
		text += fmt.Sprintf(", with %d ERRORS", n)
	}
	return text
}
