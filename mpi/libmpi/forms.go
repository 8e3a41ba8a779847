package libmpi

import (
	"fmt"
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/libmpi/plugin"
)

// formed sets the number of the elements in n bytes of a place with a form other than Basic, and makes their type.
func (r *runner) formed(count *int32, kind *plugin.Handle, place mpi.Place, n int64) error {
	elements := n / place.Type.Size()
	if elements > math.MaxInt32 {
		return fmt.Errorf("%d elements: %w", elements, mpi.ErrOverflow)
	}
	*count, *kind = int32(elements), r.basic(place.Type)
	if elements == 0 {
		return nil
	}
	var resized, vector int32
	if place.Form.Stride() > 1 {
		resized = 1
	}
	if place.Form.IsVector() {
		vector, *count = 1, 1
	}
	if err := r.world.check("MPI_Type_vector", r.api.FormType(elements, *kind, resized, vector, kind)); err != nil {
		return err
	}
	r.types = append(r.types, *kind)
	return nil
}

// formedVector fills in the counts and displacements of places with a form other than Basic. Displacements count
// elements of the type, gaps included.
func (r *runner) formedVector(out *plugin.Side, places []mpi.Place, counts, displs []int32, a arguments) error {
	longest := places[0]
	for _, p := range places {
		if p.Length > longest.Length {
			longest = p
		}
	}
	var count int32
	if err := r.formed(&count, &out.Type, longest, longest.Length); err != nil {
		return err
	}
	extent := longest.Type.Size() * longest.Form.Stride()
	if longest.Form.IsVector() {
		extent = max(longest.Extent(), 1)
	}
	unit := extent // of the displacements
	if slices.Contains(wide, a.op.Blocking()) {
		unit = 1
	}
	for i, p := range places {
		from := (p.Offset - places[0].Offset) / unit
		if extent > math.MaxInt32 || from != int64(int32(from)) {
			return fmt.Errorf("%d units of %d bytes after the first: %w", from, unit, mpi.ErrOverflow)
		}
		counts[a.at(i, p)], displs[a.at(i, p)] = int32(p.Extent()/extent), int32(from)
	}
	out.Extent = int32(unit)
	return nil
}

// reduceForm makes the reduction of a place with a form other than Basic, because the standard's own operations only
// take basic types.
func (r *runner) reduceForm(x *plugin.Extra, place mpi.Place, reduction mpi.Reduction) error {
	if place.Form == mpi.Basic {
		return nil
	}
	rc := r.api.FormReduction(int32(place.Type), int32(reduction), &x.Reduce)
	if err := r.world.check("MPI_Op_create", rc); err != nil {
		return err
	}
	r.ops = append(r.ops, x.Reduce)
	return nil
}

// pieces makes the derived type of a place in pieces.
func (r *runner) pieces(out *plugin.Place, pieces []mpi.Piece) error {
	for _, piece := range pieces {
		if piece.Length > math.MaxInt32 {
			return fmt.Errorf("compile: a piece of %d bytes: %w", piece.Length, mpi.ErrOverflow)
		}
	}
	call, rc := "MPI_Type_create_hvector", int32(0)
	if stride, ok := mpi.Regular(pieces); ok {
		rc = r.api.StridedType(int32(len(pieces)), int32(pieces[0].Length), stride, &out.Type)
	} else {
		call = "MPI_Type_create_hindexed"
		lengths, sizes, err := cArray[int32](r.api, call, len(pieces))
		if err != nil {
			return err
		}
		defer free(r.api, lengths)
		places, offsets, err := cArray[int64](r.api, call, len(pieces))
		if err != nil {
			return err
		}
		defer free(r.api, places)
		for i, piece := range pieces {
			sizes[i], offsets[i] = int32(piece.Length), piece.Offset
		}
		rc = r.api.PiecesType(int32(len(pieces)), lengths, places, &out.Type)
	}
	if err := r.world.check(call, rc); err != nil {
		return err
	}
	out.Count = 1
	r.types = append(r.types, out.Type)
	return nil
}

// large fills in the arguments of one side of a collective call with large counts. It counts elements in reductions,
// otherwise bytes.
func (r *runner) large(out *plugin.Side, places []mpi.Place, parts mpi.Parts, op mpi.Op, size int) (err error) {
	if parts == mpi.Whole {
		unit := int64(1)
		if op.Reduces() {
			out.Type, unit = r.basic(places[0].Type), places[0].Type.Size()
		}
		out.LargeCount = places[0].Length / unit
		return nil
	}
	var counts, displs []int64
	if out.LargeCounts, counts, err = array[int64](r, size); err != nil {
		return err
	}
	if out.LargeDispls, displs, err = array[int64](r, size); err != nil {
		return err
	}
	for _, p := range places {
		counts[p.Peer], displs[p.Peer] = p.Length, p.Offset-places[0].Offset
	}
	return nil
}
