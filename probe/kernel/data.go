package kernel

import (
	"math"

	"github.com/effective-bandwidth/beff/mpi"
)

// Want describes the data that a part of a process's memory must hold after the last repetition.
type Want struct {
	Area   *Area
	At     int64    // offset in bytes, in the slot of that repetition
	Length int64    // bytes
	Fill   Filler   // writes the expected data
	Start  int64    // position of the first byte in the data of Fill
	Unit   int64    // bytes of an element; wrong elements are counted
	Kind   mpi.Type // of numbers; Byte if the data are not numbers
	gapped bool     // a gap of an element's size follows each element and must stay unchanged
}

// HoldsSum reports whether the kernel's type can hold the sum of one element of each process, multiplied by times.
// Libraries differ in sums that are too large for MPI_SIGNED_CHAR.
func (s *Setup) HoldsSum(processes int, times int64) bool {
	if s.Kind() == mpi.Int8 {
		return sumFits(math.MaxInt8, processes, times)
	}
	return Float32HoldsSum(processes, times)
}

// SendData returns the data in the send area of a process. With a fold (Options.Fold), they repeat after its length.
func (s *Setup) SendData(rank int) Filler {
	rank += s.firstDataSet()
	fill := Pattern(rank)
	if s.numbers() {
		fill = Numbers(s.Kind(), rank, 1)
	}
	if s.Options.Fold == 0 {
		return fill
	}
	return func(data []byte, position int64) {
		for len(data) > 0 {
			at := position % s.Options.Fold
			n := min(s.Options.Fold-at, int64(len(data)))
			fill(data[:n], at)
			data, position = data[n:], position+n
		}
	}
}

// firstDataSet returns the number of process 0's data set. The other processes have the next numbers. It is 0 except in
// IMB-MT, in which each thread of a process has its own data.
func (s *Setup) firstDataSet() int {
	if s.Kernel.Component != MT {
		return 0
	}
	return s.Team.Thread * s.Ranks
}

// numbers reports whether the data are numbers of the kernel's type, and not bytes.
func (s *Setup) numbers() bool {
	return s.Kind() != mpi.Byte && (s.Kernel.reduces() || s.Kernel.Type == mpi.Int32)
}

// Want returns the data that must arrive at an offset of an area: the length bytes from a position of the sender's send
// area.
func (s *Setup) Want(a *Area, at, length int64, sender int, position int64) Want {
	w := Want{Area: a, At: at, Length: length, Fill: s.SendData(sender), Start: position, Unit: s.Kind().Size()}
	if s.numbers() {
		w.Kind = s.Kind()
	}
	return s.WithForm(w)
}

// Defects returns the number of wrong elements in the slot that the last of the repetitions used, and the largest
// relative difference of an element (largestDifference).
func (w Want) Defects(repetitions int64) (wrong int64, difference float64) {
	fill := w.Fill
	if w.gapped {
		fill = func(data []byte, position int64) {
			w.Fill(data, position)
			for gap := w.Unit; gap < int64(len(data)); gap += 2 * w.Unit {
				clear(data[gap : gap+w.Unit])
			}
		}
	}
	found := w.Area.Slot(repetitions)[w.At : w.At+w.Length]
	if wrong = CountDefects(found, fill, w.Start, w.Unit); wrong > 0 {
		difference = largestDifference(found, fill, w.Start, w.Kind)
	}
	return wrong, difference
}

// Prepare fills all slots of the send area before the first run. The receive area is new and so contains 0.
func (s *Setup) Prepare() {
	FillSlots(&s.Send, s.SendData(s.Rank()))
	s.prepareOwn()
}

// ClearReceived resets the receive area to its initial state before another run. The send area stays as it is, because
// nothing is ever received into it. To fill it again would take longer than the timed loops of many rows.
func (s *Setup) ClearReceived() {
	mpi.Clear(s.Recv.Buffer)
	s.prepareOwn()
}

// prepareOwn makes the kernel's own preparations (Data.Prepare).
func (s *Setup) prepareOwn() {
	if s.Kernel.Builder.Data.Prepare != nil {
		s.Kernel.Builder.Data.Prepare(s)
	}
}

// FillSlots writes the same data into all slots of an area: fill's data from position 0.
func FillSlots(a *Area, fill Filler) {
	data := mpi.Load(a.Buffer, 0, a.Length)
	fill(data, 0)
	for i := range a.Slots {
		mpi.Store(a.Buffer, i*a.Stride, data)
	}
}

// Sum returns the sum over all processes that must be in the first length bytes of an area. The summands begin at a
// position of the send areas.
func (s *Setup) Sum(a *Area, length, position int64) Want {
	return s.PrefixSum(a, length, position, s.Size())
}

// PrefixSum is like Sum, but for the sum over the first processes of the group. If the sum of all processes may be too
// large for MPI_SIGNED_CHAR, it expects nothing.
func (s *Setup) PrefixSum(a *Area, length, position int64, processes int) Want {
	if s.Kind() == mpi.Int8 && !s.HoldsSum(s.Size(), 1) {
		return Want{Area: a, Unit: 1}
	}
	first := s.firstDataSet()
	return s.WithForm(Want{Area: a, Length: length, Fill: Sums(s.Kind(), first, first+processes, 1), Start: position,
		Unit: s.Kind().Size(), Kind: s.Kind()})
}
