package input

import (
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestOnlyFiles checks that Open opens regular files only, and that its error names anything else: opening a pipe would
// wait for a writer.
func TestOnlyFiles(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	require.NoError(t, os.WriteFile(at("file"), []byte("text"), 0o600))
	require.NoError(t, os.Symlink("file", at("link")))
	require.NoError(t, syscall.Mkfifo(at("pipe"), 0o600))
	require.NoError(t, os.Symlink("pipe", at("link to a pipe")))
	l, err := net.Listen("unix", at("socket"))
	require.NoError(t, err)
	defer l.Close()
	for name, want := range map[string]string{
		at("file"): "", at("link"): "",
		at("pipe"): "is a pipe: only files are read", at("link to a pipe"): "is a pipe",
		at("socket"): "is a socket", "/dev/zero": "is a device", dir: "is a directory",
		at("missing"): "no such file or directory",
	} {
		text, err := ReadAll(name, 4)
		if want == "" {
			require.NoError(t, err)
			require.Equal(t, "text", string(text))
			continue
		}
		require.ErrorContains(t, err, want, name)
		require.ErrorContains(t, err, name)
	}
	if f, err := os.Open("/proc/kmsg"); err == nil { // if this user may read the kernel's messages
		f.Close()
		_, err = ReadAll("/proc/kmsg", 1<<30)
		require.ErrorContains(t, err, "/proc/kmsg: i/o timeout", "it never ends")
	}
	_, err = ReadAll(at("file"), 3)
	require.ErrorContains(t, err, "is longer than 3 bytes")
}
