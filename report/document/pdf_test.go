package document_test

import (
	"bytes"
	"fmt"
	"image/png"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	. "github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
)

// pdfs holds documents by name.
var pdfs = map[string]func() *Document{"nasty": nasty, "large": large}

func pdfFile(t *testing.T, data []byte) string {
	name := filepath.Join(t.TempDir(), "report.pdf")
	require.NoError(t, os.WriteFile(name, data, 0o644))
	return name
}

func output(t *testing.T, name string, args ...string) string {
	out, err := exec.Command(tool(t, name), args...).CombinedOutput()
	require.NoError(t, err, string(out))
	return string(out)
}

func TestPDFPages(t *testing.T) {
	for name, d := range pdfs {
		data := written(t, PDF, d())
		require.LessOrEqual(t, len(data), 1_500_000, name)
		require.True(t, bytes.HasPrefix(data, []byte("%PDF-")), name)
		pages := len(regexp.MustCompile(`/Type /Page\b`).FindAll(data, -1))
		require.Greater(t, pages, 3, name)
		require.Contains(t, string(data), "/CreationDate (D:20261121100000", name)
	}
}

// A link of the first page leads to the page of its section, here the last one.
func TestPDFLinkToSection(t *testing.T) {
	many := List(slices.Repeat([]string{"a line"}, 100))
	d := &Document{Title: "t", Lead: Lead{Links: []Link{{Text: "the last page", Address: "#c"}}}, Sections: []Section{
		{ID: "a", Title: "A", Blocks: []Block{many}}, {ID: "b", Title: "B", Blocks: []Block{many}},
		{ID: "c", Title: "C", Blocks: []Block{Paragraph("the verdict")}}}}
	data := string(written(t, PDF, d))
	pages := regexp.MustCompile(`/Kids \[((?:\d+ 0 R ?)+)\]`).FindStringSubmatch(data)
	links := regexp.MustCompile(`/Subtype /Link [^>]*/Dest \[(\d+ 0 R)`).FindAllStringSubmatch(data, -1)
	require.Len(t, links, 1)
	require.True(t, strings.HasSuffix(strings.TrimSpace(pages[1]), links[0][1]), "%s of %s", links, pages)
}

// A heading and a short text stay on the page of the table below them.
func TestPDFHeadingWithTable(t *testing.T) {
	tool(t, "pdftotext")
	d := &Document{Title: "Kernels"}
	for i := range 12 {
		table := &Table{ID: fmt.Sprint("t", i), Caption: "Times.", Columns: Heads("length"), Rows: make([][]Cell, 9)}
		for r := range table.Rows {
			table.Rows[r] = []Cell{{Text: "8"}}
		}
		d.Sections = append(d.Sections, Section{ID: fmt.Sprint("s", i), Title: "Kernel",
			Blocks: []Block{Paragraph("A repetition."), table}})
	}
	text := output(t, "pdftotext", "-layout", pdfFile(t, written(t, PDF, d)), "-")
	require.Equal(t, 12, strings.Count(text, "Times."))
	for _, page := range strings.Split(text, "\f") {
		require.Equal(t, strings.Count(page, "A repetition."), strings.Count(page, "Times."), page)
	}
}

// All pages have the size of the paper, in portrait or landscape.
func TestPDFPaper(t *testing.T) {
	size := regexp.MustCompile(`(?m)^Page +\d+ size: +([\d.]+) x ([\d.]+) pts`)
	for letter, want := range map[bool][2]float64{false: {595.28, 841.89}, true: {612, 792}} {
		d := large()
		d.Letter = letter
		file := pdfFile(t, written(t, PDF, d))
		pages := size.FindAllStringSubmatch(output(t, "pdfinfo", "-l", "99", file), -1)
		require.Greater(t, len(pages), 3)
		for _, page := range pages {
			var sides [2]float64
			for i := range sides {
				sides[i], _ = strconv.ParseFloat(page[1+i], 64)
			}
			slices.Sort(sides[:])
			require.InDeltaSlice(t, want[:], sides[:], 0.5)
		}
	}
}

func TestPDFText(t *testing.T) {
	tool(t, "pdftotext")
	text := output(t, "pdftotext", "-layout", pdfFile(t, written(t, PDF, nasty())), "-")
	for _, want := range []string{
		"9709.549", "page 1 of ", "Problem:", "Warning:", "NOT VALID for comparison: <quick> run.",
		"→ Run without --quick.",
		"1 Texts <hr>", "Table 1: Hostile <b>strings</b> | and \"numbers\"", "Figure 1: Lines & <dashes>",
		"µ≥β→σ±½" /* spaced letters */, "{nb} {{.Title}}",
		"latency in µs, ≥ 0, β → σ", "rotated [MB/s]", "Bold title <&>", "(no rows)",
	} {
		require.Contains(t, regexp.MustCompile(` +`).ReplaceAllString(text, " "), want)
	}
}

// The first page has the number, the notices, the sentences and the picture. Pages are numbered. The PDF leaves out
// tables of details, which HTML has.
func TestPDFFirstPage(t *testing.T) {
	tool(t, "pdftotext")
	d := nasty()
	d.Lead = Lead{Meaning: "What it is.", Sentences: []string{"A sentence."},
		Figure: d.Sections[2].Blocks[2].(*Figure)}
	d.Sections[2].Blocks = d.Sections[2].Blocks[:1]
	d.Notices = []Notice{{Level: Warning, Remedy: "Wait.", Text: "Not so fast."}}
	d.Sections[1].Blocks[0].(*Table).Detail = true
	file := pdfFile(t, written(t, PDF, d))
	page := func(n string) string { return output(t, "pdftotext", "-layout", "-f", n, "-l", n, file, "-") }
	pages := len(regexp.MustCompile(`page \d+ of `).FindAllString(output(t, "pdftotext", file, "-"), -1))
	require.Greater(t, pages, 1)
	for _, want := range []string{"9709.549", "Not so fast.", "A sentence.", "Figure 1", "What it is.",
		fmt.Sprintf("page 1 of %d", pages)} {
		require.Contains(t, page("1"), want)
	}
	require.Contains(t, page(fmt.Sprint(pages)), fmt.Sprintf("page %d of %d", pages, pages))
	require.NotContains(t, output(t, "pdftotext", file, "-"), "Hostile")
	require.Contains(t, output(t, "pdftotext", file, "-"), "1 table of details left out")
	require.Contains(t, string(written(t, HTML, d)), "Hostile")
}

// No row or column is lost, however large the table is.
func TestPDFNothingCut(t *testing.T) {
	t.Parallel()
	tool(t, "pdftotext")
	for _, letter := range []bool{false, true} {
		d := large()
		d.Letter = letter
		nothingCut(t, pdfFile(t, written(t, PDF, d)))
	}
}

func nothingCut(t *testing.T, file string) {
	text := output(t, "pdftotext", "-layout", file, "-")
	require.Contains(t, text, "the end")
	require.Equal(t, 3000, strings.Count(text, "long")-strings.Count(text, "A long report")-strings.Count(text,
		"longer"))
	for _, want := range []string{"machine 5 of", "Table 1: Five hundred measurements (continued)", "Upright again."} {
		require.Contains(t, text, want)
	}
	flat := regexp.MustCompile(`\s+`).ReplaceAllString(output(t, "pdftotext", file, "-"), " ")
	for c := range 39 {
		require.Contains(t, flat, wide("x", 40, 1).Columns[c+1].Name)
	}
	for _, row := range large().Sections[0].Blocks[1].(*Table).Rows {
		require.Regexp(t, row[0].Text+` +`+row[1].Text+` +`+regexp.QuoteMeta(row[2].Text)+` +`+row[3].Text, text)
	}
}

func TestPDFFonts(t *testing.T) {
	t.Parallel()
	tool(t, "pdffonts")
	for name, d := range pdfs {
		lines := strings.Split(strings.TrimSpace(output(t, "pdffonts", pdfFile(t, written(t, PDF, d())))), "\n")[2:]
		require.NotEmpty(t, lines, name)
		for _, line := range lines {
			require.Regexp(t, `(?i)liberation.* yes (yes|no) +yes`, line, name) // embedded, with a map to Unicode
		}
	}
}

func TestPDFValid(t *testing.T) {
	t.Parallel()
	tool(t, "qpdf")
	for _, d := range pdfs {
		require.Contains(t, output(t, "qpdf", "--check", pdfFile(t, written(t, PDF, d()))),
			"No syntax or stream encoding errors")
	}
	var b bytes.Buffer
	require.NoError(t, FigurePDF(&b, nasty().Sections[2].Blocks[2].(*Figure)))
	require.Contains(t, output(t, "qpdf", "--check", pdfFile(t, b.Bytes())), "No syntax or stream encoding errors")
}

func TestFigures(t *testing.T) {
	f := nasty().Sections[2].Blocks[0].(*Figure)
	files := map[string][]byte{}
	for name, w := range map[string]func(io.Writer, *Figure) error{"png": PNG, "svg": SVG, "pdf": FigurePDF} {
		var one, two bytes.Buffer
		require.NoError(t, w(&one, f))
		require.NoError(t, w(&two, f))
		require.Equal(t, one.Bytes(), two.Bytes(), name)
		files[name] = one.Bytes()
		require.Error(t, w(io.Discard, &Figure{ID: "x"}), name)
	}
	image, err := png.Decode(bytes.NewReader(files["png"]))
	require.NoError(t, err)
	require.InDelta(t, 16/2.54*200, image.Bounds().Dx(), 1)
	require.InDelta(t, 8/2.54*200+2*11./72*200, image.Bounds().Dy(), 1, "the caption has a line, and some space")
	require.Contains(t, string(files["svg"]), "'Liberation Sans',Arial")
	fixture.Golden(t, "lines.svg", string(files["svg"]))
	require.Regexp(t, `/MediaBox \[0 0 453.54 226.77\]`, string(files["pdf"]))
}
