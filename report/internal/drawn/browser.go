package drawn

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// FindBrowser returns the path of a headless browser. Without one the test is skipped, or fails if BEFF_TEST_TOOLS=1.
func FindBrowser(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	require.NotEqual(t, "1", os.Getenv("BEFF_TEST_TOOLS"), "chromium is missing")
	t.Skip("chromium is missing")
	return ""
}

// Show returns a page after its scripts have run, in a window of some size such as 390,844; empty: any.
func Show(t *testing.T, page, window string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "page.html")
	require.NoError(t, os.WriteFile(name, []byte(page), 0o600))
	return Visit(t, "file://"+name, window)
}

// Visit returns the page of an address after its scripts have run. They may say nothing on the console.
func Visit(t *testing.T, address, window string) string {
	t.Helper()
	args := []string{"--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-quic",
		"--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
		"--user-data-dir=" + t.TempDir(), "--enable-logging=stderr", "--v=0", "--virtual-time-budget=5000"}
	if window != "" {
		args = append(args, "--window-size="+window)
	}
	cmd := exec.Command(FindBrowser(t), append(args, "--dump-dom", address)...)
	cmd.WaitDelay = time.Second
	var dom, log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &dom, &log
	require.NoError(t, cmd.Run(), log.String())
	require.NotContains(t, log.String(), "CONSOLE", address)
	return dom.String()
}
