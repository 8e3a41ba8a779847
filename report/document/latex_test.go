package document_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	. "github.com/effective-bandwidth/beff/report/document"
)

// Texts of strangers neither end a group nor begin a command: braces are balanced, and each row has its table's cells.
func TestLaTeXGroups(t *testing.T) {
	text := string(written(t, LaTeX, nasty()))
	depth, escaped := 0, false
	for _, r := range text {
		switch {
		case escaped:
			escaped = false
		case r == '\\':
			escaped = true
		case r == '{':
			depth++
		case r == '}':
			depth--
			require.GreaterOrEqual(t, depth, 0)
		}
	}
	require.Zero(t, depth)
	_, table, _ := strings.Cut(text, "\\endhead\n")
	table, _, _ = strings.Cut(table, "\\end{longtable}")
	for _, line := range strings.Split(strings.TrimSpace(table), "\n") {
		if line != "\\hline" {
			require.Equal(t, 2, strings.Count(line, " & "), line)
		}
	}
}

// LaTeX itself reads it, where it is installed.
func TestLaTeXCompiles(t *testing.T) {
	latex, err := exec.LookPath("pdflatex")
	if err != nil {
		return
	}
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "x.tex"), written(t, LaTeX, nasty()), 0o600))
	c := exec.Command(latex, "-interaction=nonstopmode", "-halt-on-error", "x.tex")
	c.Dir = dir
	out, err := c.Output()
	require.NoError(t, err, string(out))
}
