package document_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"os/exec"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	. "github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
)

// tool returns the path of the first of these programs that is installed. If none is, the test is skipped, or fails if
// BEFF_TEST_TOOLS=1, as make test sets it.
func tool(t *testing.T, names ...string) string {
	t.Helper()
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	if os.Getenv("BEFF_TEST_TOOLS") == "1" {
		t.Fatalf("BEFF_TEST_TOOLS=1, but there is no %s", strings.Join(names, ", no "))
	}
	t.Skipf("no %s", strings.Join(names, ", no "))
	return ""
}

// writers holds all writers of documents, by file extension.
var writers = map[string]func(io.Writer, *Document) error{
	"txt": PlainText, "md": Markdown, "html": HTML, "json": JSON, "pdf": PDF,
}

func written(t testing.TB, f func(io.Writer, *Document) error, d *Document) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, f(&b, d))
	return b.Bytes()
}

func TestGolden(t *testing.T) {
	for ext, f := range writers {
		if ext != "pdf" {
			t.Run(ext, func(t *testing.T) { fixture.Golden(t, "nasty."+ext, string(written(t, f, nasty()))) })
		}
	}
}

func TestSameBytesTwice(t *testing.T) {
	for ext, f := range writers {
		require.True(t, bytes.Equal(written(t, f, nasty()), written(t, f, nasty())), ext)
	}
}

// Writers don't change the document, because one document is passed to several of them.
func TestDocumentUnchanged(t *testing.T) {
	d := nasty()
	before := written(t, JSON, d)
	for _, f := range writers {
		written(t, f, d)
	}
	require.Equal(t, before, written(t, JSON, d))
	require.Equal(t, hostile[18], d.Sections[1].Blocks[0].(*Table).Rows[18][0].Text)
}

func TestEmptyDocument(t *testing.T) {
	for ext, f := range writers {
		require.NoError(t, f(io.Discard, &Document{}), ext)
	}
}

// No output has a control character or one that changes the direction of text.
func TestNoControlCharacters(t *testing.T) {
	for ext, f := range writers {
		if ext == "pdf" {
			continue
		}
		for _, r := range string(written(t, f, nasty())) {
			require.False(t, r != '\n' && r != '\t' && unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r),
				"%s: %U", ext, r)
		}
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, errBroken }

var errBroken = errors.New("broken pipe")

func TestWriteErrors(t *testing.T) {
	for ext, f := range writers {
		require.ErrorIs(t, f(brokenPipe{}, nasty()), errBroken, ext)
	}
	f := &Figure{ID: "a", Caption: "", Alt: "", Drawing: drawing{1, "x"}}
	for _, w := range []func(io.Writer, *Figure) error{PNG, SVG, FigurePDF} {
		require.ErrorIs(t, w(brokenPipe{}, f), errBroken)
	}
	require.ErrorIs(t, TableCSV(brokenPipe{}, wide("a", 2, 1)), errBroken)
}

func TestValidate(t *testing.T) {
	in := func(blocks ...Block) *Document { return &Document{Sections: []Section{{ID: "s", Blocks: blocks}}} }
	one := []Column{{Name: "a"}}
	for want, d := range map[string]*Document{
		"document: section s, block 2: the ID t is used twice, by a table and by a table": in(
			&Table{ID: "t", Columns: one}, &Table{ID: "t", Columns: one}),
		"document: section s, block 1: the ID s is used twice, by a section and by a figure": in(&Figure{ID: "s",
			Caption: "", Alt: "",
			Drawing: drawing{1, ""}}),
		"document: the ID s is used twice, by a section and by a section": {
			Sections: []Section{{ID: "s"}, {ID: "s"}}},
		`document: section has the ID "A b": want lower case letters, digits and dashes`: {
			Sections: []Section{{ID: "A b"}}},
		`document: section has the ID "../x": want lower case letters, digits and dashes`: {
			Sections: []Section{{ID: "../x"}}},
		"document: section s, block 1: table t has no columns": in(&Table{ID: "t"}),
		"document: section s, block 1: table t has 1 columns, its row 1 has 0 cells": in(&Table{ID: "t",
			Columns: one, Rows: [][]Cell{{}}}),
		"document: section s, block 1: table t has 1 columns, its footer has 0 cells": in(&Table{ID: "t", Columns: one,
			Footer: []Cell{}}),
		"document: section s, block 1: figure f has no drawing": in(&Figure{ID: "f"}),
		"document: section s, block 1: figure f is NaN times as high as wide: want 0.01 to 100": in(
			&Figure{ID: "f", Caption: "", Alt: "", Drawing: drawing{math.NaN(), ""}}),
		"document: section s, block 1: no writer knows a block of type <nil>": in(nil),
		"document: section s, block 1: the table is missing":                  in((*Table)(nil)),
		"document: section s, block 1: the figure is missing":                 in((*Figure)(nil)),
		"document: notice 1 has the unknown level 7":                          {Notices: []Notice{{Level: 7}}},
	} {
		require.EqualError(t, d.Validate(), want)
		for ext, f := range writers {
			require.ErrorContains(t, f(io.Discard, d), want, ext)
		}
	}
}

func TestPlainTextFits(t *testing.T) {
	d := nasty()
	d.Sections = d.Sections[:1] // without tables, which may be wider
	for _, line := range strings.Split(string(written(t, PlainText, d)), "\n") {
		require.LessOrEqual(t, utf8.RuneCountInString(line), 100, line)
		require.Equal(t, strings.TrimRight(line, " "), line)
	}
}

func TestMarkdownFigures(t *testing.T) {
	require.Contains(t, string(written(t, MarkdownFigures("img/"), nasty())), "](<img/lines.svg>)")
}

// All rows of a pipe table have the same number of unescaped bars.
func TestMarkdownBars(t *testing.T) {
	for _, line := range strings.Split(string(written(t, Markdown, nasty())), "\n") {
		if strings.HasPrefix(line, "| ") {
			bars := strings.Count(strings.ReplaceAll(strings.ReplaceAll(line, `\\`, ""), `\|`, ""), "|")
			require.Contains(t, []int{3, 4}, bars, line)
		}
	}
}

func TestTableCSV(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, TableCSV(&b, nasty().Sections[1].Blocks[0].(*Table)))
	records, err := csv.NewReader(&b).ReadAll()
	require.NoError(t, err)
	require.Len(t, records, len(hostile)+2)
	require.Equal(t, []string{"name | <i>", "b_eff [MB/s]", "'=note", "beff_version"}, records[0])
	require.Equal(t, "333333333.3333333", records[len(records)-1][1])
	require.Equal(t, "1048576", records[6][1])
	require.Equal(t, "", records[3][1], "NaN")
	for i, want := range map[int]string{4: "'+1+2", 5: "'-1-1", 6: "'@SUM(A1)", 7: "-", 8: "-12.5"} {
		require.Equal(t, want, records[i+1][0])
	}
}

func TestJSON(t *testing.T) {
	var d struct {
		Document int
		Facts    []struct{ Name, Value string }
		Tables   []struct {
			ID, Section string
			Rows        [][]any
		}
	}
	require.NoError(t, json.Unmarshal(written(t, JSON, nasty()), &d))
	require.Equal(t, 1, d.Document)
	require.Equal(t, "system", d.Facts[0].Name)
	require.Equal(t, "tables", d.Tables[0].Section)
	require.Nil(t, d.Tables[0].Rows[2][1], "NaN")
	require.Equal(t, -2.5, d.Tables[0].Rows[1][1])
	require.Empty(t, d.Tables[1].Rows)
}

// Heads makes columns of texts, and of numbers with or without a unit. Add accepts texts and cells.
func TestHeads(t *testing.T) {
	table := &Table{Columns: Heads("a [b] c", "time [µs]", "processes []", "interval [± %]", "m[1] [B/s]")}
	require.Equal(t, []Column{{Name: "a [b] c"}, {"time", "µs", true, ""}, {"processes", "", true, ""},
		{"interval", "± %", true, ""}, {"m[1]", "B/s", true, ""}}, table.Columns)
	table.Add("x", Number(1, "1"), Text("-"), "", Number(2, "two"))
	require.Equal(t, [][]Cell{{Text("x"), Number(1, "1"), Text("-"), Text(""), Number(2, "two")}}, table.Rows)
	require.Panics(t, func() { table.Add(1) })
}
