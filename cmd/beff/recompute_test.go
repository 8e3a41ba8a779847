package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// recomputed runs recompute.py, which shares no code with this program. The script computes the ratings in result
// documents from their samples, by the rules of the paper and of release 2.1.
func recomputed(t testing.TB, paths ...string) (text string, err error) {
	script, err := filepath.Abs("../../tools/recompute/recompute.py")
	require.NoError(t, err)
	out, err := exec.Command("python3", append([]string{script}, paths...)...).CombinedOutput()
	return string(out), err
}

// The ratings in documents of all engines follow from their samples by the formulas, and an altered sample is noticed.
// TestRatingUnderMPI and TestIOUnderMPI do the same for MPIs.
func TestRecomputed(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, args := range [][]string{
		{"run", "--engine", "local", "-n", "2", "--quick", "--memory", "512KiB", "--methods", "sendrecv",
			"--patterns", "ring,random", "-o", at("local")},
		{"model", "run", "fat-tree-100g", "-n", "7", "-o", at("sim")},
		{"model", "run", "t3e", "-n", "2", "--rules", "3.6", "-o", at("release")},
		{"io", "--engine", "local", "-n", "3", "-T", "0.2", "--memory", "64MiB", "--max-bytes", "400MiB", "--rewrite",
			"-p", dir, "-o", at("io")},
		{"io", "--engine", "local", "-n", "2", "-T", "0.1", "--memory", "64MiB", "--max-bytes", "100MiB", "--within",
			"90%", "--at-most", "5m", "--partitions", "1", "--rules", "2.1", "-p", dir, "-o", at("rounds")},
	} {
		var stderr bytes.Buffer
		require.Zero(t, run(args, io.Discard, &stderr), "%s: %s", args, &stderr)
	}
	paths := []string{at("local.json"), at("sim.json"), at("release.json"), at("io.json"), at("rounds.json"),
		"../../testdata/b_eff-1.json", "../../testdata/b_eff_io-1.json"}
	text, err := recomputed(t, paths...)
	require.NoError(t, err, text)
	require.Len(t, regexp.MustCompile(`(?m) follows$`).FindAllString(text, -1), 4+3*3)

	document, err := os.ReadFile(at("io.json"))
	require.NoError(t, err)
	altered := regexp.MustCompile(`"open": [^,]+`).ReplaceAllString(string(document), `"open": 1`)
	require.NoError(t, os.WriteFile(at("altered.json"), []byte(altered), 0o600))
	text, err = recomputed(t, at("altered.json"))
	require.Error(t, err)
	require.Contains(t, text, "DOES NOT FOLLOW")
}
