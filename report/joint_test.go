package report

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
	"github.com/effective-bandwidth/beff/report/ofbeffio"
)

// inAllFormats writes a document in all formats, and returns it as plain text.
func inAllFormats(t *testing.T, d *document.Document) (text string) {
	require.NoError(t, d.Validate())
	var b strings.Builder
	require.NoError(t, document.PlainText(&b, d))
	for _, write := range []func() error{
		func() error { return document.HTML(&bytes.Buffer{}, d) },
		func() error { return document.PDF(&bytes.Buffer{}, d) },
		func() error { return document.Markdown(&bytes.Buffer{}, d) },
		func() error { return document.JSON(&bytes.Buffer{}, d) },
	} {
		require.NoError(t, write())
	}
	return b.String()
}

// Runs of one system and configuration become one report with their mean, the interval between them, a dot for each
// run, and the tables of all. Other results keep their own reports.
func TestTogether(t *testing.T) {
	dir := t.TempDir()
	a1, a2, a3 := run(t, dir, "a1.json", "A", 1, nil), run(t, dir, "a2.json", "A", 1.01, nil),
		run(t, dir, "a3.json", "A", 1.02, nil)
	other := run(t, dir, "c.json", "A", 1, func(m *fixture.Machine) { m.Processes = 4 })
	b := run(t, dir, "b.json", "B", 1, nil)
	changed := run(t, dir, "d.json", "A", 1, nil)
	changed.Problem = errNoResult

	list := Together([]*File{a1, other, a2, b, a3, changed})
	require.Len(t, list, 4)
	for i, f := range []*File{list[0], other, b, changed} {
		require.Same(t, f, list[i])
	}
	require.Equal(t, filepath.Join(dir, "a1-and-2-more.json"), list[0].Path)
	d := Documents(list)[0]
	require.Equal(t, "effective communication bandwidth, 3 runs", d.Subtitle)
	require.Contains(t, d.Headline.Note, "± 2.5 % (95 %, between 3 runs)")
	require.Equal(t, "runs-dots", d.Lead.Figure.ID)
	require.Contains(t, d.Lead.Sentences[0], "the highest b_eff is 2.0 % above the lowest")
	require.Equal(t, "runs", d.Sections[0].ID)
	text := inAllFormats(t, d)
	require.Contains(t, text, "geometric mean")
	require.NotContains(t, text, "pass 1")

	one, err := Compare([]Side{{b}, {a1, a2, a3}})
	require.NoError(t, err)
	mean := one.Mains()[0].Second.Value
	var kv strings.Builder
	require.NoError(t, list[0].KeyValue(&kv))
	require.Contains(t, kv.String(), "\nruns=3\nrun_1_MBps=")
	require.InEpsilon(t, mean/1e6, fixture.Number(t, value(kv.String(), "b_eff_MBps")), 1e-12, "as in a comparison")
	require.Empty(t, list[0].Texts())
}

// value returns the value of a key.
func value(lines, key string) string {
	_, rest, _ := strings.Cut(lines, "\n"+key+"=")
	return strings.SplitN(rest, "\n", 2)[0]
}

// A run of several passes counts as one run. The report mentions that the interval of two runs comes from their own.
func TestTogetherOfPasses(t *testing.T) {
	dir := t.TempDir()
	passes := func(m *fixture.Machine) { m.Config.Passes, m.SlowerPerPass = 3, 0.01 }
	d := Together([]*File{run(t, dir, "a1.json", "A", 1, passes), run(t, dir, "a2.json", "A", 1, nil)})[0].Document()
	require.Contains(t, d.Headline.Note, "from the intervals of 2 runs")
	require.NotContains(t, inAllFormats(t, d), "a1 pass 3")
	d = Together([]*File{run(t, dir, "a3.json", "A", 1, nil), run(t, dir, "a4.json", "A", 1.01, nil)})[0].Document()
	require.Contains(t, d.Headline.Note, "from the intervals of 2 runs")
	inAllFormats(t, d)
}

// The report has one verdict for all runs, and names the noisy ones.
func TestTogetherNoisy(t *testing.T) {
	dir := t.TempDir()
	files := []*File{run(t, dir, "a1.json", "A", 1, nil), run(t, dir, "a2.json", "A", 1.001, nil),
		run(t, dir, "a3.json", "A", 1.3, nil)}
	v := files[1].report.Header().Verdict
	v.Noisy = true
	d := Together(files)[0].Document()
	require.Equal(t, "Valid, but very noisy", d.Notices[0].Text)
	require.Regexp(t, `^-\d+ to \+\d+ %`, d.Headline.Note)
	require.Equal(t, "1 of 3 runs is noisy: a2", d.Notices[len(d.Notices)-1].Text)
	require.Contains(t, d.Lead.Sentences[0], "something changes from run to run")
	inAllFormats(t, d)
}

// Runs of b_eff_io are joined in the same way. Several runs have an interval even if each of them has none.
func TestTogetherOfFiles(t *testing.T) {
	dir := t.TempDir()
	var files []*File
	for i, name := range []string{"a1.json", "a2.json", "a3.json"} {
		m := fixture.IOCluster()
		m.Change = func(s *beffio.Sample) { s.Seconds /= 1 + 0.01*float64(i) }
		var b bytes.Buffer
		require.NoError(t, ofbeffio.Form.Seal(&b, m.Result()))
		f := Read(file(t, dir, name, b.String()))
		require.NoError(t, f.Problem)
		files = append(files, f)
	}
	list := Together(files)
	require.Len(t, list, 1)
	d := Documents(list)[0]
	require.Contains(t, d.Headline.Note, "± 2.5 % (95 %, between 3 runs)")
	text := inAllFormats(t, d)
	require.Contains(t, text, "Spread of the runs")
	require.Contains(t, text, "write, scatter")
	var kv strings.Builder
	require.NoError(t, list[0].KeyValue(&kv))
	require.Contains(t, kv.String(), "\nb_eff_io_low_MBps=")
}
