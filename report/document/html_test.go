package document_test

import (
	"os"
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

// browse loads a document in a headless browser and returns the resulting page.
func browse(t *testing.T, d *Document, fragment string) string {
	name := filepath.Join(t.TempDir(), "report.html")
	require.NoError(t, os.WriteFile(name, written(t, HTML, d), 0o644))
	return fixture.Visit(t, "file://"+name+fragment, "")
}

// column returns the cells of a column of a table of the large document.
func column(t *testing.T, dom, table string, column int) []string {
	_, rest, ok := strings.Cut(dom, `<table id="`+table+`"`)
	require.True(t, ok)
	_, rest, _ = strings.Cut(rest, "<tbody>")
	body, _, _ := strings.Cut(rest, "</tbody>")
	var cells []string
	for _, row := range regexp.MustCompile(`(?s)<tr>.*?</tr>`).FindAllString(body, -1) {
		cell := regexp.MustCompile(`<td[^>]*>(.*?)</td>`).FindAllStringSubmatch(row, -1)[column-1][1]
		cells = append(cells, regexp.MustCompile(`<[^>]*>`).ReplaceAllString(cell, ""))
	}
	return cells
}

func numbers(t *testing.T, cells []string) []float64 {
	var list []float64
	for _, c := range cells {
		v, err := strconv.ParseFloat(c, 64)
		require.NoError(t, err)
		list = append(list, v)
	}
	return list
}

// sortable returns the large document with only its first section, which has the long table.
func sortable() *Document {
	d := large()
	d.Sections = d.Sections[:1]
	return d
}

func TestHTMLSorts(t *testing.T) {
	t.Parallel()
	up := browse(t, sortable(), "#sort=long:1:asc")
	sizes := numbers(t, column(t, up, "long", 1))
	require.Len(t, sizes, 500)
	require.True(t, slices.IsSorted(sizes), "by number, not by text")
	require.Contains(t, up, `aria-sort="ascending"><button`)

	down := browse(t, sortable(), "#sort=long:1:desc")
	require.Contains(t, down, `aria-sort="descending"><button`)
	reversed := numbers(t, column(t, down, "long", 1))
	slices.Reverse(reversed)
	require.Equal(t, sizes, reversed)
	// Equal rows keep their order in both directions.
	for _, dom := range []string{up, down} {
		size, repetition := column(t, dom, "long", 1), numbers(t, column(t, dom, "long", 4))
		for i := 1; i < len(size); i++ {
			require.True(t, size[i] != size[i-1] || repetition[i] > repetition[i-1])
		}
	}
}

// An invalid address changes nothing and raises no error.
func TestHTMLSortNonsense(t *testing.T) {
	t.Parallel()
	plain := browse(t, sortable(), "")
	for _, fragment := range []string{"#sort=long:99:asc", "#sort=all:1:asc"} {
		require.Equal(t, column(t, plain, "long", 4), column(t, browse(t, sortable(), fragment), "long", 4), fragment)
	}
}

// clicker clicks once on the heading of a column and twice on the next column's heading.
const clicker = `<script>
const heads = document.querySelectorAll("#long th button");
heads[1].click(); heads[2].click(); heads[2].click();
</script></body>`

func TestHTMLClicks(t *testing.T) {
	t.Parallel()
	page := string(written(t, HTML, sortable()))
	// Otherwise the policy would block the test's own script.
	page = regexp.MustCompile(`<meta http-equiv="Content-Security-Policy"[^>]*>`).ReplaceAllString(page, "")
	page = strings.Replace(page, "</body>", clicker, 1)
	dom := fixture.Show(t, page, "")
	values := numbers(t, column(t, dom, "long", 3))
	slices.Reverse(values)
	require.True(t, slices.IsSorted(values))
	require.Equal(t, 1, strings.Count(dom, `aria-sort="descending"><button`))
	require.NotContains(t, dom, `aria-sort="ascending"><button`)
}

// Hostile texts stay texts, and the policy allows the page's own parts: browse fails otherwise.
func TestHTMLHostile(t *testing.T) {
	t.Parallel()
	dom := browse(t, nasty(), "#sort=hostile:2:desc")
	require.Contains(t, dom, `&lt;script&gt;alert("x")&lt;/script&gt;`)
	require.NotContains(t, dom, "<img")
	require.Equal(t, 1, strings.Count(dom, "<script>"))
	cells := column(t, dom, "hostile", 2)
	require.Equal(t, "1e+22", cells[0], "in the unit of the headline")
	require.Equal(t, "", cells[len(cells)-1], "empty cells are last in both directions")
}

// The page loads nothing from a network.
func TestHTMLNoNetwork(t *testing.T) {
	page := string(written(t, HTML, large()))
	require.Empty(t, regexp.MustCompile(`(?i)<link|\ssrc=|@import|url\(`).FindAllString(page, -1))
	require.Contains(t, page, `default-src &#39;none&#39;`)
}

// A verdict is a badge next to the number, in its notice's colour. Problems come before the lead. The other notices
// come after it, each folded into a line.
func TestBadge(t *testing.T) {
	d := nasty()
	d.Headline.Badge, d.Headline.Range, d.Headline.Ends = "valid · noisy", "9000 to 11000 MB/s", [2]float64{0.93, 1.13}
	d.Notices = []Notice{{Level: Warning, Text: "Valid, but noisy.", Bare: true},
		{Level: Warning, Text: "A core was busy.", Remedy: "Bind the processes."},
		{Level: Bad, Text: "Data are wrong."}}
	d.Lead = Lead{Meaning: "What it is."}
	page := string(written(t, HTML, d))
	at := 0
	for _, want := range []string{`<span class="badge warning">valid · noisy</span>`, `d="M148.1 5H180.0"`,
		"9000 to 11000 MB/s", `<div class="verdict warning"><p dir="auto">Valid, but noisy.</p>`, "Data are wrong.",
		"What it is.", `<details class="notice warning"><summary><strong>Warning:</strong>`, "Bind the processes."} {
		next := strings.Index(page[at:], want)
		require.GreaterOrEqual(t, next, 0, want)
		at += next
	}
	require.Equal(t, 1, strings.Count(page, "Valid, but noisy."))

	tool(t, "pdftotext")
	file := pdfFile(t, written(t, PDF, d))
	text := output(t, "pdftotext", "-layout", "-l", "1", file, "-")
	for _, want := range []string{"9709.549 MB/s", "valid · noisy", "9000 to 11000 MB/s", "Valid, but noisy.",
		"Data are wrong.", "What it is.", "A core was busy."} {
		require.Contains(t, regexp.MustCompile(` +`).ReplaceAllString(text, " "), want)
	}
}
