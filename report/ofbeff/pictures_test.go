package ofbeff

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/report/internal/drawn"
)

// readResult reads a result without checking it.
func readResult(t testing.TB, file string) *beff.Result {
	t.Helper()
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	r := new(beff.Result)
	require.NoError(t, json.Unmarshal(data, r))
	r.Derived = beff.Derive(r)
	return r
}

// TestPictures draws results of other runs, which BEFF_PLOTS_RESULTS names with a glob.
func TestPictures(t *testing.T) {
	files, err := filepath.Glob(os.Getenv("BEFF_PLOTS_RESULTS"))
	require.NoError(t, err)
	var names []string
	var rs []*beff.Result
	for _, file := range files {
		r := readResult(t, file)
		names, rs = append(names, strings.TrimSuffix(filepath.Base(file), ".json")), append(rs, r)
		drawn.Pictures(t, names[len(names)-1], Figures(r))
	}
	drawn.Pictures(t, "all", Overlay(names, rs))
}
