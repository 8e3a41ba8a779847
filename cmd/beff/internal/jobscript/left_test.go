package jobscript

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
)

// What earlier runs have left decides the same in a job's script as in the program: a journal is gone on with, a whole
// document stays as it is, all else is measured anew.
func TestLeft(t *testing.T) {
	var script strings.Builder
	job := &Job{Steps: []Step{{PerNode: 1, Output: "r"}}, Nodes: 1, PerNode: 1, Program: "beff", Launcher: "x",
		Basis: "as given"}
	require.NoError(t, Schedulers[0].Write(&script, job))
	measure, _, found := strings.Cut(script.String(), "\nmeasure r ")
	require.True(t, found)
	for _, c := range []struct {
		files string // name, or name=text
		left  publish.Left
	}{
		{"", publish.Nothing}, {"r.json", publish.Nothing}, {"r.json=x", publish.Whole}, {"r.json.gz=x", publish.Whole},
		{"r.journal=x", publish.Cut}, {"r.journal=x r.json=x", publish.Cut}, {"r.txt=x", publish.Nothing},
		{"r.json r.json.gz=x", publish.Whole}, {"r.journal", publish.Nothing},
	} {
		dir := t.TempDir()
		for _, file := range strings.Fields(c.files) {
			name, text, _ := strings.Cut(file, "=")
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
		}
		require.Equal(t, c.left, publish.LeftAt(filepath.Join(dir, "r")), c.files)
		shell := exec.Command("bash", "-c", measure+"\nmeasure r echo")
		shell.Dir = dir
		said, err := shell.Output()
		require.NoError(t, err)
		require.Equal(t, map[publish.Left]string{publish.Nothing: "-o r\n", publish.Cut: "--resume r\n"}[c.left],
			string(said), c.files)
	}
}
