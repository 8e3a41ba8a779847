package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/rating/journal"
	"github.com/effective-bandwidth/beff/report/words"
)

// A stranger's journal in a shared directory can't write control characters or whole lines to the terminal.
func TestStrangersJournal(t *testing.T) {
	prefix := filepath.Join(t.TempDir(), "q")
	j, _, err := journal.Open(prefix+journal.Suffix, false)
	require.NoError(t, err)
	require.NoError(t, j.Begin(journal.Head{Made: true, Document: []byte("{}"), Decided: []byte("{}"),
		Owner: journal.Owner{Host: "\x1b[2J\x1b]0;pwn\x07evil\u009b1m\nbeff: valid", PID: 1}}))
	require.NoError(t, j.Close())
	var out, stderr bytes.Buffer
	code := run([]string{"run", "-n", "2", "--quick", "--memory", "512KiB", "--patterns", "ping-pong", "--methods",
		"sendrecv", "-o", prefix}, &out, &stderr)
	require.Zero(t, code, stderr.String())
	require.Contains(t, stderr.String(), "was left by process 1 on [2J ]0;pwn evil 1m beff: valid, which is gone")
	require.Negative(t, strings.IndexFunc(stderr.String(), func(r rune) bool { return !words.Visible(r) && r != '\n' }))
	require.NotContains(t, stderr.String(), "\nbeff: valid")
}
