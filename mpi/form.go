package mpi

import "fmt"

// Form is how the elements of a place lie in memory, and which datatype describes them (MPI 4.1, 5.1).
type Form uint8

// The forms. IMB's option -contig_type names them base, base_vec, resize and resize_vec.
const (
	Adjacent     Form = iota // adjacent elements of the basic type
	Joined                   // adjacent, and together one element of an MPI_Type_vector
	Gapped                   // each is followed by a gap of its size, by MPI_Type_create_resized
	GappedJoined             // each is followed by a gap of its size, and all are one element of an MPI_Type_vector

	forms // their number
)

// Stride returns the distance from one element to the next, in elements.
func (f Form) Stride() int64 {
	if f == Gapped || f == GappedJoined {
		return 2
	}
	return 1
}

// Joins reports whether all elements of a place are one element of a derived type.
func (f Form) Joins() bool { return f == Joined || f == GappedJoined }

// validateForm returns an error if the place can't have its form. Only plain messages in memory may have a form other
// than Adjacent.
func (place Place) validateForm() error {
	switch {
	case place.Form >= forms:
		return fmt.Errorf("unknown form %d", place.Form)
	case place.Form == Adjacent:
		return nil
	case !isMemory(place.Space):
		return fmt.Errorf("elements of form %d in a window or a file", place.Form)
	case place.Mark.Width > 0 || place.Step > 0 || len(place.Pieces) > 0:
		return fmt.Errorf("elements of form %d walk, are in pieces or have marks", place.Form)
	}
	return nil
}

// validateForms returns an error unless the call takes places of their form, and all of its places have the same one.
// The displacements of a call's parts are counted in elements with their gaps, or in whole parts if the parts are
// joined.
func (p *Program) validateForms(c Call) error {
	form, seen := Adjacent, false
	for _, side := range [...]Span{c.Send, c.Recv} {
		for _, place := range p.Places[side.First : side.First+side.Count] {
			if !seen {
				form, seen = place.Form, true
			}
			if place.Form != form {
				return fmt.Errorf("elements of form %d and of form %d", form, place.Form)
			}
			if form != Adjacent && !place.partBeside(p.Places[side.First]) {
				return fmt.Errorf("parts of form %d that differ in length, or aren't multiples of it apart", form)
			}
		}
	}
	if form != Adjacent && (!c.Op.has(formed) || c.InPlace || c.Op.Large()) {
		return fmt.Errorf("elements of form %d", form)
	}
	return nil
}

// partBeside reports whether a place is a whole number of elements away from the first one of its side. Joined parts
// are one element each, and must be equally long.
func (place Place) partBeside(first Place) bool {
	element := place.Type.Size() * place.Form.Stride()
	if place.Form.Joins() {
		element = max(place.Extent(), 1)
	}
	return (place.Offset-first.Offset)%element == 0 && (!place.Form.Joins() || place.Length == first.Length)
}
