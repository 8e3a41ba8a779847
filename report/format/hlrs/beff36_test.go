package hlrs_test

import (
	"bytes"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/report/foreign"
	"github.com/effective-bandwidth/beff/report/format/hlrs"
	"github.com/effective-bandwidth/beff/report/format/tools"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
)

func writtenBEff(t testing.TB, r *beff.Result) string {
	var b bytes.Buffer
	require.NoError(t, hlrs.BEff(&b, r, ", REMARK"))
	return b.String()
}

// likeOriginal returns a result with the settings of the original's file in testdata: two processes with 16 MiB, six
// random patterns, two repetitions.
func likeOriginal(t testing.TB) *beff.Result {
	m := fixture.Laptop(beff.Config{Rules: beff.Rules36, Memory: 16 << 20, Seed: 7, Patterns: []string{"ring",
		"random-01", "random-02", "random-03", "random-04", "random-05", "random-06", "detail"}})
	r := m.Result()
	r.Repetitions = 2
	var kept []beff.Sample
	for _, s := range r.Samples {
		if s.Repetition < r.Repetitions {
			kept = append(kept, s)
		}
	}
	r.Samples, r.WallSeconds, r.LoopSeconds = kept, 34.3, 34.1
	return r
}

// numbers matches the numbers, which differ between two runs. Dashes stand for numbers that were not measured.
var numbers = regexp.MustCompile(` *(-?\d[\d.]*(e[-+]\d+)?|-{2,})`)

// form returns a line with # in place of each number and the blanks before it, because numbers that are wider than
// their column shift the rest of the line.
func form(line string) string { return strings.TrimRight(numbers.ReplaceAllString(line, "#"), " ") }

// rows matches lines that programs read: tables, their headings, sections and lines with figures. Other lines are
// prose.
var rows = regexp.MustCompile(`^SECTION-|\||->|: \(| ring|MByte/s|msglng=|=Sndrcv|^ +\d+ +\d|( avg|max)=|^ p\d\d |` +
	`^ +\d+ |^Latency|^Lmax|^measurment|elapsed time|fastest rep|^method=|^----|MEMORY_PER|^[23]-dim|^1-dim`)

// reworded matches the lines that programs read but that beff words differently from the original.
var reworded = regexp.MustCompile(`the accumulated value|latency of one|effective bandwidth is|^ +\d+-\d+ |` +
	`not computed|^Date|CAUTION|CTION|Bandwidths are|per process   .in|only reported|used for`)

// Lines that programs read have the same form and order as in a file of the original.
func TestBEffForm(t *testing.T) {
	original, err := os.ReadFile(filepath.Join("..", "tools", "testdata", "beff", "short.sum"))
	require.NoError(t, err)
	forms := func(text string) (list []string) {
		for _, line := range strings.Split(text, "\n") {
			if rows.MatchString(line) && !reworded.MatchString(line) {
				list = append(list, form(line))
			}
		}
		return list
	}
	got := forms(writtenBEff(t, likeOriginal(t)))
	require.Greater(t, len(got), 10)
	require.Equal(t, forms(string(original)), got)
}

// The reader for the original's files reads beff's files, too, and finds the result's figures.
func TestBEffRead(t *testing.T) {
	r := fixture.Nodes().Result()
	text := writtenBEff(t, r)
	require.NotRegexp(t, `(?m)^b_eff\.c, Revision \S+ from `, text, "the title must not be taken for the original's")
	text = regexp.MustCompile(`(?m)^b_eff\.c, Revision 3\.6 format.*$`).ReplaceAllString(text,
		"b_eff.c, Revision 3.6 from today")
	got, err := tools.Read(strings.NewReader(text), "x")
	require.NoError(t, err)
	require.Equal(t, "b_eff", got.Program)
	require.True(t, got.Complete)
	require.InEpsilon(t, r.Derived.BEff, got.Rating.Value, 1e-4)
	require.Equal(t, r.Processes, got.Processes)
	for _, table := range got.Tables {
		for _, row := range table.Rows {
			if row.Label == foreign.AtLmax {
				require.InEpsilon(t, r.Derived.AtLmax, row.Values[0], 1e-4)
			}
		}
	}
}

// An awk program can take columns of the summary by their numbers, as programs for the original's files do.
func TestBEffAwk(t *testing.T) {
	awk, err := exec.LookPath("awk")
	require.NoError(t, err)
	r := fixture.Nodes().Result()
	c := exec.Command(awk, `/^accumulated/ {print $3, $5, $6} /^b_eff = / {print $3}`)
	c.Stdin = strings.NewReader(writtenBEff(t, r))
	out, err := c.Output()
	require.NoError(t, err)
	require.Regexp(t, `^8 32 MB\n[\d.]+\n$`, string(out))
}

// Every kind of result can be written, even parts of a plan and runs that ended early.
func TestBEffAll(t *testing.T) {
	for name, r := range fixture.Results() {
		text := writtenBEff(t, r)
		require.NotContains(t, text, "NaN", name)
		require.NotContains(t, text, "Inf", name)
		require.Equal(t, r.Derived.BEff > 0, strings.Contains(text, "\nb_eff = "), name)
		require.Equal(t, r.Derived.BEff > 0, strings.HasSuffix(text, ", REMARK\n"), name)
	}
}

// The name of a pattern or a host may come from an untrusted document. It can't add a line.
func TestBEffHostileNames(t *testing.T) {
	r := fixture.Nodes().Result()
	r.Patterns[36].Name, r.Host.Name = "a\nb_eff = 9 MB/s 'x", "n\nSECTION-BEFF-END"
	require.NotRegexp(t, `(?m)^(b_eff = 9|SECTION-BEFF-END.+)`, writtenBEff(t, r))
}

// A result that claims very many processes is written quickly.
func TestBEffManyProcesses(t *testing.T) {
	r := likeOriginal(t)
	r.Processes = math.MaxInt32
	began := time.Now()
	require.NoError(t, hlrs.BEff(io.Discard, r, ""))
	require.Less(t, time.Since(began), 10*time.Second)
}
