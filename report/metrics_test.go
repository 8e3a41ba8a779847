package report

import (
	"bytes"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"github.com/stretchr/testify/require"
)

// What the textfile collector of node_exporter reads is what was written: its parser is this one.
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
	require.Len(t, got, 2, "of two results of one kind the newest one; on other nodes it is another kind")
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
	require.Equal(t, "unverified", info["verdict"], "its digest is of another name")
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
