package ofbeffio

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/patterns"
)

// A result's curve has a point for each chunk that all pattern types have: the geometric mean over them, and over
// writing and reading.
func TestCurve(t *testing.T) {
	r := &beffio.Result{Partitions: []int{2}}
	r.Derived.BEffIO, r.Derived.Processes = 1, 2
	r.Derived.Partitions = []beffio.Partition{{Processes: 2, Paper: 1, Release21: 1}}
	add := func(number int, of patterns.IOType, disk int64, write, read float64) {
		r.Patterns = append(r.Patterns, beffio.Pattern{Number: number, Type: of, Disk: disk, Units: 1})
		for a, x := range map[beffio.Access]float64{beffio.Write: write, beffio.Read: read} {
			r.Samples = append(r.Samples, beffio.Sample{Partition: 0, Access: a, Pattern: number, Bandwidth: x})
		}
	}
	for i, of := range beffio.Types() {
		add(i, of, 1024, 100, 400)
	}
	add(10, patterns.Scatter, 32, 1, 1)
	require.GreaterOrEqual(t, r.Rated(), 0)
	list := Report{r}.Curve()
	require.Len(t, list, 1)
	require.EqualValues(t, 1024, list[0].Bytes)
	require.InDelta(t, math.Sqrt(100*400), list[0].Bandwidth, 1e-9)
	require.Empty(t, Report{&beffio.Result{}}.Curve())
}
