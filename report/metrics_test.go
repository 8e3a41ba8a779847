package report

import (
	"bytes"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/foreign"
	"github.com/effective-bandwidth/beff/report/offoreign"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/tidy"
	"github.com/effective-bandwidth/beff/report/words"
)

// The parser of node_exporter's textfile collector reads what OpenMetrics writes.
func TestOpenMetrics(t *testing.T) {
	dir := t.TempDir()
	f := Read(file(t, dir, "a.json", strings.ReplaceAll(sealed(t), `"n001"`, `"n\"0\\01"`)))
	require.True(t, f.Usable)
	older := f.Metric()
	older.Date = older.Date.Add(-time.Hour)
	older.Figures = maps.Clone(older.Figures)
	older.Figures["b_eff"] = older.Figures["b_eff"].Over(0.5)
	newest := f.Metric()
	pair := Read(file(t, dir, "p.json", sealedProbe(t))).Metric()
	var b bytes.Buffer
	spread, cached := newest, pair
	spread.PerNode, cached.Way = 1, "another way"
	require.NoError(t, OpenMetrics(&b, []Metric{older, newest, pair, spread, cached}))
	require.True(t, strings.HasSuffix(b.String(), "\n# EOF\n"))

	parser := expfmt.NewTextParser(model.LegacyValidation)
	families, err := parser.TextToMetricFamilies(&b)
	require.NoError(t, err)
	for name, f := range families {
		require.Equal(t, "GAUGE", f.GetType().String(), name)
		require.NotEmpty(t, f.GetHelp(), name)
	}
	got := families["beff_b_eff_bytes_per_second"].GetMetric()
	require.Len(t, got, 2, "the newest of two results with the same labels, and one with another per_node")
	require.InEpsilon(t, newest.Rating(), got[0].GetGauge().GetValue(), 1e-15)
	require.Nil(t, got[0].TimestampMs, "the collector refuses timestamps")
	labels := map[string]string{}
	for _, l := range got[0].GetLabel() {
		labels[l.GetName()] = l.GetValue()
	}
	require.Equal(t, `n"0\01`, labels["system"])
	require.Equal(t, newest.LibraryName, labels["library"], "another version doesn't end the series")
	require.NotContains(t, labels, "verdict")
	info := map[string]string{}
	for _, l := range families["beff_run_info"].GetMetric()[0].GetLabel() {
		info[l.GetName()] = l.GetValue()
	}
	require.Equal(t, "unverified", info["verdict"], "the name was changed after the digest was made")
	require.Equal(t, newest.Library, info["library_version"])
	require.NotEmpty(t, labels["engine"])
	low := families["beff_b_eff_low_bytes_per_second"].GetMetric()[0].GetGauge().GetValue()
	require.Less(t, low, newest.Rating())
	require.Len(t, families["beff_latency_rings_seconds"].GetMetric(), 2)
	require.Len(t, families["beff_latency_seconds"].GetMetric(), 2, "of probes")

	b.Reset()
	require.NoError(t, OpenMetrics(&b, nil))
	require.Equal(t, "# EOF\n", b.String())
}

// A time whose zone isn't known has no zone in tables and among the stated facts, and metrics leave it out. A doubtful
// result is marked in its pictures, and in comparisons.
func TestImportedFile(t *testing.T) {
	r, _ := foreignOfPrimes()
	result := *r.(offoreign.Report).Result
	result.Imported, result.SchemaVersion, result.Warnings = "a.txt", foreign.SchemaVersion, []rating.Warning{}
	table := &result.Tables[0]
	table.Way, table.Lengths = foreign.HalfRoundTrip, true
	table.Rows = []foreign.Row{{Bytes: 1, Values: []float64{31e-6}}, {Bytes: 2, Values: []float64{32e-6}}}
	result.Tables = result.Tables[:1]
	read := func(name string) *File {
		var b bytes.Buffer
		require.NoError(t, offoreign.Report{Result: &result}.Sealed(&b))
		f := Read(file(t, t.TempDir(), name, b.String()))
		require.NoError(t, f.Problem)
		return f
	}
	shown := func(f *File) string {
		var b bytes.Buffer
		require.NoError(t, OpenMetrics(&b, []Metric{f.Metric()}))
		require.NoError(t, tidy.CSV(&b, f.Tables(1, nil)[0]))
		for _, x := range f.Stated() {
			fmt.Fprintln(&b, x.Name, x.Value)
		}
		return b.String()
	}
	before := read("before.json")
	for _, text := range []string{"beff_run_start_time_seconds{", ",2026-01-02T00:00:00Z,",
		"started 2026-01-02T00:00:00Z", `verdict="imported"`} {
		require.Contains(t, shown(before), text)
	}
	result.LocalTime = true
	result.Warnings = []rating.Warning{{Code: foreign.Contradiction, Text: "line 3: Min > Max"}}
	after := read("after.json")
	for _, text := range []string{",2026-01-02T00:00:00,", "started 2026-01-02T00:00:00\n", `verdict="doubtful"`,
		"warnings contradiction: line 3: Min > Max"} {
		require.Contains(t, shown(after), text)
	}
	require.NotContains(t, shown(after), "beff_run_start_time_seconds{")
	require.NotContains(t, shown(after), "00:00:00Z")
	label := func(d *document.Document) string { return d.Figures()[0].Label }
	require.Equal(t, []string{"", "DOUBTFUL"}, []string{label(before.Document()), label(after.Document())})
	for _, sides := range [][]Side{{{before}, {before}}, {{before}, {after}}} {
		c, err := CompareAs([]string{"a", "b"}, sides)
		require.NoError(t, err)
		require.Equal(t, words.Either(sides[1][0] == after, parts.NotValid, ""), label(c.Document))
	}
	require.ErrorContains(t, Side{before}.Judged(Side{after}), "after.json is DOUBTFUL")
}
