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
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/internal/browser"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/ranking"
)

const hostile = `<img src=x onerror=alert(1)>"'&</script>`

// results returns three results of each of four systems, with names that want to be escaped.
func results() (list []Result) {
	for i := range 12 {
		x := float64(1+i%4)*1e9 + float64(i)*1e6
		r := Result{ID: fmt.Sprint("r", i), HasReport: i < 4, HasDocument: i < 6, Curve: []parts.CurvePoint{
			{Bytes: 1, Bandwidth: x / 1e3}, {Bytes: 1 << 20, Bandwidth: x}}}
		r.Entry = ranking.Entry{Class: ranking.Class{Benchmark: "b_eff", Rules: "2001"}, Processes: 8, Rating: x,
			Latency: 1 / x, Date: time.Date(2026, 1+time.Month(i), 1, 0, 0, 0, 0, time.UTC), Library: "Open MPI 4.1.4",
			Within: rating.Around(x, 0.02, rating.ByBlocks)}
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
	require.NoError(t, index(&b, hostile, results()))
	require.False(t, strings.Contains(b.String(), "<img"))
	require.Equal(t, 2, strings.Count(b.String(), "</script>"))
	text := regexp.MustCompile(`(?s)id="data">(.*?)</script>`).FindStringSubmatch(b.String())[1]
	var d data
	require.NoError(t, json.Unmarshal([]byte(text), &d))
	require.Len(t, d.Rows, 12)
	first := d.Rows[0]
	require.Equal(t, []any{"r7", 1, true, "Aurora", 4007.0}, []any{first.ID, first.Rank, first.Best, first.System,
		first.Figures["b_eff"]})
	require.Equal(t, hostile, first.Note)
	require.Equal(t, "b_eff", d.Classes[0].Rating)
	require.Equal(t, [][2]float64{{1, 4.007}, {1048576, 4007}}, first.Curve)
	best := 0
	for _, r := range d.Rows {
		if r.Best {
			best++
		}
	}
	require.Equal(t, 4, best)
}

// Each system has a page, whose links lead to the files that the site has.
func TestFiles(t *testing.T) {
	files := Files("All", results())
	require.Len(t, files, 5)
	var names []string
	for _, f := range files {
		var b bytes.Buffer
		require.NoError(t, f.Write(&b))
		names = append(names, f.Path)
		if f.Path == "systems/Hawk.html" {
			for text, want := range map[string]bool{`<a href="../reports/r0.html">report</a>`: true, "r8.json": false,
				`<a href="../results/r4.json.gz">document</a>`: true, "../index.html": true, "<svg": true,
				"b_eff_io": false} {
				require.True(t, strings.Contains(b.String(), text) == want, text)
			}
		}
		require.False(t, strings.Contains(b.String(), "<img"), f.Path)
	}
	require.Equal(t, "systems/Hawk.html", names[3])
	require.Equal(t, []string{"a", "a-2", "b-c", "unnamed", "unnamed-2"}, IDs([]string{"a", "a", "b/c", "..", "日"}))
}

// The page does in a browser what its address says, and complains of nothing.
func TestBrowser(t *testing.T) {
	dir := t.TempDir()
	var b bytes.Buffer
	require.NoError(t, index(&b, "All", results()))
	path := filepath.Join(dir, "index.html")
	require.NoError(t, os.WriteFile(path, b.Bytes(), 0o600))
	for state, want := range map[string]struct {
		rows, sides int
		first       string
	}{
		"#all=1&sort=date&dir=desc": {12, 0, "Aurora"}, "#q=open+vulcan&class=99&sort=x&a=none": {1, 0, "Vulcan"},
		"#all=1&valid=1&since=2026-10-01": {2, 0, "&lt;img"}, "#a=r0&b=r1": {4, 2, "Aurora"},
	} {
		dom := browser.Visit(t, "file://"+path+state, "")
		_, body, _ := strings.Cut(dom, "<tbody>")
		body, rest, _ := strings.Cut(body, "</tbody>")
		require.Equal(t, want.rows, strings.Count(body, "<tr>"), state)
		require.Equal(t, want.sides, strings.Count(rest, "<table>"), state)
		require.Equal(t, want.sides, strings.Count(rest, "<polyline"), state)
		system := regexp.MustCompile(`<a href="systems/[^"]*">`).FindStringIndex(body)
		if want.first != "" {
			require.True(t, strings.HasPrefix(body[system[1]:], want.first), "%s: %s", state, body[system[1]:])
		}
	}
}
