package parts

import (
	"regexp"
	"strings"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
)

// glossary is the address of the glossary for readers of a report alone.
const glossary = "https://github.com/effective-bandwidth/beff/blob/main/docs/glossary.md"

// Lead returns the first page's words: the meaning of the headline in two sentences, and those made from the data.
func Lead(meaning string, sentences []string) document.Lead {
	return document.Lead{Meaning: meaning, Sentences: sentences,
		Links: []document.Link{{Text: "Glossary of the words", Address: glossary}}}
}

// Titled writes what they show, the system, its processes, the engine and the date into all pictures of a result's
// document, and across them what is wrong with it. A picture whose title names a number of processes has that alone.
func Titled(d *document.Document, h Head) {
	source := func(processes int) string {
		list := []string{NameOf(h.System, h.Host)}
		if processes > 0 {
			list = append(list, words.Processes(processes))
		}
		if engine := h.engine(); engine != "" {
			list = append(list, engine)
		}
		if !d.Date.IsZero() && !h.Engine.Kind().Simulated { // the clock of a model begins with 1970
			list = append(list, d.Date.Format("2006-01-02"))
		}
		return strings.Join(list, " · ")
	}
	stamp := words.Either(h.Engine.Kind().Simulated, OfModel, "")
	if h.Verdict != nil && h.Verdict.State() == rating.IsNotValid {
		stamp = NotValid
	}
	Stamped(d, source(h.Processes), stamp)
	for _, f := range d.Figures() {
		if onProcesses.MatchString(f.Title) {
			f.Source = chart.Clean(source(0))
		}
	}
}

// onProcesses is the form of a title that names a number of processes.
var onProcesses = regexp.MustCompile(`\b\d+ process`)

// Stamps of pictures.
const (
	NotValid = "NOT VALID"
	OfModel  = "MODEL" // nothing was measured
)

// Stamped writes the source into all pictures of a document, and a stamp across them. A picture without a title is
// called by the first words of its caption.
func Stamped(d *document.Document, source, stamp string) {
	for _, f := range d.Figures() {
		if f.Title == "" {
			f.Title = f.Caption
			if at := strings.IndexAny(f.Title+".", ".:;"); at >= 0 {
				f.Title = f.Title[:at]
			}
		}
		f.Title, f.Source, f.Stamp = chart.Clean(f.Title), chart.Clean(source), stamp
	}
}

// engine returns the library and its version, and that it is no MPI where it is none.
func (h Head) engine() string {
	of := h.Software.Engine
	if kind := of.Kind(); kind.Embedded || kind.Simulated {
		return of.Library + " (no MPI)"
	}
	return strings.TrimSpace(of.Library + " " + of.Version)
}
