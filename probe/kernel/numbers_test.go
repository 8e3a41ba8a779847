package kernel

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
)

// Filling from any position gives the same data as filling the whole.
func TestNumbers(t *testing.T) {
	for _, kind := range []mpi.Type{mpi.Int32, mpi.Int64, mpi.Float32, mpi.Float64} {
		whole := make([]byte, 100*kind.Size())
		Numbers(kind, 3, 2)(whole, 0)
		part := make([]byte, 9*kind.Size())
		Numbers(kind, 3, 2)(part, 13*kind.Size())
		require.Equal(t, whole[13*kind.Size():22*kind.Size()], part)
		require.Equal(t, AppendNumber(nil, kind, 2*float64(element(3, 13))), part[:kind.Size()])
	}
}
