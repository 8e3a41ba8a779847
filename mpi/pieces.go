package mpi

import (
	"cmp"
	"fmt"
	"slices"
)

// Piece is a run of Length bytes that starts Offset bytes after its place's Offset.
type Piece struct{ Offset, Length int64 }

// Extent returns the bytes from the place's Offset to the end of its last byte, including the gap after its last
// element. This is Length, unless the place has pieces or its elements have gaps.
func (place Place) Extent() int64 {
	if len(place.Pieces) == 0 {
		return place.Length * place.Form.Stride()
	}
	end := int64(0)
	for _, piece := range place.Pieces {
		end = max(end, piece.Offset+piece.Length)
	}
	return end
}

// Strided returns count pieces of length bytes, which start stride bytes after each other.
func Strided(count int, length, stride int64) []Piece {
	pieces := make([]Piece, count)
	for i := range pieces {
		pieces[i] = Piece{Offset: int64(i) * stride, Length: length}
	}
	return pieces
}

// Regular returns the stride of pieces. ok is false if there are none, or if Strided could not have made them.
func Regular(pieces []Piece) (stride int64, ok bool) {
	if len(pieces) == 0 || pieces[0].Offset != 0 {
		return 0, false
	}
	if len(pieces) > 1 {
		stride = pieces[1].Offset
	}
	for i, piece := range pieces {
		if piece.Length != pieces[0].Length || piece.Offset != int64(i)*stride {
			return 0, false
		}
	}
	return stride, true
}

// validatePieces returns an error if the pieces don't make up the place, or if they aren't all in its space.
func (place Place) validatePieces() error {
	switch {
	case place.Step > 0:
		return fmt.Errorf("a place in pieces walks")
	case place.Mark.Width > 0:
		return fmt.Errorf("a place in pieces has marks")
	}
	room := place.Space.Size() - place.Offset
	sorted := slices.SortedFunc(slices.Values(place.Pieces),
		func(a, b Piece) int { return cmp.Or(cmp.Compare(a.Offset, b.Offset), cmp.Compare(a.Length, b.Length)) })
	all, end := int64(0), int64(0)
	for _, piece := range sorted {
		switch {
		case piece.Offset < 0 || piece.Length < 0:
			return fmt.Errorf("a piece of %d bytes at %d", piece.Length, piece.Offset)
		case piece.Offset > room || piece.Length > room-piece.Offset:
			return fmt.Errorf("a piece of %d bytes at %d of %d", piece.Length, piece.Offset, room)
		case piece.Length%place.Type.Size() != 0:
			return fmt.Errorf("a piece of %d bytes is not a multiple of the type's %d", piece.Length, place.Type.Size())
		case piece.Offset < end:
			return fmt.Errorf("pieces overlap at %d", piece.Offset)
		}
		all, end = all+piece.Length, piece.Offset+piece.Length
	}
	if all != place.Length {
		return fmt.Errorf("pieces of %d bytes in all make up %d", all, place.Length)
	}
	return nil
}
