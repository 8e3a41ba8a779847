package method

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
)

// TestSamples makes samples of three processes' readings: the minimum, maximum and mean of the times that count, the
// three times of the process whose overlapped communication took longest (guide, "Measuring Communication and
// Computation Overlap"), and the longest of each of the two times of Truly_passive_put.
func TestSamples(t *testing.T) {
	readings := []times{
		{Seconds: 4, Overlapped: 5, Compute: 2},
		{Seconds: 1, Overlapped: 7, Compute: 3},
		{Seconds: -1, Overlapped: 6, Compute: 9},
		{Seconds: 2.5, Overlapped: 3, Compute: 8},
	}
	for class, want := range map[kernel.Class]measured.Sample{
		kernel.Parallel: {Min: 1, Max: 4, Mean: 2.5},
		kernel.Overlap:  {Pure: 1, Overlapped: 7, Compute: 3},
		kernel.Passive:  {Pure: 4, Passive: 7},
	} {
		require.Equal(t, want, classMeasurements[class].sample(readings), class)
	}
	require.Equal(t, measured.Sample{Min: 1.000000000001, Max: 1.000000000001, Mean: 1.000000000001},
		classMeasurements[kernel.Single].sample([]times{{Seconds: 1.0000000000012}}), "to 1e-12 s")
}
