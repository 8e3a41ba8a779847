// Package golden compares documents with files of testdata, for tests.
package golden

import (
	"flag"
	"fmt"
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
	if string(want) != got {
		require.Fail(t, path+" (-) is not what is made now (+), "+difference(string(want), got), message...)
	}
}

// difference returns the first lines that differ, with the number of the first one. Whole documents fill a terminal.
func difference(want, got string) string {
	const most = 20
	a, b, same := strings.Split(want, "\n"), strings.Split(got, "\n"), 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	a, b = a[same:], b[same:]
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	text := fmt.Sprintf("from line %d:", same+1)
	for _, side := range []struct {
		sign  string
		lines []string
	}{{"-", a}, {"+", b}} {
		for i, line := range side.lines {
			if i == most {
				text += fmt.Sprintf("\n%s and %d more lines", side.sign, len(side.lines)-most)
				break
			}
			text += fmt.Sprintf("\n%s%q", side.sign, line)
		}
	}
	return text
}
