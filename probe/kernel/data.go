package kernel

import (
	"math"

	"github.com/effective-bandwidth/beff/mpi"
)

// Want describes the data that a part of a process's memory must hold after the last repetition. At is an offset in the
// slot of that repetition.
type Want struct {
	Area   *Area
	At     int64
	Length int64
	Fill   Filler
	Start  int64    // position of the first byte in fill's data
	Unit   int64    // bytes of an element; wrong elements are counted
	Kind   mpi.Type // of numbers; Byte if the data are not numbers
	gapped bool     // a gap of an element's size follows each element and must stay unchanged
}

// Exact reports whether the kernel's type holds the sum of one element of each process, multiplied by times. Libraries
// differ in sums of MPI_SIGNED_CHAR that are too large.
func (s *Setup) Exact(processes int, times int64) bool {
	if s.Kind() == mpi.Int8 {
		return sumFits(math.MaxInt8, processes, times)
	}
	return ExactSum(processes, times)
}

// Own returns the data of a process' send area.
func (s *Setup) Own(rank int) Filler {
	rank += s.owners()
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

// owners returns the number of data sets before this thread's set: in IMB-MT each thread sends its own data.
func (s *Setup) owners() int {
	if s.Kernel.Component != MT {
		return 0
	}
	return s.Team.Thread * s.Ranks
}

// numbers reports whether the data are numbers.
func (s *Setup) numbers() bool {
	return s.Kind() != mpi.Byte && (s.Kernel.reduces() || s.Kernel.Type == mpi.Int32)
}

// Want returns the data that sender sends, starting at a position of its send area, as received at an offset of a.
func (s *Setup) Want(a *Area, at, length int64, sender int, position int64) Want {
	w := Want{Area: a, At: at, Length: length, Fill: s.Own(sender), Start: position, Unit: s.Kind().Size()}
	if s.numbers() {
		w.Kind = s.Kind()
	}
	return s.Formed(w)
}

// Defects returns the number of wrong elements, and the largest difference (differenceOf).
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
		difference = differenceOf(found, fill, w.Start, w.Kind)
	}
	return wrong, difference
}

// Prepare fills all slots of the send area. The receive area is new.
func (s *Setup) Prepare() {
	FillSlots(&s.Send, s.Own(s.Rank()))
	s.special()
}

// Renew resets the receive area to its initial state. The send area needs no renewal, because nothing is ever received
// into it, and filling it again would take longer than many rows' timed loops.
func (s *Setup) Renew() {
	clear(s.Recv.Buffer.Bytes())
	s.special()
}

func (s *Setup) special() {
	if s.Kernel.Builder.Data.Prepare != nil {
		s.Kernel.Builder.Data.Prepare(s)
	}
}

func FillSlots(a *Area, fill Filler) {
	data := a.Buffer.Bytes()
	fill(data[:a.Length], 0)
	for i := int64(1); i < a.Slots; i++ {
		copy(data[i*a.Stride:i*a.Stride+a.Length], data[:a.Length])
	}
}

// Sum returns the result of a reduction over all processes in the first bytes of an area, from the given position of
// their send areas.
func (s *Setup) Sum(a *Area, length, position int64) Want {
	return s.Prefix(a, length, position, s.Size())
}

// Prefix is like Sum, but over the first processes of the group.
func (s *Setup) Prefix(a *Area, length, position int64, processes int) Want {
	if s.Kind() == mpi.Int8 && !s.Exact(s.Size(), 1) {
		return Want{Area: a, Unit: 1} // nothing
	}
	return s.Formed(Want{Area: a, Length: length, Fill: Sums(s.Kind(), s.owners(), s.owners()+processes, 1),
		Start: position,
		Unit:  s.Kind().Size(), Kind: s.Kind()})
}
