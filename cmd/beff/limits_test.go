package main

import (
	"bytes"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/probing"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/process"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	"github.com/effective-bandwidth/beff/internal/house"
)

// The command line doesn't exceed its limits for commands, flags and formats, and its help is in plain sentences.
func TestLimits(t *testing.T) {
	app, err := wholeModel(&process.Process{Stdout: io.Discard, Stderr: io.Discard})
	require.NoError(t, err)
	flag := regexp.MustCompile(`(?m)^ {2}( {4}|-\w, )?--([a-z0-9-]+)`) // a flag that a text mentions is further right
	commands, flags := 0, 0
	var help strings.Builder
	var count func(node *kong.Node, words []string)
	count = func(node *kong.Node, words []string) {
		var page, stderr bytes.Buffer
		if run(append(words, "--help-all"), &page, &stderr) != 0 { // another suite's grammar, with that suite's options
			require.Contains(t, stderr.String(), "unknown option", words)
		}
		help.WriteString(strings.Join(strings.Fields(page.String()), " ") + "\n")
		for _, m := range flag.FindAllStringSubmatch(page.String(), -1) {
			if m[2] != "help" && m[2] != "help-all" && m[2] != "version" {
				flags++
			}
		}
		for _, child := range node.Children {
			if !child.Hidden && child != node.DefaultCmd { // the parent's page is the default's
				count(child, append(words[:len(words):len(words)], child.Name))
			}
		}
	}
	for _, node := range app.Children {
		if !node.Hidden {
			commands++
			count(node, []string{node.Name})
		}
	}
	formats := len(publish.OfResults(probing.MPIBlib))
	t.Logf("%d commands, %d flags, %d formats", commands, flags, formats)
	require.LessOrEqual(t, commands, house.Commands)
	require.LessOrEqual(t, flags, house.Flags)
	require.LessOrEqual(t, formats, house.Formats)
	rates, found := house.Judge(help.String())
	t.Logf("help: %.2f", rates)
	require.False(t, rates.Patterns > house.Help.Patterns || rates.Telegrams > house.Help.Telegrams,
		"%.2f, more than %v:\n%s", rates, house.Help, strings.Join(found, "\n"))
}
