package probing

import (
	"io"
	"slices"

	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/report"
	imbtext "github.com/effective-bandwidth/beff/report/format/imb"
	"github.com/effective-bandwidth/beff/report/format/live"
	"github.com/effective-bandwidth/beff/report/ofprobe"
	"github.com/effective-bandwidth/beff/report/parts"
)

// MPIBlib is the format of results by MPIBlib's method, in addition to the formats of all probes.
var MPIBlib = parts.Text{Name: "mpiblib", Ending: ".mpiblib"}

// textOf returns the text that a run of kernels prints.
func textOf(r *probe.Result, kernels []probe.Selection) live.Maker {
	switch {
	case live.FitsMPIBlib(r, kernels):
		return live.MPIBlib
	case live.FitsLoad(r, kernels):
		return live.Load
	}
	return imbtext.NewWriter
}

// Report is a report of a probe with the texts of suites.
type Report struct{ ofprobe.Report }

// Texts returns the benchmark's own formats, including MPIBlib's. The text that a run prints is the one that it keeps
// in a file.
func (r Report) Texts() []parts.Text {
	list := r.Report.Texts()
	if r.Result == nil {
		return list
	}
	kernels := live.Selections(r.Result)
	text := func(w io.Writer) error { return live.Write(w, r.Result, textOf(r.Result, kernels)) }
	list[slices.IndexFunc(list, func(t parts.Text) bool { return t.Kept && t.Ending == ".txt" })].Write = text
	if live.FitsMPIBlib(r.Result, kernels) {
		own := MPIBlib
		own.Write = text
		list = append(list, own)
	}
	return list
}

// TextsOf returns the own formats of a result's benchmark.
func TextsOf(f *report.File) []parts.Text {
	if r := f.Probe(); r != nil {
		return Report{ofprobe.Report{Result: r}}.Texts()
	}
	return f.Texts()
}
