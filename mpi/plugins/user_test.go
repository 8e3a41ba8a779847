package plugins

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestUserLibrary checks that a user's library of functions is refused if others can write to it or its directory,
// whether a path names it or it is found as the loader finds it.
func TestUserLibrary(t *testing.T) {
	dir, open := t.TempDir(), filepath.Join(t.TempDir(), "open")
	require.NoError(t, os.Mkdir(open, 0o700))
	require.NoError(t, os.Chmod(open, 0o777))
	for _, path := range []string{dir + "/lib.so", open + "/lib.so"} {
		require.NoError(t, os.WriteFile(path, nil, 0o600))
	}
	require.NoError(t, os.Symlink(open+"/lib.so", dir+"/link.so"))
	for _, c := range []struct {
		name  string
		where []string
		want  string // "": it is refused
	}{
		{dir + "/lib.so", nil, dir + "/lib.so"},
		{open + "/lib.so", nil, ""},
		{dir + "/link.so", nil, ""},
		{dir + "/none.so", nil, ""},
		{"lib.so", []string{dir + "/none", dir, open}, dir + "/lib.so"},
		{"lib.so", []string{open, dir}, ""},
		{"lib.so", []string{dir + "/none"}, "lib.so"},
	} {
		path, err := UserLibrary(c.name, c.where)
		if c.want == "" {
			require.Error(t, err, c)
			continue
		}
		require.NoError(t, err, c)
		require.Equal(t, c.want, path)
	}
	t.Chdir(open) // an empty directory in the list means this one
	_, err := UserLibrary("lib.so", []string{""})
	require.ErrorContains(t, err, "is not trusted")
}
