package conformance

import (
	"unsafe"

	"github.com/effective-bandwidth/beff/mpi"
)

// arithmetic holds operations on the numbers of each type.
var arithmetic = map[mpi.Type]operations{mpi.Int8: operationsOn[int8](), mpi.Int32: operationsOn[int32](),
	mpi.Int64: operationsOn[int64](), mpi.Float32: operationsOn[float32](), mpi.Float64: operationsOn[float64]()}

type operations struct {
	combine func(op mpi.Reduction, result, with []byte) // combines the numbers in with into the numbers in result
	decode  func(data []byte) int64                     // the first number, a small integer that all types hold exactly
	encode  func(data []byte, value int64)              // writes an integer as the first number
}

func operationsOn[T int8 | int32 | int64 | float32 | float64]() operations {
	view := func(data []byte) []T {
		return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(data))), len(data)/int(unsafe.Sizeof(T(0))))
	}
	return operations{
		decode: func(data []byte) int64 { return int64(view(data)[0]) },
		encode: func(data []byte, value int64) { view(data)[0] = T(value) },
		combine: func(op mpi.Reduction, result, with []byte) {
			into := view(result)
			for i, v := range view(with) {
				switch op {
				case mpi.Sum:
					into[i] += v
				case mpi.Max:
					into[i] = max(into[i], v)
				case mpi.Min:
					into[i] = min(into[i], v)
				}
			}
		},
	}
}
