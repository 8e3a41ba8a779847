package kernel

import (
	"math"

	"github.com/effective-bandwidth/beff/mpi"
)

// Want describes the data that a part of a process' memory must hold after the last repetition, at offset at of that
// repetition's slot.
type Want struct {
	Area   *Area
	At     int64
	Length int64
	Fill   Filler
	Start  int64    // position of the first byte in fill's data
	Unit   int64    // bytes of an element; wrong elements are counted
	Kind   mpi.Type // of numbers; Byte: the data are none
	apart  bool     // a gap of an element's size is behind each, which stays as it was
}

// Exact reports whether the scene's numbers hold the sum of all of a number of processes' elements, added a number of
// times. Sums of MPI_SIGNED_CHAR that are too large differ between libraries.
func (s *Scene) Exact(processes int, times int64) bool {
	if s.Kind() == mpi.Int8 {
		return sumFits(math.MaxInt8, processes, times)
	}
	return ExactSum(processes, times)
}

// Own returns the data of a process' send area.
func (s *Scene) Own(rank int) Filler {
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

// owners returns the number of owners of data before those of this thread: in IMB-MT each thread has data of its own.
func (s *Scene) owners() int {
	if s.Kernel.Component != MT {
		return 0
	}
	return s.Team.Thread * s.Ranks
}

// numbers reports whether the data are numbers.
func (s *Scene) numbers() bool {
	return s.Kind() != mpi.Byte && (s.Kernel.reduces() || s.Kernel.Type == mpi.Int32)
}

// Want returns data of sender, from a position of its send area on, that are received at an offset of the area.
func (s *Scene) Want(a *Area, at, length int64, sender int, position int64) Want {
	w := Want{Area: a, At: at, Length: length, Fill: s.Own(sender), Start: position, Unit: s.Kind().Size()}
	if s.numbers() {
		w.Kind = s.Kind()
	}
	return s.Formed(w)
}

// Defects returns the number of wrong elements, and the largest difference of one (differenceOf).
func (w Want) Defects(repetitions int64) (wrong int64, difference float64) {
	fill := w.Fill
	if w.apart {
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
func (s *Scene) Prepare() {
	FillSlots(&s.Send, s.Own(s.Rank()))
	s.special()
}

// Renew makes the receive area as it was when it was new. The send area needs no renewal, because nothing is ever
// received into it, and filling it again would take longer than many rows' timed loops.
func (s *Scene) Renew() {
	clear(s.Recv.Buffer.Bytes())
	s.special()
}

func (s *Scene) special() {
	if s.Kernel.Recipe.Data.Prepare != nil {
		s.Kernel.Recipe.Data.Prepare(s)
	}
}

func FillSlots(a *Area, fill Filler) {
	data := a.Buffer.Bytes()
	fill(data[:a.Length], 0)
	for i := int64(1); i < a.Slots; i++ {
		copy(data[i*a.Stride:i*a.Stride+a.Length], data[:a.Length])
	}
}

// Sum returns the result of a reduction over all processes in the first bytes of an area, from a position of their send
// areas on.
func (s *Scene) Sum(a *Area, length, position int64) Want {
	return s.Prefix(a, length, position, s.Size())
}

// Prefix returns the same of the first processes of the group.
func (s *Scene) Prefix(a *Area, length, position int64, processes int) Want {
	if s.Kind() == mpi.Int8 && !s.Exact(s.Size(), 1) {
		return Want{Area: a, Unit: 1} // nothing
	}
	return s.Formed(Want{Area: a, Length: length, Fill: Sums(s.Kind(), s.owners(), s.owners()+processes, 1),
		Start: position,
		Unit:  s.Kind().Size(), Kind: s.Kind()})
}
