package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/report/internal/fixture"
	"github.com/effective-bandwidth/beff/report/ofbeffio"
	"github.com/effective-bandwidth/beff/report/ranking"
)

func sealedIO(t testing.TB) string {
	m := fixture.IOCluster()
	m.Run.System.Site = "HLRS"
	var b bytes.Buffer
	require.NoError(t, ofbeffio.Form.Seal(&b, m.Result()))
	return b.String()
}

func TestReadIO(t *testing.T) {
	dir := t.TempDir()
	f := Read(file(t, dir, "a.json", sealedIO(t)))
	require.NoError(t, f.Problem)
	require.Equal(t, "b_eff_io", f.Benchmark())
	require.NotEmpty(t, f.Digest())
	e := entry(t, f)
	require.Equal(t, "b_eff_io", e.Benchmark)
	require.Equal(t, ranking.NotValid, e.Status) // its initial write is short
	require.Equal(t, "n001", e.System.Name)
	require.Equal(t, "HLRS", e.System.Site)
	write := e.Figures["write"].Value
	require.Greater(t, e.Rating(), write)
	require.InEpsilon(t, float64(32<<30)/write, e.Figures["memory_written"].Value, 1e-12)
	require.NoError(t, f.Document().Validate())
	var b bytes.Buffer
	require.NoError(t, f.KeyValue(&b))
	require.Contains(t, b.String(), "\nb_eff_io_MBps=")

	changed := Read(file(t, dir, "b.json", strings.Replace(sealedIO(t), `"lustre"`, `"gpfs"`, 1)))
	require.ErrorContains(t, changed.Problem, "digest is ")
	require.True(t, changed.Usable)
	require.Equal(t, ranking.Unverified, entry(t, changed).Status)
	c, err := Compare(SidePerFile([]*File{f, changed}))
	require.NoError(t, err)
	require.InDelta(t, 1, c.Mains()[0].Ratio(), 1e-12)
	require.Contains(t, c.Document.Notices[0].Text, "UNVERIFIED")
	require.NoError(t, c.Document.Validate())

	_, err = Compare(SidePerFile([]*File{f, Read(file(t, dir, "c.json", sealed(t)))}))
	require.ErrorContains(t, err, "which can't be compared")
}
