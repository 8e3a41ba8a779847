package house

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLines checks the limit of lines. The tests of cmd/beff, which has the commands, check the other limits.
func TestLines(t *testing.T) {
	list := exec.Command("go", "list", "-deps", "-f",
		`{{with .Module}}{{if .Main}}{{$.Dir}} {{join $.GoFiles " "}}{{end}}{{end}}`, "./cmd/beff")
	list.Dir, list.Stderr = root, os.Stderr
	out, err := list.Output()
	require.NoError(t, err)
	lines := 0
	for row := range strings.Lines(string(out)) {
		words := strings.Fields(row)
		if len(words) == 0 {
			continue
		}
		for _, name := range words[1:] {
			text, err := os.ReadFile(filepath.Join(words[0], name))
			require.NoError(t, err)
			lines += bytes.Count(text, []byte("\n"))
		}
	}
	require.Greater(t, lines, 50_000)
	require.LessOrEqual(t, lines, Lines, "see internal/house/limits.go")
}
