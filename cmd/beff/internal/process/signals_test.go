package process

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
)

// If a signal ends a process, the unfinished parts of files that it writes are removed. This is also so for a signal
// that the shell made it ignore, as for processes in the background.
func TestSignalLeavesNoParts(t *testing.T) {
	const inside = "BEFF_TEST_PARTS"
	listed := func(dir string) []os.DirEntry {
		entries, err := os.ReadDir(dir)
		require.NoError(t, err)
		return entries
	}
	if path := os.Getenv(inside); path != "" {
		defer (&Process{Exit: os.Exit}).Catch()()
		_, err := publish.NewPart(path)
		require.NoError(t, err)
		require.Len(t, listed(filepath.Dir(path)), 1)
		number, _ := strconv.Atoi(os.Getenv(inside + "_BY"))
		require.NoError(t, syscall.Kill(os.Getpid(), syscall.Signal(number)))
		select {}
	}
	for want, by := range map[string]struct {
		shell  string
		signal syscall.Signal
	}{"signal: terminated": {"exec", syscall.SIGTERM}, "exit status 130": {"trap '' INT; exec", syscall.SIGINT}} {
		path := filepath.Join(t.TempDir(), "a.json")
		c := exec.Command("sh", "-c", by.shell+" "+os.Args[0]+" -test.run=^TestSignalLeavesNoParts$")
		c.Env = append(os.Environ(), inside+"="+path, fmt.Sprintf("%s_BY=%d", inside, by.signal))
		require.EqualError(t, c.Run(), want)
		require.Empty(t, listed(filepath.Dir(path)))
	}
}
