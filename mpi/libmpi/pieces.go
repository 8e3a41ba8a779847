package libmpi

import (
	"fmt"
	"math"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/libmpi/plugin"
)

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
