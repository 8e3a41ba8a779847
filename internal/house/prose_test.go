package house

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestProse checks the limits for pages and comments. A test of cmd/beff checks the limits for help.
func TestProse(t *testing.T) {
	var pages, developers, comments strings.Builder
	files(t, func(name string) {
		text := read(t, filepath.Join(root, name))
		dir := filepath.Dir(name)
		switch {
		case strings.HasSuffix(name, "_test.go") || name == "CHANGELOG.md":
		case strings.HasSuffix(name, ".go"):
			comments.WriteString(commentsOf(text))
		case dir == "docs/dev" || name == "CONTRIBUTING.md" || name == "SECURITY.md":
			developers.WriteString(proseOf(text))
		case dir == "docs" || dir == ".":
			pages.WriteString(proseOf(text))
		}
	}, ".go", ".md")
	for _, x := range []struct {
		name   string
		text   string
		least  int
		limits Rates
	}{
		{"pages", pages.String(), 20_000, Pages},
		{"developers' pages", developers.String(), 5_000, Developers},
		{"comments", comments.String(), 100_000, Comments},
	} {
		require.Greater(t, len(strings.Fields(x.text)), x.least, x.name)
		rates, found := Judge(x.text)
		assert.False(t, rates.Patterns > x.limits.Patterns || rates.Telegrams > x.limits.Telegrams,
			"%s: %.2f, more than %v:\n%s", x.name, rates, x.limits, strings.Join(found, "\n"))
		t.Logf("%s: %.2f", x.name, rates)
	}
}

// TestPatterns finds each construction in a sentence that has one, and none in plain sentences.
func TestPatterns(t *testing.T) {
	for i, text := range []string{
		"The time is that of the slowest process.", "Of probes only the first counts.", "It prints what was measured.",
		"The row is behind it.", "The interval stands here.", "It reads results alone.", "The line says so.",
		"Give two, else it fails.", "The run goes on.",
	} {
		_, found := Judge(text)
		require.Len(t, found, 1, text)
		require.True(t, strings.HasPrefix(found[0], Patterns[i].Name+": "), found)
	}
	_, found := Judge("It fails: no file; no name. What if it waits? It shows what to do.")
	require.Equal(t, []string{"telegram: It fails: no file; no name. Make two sentences."}, found)
}

var (
	blocks    = regexp.MustCompile("(?s)```.*?```")
	indented  = regexp.MustCompile(`(?m)^    .*$`)
	spans     = regexp.MustCompile("`[^`\n]*`")
	targets   = regexp.MustCompile(`\]\([^)]*\)`)
	breaks    = regexp.MustCompile(`([^\n])\n([^\n])`)
	whole     = regexp.MustCompile(`^\s*// ?(.*)$`)
	following = regexp.MustCompile(`\s// (.*)$`)
)

// proseOf returns the text of a page without code, with a line for each paragraph.
func proseOf(page string) string {
	page = indented.ReplaceAllString(blocks.ReplaceAllString(page, " "), "")
	page = targets.ReplaceAllString(spans.ReplaceAllString(page, "CODE"), "]")
	return breaks.ReplaceAllString(page, "$1 $2") + "\n"
}

// commentsOf returns the comments of a Go file, each in a line.
func commentsOf(source string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(source, "\n") {
		if m := whole.FindStringSubmatch(line); m != nil && !strings.HasPrefix(strings.TrimSpace(line), "//go:") {
			b.WriteString(m[1] + " ")
			continue
		}
		b.WriteString("\n")
		if m := following.FindStringSubmatch(line); m != nil {
			b.WriteString(m[1] + "\n")
		}
	}
	return b.String()
}
