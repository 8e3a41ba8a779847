package main

import (
	"bytes"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/process"
)

// Whichever rank of the embedded engine ends first, a wrong command line gives its exit code and one line.
func TestWrongCommandLine(t *testing.T) {
	for _, args := range [][]string{
		{"run", "-n", "64", "--memory", "1MiB", "--patterns", "nonsense"},
		{"io", "-n", "64", "--memory", "256MiB", "--partitions", "65", "-p", t.TempDir()},
		{"probe", "-n", "64", "--option", "map=3x3", "PingPong"},
	} {
		for range 20 {
			var stdout, stderr bytes.Buffer
			require.Equal(t, exit.Usage, run(args, &stdout, &stderr), "%v: %s", args, &stderr)
			require.Empty(t, stdout.String())
			require.Regexp(t, `\Abeff: .*\n\z`, stderr.String())
		}
	}
}

// Each command that help shows has a group, and its line fits into a terminal: the whole help fits on one screen.
func TestHelpFitsOnAScreen(t *testing.T) {
	var stdout, stderr bytes.Buffer
	require.Zero(t, run([]string{"--help"}, &stdout, &stderr))
	require.NotContains(t, stdout.String(), "\nCommands:\n", "a command has no group")
	lines := strings.Split(stdout.String(), "\n")
	require.LessOrEqual(t, len(lines), 60)
	_, commands, _ := strings.Cut(stdout.String(), "\nMeasure:\n")
	commands, _, _ = strings.Cut(commands, "\nFlags:\n")
	for line := range strings.Lines(commands) {
		require.LessOrEqual(t, utf8.RuneCountInString(line), 80, line)
		require.NotRegexp(t, `^ {6}`, line, "a command's text has one line")
	}
}

// The help of each command has examples that the parser accepts, and names an existing section of the documentation.
// Only the program's help has the flags of all commands.
func TestHelpLeadsOn(t *testing.T) {
	app, err := wholeModel(&process.Process{})
	require.NoError(t, err)
	for _, node := range app.Leaves(false) {
		if slices.Contains([]string{"complete-words", "manual", "build"}, node.Name) { // for scripts and packages
			continue
		}
		command := node.Path()
		var stdout, stderr bytes.Buffer
		require.Zero(t, run(append(strings.Fields(command), "--help"), &stdout, &stderr), command)
		help := stdout.String()
		require.NotContains(t, help, "context-sensitive", command)
		require.Contains(t, help, "For example:", command)
		for example := range strings.SplitSeq(guides[command].examples, "\n") {
			line, _, _ := strings.Cut(example, "  ")
			at := begins.FindStringIndex(line)
			require.NotNil(t, at, example)
			require.NoError(t, understood(shellWords(line[at[1]:])), example)
		}
		page := regexp.MustCompile(`(?m)^Read on in (docs/[a-z0-9]+[.]md)(?:#(.*))?[.]$`).FindStringSubmatch(help)
		require.NotNil(t, page, "%s: %s", command, help)
		text, err := os.ReadFile("../../" + page[1])
		require.NoError(t, err, command)
		anchors := []string{""}
		for line := range strings.Lines(string(text)) {
			if heading, is := strings.CutPrefix(line, "## "); is {
				words := strings.Fields(strings.NewReplacer(".", "", "'", "").Replace(strings.ToLower(heading)))
				anchors = append(anchors, strings.Join(words, "-"))
			}
		}
		require.Contains(t, anchors, page[2], command)
	}
}

// The help of a command names all of its formats, and no others.
func TestFormatsOfCommands(t *testing.T) {
	for command, has := range map[string]bool{"report": true, "compare": false, "rank": false, "trend": false,
		"model scale": false} {
		for _, format := range []string{"kv", "sum"} {
			var stdout, stderr bytes.Buffer
			require.Zero(t, run(append(strings.Fields(command), "--help"), &stdout, &stderr))
			help := strings.Join(strings.Fields(stdout.String()), " ")
			require.Contains(t, help, "text, brief, json")
			require.Equal(t, has, strings.Contains(help, " "+format+","), "%s: %s", command, format)
			args := append(strings.Fields(command), "--format", format, "nothing.json", "nothing.json")
			require.NotZero(t, run(args, &stdout, &stderr))
			require.Equal(t, !has, strings.Contains(stderr.String(), "unknown format"), "%s: %s", command, format)
		}
	}
}
