package mpi

import "fmt"

// Form is the layout of a place's elements in memory, with the datatype that describes them (MPI 4.1, 5.1).
type Form uint8

// The forms. A vector is one element of an MPI_Type_vector, which all elements of the place make up.
const (
	Basic         Form = iota // adjacent elements of the basic type
	BasicVector               // a vector of Basic elements
	Resized                   // elements of MPI_Type_create_resized: each is followed by a gap of its own size
	ResizedVector             // a vector of Resized elements

	forms // number of forms
)

// String returns the name that IMB's option -contig_type has for the form.
func (f Form) String() string { return [...]string{"base", "base_vec", "resize", "resize_vec"}[f] }

// Stride returns the distance from one element to the next, in elements.
func (f Form) Stride() int64 {
	if f == Resized || f == ResizedVector {
		return 2
	}
	return 1
}

// IsVector reports whether all elements of a place are one element of a derived type.
func (f Form) IsVector() bool { return f == BasicVector || f == ResizedVector }

// validateForm returns an error if the place can't have its form. Only plain messages in memory may have a form other
// than Basic.
func (place Place) validateForm() error {
	switch {
	case place.Form >= forms:
		return fmt.Errorf("unknown form %d", uint8(place.Form))
	case place.Form == Basic:
		return nil
	case !isMemory(place.Space):
		return fmt.Errorf("elements of the form %v in a window or a file", place.Form)
	case place.Mark.Width > 0 || place.Step > 0 || len(place.Pieces) > 0:
		return fmt.Errorf("elements of the form %v with marks, a walk or pieces", place.Form)
	}
	return nil
}

// validateForms returns an error unless the call takes elements of the form of its places, and all places have the same
// form. The displacements of a vector call are counted in elements with their gaps, or in whole parts if the parts are
// vectors.
func (p *Program) validateForms(c Call) error {
	form, seen := Basic, false
	for _, side := range [...]Span{c.Send, c.Recv} {
		for _, place := range p.Places[side.First : side.First+side.Count] {
			if !seen {
				form, seen = place.Form, true
			}
			if place.Form != form {
				return fmt.Errorf("elements of the forms %v and %v", form, place.Form)
			}
			if form != Basic && !place.hasDisplacement(p.Places[side.First]) {
				return fmt.Errorf("parts of the form %v: want whole elements apart, or vectors of one length", form)
			}
		}
	}
	if form != Basic && (!c.Op.has(formed) || c.InPlace || c.Op.Large()) {
		return fmt.Errorf("it takes no elements of the form %v", form)
	}
	return nil
}

// hasDisplacement reports whether a displacement can express the distance from the first place of the same side. It is
// a whole number of elements. A vector is one element, so vectors must be equally long.
func (place Place) hasDisplacement(first Place) bool {
	element := place.Type.Size() * place.Form.Stride()
	if place.Form.IsVector() {
		element = max(place.Extent(), 1)
	}
	return (place.Offset-first.Offset)%element == 0 && (!place.Form.IsVector() || place.Length == first.Length)
}
