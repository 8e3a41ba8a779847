package ofbeff

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
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
