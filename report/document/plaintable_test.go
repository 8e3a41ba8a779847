package document_test

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/rivo/uniseg"
	"github.com/stretchr/testify/require"

	. "github.com/effective-bandwidth/beff/report/document"
)

// A ranking is one section without a headline. Its table is wider than a page.
func ranking() *Document {
	t := &Table{ID: "systems", Caption: "Systems.", Columns: []Column{{Name: "rank", Numbers: true}, {Name: "system"}},
		Footer: []Cell{Text("1"), Text("all")}}
	row := []Cell{Text("1"), Text("a machine with a name")}
	for range 12 {
		t.Columns = append(t.Columns, Column{Name: "bandwidth at Lmax per process", Unit: "MB/s", Numbers: true})
		row, t.Footer = append(row, Text("1234567.8")), append(t.Footer, Text("2"))
	}
	t.Rows = [][]Cell{row, row}
	return &Document{Title: "Systems", Sections: []Section{{ID: "list", Title: "List",
		Blocks: []Block{t, List{"a legend"}}}}}
}

// No line of a table is longer than 120 columns, and no cell is lost.
func TestTextWidth(t *testing.T) {
	text := string(written(t, PlainText, ranking()))
	require.Equal(t, 2*12, strings.Count(text, "1234567.8"))
	require.Equal(t, 12, strings.Count(text, "[MB/s]"))
	require.Equal(t, 2*2, strings.Count(text, "a machine with a name")) // in both parts
	require.Contains(t, text, "\nTable 1, continued:\n")
	for name, d := range map[string]*Document{"ranking": ranking(), "nasty": nasty(), "large": large()} {
		for _, line := range strings.Split(string(written(t, PlainText, d)), "\n") {
			require.LessOrEqual(t, len([]rune(line)), 120, "%s: %s", name, line)
		}
	}
}

// No line is wider than the screen, whatever its width, and no cell is lost. Colours take no columns.
func TestScreenWidth(t *testing.T) {
	colours := regexp.MustCompile("\x1b\\[[0-9;]*m")
	for _, width := range []int{40, 60, 80, 100, 220} {
		for name, d := range map[string]*Document{"ranking": ranking(), "nasty": nasty(), "large": large()} {
			plain := string(written(t, OnScreen(Screen{Width: width}), d))
			coloured := written(t, OnScreen(Screen{Width: width, Colour: true}), d)
			require.Equal(t, plain, colours.ReplaceAllString(string(coloured), ""))
			for line := range strings.Lines(plain) {
				if !strings.HasPrefix(line, "  http") {
					require.LessOrEqual(t, uniseg.StringWidth(strings.TrimRight(line, "\n")), width, "%s: %s", name,
						line)
				}
			}
		}
		text := string(written(t, OnScreen(Screen{Width: width}), ranking()))
		require.Equal(t, 2*12, strings.Count(text, "1234567.8"))
		require.Equal(t, width < 200, strings.Contains(text, "continued"))
	}
	require.Equal(t, written(t, PlainText, ranking()), written(t, OnScreen(Screen{}), ranking()), "a file's width")
}

// Verdicts have the colour of their level, and the texts of a result can't add colours.
func TestColours(t *testing.T) {
	d := &Document{Title: "a \x1b[31mred\x1b[0m system", Notices: []Notice{{Level: Bad, Text: "not valid"},
		{Level: Good, Text: "Valid", Bare: true}}}
	text := string(written(t, OnScreen(Screen{Width: 80, Colour: true}), d))
	require.Contains(t, text, "\x1b[1;31mProblem: \x1b[0mnot valid\n")
	require.Contains(t, text, "\x1b[1;32mValid\x1b[0m\n")
	require.NotContains(t, text, "\x1b[31m")
}

// If a table is too wide, its headings are wrapped first. Texts are wrapped and the table is split only if necessary.
func TestTextHeads(t *testing.T) {
	d := ranking()
	table := d.Sections[0].Blocks[0].(*Table)
	table.Columns, table.Footer = table.Columns[:6], nil
	for i, row := range table.Rows {
		table.Rows[i] = row[:6]
	}
	text := string(written(t, PlainText, d))
	require.NotContains(t, text, "continued")
	require.Equal(t, 2, strings.Count(text, "a machine with a name"))
}

// The section of a short document begins below its title, without an empty page or a table of contents.
func TestBrief(t *testing.T) {
	data := written(t, PDF, ranking())
	require.Len(t, regexp.MustCompile(`/Type /Page\b`).FindAll(data, -1), 1)
	html := string(written(t, HTML, ranking()))
	require.NotContains(t, html, "Contents")
}

// A turned table has a line for each column, with its unit. CSV has the table as it was.
func TestTurned(t *testing.T) {
	d := &Document{Title: "t", Sections: []Section{{ID: "s", Title: "s", Blocks: []Block{&Table{ID: "t", Turned: true,
		Columns: Heads("2 processes", "b_eff [MB/s]", "latency [µs]"), Rows: [][]Cell{
			{Text("accumulated"), Number(2500, "2500"), Number(1.25, "1.25")},
			{Text("per process"), Number(1250, "1250"), Text("")}}}}}}}
	var text, csv bytes.Buffer
	require.NoError(t, PlainText(&text, d))
	require.Contains(t, text.String(), `2 processes | unit | accumulated | per process
------------+------+-------------+------------
b_eff       | GB/s |       2.500 |       1.250
latency     | µs   |       1.25  |
`)
	require.NoError(t, TableCSV(&csv, d.Sections[0].Blocks[0].(*Table)))
	require.Contains(t, csv.String(), "2 processes,b_eff [MB/s],latency [µs],beff_version\naccumulated,2500,1.25,")
	require.Contains(t, csv.String(), "\nper process,1250,,")
}

// In a table with Least set, each column has the unit that suits its smallest number.
func TestLeastUnit(t *testing.T) {
	x := &Table{ID: "t", Least: true, Columns: Heads("a [MB/s]", "b [MB/s]", "c [MB/s]"), Rows: [][]Cell{
		{Number(25000, "25000"), Number(2500, "2500"), Text("-")}, {Number(183, "183"), Text(""), Text("-")}}}
	text := string(written(t, PlainText, &Document{Title: "t", Sections: []Section{{ID: "s", Blocks: []Block{x}}}}))
	require.Regexp(t, `a \[MB/s\] \| b \[GB/s\]`, text)
	require.Contains(t, text, "25000")
}

// Bandwidths have the unit of the headline. A column of small bandwidths has a smaller unit, and each row of a table
// with ByRow set has its own unit.
func TestUnits(t *testing.T) {
	mega := func(x float64) Cell { return Number(x, "?") }
	table := func(id string, byRow bool) *Table {
		return &Table{ID: id, Columns: Heads("length []", "first [MB/s]", "second [MB/s]", "t [µs]"), ByRow: byRow,
			Rows: [][]Cell{{Whole(1), mega(0.5), mega(0.25), Whole(7)},
				{Whole(4096), mega(1500), mega(0.75), Whole(8)}}}
	}
	text := func(unit string) string {
		blocks := []Block{table("columns", false), table("rows", true)}
		return string(written(t, PlainText, &Document{Title: "Units", Sections: []Section{{ID: "s", Blocks: blocks}},
			Headline: Headline{Name: "x", Value: "1", Unit: unit}}))
	}
	require.Contains(t, text("GB/s"), `
length | first [GB/s] | second [kB/s] | t [µs]
-------+--------------+---------------+-------
     1 |    0.0005000 |         250.0 |      7
  4096 |    1.500     |         750.0 |      8
`)
	require.Contains(t, text("GB/s"), `
length | unit |   first |      second | t [µs]
-------+------+---------+-------------+-------
     1 | kB/s | 500.0   | 250.0       |      7
  4096 | GB/s |   1.500 |   0.0007500 |      8
`)
	require.Contains(t, text("times"), "first [GB/s]", "the largest is above 1 GB/s")
}
