package kernel

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
)

// The difference is the worst number's, relative to the right one, and 1 for bytes. If an element is not a number, the
// difference is as large as possible.
func TestDifference(t *testing.T) {
	for _, kind := range []mpi.Type{mpi.Int8, mpi.Int32, mpi.Int64, mpi.Float32, mpi.Float64} {
		right := []float64{2, 4, 0, 5}
		fill := func(data []byte, _ int64) {
			var all []byte
			for _, x := range right {
				all = AppendNumber(all, kind, x)
			}
			copy(data, all)
		}
		found := make([]byte, 4*kind.Size())
		fill(found, 0)
		require.Zero(t, largestDifference(found, fill, 0, kind))
		change := func(at int64, x float64) { copy(found[at*kind.Size():], AppendNumber(nil, kind, x)) }
		change(1, 5)
		require.Equal(t, 0.25, largestDifference(found, fill, 0, kind), kind)
		change(2, -3) // where 0 is right
		require.Equal(t, 3.0, largestDifference(found, fill, 0, kind), kind)
		require.Equal(t, 1.0, largestDifference(found, fill, 0, mpi.Byte))
		if kind == mpi.Float32 || kind == mpi.Float64 {
			change(3, math.NaN())
			require.Equal(t, math.MaxFloat64, largestDifference(found, fill, 0, kind))
		}
	}
}
