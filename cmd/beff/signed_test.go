package main

import (
	"bytes"
	"encoding/binary"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/rating"
)

// Every output of results names beff and its version, so that nobody takes a figure for another program's: texts,
// tables, pages, pictures, metrics. Tables of imported results name the other program.
func TestTextsNameBeff(t *testing.T) {
	const dir = "../../testdata/"
	sheet := filepath.Join(t.TempDir(), "sheet.toml")
	require.NoError(t, os.WriteFile(sheet, []byte("title = \"T\"\n[[requirement]]\nid = \"a\"\nfigure = \"b_eff\"\n"+
		"processes = 2\nthreshold = \"min 1 MB/s\"\n"), 0o600))
	b, io, probe, foreign := dir+"b_eff-1.json", dir+"b_eff_io-1.json", dir+"probe-1.json", dir+"foreign-1.json"
	documents := []string{"text", "brief", "json", "csv", "md", "html", "pdf"}
	for _, c := range []struct {
		args    []string
		formats []string // written to a directory (nil: only stdout)
	}{
		{[]string{"report", b}, append(documents, "kv", "plots", "sum", "skampi")},
		{[]string{"report", io}, append(documents, "kv", "sum")},
		{[]string{"report", probe}, append(documents, "kv", "imb", "skampi")},
		{[]string{"report", foreign}, []string{"text", "brief", "json", "md", "html", "pdf"}},
		{[]string{"compare", b, b}, append(documents, "plots")},
		{[]string{"compare", probe, probe}, documents},
		{[]string{"rank", dir}, documents},
		{[]string{"accept", sheet, b}, append(documents, "junit")},
		{[]string{"model", "scale", "fat-tree-100g", "-n", "2,4"}, documents},
		{[]string{"model", "run", "fat-tree-100g", "-n", "4"}, nil},
		{[]string{"probe", "PingPong", "--engine", "local", "-n", "2", "--msglog", "3:4"}, nil},
		{[]string{"imb", "mpi1", "PingPong", "--engine", "local", "--ranks", "2", "-msglog", "3:4"}, nil},
		{[]string{"mpiblib", "collective", "-O", "MPI_Bcast", "-m", "8", "-M", "17", "-S", "8", "--engine", "local",
			"--ranks", "2"}, nil},
		{[]string{"doctor", "--engine=local"}, nil},
		{[]string{"export", b}, nil},
		{[]string{"export", dir, "--format", "openmetrics"}, nil},
		{[]string{"verify", b}, nil},
	} {
		t.Run(strings.Join(c.args[:min(2, len(c.args))], " "), func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			run(c.args, &stdout, &stderr)
			require.True(t, signed(stdout.Bytes()), "%s\n%s", &stdout, &stderr)
			if c.formats == nil {
				return
			}
			out := t.TempDir()
			run(append(c.args, "--format", strings.Join(c.formats, ","), "-o", out+"/"), &stdout, &stderr)
			n := 0
			require.NoError(t, filepath.WalkDir(out, func(path string, d fs.DirEntry, err error) error {
				if err != nil || d.IsDir() || strings.HasSuffix(path, ".png") { // the same picture as the .svg file
					return err
				}
				text, err := os.ReadFile(path)
				require.True(t, signed(text), path)
				n++
				return err
			}))
			require.GreaterOrEqual(t, n, len(c.formats), &stderr)
		})
	}
	out := t.TempDir()
	var stdout, stderr bytes.Buffer
	require.Zero(t, run([]string{"export", b, io, probe, "-o", out + "/"}, &stdout, &stderr), &stderr)
	tables, err := filepath.Glob(out + "/*.csv")
	require.NoError(t, err)
	require.Greater(t, len(tables), 5)
	for _, path := range tables {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		require.True(t, signed(text), path)
	}
}

// signed reports whether a text names beff and its version. Properties of PDF files are UTF-16.
func signed(text []byte) bool {
	version := regexp.QuoteMeta(rating.Release)
	wide, _ := binary.Append(nil, binary.BigEndian, utf16.Encode([]rune("beff "+rating.Release)))
	return regexp.MustCompile(`beff( probe)?\s+`+version).Match(text) ||
		bytes.HasPrefix(text, []byte("%PDF")) && bytes.Contains(text, wide) ||
		bytes.Contains(text, []byte("beff_version")) && bytes.Contains(text, []byte(rating.Release))
}
