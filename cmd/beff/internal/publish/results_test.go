//go:build unix

package publish

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// A pipe among the files of a directory is not waited for.
func TestExpandSkipsPipes(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "pipe.json"), 0o600))
	result := filepath.Join(dir, "result.json")
	require.NoError(t, os.WriteFile(result, nil, 0o600))
	paths, err := Expand([]string{dir})
	require.NoError(t, err)
	require.Equal(t, []string{result}, paths)
}
