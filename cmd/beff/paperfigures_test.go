package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// runMarked runs the commands in the lines of a page that contain mark, in the current directory. It expands patterns
// of file names, *.sum to files, and returns the output.
func runMarked(t *testing.T, page, mark string, files ...string) string {
	var stdout, stderr bytes.Buffer
	found := 0
	for line := range strings.Lines(page) {
		for _, args := range typed(line) {
			if !strings.Contains(line, mark) {
				continue
			}
			found++
			var words []string
			for _, word := range args {
				list, err := filepath.Glob(word)
				require.NoError(t, err)
				switch {
				case word == "*.sum":
					list = files
				case len(list) == 0:
					list = []string{word}
				}
				words = append(words, list...)
			}
			require.Zero(t, run(words, &stdout, &stderr), "%v: %s", words, &stderr)
		}
	}
	require.Positive(t, found, mark)
	return stdout.String()
}

// The commands in docs/list.md make the paper's Table 1 and figures like its Fig. 3. testdata/script/reportsio.txtar
// makes figures like Fig. 2.
func TestFormsOfPaper(t *testing.T) {
	text, err := os.ReadFile("../../docs/list.md")
	require.NoError(t, err)
	page := strings.ReplaceAll(string(text), "  # Table 1", " --format csv # Table 1")
	data, err := filepath.Abs("../../../shared/data")
	require.NoError(t, err)
	t.Run("table 1", func(t *testing.T) {
		rows, err := csv.NewReader(strings.NewReader(runMarked(t, page, "# Table 1"))).ReadAll()
		require.NoError(t, err)
		require.Len(t, rows, 1+16)
		paper, err := os.ReadFile(filepath.Join(data, "b_eff-table1.csv"))
		if err != nil {
			t.Skip("no transcript of the paper's table: ", err)
		}
		want, err := csv.NewReader(bytes.NewReader(paper)).ReadAll()
		require.NoError(t, err)
		for _, w := range want[1:17] { // each row has its number of processes, b_eff, and b_eff at Lmax
			has := false
			for _, row := range rows[1:] {
				has = has || holds(row, w[1]) && holds(row, w[2]) && holds(row, w[6])
			}
			require.True(t, has, "%v of %v", w, rows)
		}
	})
	t.Run("values of figure 3's caption", func(t *testing.T) {
		var stdout, stderr bytes.Buffer
		args := []string{"rank", "--reference", "--where", "benchmark=b_eff_io", "--format", "csv"}
		require.Zero(t, run(args, &stdout, &stderr))
		for name, value := range map[string]string{"RS 6000/SP": "128,63", "SX5-5Be": "4,60", "T3E": "32,57"} {
			require.Regexp(t, "(?m)^.*"+regexp.QuoteMeta(name)+".*,"+value+",", stdout.String())
		}
	})
	t.Run("figure 3", func(t *testing.T) {
		sums, err := filepath.Glob(filepath.Join(data, "b_eff_io/*.sum"))
		require.NoError(t, err)
		if len(sums) == 0 {
			t.Skip("no logs of b_eff_io of real machines in " + data)
		}
		t.Chdir(t.TempDir())
		runMarked(t, page, "# Figure 3", sums...)
		pictures, err := filepath.Glob("fig3/*.svg")
		require.NoError(t, err)
		require.Len(t, pictures, 3)
		var report, stderr bytes.Buffer
		require.Zero(t, run(append([]string{"compare", "--apart", "--format", "md"}, sums...), &report, &stderr))
		captions := strings.Join(strings.Fields(report.String()), " ")
		for _, access := range []string{"write", "rewrite", "read"} {
			svg, err := os.ReadFile("fig3/comparison-compare-types-" + access + "-4.svg")
			require.NoError(t, err)
			drawn := string(svg)
			for _, path := range sums { // a chart for each file, and its number, as the file prints it
				text, err := os.ReadFile(path)
				require.NoError(t, err)
				name := filepath.Base(path)
				require.Contains(t, drawn, ">"+name+"<")
				printed, err := strconv.ParseFloat(ratingOfSum.FindStringSubmatch(string(text))[1], 64)
				require.NoError(t, err)
				require.Contains(t, captions, fmt.Sprintf("%s has b_eff_io by release 2.1 = %.0f MB/s", name, printed))
			}
			for _, label := range strings.Fields("1k +8 2M scatter shared separated segmented seg_coll") {
				require.Contains(t, drawn, ">"+label+"<")
			}
		}
	})
}

// ratingOfSum matches the number in a text of b_eff_io 2.1.
var ratingOfSum = regexp.MustCompile(`b_eff_io of these measurements =\s*(\S+) MB/s`)

// holds reports whether a row has a number.
func holds(row []string, number string) bool {
	want, _ := strconv.ParseFloat(number, 64)
	for _, cell := range row {
		if x, err := strconv.ParseFloat(cell, 64); err == nil && x == want {
			return true
		}
	}
	return false
}
