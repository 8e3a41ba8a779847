package plugin

import (
	"os"
	"testing"

	"github.com/ebitengine/purego"
	"github.com/stretchr/testify/require"
)

// TestVersioned checks that loaded libraries have their versions, whatever their files' names are, and that no library
// is loaded for that.
func TestVersioned(t *testing.T) {
	require.Equal(t, []string{"/lib/libc.so.6", "/none/libucp.so.0", "/none/libfabric.so.1"},
		Versioned([]string{"/lib/libc.so.6", "/none/libucp.so.0", "/none/libfabric.so.1"}))
	for path, want := range map[string]string{
		"/usr/lib/x86_64-linux-gnu/libucp.so.0":    ` \(UCX \d+\.\d+\.\d+\)$`,
		"/usr/lib/x86_64-linux-gnu/libfabric.so.1": ` \(libfabric \d+\.\d+\)$`,
	} {
		if _, err := os.Stat(path); err != nil {
			t.Logf("left out: %s isn't here", path)
			continue
		}
		_, err := purego.Dlopen(path, purego.RTLD_NOW)
		require.NoError(t, err)
		require.Regexp(t, "^"+path+want, Versioned([]string{path})[0])
	}
}
