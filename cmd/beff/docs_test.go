package main

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/imb"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/process"
)

// beff understands all command lines in the documentation.
func TestDocsAreUnderstood(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	var pages []string
	for _, pattern := range []string{"../../*.md", "../../docs/*.md", "../../docs/studies/*.md"} {
		list, err := filepath.Glob(pattern)
		require.NoError(t, err)
		pages = append(pages, list...)
	}
	seen := 0
	for _, page := range pages {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		for _, line := range typed(string(text)) {
			seen++
			assert.NoError(t, understood(line), "%s: beff %s", page, strings.Join(line, " "))
		}
	}
	require.Greater(t, seen, 120)
}

// begins matches the beginning of a beff command line, also after a launcher or another command.
var begins = regexp.MustCompile(`(?:^ *|[;&|] |mpirun .*|oshrun .*|srun .*|flux run .*)(?:bin/)?beff `)

// typed returns the arguments of beff in the indented lines of a page.
func typed(text string) (list [][]string) {
	for line := range strings.SplitSeq(strings.ReplaceAll(text, "\\\n", " "), "\n") {
		line, indented := strings.CutPrefix(line, "    ")
		line, _, _ = strings.Cut(strings.Replace(line, " $output", "", 1), " # ") // in docs/jobs.md
		for _, at := range begins.FindAllStringIndex(line, -1) {
			if words := shellWords(line[at[1]:]); indented && len(words) > 0 && !strings.Contains(line, "…") {
				list = append(list, words)
			}
		}
	}
	return list
}

// shellWords returns the words of a command, up to a pipe or the next command.
func shellWords(line string) (words []string) {
	for _, m := range regexp.MustCompile(`(?:'[^']*'|"[^"]*"|\$\([^)]*\)|[^\s'"])+`).FindAllString(line, -1) {
		word, last := strings.CutSuffix(m, ";")
		if regexp.MustCompile(`^[|><&]`).MatchString(word) {
			break
		}
		words = append(words, strings.NewReplacer("'", "", `"`, "").Replace(word))
		if last {
			break
		}
	}
	return words
}

// understood returns the error that beff has with a command line, nil if it understands it.
func understood(words []string) error {
	p := &process.Process{Stdout: io.Discard, Stderr: io.Discard}
	call, err := parseLine(p, words)
	if err != nil || call == nil {
		return err
	}
	switch c := call.Selected().Target.Addr().Interface().(type) {
	case *imbCommand:
		_, err = imb.Parse(c.component, c.Args)
	}
	return err
}
