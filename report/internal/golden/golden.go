// Package golden compares documents with files of testdata, for tests.
package golden

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the golden files instead of comparing with them")

// Equal compares a document with a file of testdata.
func Equal(t testing.TB, name, got string) {
	t.Helper()
	File(t, filepath.Join("testdata", name), got)
}

// File compares a document with any file. The message says what to do where they differ, unless -update is enough.
func File(t testing.TB, path, got string, message ...any) {
	t.Helper()
	if *update {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
		return
	}
	if len(message) == 0 {
		test, _, _ := strings.Cut(t.Name(), "/")
		message = []any{"if this is meant: go test -run '^%s$' -update writes it; read the difference", test}
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err, message...)
	require.Equal(t, string(want), got, message...)
}
