package site

import (
	"bytes"
	"encoding/json"
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

// All data are in the page, whatever they hold, and come out as they were.
func TestIndex(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, index(&b, hostile, results(), Comparisons(results())))
	require.False(t, strings.Contains(b.String(), "<img"))
	require.Equal(t, 2, strings.Count(b.String(), "</script>"))
	text := regexp.MustCompile(`(?s)id="data">(.*?)</script>`).FindStringSubmatch(b.String())[1]
	var d data
	require.NoError(t, json.Unmarshal([]byte(text), &d))
	require.Equal(t, "b_eff", d.Classes[0].Rating)
	var entries []ranking.Entry
	for _, r := range results() {
		entries = append(entries, r.Entry)
	}
	means := map[string]int{} // the numbers of the list's rows, by their rating
	for _, r := range ranking.Rank(entries, false)[0].Rows {
		means[fmt.Sprintf("%s %.4g", r.System.Name, r.Rating()/1e6)] = r.Rank
	}
	shown, runs := map[string]int{}, 0
	for _, r := range d.Rows {
		require.Equal(t, hostile, r.Note)
		if r.Shown {
			shown[fmt.Sprintf("%s %.4g", r.System, r.Figures["b_eff"])] = r.Rank
		}
		if !r.Mean {
			runs++
		}
	}
	require.Equal(t, means, shown, "one rule: what the list has")
	require.Equal(t, 12, runs)
}

// Each system has a page, whose links lead to the files that the site has.
func TestFiles(t *testing.T) {
	files := Files("All", results(), nil)
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
	dir := t.TempDir()
	var b bytes.Buffer
	list := results()
	for i := range list[:3] {
		list[i].Class.Rules = "3.6"
	}
	require.NoError(t, index(&b, "All", list, Comparisons(list)))
	path := filepath.Join(dir, "index.html")
	require.NoError(t, os.WriteFile(path, b.Bytes(), 0o600))
	for state, want := range map[string]struct {
		rows, hidden int
		first        string
	}{
		"#all=1&sort=date&dir=desc": {9, 2, "Aurora"}, "#q=open+vulcan&class=99&sort=x&a=none": {1, 2, "Vulcan"},
		"#all=1&valid=1&since=2026-10-01": {2, 2, "&lt;img"}, "#class=1": {3, 2, "&lt;img"},
	} {
		dom := browser.Visit(t, "file://"+path+state, "")
		_, body, _ := strings.Cut(dom, "<tbody>")
		body, _, _ = strings.Cut(body, "</tbody>")
		require.Equal(t, want.rows, strings.Count(body, "<tr>"), state)
		require.Equal(t, want.hidden, strings.Count(dom, ` hidden="">`), state)
		system := regexp.MustCompile(`<a href="systems/[^"]*">`).FindStringIndex(body)
		require.True(t, strings.HasPrefix(body[system[1]:], want.first), "%s: %s", state, body[system[1]:])
	}
}
