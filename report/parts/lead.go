package parts

import (
	"regexp"
	"strings"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
)

// glossary is the address of the glossary, for readers who have only a report.
const glossary = "https://github.com/effective-bandwidth/beff/blob/main/docs/glossary.md"

// Headline returns the first page's number with its verdict and its range.
func Headline(name string, v rating.Verdict, d rating.Estimate, note string) document.Headline {
	number, unit := words.ValueAndUnit(d)
	h := document.Headline{Name: name, Value: number, Unit: unit, Note: note, Badge: badge(v, d)}
	if d.RelativeHalfWidth() < 1 && v.State() != rating.IsNotValid {
		h.Range, h.Ends = words.Range(d), [2]float64{d.Within.Low / d.Value, d.Within.High / d.Value}
	}
	return h
}

// badge returns the verdict in a few words.
func badge(v rating.Verdict, d rating.Estimate) string {
	switch state := v.State(); {
	case state == rating.IsSlowed:
		return "valid · " + strings.TrimPrefix(slowed(v), ", ")
	case state == rating.IsNoisy && d.Kind() == rating.VeryNoisy:
		return "valid · very noisy"
	case state == rating.IsNoisy:
		return "valid · noisy"
	default:
		return state.String()
	}
}

// Lead returns the first page's text: the meaning of the headline, and sentences made from the data.
func Lead(meaning string, sentences []string) document.Lead {
	return document.Lead{Meaning: meaning, Sentences: sentences,
		Links: []document.Link{{Text: "Glossary", Address: glossary}}}
}

// TitlePictures completes all pictures of a result's document: they get a title, the system, processes, engine and
// date, and a label if the result is not valid or computed by a model.
func TitlePictures(d *document.Document, h Header) {
	model := h.Engine.Kind().Simulated
	source := func(processes string) string {
		list := []string{NameOf(h.System, h.Host)}
		if processes != "" {
			list = append(list, processes)
		}
		if engine := h.engine(); engine != "" && !model {
			list = append(list, engine)
		}
		if list = append(list, Origin(model, h.Imported != "")); !d.Date.IsZero() {
			list[len(list)-1] += " " + d.Date.Format("2006-01-02")
		}
		return strings.Join(list, " · ")
	}
	label := words.Either(model, OfModel, "")
	if h.Verdict != nil && h.Verdict.State() == rating.IsNotValid {
		label = words.Either(model, OfModel+", "+NotValid, words.Either(h.Verdict.WrongData(), WrongData, NotValid))
	}
	LabelPictures(d, source(words.Either(h.Processes > 0, h.OnProcesses(), "")), source(""), label)
}

// Origin describes where figures come from.
func Origin(model, imported bool) string {
	switch {
	case model:
		return "computed by a model"
	case imported:
		return "imported"
	}
	return "measured"
}

// onProcesses matches titles that contain the number of processes.
var onProcesses = regexp.MustCompile(`\b\d+ process|number of processes`)

// Labels of pictures.
const (
	NotValid  = "NOT VALID"
	WrongData = "WRONG DATA"
	OfModel   = "MODEL" // computed, not measured
)

// LabelPictures sets the source and the label of all pictures of a document. A picture without a title gets the first
// sentence of its caption as title. If a title names processes, the picture gets the source without them.
func LabelPictures(d *document.Document, source, without, label string) {
	for _, f := range d.Figures() {
		if f.Title == "" {
			f.Title, _, _ = strings.Cut(strings.TrimSuffix(f.Caption, "."), ". ")
			f.Title, _, _ = strings.Cut(f.Title, "; ")
		}
		f.Title, f.Source, f.Label = chart.Clean(f.Title), chart.Clean(source), label
		if onProcesses.MatchString(f.Title) {
			f.Source = chart.Clean(without)
		}
	}
}

// engine returns the library and its version, with a remark if it is not an MPI library.
func (h Header) engine() string {
	of := h.Software.Engine
	if of.Kind().Embedded {
		return of.Library + " (no MPI)"
	}
	return strings.TrimSpace(of.Library + " " + of.Version)
}
