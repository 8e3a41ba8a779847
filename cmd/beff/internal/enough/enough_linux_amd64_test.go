package enough

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A program that begins here says in a line that its address space is too small, and runs where it isn't. One whose
// standard output is closed says so if it has something to write.
func TestLeast(t *testing.T) {
	if testing.Short() {
		t.Skip("it links the whole program, which takes seconds; without -short it runs")
	}
	least, line := least, refusal
	require.Contains(t, line, fmt.Sprintf("at least %d kB", least>>10))
	binary := filepath.Join(t.TempDir(), "beff")
	build := exec.Command("go", "build", "-ldflags", "-E beff_entry", "-o", binary, "../..")
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // as it is delivered: a linker for C begins elsewhere
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	run := func(limit any) (string, error) {
		out, err := exec.Command("sh", "-c", fmt.Sprintf("ulimit -v %v; exec %s help", limit, binary)).CombinedOutput()
		return string(out), err
	}
	for _, small := range []any{300_000, least>>10 - 1} {
		text, err := run(small)
		require.EqualError(t, err, "exit status 1")
		require.Equal(t, line, text)
	}
	for _, command := range []string{"help", "version"} {
		text, err := exec.Command("sh", "-c", binary+" "+command+" 2>&1 >&-").CombinedOutput()
		require.EqualError(t, err, "exit status 1", command)
		require.Equal(t, "beff: standard output is closed: bad file descriptor\n", string(text), command)
	}
	for _, enough := range []any{least >> 10, "unlimited"} {
		text, err := run(enough)
		require.NoError(t, err, text)
		require.True(t, strings.HasPrefix(text, "Usage: beff"), text)
	}
}
