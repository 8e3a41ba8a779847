package document

import (
	"bytes"
	"encoding/json"
	"io"
	"time"
)

// JSON writes the facts, notices and tables of the document for scripts. The structure only ever grows:
//
//	{
//	  "document": 1,                                  version of this structure
//	  "title": …, "subtitle": …, "date": RFC 3339 or null,
//	  "headline": {"name", "value", "unit", "note"},  texts, as shown; null: none
//	  "facts":   [{"name", "value"}],
//	  "notices": [{"level": "good|warning|bad", "text", "remedy"}],
//	  "tables":  [{"id", "section", "caption",        section is the ID of the section that the table stands in
//	               "columns": [{"name", "unit"}],
//	               "rows": [[…]],                     a cell: number in the unit, unrounded, or text, or null
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
	Document int           `json:"document"`
	Title    string        `json:"title"`
	Subtitle string        `json:"subtitle"`
	Date     *time.Time    `json:"date"`
	Headline *jsonHeadline `json:"headline"`
	Facts    []jsonFact    `json:"facts"`
	Notices  []jsonNotice  `json:"notices"`
	Tables   []jsonTable   `json:"tables"`
	Figures  []jsonFigure  `json:"figures"`
}

type jsonHeadline struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	Unit  string `json:"unit"`
	Note  string `json:"note"`
}

type jsonFact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type jsonNotice struct {
	Level  string `json:"level"`
	Text   string `json:"text"`
	Remedy string `json:"remedy"`
}

type jsonTable struct {
	ID      string       `json:"id"`
	Section string       `json:"section"`
	Caption string       `json:"caption"`
	Columns []jsonColumn `json:"columns"`
	Rows    [][]any      `json:"rows"`
	Footer  []any        `json:"footer"`
}

type jsonColumn struct {
	Name string `json:"name"`
	Unit string `json:"unit"`
}

type jsonFigure struct {
	ID      string `json:"id"`
	Section string `json:"section"`
	Caption string `json:"caption"`
	Alt     string `json:"alt"`
}

// levelNames holds the names of the levels in JSON, which are also the classes in HTML.
var levelNames = map[Level]string{Good: "good", Warning: "warning", Bad: "bad", Note: "remark"}

func jsonOf(d *Document) *jsonDocument {
	j := &jsonDocument{Document: 1, Title: d.Title, Subtitle: d.Subtitle}
	if !d.Date.IsZero() {
		j.Date = &d.Date
	}
	if d.Headline.Value != "" {
		j.Headline = (*jsonHeadline)(&d.Headline)
	}
	// Lists without entries are [], never null: scripts iterate over them without a check.
	j.Facts, j.Notices, j.Tables, j.Figures = []jsonFact{}, []jsonNotice{}, []jsonTable{}, []jsonFigure{}
	for _, f := range d.Facts {
		j.Facts = append(j.Facts, jsonFact(f))
	}
	for _, n := range d.Notices {
		j.Notices = append(j.Notices, jsonNotice{levelNames[n.Level], n.Text, n.Remedy})
	}
	for _, s := range d.Sections {
		for _, b := range s.Blocks {
			switch b := b.(type) {
			case *Table:
				j.Tables = append(j.Tables, jsonTableOf(s.ID, b))
			case *Figure:
				j.Figures = append(j.Figures, jsonFigure{b.ID, s.ID, b.Caption, b.Alt})
			}
		}
	}
	return j
}

func jsonTableOf(section string, t *Table) jsonTable {
	j := jsonTable{ID: t.ID, Section: section, Caption: t.Caption, Rows: [][]any{}, Footer: jsonRow(t.Footer)}
	for _, c := range t.Columns {
		j.Columns = append(j.Columns, jsonColumn{c.Name, c.Unit})
	}
	for _, row := range t.Rows {
		j.Rows = append(j.Rows, jsonRow(row))
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
