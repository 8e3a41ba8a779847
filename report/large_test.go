package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/report/internal/fixture"
	"github.com/effective-bandwidth/beff/report/ofbeff"
)

// A document of 88 MB is read and proven in 300 MB of memory, in any layout. docs/studies/faults.md has the time.
func TestLarge(t *testing.T) {
	const variable, most = "BEFF_TEST_READ", 300 << 10 // kB
	if path := os.Getenv(variable); path != "" {       // the process that reads
		require.NoError(t, Read(path).Problem)
		status, err := os.ReadFile("/proc/self/status") // getrusage would count the memory of the parent, too
		require.NoError(t, err)
		fmt.Printf("%s\n", regexp.MustCompile(`(?m)^VmHWM:.*`).Find(status))
		return
	}
	if testing.Short() {
		t.Skip("makes a document of 88 MB")
	}
	m := fixture.Cluster("large")
	m.Config.Passes = 56
	result := m.Result()
	require.Greater(t, len(result.Samples), 480_000)
	var written, compact bytes.Buffer
	require.NoError(t, ofbeff.Form.Seal(&written, result))
	require.NoError(t, json.Compact(&compact, written.Bytes()))
	for layout, text := range map[string][]byte{"as written": written.Bytes(), "compact": compact.Bytes()} {
		require.Greater(t, len(text), 70_000_000, layout)
		path := filepath.Join(t.TempDir(), "large.json")
		require.NoError(t, os.WriteFile(path, text, 0o644))
		c := exec.Command(os.Args[0], "-test.run", "^TestLarge$")
		c.Env = append(os.Environ(), "GOGC=100", variable+"="+path)
		out, err := c.CombinedOutput()
		require.NoError(t, err, "%s: %s", layout, out)
		var used int
		_, line, _ := strings.Cut(string(out), "VmHWM:")
		_, err = fmt.Sscan(line, &used)
		require.NoError(t, err, "%s", out)
		t.Logf("%s: %d MB, %d kB of memory, %.1f s", layout, len(text)/1_000_000, used,
			c.ProcessState.UserTime().Seconds())
		require.Less(t, used, most, layout)
	}
}
