package tools

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/report/foreign"
)

// Each row of GPCNeT's output becomes a table. MiB in its units have 2^20 bytes.
func TestGPCNeT(t *testing.T) {
	r := readSample(t, "gpcnet/network_test-1.3-verbose.txt")
	require.Equal(t, "1.3", r.ProgramVersion)
	require.Equal(t, 4, r.Processes)
	require.Len(t, r.Tables, 8)
	lat, put := r.Tables[0], r.Tables[3]
	require.Equal(t, "RR Two-sided Lat (8 B)", lat.Test)
	require.Equal(t, []foreign.Setting{{Name: "network", Value: "isolated"}}, lat.Settings)
	require.Equal(t, int64(8), lat.Rows[0].Bytes)
	require.InDeltaSlice(t, []float64{2.3e-6, 526.4e-6, 19.7e-6, 19.9e-6, 93.3e-6, 3358.5e-6}, lat.Rows[0].Values,
		1e-12)
	require.Equal(t, "Avg", lat.Columns[lat.Mains()[0]].Name)
	require.InDelta(t, 966.7*(1<<20), put.Rows[0].Values[2], 1)

	_, err := readAs(t, "Network Tests v1.3\n| Name | Avg | Units |\n| x (8 B) | 1.0 | furlongs |\n")
	require.ErrorContains(t, err, `line 3: unknown unit "furlongs"`)
	_, err = readAs(t, "Network Tests v1.3\n| Name | Avg | Units |\n| x (8 B) | usec |\n")
	require.ErrorContains(t, err, "line 3: 2 cells below 3 headings")
}
