//go:build unix

package report

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// Find doesn't wait for a pipe in a directory.
func TestFindSkipsPipes(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "pipe.json"), 0o600))
	result := filepath.Join(dir, "result.json")
	require.NoError(t, os.WriteFile(result, nil, 0o600))
	paths, err := Find([]string{dir})
	require.NoError(t, err)
	require.Equal(t, []string{result}, paths)
}

// Find returns the results in a directory if the path is a symbolic link to it.
func TestFindFollowsLinks(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "runs"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "runs", "result.json"), nil, 0o600))
	link := filepath.Join(dir, "latest")
	require.NoError(t, os.Symlink("runs", link))
	paths, err := Find([]string{link, filepath.Join(dir, "runs"), link + "/"})
	require.NoError(t, err)
	require.Equal(t, []string{filepath.Join(link, "result.json"), filepath.Join(dir, "runs", "result.json")}, paths)
}
