package main

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
)

// Whichever rank of the embedded engine ends first, a wrong command line has its own exit code and one line.
func TestWrongCommandLine(t *testing.T) {
	for _, args := range [][]string{
		{"run", "-n", "64", "--memory", "1MiB", "--patterns", "nonsense"},
		{"io", "-n", "64", "--memory", "256MiB", "-N", "65", "-p", t.TempDir()},
		{"probe", "-n", "64", "--map", "3x3", "PingPong"},
	} {
		for range 20 {
			var stdout, stderr bytes.Buffer
			require.Equal(t, exit.Usage, run(args, &stdout, &stderr), "%v: %s", args, &stderr)
			require.Empty(t, stdout.String())
			require.Regexp(t, `\Abeff: .*\n\z`, stderr.String())
		}
	}
}
