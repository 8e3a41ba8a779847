package publish

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/report/document"
)

// -o means the same in all commands.
func TestPlaces(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(t.TempDir())
	for path, want := range map[string]string{dir: dir + "/machine.yaml", "new/": "new/machine.yaml", "x.yml": "x.yml",
		"x": "x.yaml"} {
		have, err := FileOf(path, "machine", false, ".yaml", ".yml")
		require.NoError(t, err)
		require.Equal(t, want, have)
	}
	require.DirExists(t, "new")
	require.NoError(t, os.WriteFile("x.yaml", []byte("x"), 0o600))
	_, err := FileOf("x", "machine", false, ".yaml", ".yml")
	require.ErrorContains(t, err, "output x.yaml exists")

	publications := func() []*Publication {
		return []*Publication{{Name: "a-report", Document: &document.Document{Title: "a"}}}
	}
	for _, c := range []struct {
		output  string
		formats []string
		want    []string
	}{
		{"new/", nil, []string{"new/a-report.txt"}},
		{".", []string{"json"}, []string{"a-report.json"}},
		{"x", nil, []string{"x.txt"}},
		{"x.v2", []string{"csv"}, []string{"x.v2.csv"}},
		{"x.csv", nil, []string{"x.csv"}},
		{"deep/x", []string{"text", "csv"}, []string{"deep/x.txt", "deep/x.csv"}},
		{"x.txt", []string{"text"}, []string{"x.txt"}},
	} {
		t.Chdir(t.TempDir())
		f := Writing{Output: c.output, Format: c.formats}
		list, err := f.Chosen(Without())
		require.NoError(t, err, c.output)
		require.NoError(t, f.Publish(os.Stdout, os.Stderr, publications(), list), c.output)
		var have []string
		require.NoError(t, filepath.WalkDir(".", func(path string, d os.DirEntry, err error) error {
			if !d.IsDir() {
				have = append(have, path)
			}
			return err
		}))
		require.ElementsMatch(t, c.want, have, c.output)
	}
	for output, formats := range map[string][]string{"x.csv": {"json"}, "x.json": {"json", "csv"}, "x.txt": {Plots}} {
		f := Writing{Output: output, Format: formats}
		_, err := f.Chosen(Without())
		require.ErrorContains(t, err, "-o ", output)
	}
	// No command overwrites a result that it has read.
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("x.json", nil, 0o644))
	f := Writing{Output: "x.json", read: []string{"./x.json"}}
	list, err := f.Chosen(Without())
	require.NoError(t, err)
	require.EqualError(t, f.Publish(os.Stdout, os.Stderr, publications(), list),
		"output x.json is one of the results: choose another --output")
}
