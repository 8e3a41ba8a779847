package parts

import (
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

// Titled writes the system, its processes, the engine and the date into all pictures of a result's document, and
// NOT VALID across them where it is so.
func Titled(d *document.Document, h Head) {
	title := []string{NameOf(h.System, h.Host)}
	if h.Processes > 0 {
		title = append(title, words.Processes(h.Processes))
	}
	if engine := h.engine(); engine != "" {
		title = append(title, engine)
	}
	if !d.Date.IsZero() && !h.Engine.Kind().Simulated { // the clock of a model begins with 1970
		title = append(title, d.Date.Format("2006-01-02"))
	}
	Stamped(d, strings.Join(title, " · "), h.Verdict != nil && h.Verdict.State() == rating.IsNotValid)
}

// Stamped writes a title into all pictures of a document, and NOT VALID across them where it is so.
func Stamped(d *document.Document, title string, notValid bool) {
	for _, f := range d.Figures() {
		f.Title, f.Stamp = chart.Clean(title), words.Either(notValid, "NOT VALID", "")
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
