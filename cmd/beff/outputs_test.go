package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// shown matches an output in a page: a block that is marked "console", with commands after "$ ", or "text FILE", with a
// file of the repository.
var shown = regexp.MustCompile("(?ms)^```(console|text [^\n]+)\n(.*?)^```$")

// Every output in a page equals its command's output. The commands of a page run one after another in a directory that
// has docs/example and docs/machines if the page names files there. UPDATE=1 writes their outputs into the page.
func TestOutputsInDocs(t *testing.T) {
	pages, err := filepath.Glob("../../docs/*.md")
	require.NoError(t, err)
	seen := 0
	for _, page := range append(pages, "../../README.md") {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		directory := t.TempDir()
		for _, name := range []string{"example", "machines"} {
			if strings.Contains(string(text), " "+name+"/") {
				inputs, err := filepath.Abs("../../docs/" + name)
				require.NoError(t, err)
				require.NoError(t, os.Symlink(inputs, filepath.Join(directory, name)))
			}
		}
		now := shown.ReplaceAllStringFunc(string(text), func(block string) string {
			seen++
			m := shown.FindStringSubmatch(block)
			if name, is := strings.CutPrefix(m[1], "text "); is {
				file, err := os.ReadFile("../../" + name)
				require.NoError(t, err, page)
				return strings.Replace(block, m[2], string(file), 1)
			}
			return "```console\n" + console(t, directory, m[2]) + "```"
		})
		if os.Getenv("UPDATE") != "" {
			require.NoError(t, os.WriteFile(page, []byte(now), 0o644))
			continue
		}
		assert.Equal(t, string(text), now, "%s: UPDATE=1 go test -run TestOutputsInDocs", page)
	}
	require.Greater(t, seen, 5)
}

// console runs the commands of a block and returns it with their outputs. Lines after "> " continue a command.
func console(t *testing.T, directory, block string) string {
	var out strings.Builder
	lines := strings.SplitAfter(block, "\n")
	for i := 0; i < len(lines); i++ {
		command, is := strings.CutPrefix(lines[i], "$ ")
		if !is {
			continue
		}
		out.WriteString(lines[i])
		for ; i+1 < len(lines) && strings.HasPrefix(lines[i+1], "> "); i++ {
			command += lines[i+1][2:]
			out.WriteString(lines[i+1])
		}
		c := exec.Command("sh", "-c", command)
		c.Dir = directory
		c.Env = append(os.Environ(), "HOME="+directory, "XDG_CONFIG_HOME="+directory, "LC_ALL=C.UTF-8", "COLUMNS=100")
		printed, err := c.CombinedOutput()
		require.True(t, err == nil || c.ProcessState.Exited(), "%s: %v", command, err)
		out.Write(printed)
	}
	return out.String()
}
