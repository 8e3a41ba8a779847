package probe

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/effective-bandwidth/beff/mpi"
)

// want describes the data that a part of a process' memory must hold after the last repetition, at offset at of that
// repetition's slot.
type want struct {
	area   *area
	at     int64
	length int64
	fill   filler
	start  int64 // position of the first byte in fill's data
	unit   int64 // bytes of an element; wrong elements are counted
	apart  bool  // a gap of an element's size is behind each, which stays as it was
}

// filler writes a sender's data from a position in bytes on. Positions are multiples of the kernel's type.
type filler func(data []byte, position int64)

// fileOwner is the sender of the contents of a file to read.
const fileOwner = -1

// word returns the pattern's value for a sender at a position of 8 bytes. It is invertible, so data read through a
// shared file pointer reveal their position.
func word(sender int, index int64) uint64 {
	return bits.RotateLeft64(uint64(index)*wordFactor+uint64(int64(sender))*senderFactor, 29)
}

// Odd factors; the second is the first's inverse modulo 2^64.
const (
	wordFactor   = 0x9E3779B97F4A7C15
	wordInverse  = 0xF1DE83E19937733D
	senderFactor = 0xD1B54A32D192ED03
)

// indexOf returns the position, in words, of a file's word.
func indexOf(value uint64) int64 {
	owner := fileOwner
	return int64((bits.RotateLeft64(value, -29) - uint64(int64(owner))*senderFactor) * wordInverse)
}

// pattern returns the data of a sender of bytes.
func pattern(sender int) filler {
	return func(data []byte, position int64) {
		index := position / 8
		if skip := position % 8; skip != 0 {
			var w [8]byte
			binary.LittleEndian.PutUint64(w[:], word(sender, index))
			n := copy(data, w[skip:])
			data = data[n:]
			index++
		}
		words, unrotated := len(data)/8, bits.RotateLeft64(word(sender, index), -29)
		for i := range words {
			binary.LittleEndian.PutUint64(data[i*8:i*8+8], bits.RotateLeft64(unrotated, 29))
			unrotated += wordFactor
		}
		data, index = data[words*8:], index+int64(words)
		if len(data) > 0 {
			var w [8]byte
			binary.LittleEndian.PutUint64(w[:], word(sender, index))
			copy(data, w[:])
		}
	}
}

// mostValue is the largest element of reductions. It is small, so that float32 holds all sums exactly.
const mostValue = 7

// value returns an element of a sender of numbers.
func value(sender int, index int64) float32 {
	return float32(1 + (int64(sender)*5+index*3)%mostValue)
}

// numbers returns the data of a sender of elements of a type, multiplied by times.
func numbers(kind mpi.Type, sender int, times int64) filler {
	return sums(kind, sender, sender+1, times)
}

// sums returns the sums of the senders' data from first to before end, multiplied by times.
func sums(kind mpi.Type, first, end int, times int64) filler {
	var cycle []byte // the values repeat after mostValue elements
	for i := range int64(mostValue) {
		sum := 0.0
		for sender := first; sender < end; sender++ {
			sum += float64(value(sender, i))
		}
		cycle = appendNumber(cycle, kind, sum*float64(times))
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

// exact reports whether float32 holds the sum of all processes' elements, added a number of times, exactly.
func exact(processes int, times int64) bool {
	return int64(processes)*mostValue <= 1<<24/max(times, 1)
}

// own returns the data of a process' send area.
func (s *scene) own(rank int) filler {
	if s.kernel.reduces() || s.kernel.Type == mpi.Int32 {
		return numbers(s.kind(), rank, 1)
	}
	return pattern(rank)
}

// want returns data of sender, from a position of its send area on, that are received at an offset of the area.
func (s *scene) want(a *area, at, length int64, sender int, position int64) want {
	return s.formed(want{area: a, at: at, length: length, fill: s.own(sender), start: position,
		unit: s.kind().Size()})
}

// chunk is the number of bytes compared at a time, which stay in a cache.
const chunk = 1 << 15

// defects returns the number of wrong elements.
func (w want) defects(repetitions int64) int64 {
	fill := w.fill
	if w.apart {
		fill = func(data []byte, position int64) {
			w.fill(data, position)
			for gap := w.unit; gap < int64(len(data)); gap += 2 * w.unit {
				clear(data[gap : gap+w.unit])
			}
		}
	}
	return countDefects(w.area.slot(repetitions)[w.at:w.at+w.length], fill, w.start, w.unit)
}

// countDefects returns the number of elements that differ from fill's data from a position on.
func countDefects(found []byte, fill filler, position, unit int64) (wrong int64) {
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

// prepare fills all slots of the send area. The receive area is new.
func (s *scene) prepare() {
	fillSlots(&s.send, s.own(s.rank()))
	s.special()
}

// renew makes the receive area as it was when it was new. The send area needs no renewal, because nothing is ever
// received into it, and filling it again would take longer than many rows' timed loops.
func (s *scene) renew() error {
	clear(s.recv.buffer.Bytes())
	s.special()
	return nil
}

func (s *scene) special() {
	if s.kernel.recipe.prepare != nil {
		s.kernel.recipe.prepare(s)
	}
}

func fillSlots(a *area, fill filler) {
	data := a.buffer.Bytes()
	fill(data[:a.length], 0)
	for i := int64(1); i < a.slots; i++ {
		copy(data[i*a.stride:i*a.stride+a.length], data[:a.length])
	}
}

// appendNumber appends an element of a type.
func appendNumber(data []byte, kind mpi.Type, x float64) []byte {
	order := binary.NativeEndian
	switch kind {
	case mpi.Int32:
		return order.AppendUint32(data, uint32(int32(x)))
	case mpi.Int64:
		return order.AppendUint64(data, uint64(int64(x)))
	case mpi.Float32:
		return order.AppendUint32(data, math.Float32bits(float32(x)))
	}
	return order.AppendUint64(data, math.Float64bits(x))
}

// sum returns the result of a reduction over all processes in the first bytes of an area, from a position of their send
// areas on.
func (s *scene) sum(a *area, length, position int64) want {
	return s.formed(want{area: a, length: length, fill: sums(s.kind(), 0, s.size(), 1), start: position,
		unit: s.kind().Size()})
}
