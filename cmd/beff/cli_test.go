package main

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
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
