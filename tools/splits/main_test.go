package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// Three of four runs agree, one is far off, and all have narrow intervals. Of the 12 ordered pairs, the 6 with the odd
// run are significant. It also differs significantly from the other three together, and none of these differs from
// three others that include it.
func TestRun(t *testing.T) {
	var paths []string
	for i, b := range []float64{1e9, 1.001e9, 1.002e9, 2e9} {
		path := filepath.Join(t.TempDir(), "run.json")
		text := fmt.Sprintf(`{"derived": {"b_eff": %g, "b_eff_interval": {"low": %g, "high": %g, "confidence": 0.95}}}`,
			b, 0.99*b, 1.01*b)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600), i)
		paths = append(paths, path)
	}
	var out bytes.Buffer
	require.NoError(t, run(paths, &out))
	require.Equal(t, "4 runs differ by 34.6 %, their intervals give 0.5 %\n"+
		"1 and 3, by itself: 25.0 % of 4 significant\n1 and 1, as compared: 50.0 % of 12 significant\n"+
		"1 and 3, as compared: 25.0 % of 4 significant\n", out.String())
	// The best of a random pattern is its third sample of four; a detail doesn't count.
	require.NoError(t, os.WriteFile(paths[0], []byte(`{"patterns": [{"kind": "random"}, {"kind": "detail"}],
		"samples": [{"seconds": 3, "loops": 1}, {"seconds": 1, "loops": 1, "pattern": 1}, {"seconds": 4, "loops": 2},
			{"seconds": 5, "loops": 2}],
		"derived": {"b_eff": 1e9, "b_eff_interval": {"low": 0.9e9, "high": 1.1e9, "confidence": 0.95}}}`), 0o600))
	out.Reset()
	require.NoError(t, run(paths, &out))
	require.Contains(t, out.String(), paths[0]+": 10, 50, 90 % of the best samples come before 0.62, 0.62, 0.62 of ")
	require.ErrorContains(t, run(paths[:2], &out), "three results")
	require.ErrorContains(t, run(append(paths, "missing"), &out), "missing")
}
