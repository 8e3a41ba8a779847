package mpi

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRegular(t *testing.T) {
	require.Equal(t, []Piece{{0, 4}, {12, 4}, {24, 4}}, Strided(3, 4, 12))
	for _, c := range []struct {
		pieces []Piece
		stride int64
		ok     bool
	}{
		{Strided(3, 4, 12), 12, true},
		{Strided(3, 4, 4), 4, true},
		{Strided(1, 4, 12), 0, true},
		{Strided(2, 0, 8), 8, true},
		{nil, 0, false},
		{[]Piece{{4, 4}, {16, 4}}, 0, false},
		{[]Piece{{0, 4}, {12, 8}}, 0, false},
		{[]Piece{{0, 4}, {12, 4}, {23, 4}}, 0, false},
	} {
		stride, ok := Regular(c.pieces)
		require.Equal(t, c.ok, ok, "%v", c.pieces)
		require.Equal(t, c.stride, stride, "%v", c.pieces)
	}
}

func TestExtent(t *testing.T) {
	require.EqualValues(t, 7, Place{Length: 7}.Extent())
	require.EqualValues(t, 12*31+4, Place{Length: 128, Pieces: Strided(32, 4, 12)}.Extent())
	require.EqualValues(t, 30, Place{Length: 12, Pieces: []Piece{{20, 10}, {0, 2}}}.Extent())
}

func TestPieces(t *testing.T) {
	s := space(100)
	for name, c := range map[string]struct {
		change func(p *Place)
		want   string // empty: valid
	}{
		"strided":       {func(p *Place) {}, ""},
		"to the end":    {func(p *Place) { p.Offset = 72 }, ""},
		"in any order":  {func(p *Place) { p.Pieces = []Piece{{50, 6}, {0, 4}, {44, 6}} }, ""},
		"empty ones":    {func(p *Place) { p.Pieces = []Piece{{0, 8}, {3, 0}, {8, 8}, {8, 0}} }, "pieces overlap at 3"},
		"empty at ends": {func(p *Place) { p.Pieces = []Piece{{0, 8}, {0, 0}, {8, 8}, {8, 0}, {90, 0}} }, ""},
		"beyond":        {func(p *Place) { p.Offset = 73 }, "a piece of 4 bytes at 24 of 27"},
		"far beyond":    {func(p *Place) { p.Pieces[3].Offset = math.MaxInt64 }, "of 100"},
		"very long":     {func(p *Place) { p.Pieces[3].Length = math.MaxInt64 }, "of 100"},
		"overlap":       {func(p *Place) { p.Pieces[1].Offset = 3 }, "pieces overlap at 3"},
		"twice":         {func(p *Place) { p.Pieces[1].Offset = 0 }, "pieces overlap at 0"},
		"too few":       {func(p *Place) { p.Pieces = p.Pieces[1:] }, "pieces of 12 bytes in all make up 16"},
		"negative":      {func(p *Place) { p.Pieces[0].Offset = -4 }, "a piece of 4 bytes at -4"},
		"elements":      {func(p *Place) { p.Type = Int64 }, "a piece of 4 bytes is not a multiple of the type's 8"},
		"marks":         {func(p *Place) { p.Mark.Width = 1 }, "has marks"},
		"walks":         {func(p *Place) { p.Step = 32 }, "walks"},
		"advances":      {func(p *Place) { p.Advance = 32 }, ""},
	} {
		place := Place{Space: &s, Length: 16, Pieces: Strided(4, 4, 8), Peer: 1}
		c.change(&place)
		err := (&Program{Comm: comm3{}, Places: []Place{place}, Loop: []Call{{Op: Send, Send: One(0)}}}).Validate()
		if c.want == "" {
			require.NoError(t, err, name)
			continue
		}
		require.ErrorContains(t, err, c.want, name)
	}
	place := Place{Space: &s, Length: 16, Pieces: Strided(4, 4, 8), Peer: 1}
	require.ErrorContains(t, (&Program{Comm: comm3{}, Places: []Place{place},
		Loop: []Call{{Op: Bcast, Send: One(0), Recv: One(0)}}}).Validate(), "a place in pieces")
	place.Advance = 40 // 28 bytes at 0, 40, and not at 80
	require.Equal(t, []int64{0, 40, 0}, []int64{place.At(0), place.At(1), place.At(2)})
}

// TestInPlace states the side of each call that the standard replaces by MPI_IN_PLACE (MPI 4.1, 6.5 to 6.12), where it
// is offered.
func TestInPlace(t *testing.T) {
	found := map[string]Op{}
	for _, op := range Ops() {
		send, recv, atRoot := op.InPlace()
		require.False(t, send && recv, op)
		if send || recv {
			require.Equal(t, recv, op.Blocking() == Scatter || op.Blocking() == Scatterv, op)
			require.Equal(t, atRoot, op.Blocking() == Reduce || op.Blocking() == Gather || op.Blocking() == Gatherv ||
				recv)
			found[op.String()] = op
		}
	}
	require.Len(t, found, 3*9+1) // and MPI_Allreduce_c
}
