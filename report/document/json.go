package document

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/effective-bandwidth/beff/report/words"
)

// JSON writes the facts, notices and tables of the document for scripts. The structure only ever grows:
//
//	{
//	  "document": 1,                                  version of this structure
//	  "title": …, "subtitle": …, "date": RFC 3339 (a local time has no zone) or null,
//	  "headline": {"name", "value", "unit", "note"},  texts, as shown; null: none
//	  "facts":   [{"name", "value"}],
//	  "notices": [{"level": "good|warning|bad|remark", "text", "remedy", "signs"}],  signs may be missing
//	  "tables":  [{"id", "section", "caption",        section is the ID of the section that contains the table
//	               "columns": [{"name", "unit"}],
//	               "rows": [[…]],                     each cell is an unrounded number in the unit, a text, or null
//	               "footer": […]}],                   as a row; null: none
//	  "figures": [{"id", "section", "caption", "alt"}]
//	}
func JSON(w io.Writer, d *Document) error {
	return write(w, "json", d, func(b *bytes.Buffer, d *Document) error {
		e := json.NewEncoder(b)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		return e.Encode(jsonOf(d))
	})
}

type jsonDocument struct {
	Document int          `json:"document"`
	Title    string       `json:"title"`
	Subtitle string       `json:"subtitle"`
	Date     *string      `json:"date"`
	Headline *Headline    `json:"headline"`
	Facts    []Fact       `json:"facts"`
	Notices  []Notice     `json:"notices"`
	Tables   []jsonTable  `json:"tables"`
	Figures  []jsonFigure `json:"figures"`
}

type jsonTable struct {
	ID      string   `json:"id"`
	Section string   `json:"section"`
	Caption string   `json:"caption"`
	Columns []Column `json:"columns"`
	Rows    [][]any  `json:"rows"`
	Footer  []any    `json:"footer"`
}

type jsonFigure struct {
	ID      string `json:"id"`
	Section string `json:"section"`
	Caption string `json:"caption"`
	Alt     string `json:"alt"`
}

// levelNames holds the names of the levels in JSON, which are also the classes in HTML.
var levelNames = map[Level]string{Good: "good", Warning: "warning", Bad: "bad", Note: "remark"}

// MarshalText implements encoding.TextMarshaler.
func (l Level) MarshalText() ([]byte, error) { return []byte(levelNames[l]), nil }

func jsonOf(d *Document) *jsonDocument {
	// Lists without entries are [], never null: scripts iterate over them without a check.
	j := &jsonDocument{Document: 1, Title: d.Title, Subtitle: d.Subtitle, Facts: append([]Fact{}, d.Facts...),
		Notices: append([]Notice{}, d.Notices...), Tables: []jsonTable{}, Figures: []jsonFigure{}}
	if !d.Date.IsZero() {
		date := words.Timestamp(d.Date)
		j.Date = &date
	}
	if d.Headline.Value != "" {
		j.Headline = &d.Headline
	}
	for _, s := range d.Sections {
		for _, b := range s.Blocks {
			switch b := b.(type) {
			case *Table:
				t := jsonTable{b.ID, s.ID, b.Caption, b.Columns, [][]any{}, jsonRow(b.Footer)}
				for _, row := range b.Rows {
					t.Rows = append(t.Rows, jsonRow(row))
				}
				j.Tables = append(j.Tables, t)
			case *Figure:
				j.Figures = append(j.Figures, jsonFigure{b.ID, s.ID, b.Caption, b.Alt})
			}
		}
	}
	return j
}

func jsonRow(row []Cell) []any {
	if row == nil {
		return nil
	}
	j := make([]any, len(row))
	for i, c := range row {
		switch {
		case c.Value != nil:
			j[i] = *c.Value
		case c.Text != "":
			j[i] = c.Text
		}
	}
	return j
}
