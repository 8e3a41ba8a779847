package tools

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/foreign"
	"github.com/effective-bandwidth/beff/report/format/hlrs"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
	"github.com/effective-bandwidth/beff/report/ofbeffio"
)

// release21 returns files of release 2.1: a file written by hand in its format, and the files from real machines if
// they are there. These may not be copied into the project.
func release21(t *testing.T) map[string]string {
	const where = "../../../../shared/data/b_eff_io"
	paths, err := filepath.Glob(where + "/*.sum")
	require.NoError(t, err)
	if len(paths) == 0 {
		t.Log("no .sum files of real machines in " + where)
	}
	list := map[string]string{}
	for _, path := range append(paths, "testdata/beff/b_eff_io.sum") {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		list[strings.TrimSuffix(filepath.Base(path), ".sum")] = string(text)
	}
	return list
}

func TestBEffIO(t *testing.T) {
	ratings := map[string]float64{"listbased_fs-ufs_run1": 214.516, "listbased_fs-ufs_run2": 213.850,
		"listless_fs-ufs_run1": 203.467, "b_eff_io": 123.648}
	host := rating.Host{System: "Linux", Name: "grisu0.ccrl-nece.de", Release: "2.6.6",
		Version: "#1 SMP Tue Jun 22 14:37:05 CEST 2004", Machine: "i686"}
	byHand := rating.Host{System: "Linux", Name: "node7", Release: "2.6.1",
		Version: "#1 SMP Mon Jan 5 10:20:30 CET 2004", Machine: "i686"}
	printed := regexp.MustCompile(`b_eff_io of these measurements =\s*(\S+) MB/s`)
	for name, text := range release21(t) {
		r, err := readAs(t, text)
		require.NoError(t, err, name)
		said, err := strconv.ParseFloat(printed.FindStringSubmatch(text)[1], 64)
		require.NoError(t, err)
		require.InDelta(t, said, r.Rating.Value/1e6, 0.001)
		if want, ok := ratings[name]; ok {
			require.InDelta(t, want, r.Rating.Value/1e6, 0.001)
		}
		require.True(t, r.Complete && r.Rating.NotValid)
		require.Equal(t, []any{"b_eff_io", 4, 2004}, []any{r.Program, r.Processes, r.Started.Year()})
		require.Regexp(t, `^2\.1 from `, r.ProgramVersion)
		require.Equal(t, map[bool]rating.Host{true: byHand, false: host}[name == "b_eff_io"], r.Host)
		require.Equal(t, foreign.Setting{Name: "memory per process", Value: "256 MiB"}, r.Tables[0].Settings[0])
		require.Regexp(t, `^T=10, MT=1024 MBytes,? .*-rewrite`, r.Tables[0].Settings[1].Value)
		figures := 0
		for _, x := range r.Tables {
			figures += len(x.Rows)
		}
		require.Equal(t, 3*(1+5+8*5)+3, figures, name)
	}
}

// A written result is read as the tables that comparisons use, with three decimals.
func TestBEffIOOwn(t *testing.T) {
	for name, r := range fixture.IOResults() {
		var text strings.Builder
		require.NoError(t, hlrs.BEffIO(&text, r))
		got, err := readAs(t, text.String())
		require.NoError(t, err, name)
		want := ofbeffio.Report{Result: r}.Common()
		if want.Rating != nil {
			require.InDelta(t, want.Rating.Value, got.Rating.Value, 1000, name)
			require.Equal(t, !(name == "whole" || name == "sure" || name == "old"), got.Rating.NotValid, name)
		}
		require.Equal(t, r.Complete, got.Complete, name)
		require.Contains(t, got.ProgramVersion, "written by beff")
		require.Equal(t, r.Host.Name, got.Host.Name)
		require.True(t, r.Started.Equal(got.Started))
		found := 0
		for _, x := range want.Tables {
			for _, y := range got.Tables {
				if x.Test != y.Test || x.Processes != y.Processes {
					continue
				}
				found++
				require.Equal(t, x.Operation, y.Operation)
				for i, row := range y.Rows {
					require.Equal(t, row.Label, y.Rows[i].Label)
					if !row.Failed && i < len(x.Rows) && len(x.Rows) == len(y.Rows) {
						require.Equal(t, x.Rows[i].Bytes, row.Bytes)
						require.InDelta(t, x.Rows[i].Values[0], row.Values[0], 1000, "%s: %s", name, x.Test)
					}
				}
			}
		}
		require.Equal(t, len(want.Tables), found, name)
	}
}

// Wrong data are marked, and a chunk size that the paper doesn't have is read like the others.
func TestBEffIOWrong(t *testing.T) {
	good := fixture.Foreign(t)
	for _, text := range []string{good, strings.ReplaceAll(good, "\n", "\r\n")} {
		r, err := readAs(t, text)
		require.NoError(t, err)
		require.True(t, r.Complete && r.Rating.NotValid)
		require.Equal(t, 6, r.Failed())
		for _, x := range r.Tables {
			if x.Test == "write, scatter" {
				require.Equal(t, foreign.Row{Bytes: 32, Values: []float64{1.5e6}}, x.Rows[0])
			}
		}
	}
}

// Incomplete files are read as far as they go: files of killed runs, and files that lack lines or figures.
func TestBEffIOEarly(t *testing.T) {
	text := fixture.Foreign(t)
	for _, end := range []string{"   4 PEs      total-write", "bw_pat2=", "Maximum over", " b_eff_io = ",
		"Summary of file I/O bandwidth accumulated on   4"} {
		r, err := readAs(t, text[:strings.LastIndex(text, end)])
		require.NoError(t, err, end)
		require.False(t, r.Complete, end)
	}
	var whole strings.Builder
	require.NoError(t, hlrs.BEffIO(&whole, fixture.IOResults()["old"]))
	for name, c := range map[string]struct{ line, with string }{
		"row":          {`   4 PEs 1     1024 read .*\n`, ""},
		"first rows":   {`   2 PEs 1     1024 write .*\n`, ""},
		"cell":         {`(   4 PEs 3    32768 rewrite .*) \S+\n`, "$1 -\n"},
		"pattern 2":    {`(bw_pat2= .* rewrite, ) *\S+( MB/s read\n(?:.*\n)*Summary)`, "$1 -$2"},
		"no pattern 2": {`  bw_pat2= .*\n((?:.*\n)*Summary)`, "$1"},
		"rating":       {`b_eff_io of these measurements = .* on 2 .*\n`, ""},
		"not finished": {`\nMaximum`, "\n  besides: the measurement was not finished\nMaximum"},
	} {
		changed := regexp.MustCompile(c.line).ReplaceAllString(whole.String(), c.with)
		require.NotEqual(t, whole.String(), changed, name)
		r, err := readAs(t, changed)
		require.NoError(t, err, name)
		require.False(t, r.Complete, name)
	}
}

func TestBEffIORefused(t *testing.T) {
	good := fixture.Foreign(t)
	for name, c := range map[string]struct{ old, new, want string }{
		"another release": {"Revision 2.1", "Revision 2.0", "line 1: "},
		"no summary":      {good[100:], "", "without a summary"},
		"options": {"T=3600,", "T=long,",
			`T=long, MT=32768 MBytes -i hints, -nounique, -rewrite, -keep" is not a line of release 2.1`},
		"partition":   {"-N  2,4", "-N  2,3", "the summary of 4 processes occurs twice, or is not listed by -N"},
		"figure":      {"69.385   55.612", "69.385   55,612", "is not a line of release 2.1"},
		"few figures": {"   55.612   56.484", "   55.612", "is not a line of release 2.1"},
		"negative":    {"   69.385", "  -69.385", `"-69.385" is not a number`},
		"row twice":   {"PEs 2     1032 write", "PEs 2     1024 write", "twice"},
		"total twice": {"total-rewrite", "total-write  ", "twice"},
		"wrong total": {"total-write    194.053", "total-write   -999.999", "a pattern type has no bandwidth"},
		"total": {"total-write    194.053", "total-write    194.063",
			"weighted average of write on 2 processes is 288.942 MB/s: the row total-write gives 288.945"},
		"mean": {"288.942 MB/s on 2", "288.944 MB/s on 2", "weighted average of write on 2 processes is 288.944"},
		"rating": {"measurements =  479.503", "measurements =  479.508",
			"b_eff_io of 2 processes is 479.508 MB/s: the rows total-… give 479.503"},
		"maximum": {" b_eff_io =  959.006", " b_eff_io =  959.009", "but the best partition has 959.006"},
		"rows before all": {"MEMORY_PER", "   2 PEs 1     1024 write     59.088    0.011   38.085    4.149    " +
			"3.860\nMEMORY_PER", "line 3: 2 processes outside of their summary"},
		"rows of another": {"   2 PEs 2     1032 write", "   4 PEs 2     1032 write",
			"4 processes outside of their summary"},
		"empty chunk":      {"  2 PEs 1       32 write", "  2 PEs 1        0 write", "chunks of 0 bytes"},
		"partitions twice": {"on   4 processes", "on   2 processes", "twice"},
		"two runs":         {"PATH=", "b_eff_io.c, Revision 2.1 from\nPATH=", "it has 2 runs"},
	} {
		require.Contains(t, good, c.old)
		text := strings.Replace(good, c.old, c.new, 1)
		_, err := readAs(t, text)
		require.ErrorContains(t, err, c.want, name)
	}
}

// The figures of small bandwidths may differ by as much as rounding to three decimals explains.
func TestBEffIORounding(t *testing.T) {
	m := fixture.IOCluster()
	for _, slow := range []float64{1, 300, 1e4, 2e5} {
		m.Change = func(s *beffio.Sample) { s.Seconds *= slow }
		var text strings.Builder
		require.NoError(t, hlrs.BEffIO(&text, m.Result()))
		_, err := readAs(t, text.String())
		require.NoError(t, err)
	}
}
