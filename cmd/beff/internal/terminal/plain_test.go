package terminal_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/terminal"
)

func TestPlain(t *testing.T) {
	_, missing := os.Open(filepath.Join(t.TempDir(), "none", "x.json"))
	require.Regexp(t, `^/\S+/x\.json: there is no directory /\S+/none$`, terminal.Plain(missing))
	near := filepath.Join(t.TempDir(), "runs")
	require.NoError(t, os.WriteFile(near+"1", nil, 0o600))
	text := near + "2: no such file or directory"
	require.Equal(t, text+": did you mean "+near+"1?", terminal.Plain(errors.New("open "+text)))
	require.Equal(t, text, terminal.Plain(errors.New("mkdir "+text)), "no hint for a file that was to be created")
	for text, want := range map[string]string{
		"write /dev/full: no space left on device":  "/dev/full: no space left on device",
		`strconv.Atoi: parsing "x": invalid syntax`: `"x" is not a number`,
		"unexpected EOF":      "it ends early",
		"read x: is a pipe":   "x: is a pipe",
		"a\nb\x1b[2Jc\u202ed": "a; b [2Jc d",
	} {
		require.Equal(t, want, terminal.Plain(errors.New(text)))
	}
	// beff's own messages stay as they are.
	for _, text := range []string{
		"pilot run: write of pattern 26 (segmented) on 2 processes: MPI_File_write failed on rank 0: 0 of 2097152 " +
			"bytes were written: no space left on device",
		"read of pattern 3 (scatter) on 2 processes: MPI_File_read_all failed",
		"rank 0: close of the file: input/output error",
		"the note of x.json: write UCX_TLS: tcp",
	} {
		require.Equal(t, text, terminal.Plain(fmt.Errorf("%s", text)))
	}
}
