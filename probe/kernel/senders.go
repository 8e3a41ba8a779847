package kernel

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/effective-bandwidth/beff/mpi"
)

// Filler writes a sender's data, beginning at a position in bytes: patterns that identify sender and position, or
// numbers whose sums are exact. Positions are multiples of the size of the kernel's type.
type Filler func(data []byte, position int64)

// FileOwner is the sender of the contents of a file to read.
const FileOwner = -1

// Word returns the pattern's value for a sender at an index, counted in words of 8 bytes. It is invertible, so data
// read through a shared file pointer reveal their position.
func Word(sender int, index int64) uint64 {
	return bits.RotateLeft64(uint64(index)*wordFactor+uint64(int64(sender))*senderFactor, 29)
}

// Odd factors; the second is the first's inverse modulo 2^64.
const (
	wordFactor   = 0x9E3779B97F4A7C15
	wordInverse  = 0xF1DE83E19937733D
	senderFactor = 0xD1B54A32D192ED03
)

// WordIndex returns the position, in words, of a file's word.
func WordIndex(value uint64) int64 {
	owner := FileOwner
	return int64((bits.RotateLeft64(value, -29) - uint64(int64(owner))*senderFactor) * wordInverse)
}

// Pattern returns the bytes that a sender sends.
func Pattern(sender int) Filler {
	return func(data []byte, position int64) {
		index := position / 8
		if skip := position % 8; skip != 0 {
			var w [8]byte
			binary.LittleEndian.PutUint64(w[:], Word(sender, index))
			n := copy(data, w[skip:])
			data = data[n:]
			index++
		}
		words, unrotated := len(data)/8, bits.RotateLeft64(Word(sender, index), -29)
		for i := range words {
			binary.LittleEndian.PutUint64(data[i*8:i*8+8], bits.RotateLeft64(unrotated, 29))
			unrotated += wordFactor
		}
		data, index = data[words*8:], index+int64(words)
		if len(data) > 0 {
			var w [8]byte
			binary.LittleEndian.PutUint64(w[:], Word(sender, index))
			copy(data, w[:])
		}
	}
}

// maxValue is the largest element of reductions. It is so small that float32 holds all sums exactly.
const maxValue = 7

// element returns a sender's number at an index.
func element(sender int, index int64) float32 {
	return float32(1 + (int64(sender)*5+index*3)%maxValue)
}

// Numbers returns a sender's elements of a type, multiplied by times.
func Numbers(kind mpi.Type, sender int, times int64) Filler {
	return Sums(kind, sender, sender+1, times)
}

// Sums returns the sums of the elements of the senders from first to before end, multiplied by times.
func Sums(kind mpi.Type, first, end int, times int64) Filler {
	var cycle []byte // the values repeat after maxValue elements
	for i := range int64(maxValue) {
		sum := 0.0
		for sender := first; sender < end; sender++ {
			sum += float64(element(sender, i))
		}
		cycle = AppendNumber(cycle, kind, sum*float64(times))
	}
	long := bytes.Repeat(cycle, 64)
	return func(data []byte, position int64) {
		next := position % int64(len(cycle))
		for len(data) > 0 {
			n := copy(data, long[next:])
			data, next = data[n:], 0
		}
	}
}

// Float32HoldsSum reports whether a float32 can hold exactly the sum of one element of each process, multiplied by
// times.
func Float32HoldsSum(processes int, times int64) bool { return sumFits(1<<24, processes, times) }

// sumFits reports whether this sum is at most the largest value that a type holds exactly.
func sumFits(largest int64, processes int, times int64) bool {
	return int64(processes)*maxValue <= largest/max(times, 1)
}

// chunk is the number of bytes compared at a time, which stay in a cache.
const chunk = 1 << 15

// CountDefects returns the number of elements that differ from fill's data, beginning at a position.
func CountDefects(found []byte, fill Filler, position, unit int64) (wrong int64) {
	var scratch [chunk]byte
	for len(found) > 0 {
		part := found[:min(len(found), chunk)]
		right := scratch[:len(part)]
		fill(right, position)
		if !bytes.Equal(part, right) {
			for i := int64(0); i+unit <= int64(len(part)); i += unit {
				if !bytes.Equal(part[i:i+unit], right[i:i+unit]) {
					wrong++
				}
			}
		}
		found, position = found[len(part):], position+int64(len(part))
	}
	return wrong
}

// largestDifference returns the largest relative difference between elements of a type and fill's data. In bytes the
// difference is 1. If an element is infinite or not a number, the difference is the largest float64.
func largestDifference(found []byte, fill Filler, position int64, kind mpi.Type) (most float64) {
	right := make([]byte, len(found))
	fill(right, position)
	if bytes.Equal(found, right) {
		return 0
	}
	if kind == mpi.Byte {
		return 1
	}
	for at, unit := 0, int(kind.Size()); at+unit <= len(found); at += unit {
		is, want := number(found[at:], kind), number(right[at:], kind)
		off := math.Abs(is - want)
		if want != 0 {
			off /= math.Abs(want)
		}
		if math.IsNaN(off) || off > math.MaxFloat64 {
			off = math.MaxFloat64
		}
		most = max(most, off)
	}
	return most
}

// number returns the first element of a type.
func number(data []byte, kind mpi.Type) float64 {
	order := binary.NativeEndian
	switch kind {
	case mpi.Int8:
		return float64(int8(data[0]))
	case mpi.Int32:
		return float64(int32(order.Uint32(data)))
	case mpi.Int64:
		return float64(int64(order.Uint64(data)))
	case mpi.Float32:
		return float64(math.Float32frombits(order.Uint32(data)))
	}
	return math.Float64frombits(order.Uint64(data))
}

// AppendNumber appends an element of a type.
func AppendNumber(data []byte, kind mpi.Type, x float64) []byte {
	order := binary.NativeEndian
	switch kind {
	case mpi.Int8:
		return append(data, byte(int64(x)))
	case mpi.Int32:
		return order.AppendUint32(data, uint32(int32(x)))
	case mpi.Int64:
		return order.AppendUint64(data, uint64(int64(x)))
	case mpi.Float32:
		return order.AppendUint32(data, math.Float32bits(float32(x)))
	}
	return order.AppendUint64(data, math.Float64bits(x))
}
