//go:build mpi

package libmpi

/*
#include <stdlib.h>
#include "calls.h"
*/
import "C"

import (
	"fmt"
	"math"

	"github.com/effective-bandwidth/beff/mpi"
)

// pieces makes the type of a place in pieces.
func (r *runner) pieces(out *C.beff_place, pieces []mpi.Piece) error {
	for _, piece := range pieces {
		if piece.Length > math.MaxInt32 {
			return fmt.Errorf("compile: a piece of %d bytes: %w", piece.Length, mpi.ErrOverflow)
		}
	}
	call, rc := "MPI_Type_create_hvector", C.int(0)
	if stride, ok := mpi.Regular(pieces); ok {
		rc = C.beff_strided_type(C.int(len(pieces)), C.int(pieces[0].Length), C.MPI_Aint(stride), &out._type)
	} else {
		call = "MPI_Type_create_hindexed"
		lengths, sizes, err := outside[C.int](call, len(pieces))
		if err != nil {
			return err
		}
		defer free(lengths)
		places, offsets, err := outside[C.MPI_Aint](call, len(pieces))
		if err != nil {
			return err
		}
		defer free(places)
		for i, piece := range pieces {
			sizes[i], offsets[i] = C.int(piece.Length), C.MPI_Aint(piece.Offset)
		}
		rc = C.beff_pieces_type(C.int(len(pieces)), lengths, places, &out._type)
	}
	if err := r.world.check(call, rc); err != nil {
		return err
	}
	out.count = 1
	r.types = append(r.types, out._type)
	return nil
}
