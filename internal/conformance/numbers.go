package conformance

import (
	"encoding/binary"
	"math"
	"unsafe"

	"github.com/effective-bandwidth/beff/mpi"
)

// combine combines the numbers in with into the numbers of the same type in result.
func combine(op mpi.Reduction, kind mpi.Type, result, with []byte) {
	if len(with) == 0 {
		return
	}
	switch kind {
	case mpi.Int8:
		combineAs[int8](op, result, with)
	case mpi.Int32:
		combineAs[int32](op, result, with)
	case mpi.Int64:
		combineAs[int64](op, result, with)
	case mpi.Float32:
		combineAs[float32](op, result, with)
	default:
		combineAs[float64](op, result, with)
	}
}

func combineAs[T int8 | int32 | int64 | float32 | float64](op mpi.Reduction, result, with []byte) {
	n := len(with) / int(unsafe.Sizeof(T(0)))
	into, from := unsafe.Slice((*T)(unsafe.Pointer(&result[0])), n), unsafe.Slice((*T)(unsafe.Pointer(&with[0])), n)
	for i, v := range from {
		switch op {
		case mpi.Sum:
			into[i] += v
		case mpi.Max:
			into[i] = max(into[i], v)
		case mpi.Min:
			into[i] = min(into[i], v)
		}
	}
}

// decode returns the first number in data, a small integer that all types hold exactly.
func decode(kind mpi.Type, data []byte) int64 {
	switch kind {
	case mpi.Int8:
		return int64(int8(data[0]))
	case mpi.Int32:
		return int64(int32(binary.NativeEndian.Uint32(data)))
	case mpi.Int64:
		return int64(binary.NativeEndian.Uint64(data))
	case mpi.Float32:
		return int64(math.Float32frombits(binary.NativeEndian.Uint32(data)))
	}
	return int64(math.Float64frombits(binary.NativeEndian.Uint64(data)))
}

// encode writes an integer as a number of a type.
func encode(kind mpi.Type, data []byte, value int64) {
	switch kind {
	case mpi.Int8:
		data[0] = byte(value)
	case mpi.Int32:
		binary.NativeEndian.PutUint32(data, uint32(value))
	case mpi.Int64:
		binary.NativeEndian.PutUint64(data, uint64(value))
	case mpi.Float32:
		binary.NativeEndian.PutUint32(data, math.Float32bits(float32(value)))
	default:
		binary.NativeEndian.PutUint64(data, math.Float64bits(float64(value)))
	}
}
