package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
	"github.com/effective-bandwidth/beff/report/ofprobe"
)

func sealedProbe(t testing.TB) string {
	p := fixture.ProbeCluster()
	p.Add(kernel.MPI1, "PingPong", settings.Plain, 2, 1)
	var b bytes.Buffer
	p.Result.Settings.Rows.Lengths = fixture.ProbeLengths
	p.Result.Conclude(nil)
	require.NoError(t, ofprobe.Form.Seal(&b, &p.Result))
	return b.String()
}

// A probe's result is read, proven, reported and compared; it has no rank.
func TestReadProbe(t *testing.T) {
	dir := t.TempDir()
	f := Read(file(t, dir, "a.json", sealedProbe(t)))
	require.NoError(t, f.Problem)
	require.Equal(t, "probe", f.Benchmark())
	require.NotEmpty(t, f.Digest())
	e := f.Entry()
	require.Zero(t, e.Rating())
	require.Equal(t, "PingPong", e.Kernels)
	require.InEpsilon(t, 1e-6, e.Figures["latency"].Value, 0.5)
	require.Positive(t, e.Figures["bandwidth"].Value)
	require.NoError(t, f.Document().Validate())
	var b bytes.Buffer
	require.NoError(t, f.KeyValue(&b))
	require.Contains(t, b.String(), "\nMPI1_PingPong_2_0_us=1\n")

	changed := Read(file(t, dir, "b.json", strings.Replace(sealedProbe(t), `"n001"`, `"n002"`, 1)))
	require.ErrorContains(t, changed.Problem, "digest is ")
	require.True(t, changed.Usable)
	c, err := Compare(SidePerFile([]*File{f, changed}))
	require.NoError(t, err)
	require.InDelta(t, 1, c.Mains()[0].Ratio(), 1e-12)
	require.Contains(t, c.Document.Notices[0].Text, "UNVERIFIED")

	rating := Read(file(t, dir, "c.json", sealed(t)))
	entry(t, rating)
	_, err = Compare(SidePerFile([]*File{f, rating}))
	require.ErrorContains(t, err, "which can't be compared")
}
