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
	"github.com/effective-bandwidth/beff/report/internal/fixture"
	"github.com/effective-bandwidth/beff/report/ranking"
)

const hostile = `<img src=x onerror=alert(1)>"'&</script>`

// results returns three results of each of four systems, with names that must be escaped.
func results() (list []Result) {
	for i := range 12 {
		x := float64(1+i%4)*1e9 + float64(i)*1e6
		r := Result{ID: fmt.Sprint("r", i), HasReport: i < 4 || i == 8, HasDocument: i < 6}
		if i < 4 {
			points := []chart.Point{{X: 1, Y: x / 1e3}, {X: 1 << 20, Y: x}}
			r.Picture = chart.Plot{ID: "x", Caption: fmt.Sprint("Picture of ", r.ID), X: chart.Length,
				Y: chart.Bandwidth, Series: []chart.Series{{Name: hostile, Points: points}}}.Figure()
		}
		r.Entry = ranking.Entry{Class: rating.Class{Benchmark: "b_eff", Rules: "2001"}, Processes: 8,
			Figures: rating.Values{"b_eff": {Value: x, Within: rating.Around(x, 0.02, rating.ByRepetitions)},
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
	require.NoError(t, document.HTML(&b, index(title, "Hawk", results, Comparisons(results), nil)))
	return b.String()
}

// The page has the rows of the ranking, marks the reader's own system, links to the files that the site has, and
// escapes hostile names.
func TestIndex(t *testing.T) {
	require.NotContains(t, page(t, hostile, results()), "<img")
	d := index("All", "Hawk", results(), Comparisons(results()), nil)
	require.Len(t, d.Sections, 3, "a benchmark, comparisons, and the notes")
	require.NotNil(t, d.Lead.Figure)
	table := d.Sections[0].Blocks[0].(*document.Table)
	var entries []ranking.Entry
	for _, r := range results() {
		entries = append(entries, r.Entry)
	}
	means := ranking.Rank(entries, false)[0].Rows
	require.Len(t, table.Rows, len(means), "the same rows as the ranking")
	require.Equal(t, fmt.Sprint(means[0].Rank), table.Rows[0][0].Text)
	links := map[string]string{}
	for _, row := range table.Rows {
		for _, c := range row {
			if c.Link != "" && row[1].Text == "► Hawk" {
				links[c.Text] = c.Link
			}
		}
	}
	require.Equal(t, map[string]string{"► Hawk": "systems/Hawk.html", "report": "reports/r8.html"}, links)
	comparisons := d.Sections[1].Blocks[0].(*document.Table)
	require.Equal(t, "comparisons/1.html", comparisons.Rows[0][0].Link)
}

// Each system has a page, whose links lead to the files that the site has.
func TestFiles(t *testing.T) {
	files := Files("All", "", results(), nil, nil)
	require.Len(t, files, 5)
	var names []string
	for _, f := range files {
		var b bytes.Buffer
		require.NoError(t, f.Write(&b))
		names = append(names, f.Path)
		if f.Path == "systems/Hawk.html" {
			for text, want := range map[string]bool{`<a href="../reports/r0.html">report</a>`: true, "r8.json": false,
				`<a href="../results/r4.json.gz">JSON</a>`: true, "../index.html": true, "<svg": true,
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

// The ranking and the page of a system show the cause of a slowed result.
func TestSlowedOnPages(t *testing.T) {
	list := results()
	for i := range list {
		list[i].Status, list[i].Cause = ranking.Slowed, rating.Cause{Name: "CPU quota"}
	}
	require.Contains(t, page(t, "All", list), "slowed: CPU quota")
	for _, f := range Files("All", "", list, nil, nil) {
		if f.Path == "systems/Hawk.html" {
			var b bytes.Buffer
			require.NoError(t, f.Write(&b))
			require.Contains(t, b.String(), "slowed: CPU quota")
		}
	}
}

// The means of several systems are compared, with the newest runs of each.
func TestComparisons(t *testing.T) {
	list := results()
	require.Equal(t, []Comparison{{Path: "comparisons/1.html",
		Name:  "b_eff: Aurora, " + hostile + ", Vulcan and Hawk on 8 processes",
		Sides: [][]string{{"r7", "r3"}, {"r10", "r6", "r2"}, {"r9", "r5", "r1"}, {"r8", "r4", "r0"}}}},
		Comparisons(list), "r11 is not valid")
	list[10].Status = ranking.NotValid
	require.Equal(t, []string{"r6", "r2"}, Comparisons(list)[0].Sides[1])
	for i := range list {
		list[i].Processes = 1 << (i % 4)
	}
	require.Empty(t, Comparisons(list), "no size has two")
	for i := range 20 {
		list[i%12].System.Name, list[i%12].Processes = fmt.Sprint("system ", i%12), 4
	}
	require.Len(t, Comparisons(list)[0].Sides, maxCompared)
	for i := range list {
		list[i].System.Name, list[i].Figures = fmt.Sprint("system ", i%2), list[0].Figures
	}
	require.Len(t, Comparisons(list)[0].Sides[0], maxRuns)
}

// In a browser the page is filtered and sorted as its address says, and prints no errors on the console.
func TestBrowser(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index.html")
	list := results()
	for i := range list {
		if list[i].System.Name == "Hawk" {
			list[i].Engine = rating.Embedded
		}
	}
	require.NoError(t, os.WriteFile(path, []byte(page(t, "All", list)), 0o600))
	for state, hidden := range map[string]int{
		"": 0, "#search=ranking:VULCAN+open": 3, "#search=ranking:status%3Dvalid": 0,
		"#search=ranking:latency<0.4e-3+processes>7": 2, "#search=ranking:b_eff>2500": 2,
		"#search=ranking:class%3D%3D%22full%22": 1, "#search=ranking:class%3D%3D%22embedded%22": 3,
		"#sort=ranking:1:desc&search=ranking:nocolumn%3D8": 4,
	} {
		dom := fixture.Visit(t, "file://"+path+state, "")
		require.Len(t, regexp.MustCompile(`<tr(?: class="[a-z]*")? hidden="">`).FindAllString(dom, -1), hidden, state)
		require.Regexp(t, `<div class="tabs"><button type="button" value="" aria-pressed="(true|false)">all 4</button>`+
			`<button [^>]*value="class==&quot;full&quot;"[^>]*>full 3</button>`, dom)
	}
}
