package ofior

import (
	"io"
	"math"
	"sync"

	"github.com/effective-bandwidth/beff/ior"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	iortext "github.com/effective-bandwidth/beff/report/format/ior"
	"github.com/effective-bandwidth/beff/report/format/resultfile"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/prove"
	"github.com/effective-bandwidth/beff/report/ranking"
	"github.com/effective-bandwidth/beff/report/words"
)

// Form is the form of result documents, whose samples have a line each.
var Form = resultfile.NewForm("samples", func(r *ior.Result) *[]ior.Sample { return &r.Samples },
	func(r *ior.Result) *string { return &r.Digest })

// Shape returns the rule of result documents.
var Shape = sync.OnceValue(func() *prove.Rule {
	return prove.RuleOf[ior.Result](ior.Benchmark, ior.SchemaVersion)
})

// Report is a result with everything that can be written of it.
type Report struct{ *ior.Result }

// Head returns the result's identity and machine, to be read and to be overridden.
func (r Report) Head() parts.Head {
	return parts.Head{Identity: &r.Identity, Machine: &r.Machine, Software: &r.Software, Period: &r.Period,
		Complete: r.Complete, Circumstances: &r.Circumstances, Processes: r.Processes, Verdict: &r.Verdict}
}

// Sealed writes the result document with its digest.
func (r Report) Sealed(w io.Writer) error { return Form.Seal(w, r.Result) }

// Document returns the whole report.
func (r Report) Document() *document.Document { return Document(r.Result) }

// Texts returns the benchmark's own formats.
func (r Report) Texts() []parts.Text {
	set := r.Result != nil && r.Set()
	list := []parts.Text{{Name: "ior", Ending: ".txt", Kept: !set,
		Write: func(w io.Writer) error { return iortext.Write(w, r.Result) }}}
	if set || r.Result == nil {
		list = append(list, parts.Text{Name: "io500", Ending: ".txt", Kept: set,
			Write: func(w io.Writer) error { return iortext.WriteIO500(w, r.Result) }})
	}
	return list
}

// Entry returns the result as an entry of a list, without the system's name. It has no rating.
func (r Report) Entry() ranking.Entry {
	e := ranking.Entry{Class: rating.Class{Benchmark: ior.Benchmark, Engine: rating.EngineOf(r.Engine.Kind())},
		Processes: r.Processes, PerNode: r.PerNode(), Date: r.Started, Status: ranking.StatusOf(r.Verdict),
		Figures: ior.Figures.Values(r.Result)}
	var tests []string
	for i := range r.Tests {
		tests = append(tests, title(&r.Tests[i]))
	}
	e.Kernels = words.First(3, tests, ", ", "")
	e.Way = way(r.Result)
	return e
}

// Measured returns the samples.
func (r Report) Measured() any { return r.Samples }

// Bare returns the result alone.
func (r Report) Bare() *ior.Result { return r.Result }

// KeyValue writes the result's lines for scripts. The keys of a test begin with its number, counted from 1.
func (r Report) KeyValue(w io.Writer, verified bool) error {
	return parts.KeyValue(w, r.Head(), r.Result, ior.Figures, r.Verdict, verified, func(k parts.Keys) {
		k.Text("directory", r.FileSystem.Directory)
		k.Text("file_system", r.FileSystem.Type)
		for _, p := range r.Derived.Phases {
			prefix := phaseKey(r.Result, p)
			k.Mbps(prefix+"mean", p.Mean)
			k.Mbps(prefix+"most", p.Most)
			k.Mbps(prefix+"least", p.Least)
			k.Plain(prefix+words.Either(r.Tests[p.Test].Metadata != nil, "files", "transfers")+"_per_s", p.Rate)
			k.Plain(prefix+"seconds", p.Seconds)
			if in := p.Interval; in != nil && !math.IsInf(in.High, 0) {
				k.Mbps(prefix+"low", in.Low)
				k.Mbps(prefix+"high", in.High)
			}
		}
	})
}
