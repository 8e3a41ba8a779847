package main

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestHeader fails if the table of calls has changed since ops.h was written.
func TestHeader(t *testing.T) {
	found, err := os.ReadFile("../../plugin/c/ops.h")
	require.NoError(t, err)
	require.Equal(t, string(header()), string(found), "run: go generate ./mpi/libmpi")
}
