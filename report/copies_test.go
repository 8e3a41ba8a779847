package report

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/report/internal/fixture"
)

// A measurement counts once, whatever the names of its file and system are, compressed or not, with or without a
// digest.
func TestCopies(t *testing.T) {
	dir := t.TempDir()
	a := run(t, dir, "a.json", "A", 1, nil)
	text, err := os.ReadFile(a.Path)
	require.NoError(t, err)
	plain := func(name, text string) *File {
		f := Read(file(t, dir, name, text))
		require.NoError(t, f.Problem)
		return f
	}
	var packed strings.Builder
	z := gzip.NewWriter(&packed)
	_, err = z.Write(text)
	require.NoError(t, err)
	require.NoError(t, z.Close())
	undigested := strings.Replace(string(text), `  "digest": "`+a.Digest()+"\",\n", "", 1)
	require.NotContains(t, undigested, "digest")
	bare := Read(file(t, dir, "undigested.json", undigested))
	require.ErrorContains(t, bare.Problem, "no digest")
	other := run(t, dir, "other.json", "A", 1.01, nil)
	wrong := plain("wrong.json", string(text))
	wrong.Problem = errNoResult

	renamed := run(t, dir, "renamed.json", "B", 1, nil)
	var c Copies
	require.Equal(t, []*File{a, other}, c.Drop([]*File{wrong, a, plain("packed.json.gz", packed.String()), renamed,
		other, bare}), "the first one that is proven")
	require.Equal(t, []string{"4 copies of " + a.Name() + " left out: the same measurement"}, c.Left())
	require.Empty(t, c.Drop([]*File{a}), "of an earlier call")

	c = Copies{}
	two := run(t, dir, "two.json", "A", 1, func(m *fixture.Machine) { m.Config.Passes = 2 })
	probe := Read(file(t, dir, "probe.json", sealedProbe(t)))
	require.Equal(t, []*File{a, two, probe, other}, c.Drop([]*File{a, two, probe, other}))
	require.Empty(t, c.Left())
}

// Text and Again return the document that was read. If the file has changed since, Again returns an error.
func TestAgain(t *testing.T) {
	dir := t.TempDir()
	a, path := run(t, dir, "a.json", "A", 1, nil), filepath.Join(dir, "a.json")
	a.Forget()
	again, err := a.Again()
	require.NoError(t, err)
	require.Equal(t, "A", again.Entry().System.Name)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	kept, err := again.Text()
	require.NoError(t, err)
	require.True(t, bytes.Equal(text, kept))
	for _, change := range [][2]string{{`"name": "A"`, `"name": "B"`}, {`"seed": 42`, `"seed": 43`}, {`{`, `[`}} {
		other := strings.Replace(string(text), change[0], change[1], 1)
		require.False(t, string(text) == other, change[0])
		require.NoError(t, os.WriteFile(path, []byte(other), 0o644))
		_, err = a.Again()
		require.ErrorContains(t, err, "has changed since it was checked")
	}
}
