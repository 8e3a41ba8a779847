package site

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/internal/browser"
	"github.com/effective-bandwidth/beff/report/ranking"
)

const hostile = `<img src=x onerror=alert(1)>"'&</script>`

// results returns three results of each of four systems, with names that want to be escaped.
func results() (list []Result) {
	for i := range 12 {
		x := float64(1+i%4)*1e9 + float64(i)*1e6
		r := Result{ID: fmt.Sprint("r", i), HasReport: i < 4, HasDocument: i < 6}
		if i < 4 {
			points := []chart.Point{{X: 1, Y: x / 1e3}, {X: 1 << 20, Y: x}}
			r.Picture = chart.Plot{ID: "x", Caption: fmt.Sprint("Picture of ", r.ID), X: chart.Length,
				Y: chart.Bandwidth, Series: []chart.Series{{Name: hostile, Points: points}}}.Figure()
		}
		r.Entry = ranking.Entry{Class: rating.Class{Benchmark: "b_eff", Rules: "2001"}, Processes: 8,
			Figures: rating.Values{"b_eff": {Value: x, Within: rating.Around(x, 0.02, rating.ByBlocks)},
				"latency_rings_and_randoms": {Value: 1 / x}},
			Date: time.Date(2026, 1+time.Month(i), 1, 0, 0, 0, 0, time.UTC), Library: "Open MPI 4.1.4"}
		r.System = rating.System{Name: []string{"Hawk", "Vulcan", hostile, "Aurora"}[i%4], Note: hostile}
		r.Facts = []document.Fact{{Name: "library", Value: "Open MPI 4.1.4"},
			{Name: "kernel", Value: fmt.Sprint(i % 2)}}
		if i == 11 {
			r.Status = ranking.NotValid
		}
		list = append(list, r)
	}
	return list
}

// page returns the page of the ranking.
func page(t *testing.T, title string, results []Result) string {
	var b bytes.Buffer
	require.NoError(t, document.HTML(&b, index(title, results, Comparisons(results))))
	return b.String()
}

// The page has the rows of the list and each result, with links to what the site has of them, whatever they hold.
func TestIndex(t *testing.T) {
	require.NotContains(t, page(t, hostile, results()), "<img")
	d := index("All", results(), Comparisons(results()))
	require.Len(t, d.Sections, 2, "a class, and the notes")
	tables := map[string]*document.Table{}
	for _, b := range d.Sections[0].Blocks {
		if t, ok := b.(*document.Table); ok {
			tables[t.ID] = t
		}
	}
	var entries []ranking.Entry
	for _, r := range results() {
		entries = append(entries, r.Entry)
	}
	means := ranking.Rank(entries, false)[0].Rows
	require.Len(t, tables["ranking"].Rows, len(means), "one rule: what the list has")
	require.Equal(t, fmt.Sprint(means[0].Rank), tables["ranking"].Rows[0][0].Text)
	require.Len(t, tables["each-1"].Rows, 12)
	reports, documents := 0, 0
	for _, row := range tables["each-1"].Rows {
		for _, c := range row {
			reports += strings.Count(c.Link, "reports/")
			documents += strings.Count(c.Link, "results/")
			if c.Text == "Hawk" {
				require.Equal(t, "systems/Hawk.html", c.Link)
			}
		}
	}
	require.Equal(t, []int{4, 6}, []int{reports, documents})
	require.Equal(t, "comparisons/1-1.html", tables["best-1"].Rows[0][0].Link)
}

// Each system has a page, whose links lead to the files that the site has.
func TestFiles(t *testing.T) {
	files := Files("All", results(), nil, nil)
	require.Len(t, files, 5)
	var names []string
	for _, f := range files {
		var b bytes.Buffer
		require.NoError(t, f.Write(&b))
		names = append(names, f.Path)
		if f.Path == "systems/Hawk.html" {
			for text, want := range map[string]bool{`<a href="../reports/r0.html">report</a>`: true, "r8.json": false,
				`<a href="../results/r4.json.gz">document</a>`: true, "../index.html": true, "<svg": true,
				"Picture of r0": true, "Picture of r4": false,
				"b_eff_io": false} {
				require.True(t, strings.Contains(b.String(), text) == want, text)
			}
		}
		require.False(t, strings.Contains(b.String(), "<img"), f.Path)
	}
	require.Equal(t, "systems/Hawk.html", names[3])
	require.Equal(t, []string{"a", "a-2", "b-c", "unnamed", "unnamed-2"}, IDs([]string{"a", "a", "b/c", "..", "日"}))
}

// Compared are the best valid results of several systems, one of each.
func TestComparisons(t *testing.T) {
	list := results()
	require.Equal(t, []Comparison{{Class: 0, Path: "comparisons/1-1.html",
		Name: "Aurora, " + hostile + ", Vulcan and Hawk on 8 processes",
		Best: []string{"r7", "r10", "r9", "r8"}}}, Comparisons(list), "r11 is not valid")
	list[10].Status = ranking.NotValid
	require.Equal(t, []string{"r7", "r6", "r9", "r8"}, Comparisons(list)[0].Best)
	list[7].Longest = 1 << 20
	require.Equal(t, []string{"r6", "r9", "r8"}, Comparisons(list)[0].Best[1:], "the rest is judged as compare does")
	for i := range list {
		list[i].Processes = 1 << (i % 4)
	}
	require.Empty(t, Comparisons(list), "no size has two")
	for i := range 20 {
		list[i%12].System.Name, list[i%12].Processes = fmt.Sprint("system ", i%12), 4
	}
	require.Len(t, Comparisons(list)[0].Best, mostCompared)
}

// The page does in a browser what its address says, and complains of nothing.
func TestBrowser(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index.html")
	require.NoError(t, os.WriteFile(path, []byte(page(t, "All", results())), 0o600))
	for state, hidden := range map[string]int{
		"": 0, "#search=each-1:VULCAN+open": 9, "#search=each-1:b_eff-status%3Dvalid": 1,
		"#search=each-1:date<2026-10+processes>7": 3, "#search=each-1:b_eff>4000": 9,
		"#sort=each-1:1:desc&search=ranking:nocolumn%3D8": 4,
	} {
		dom := browser.Visit(t, "file://"+path+state, "")
		require.Len(t, regexp.MustCompile(`<tr(?: class="")? hidden="">`).FindAllString(dom, -1), hidden, state)
	}
}
