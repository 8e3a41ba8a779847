package mpi

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// comm3 is a communicator of 3 processes that does nothing.
type comm3 struct{ Comm }

func (comm3) Size() int { return 3 }
func (comm3) Rank() int { return 1 }

type space int64

// file is a file that does nothing.
type file struct{ File }

func (file) Size() int64 { return FileSize }

func (s *space) Size() int64 { return int64(*s) }

func TestValidate(t *testing.T) {
	s, other := space(100), space(100)
	place := Place{Space: &s, Length: 8, Peer: 1}
	with := func(change func(*Place)) Place {
		p := place
		change(&p)
		return p
	}
	one := One(0)
	segments := func(apart int64) (list []Place) {
		for i := range 3 {
			list = append(list, Place{Space: &s, Offset: apart * int64(i), Length: 8, Peer: i, Type: Int64})
		}
		return list
	}
	split := []Place{place, {Space: file{}, Length: 8}, place}
	for name, x := range map[string]struct {
		places []Place
		calls  []Call
		want   string // empty: valid
	}{
		"sendrecv": {[]Place{place}, []Call{{Op: Sendrecv, Send: one, Recv: one}}, ""},
		"any source": {[]Place{with(func(p *Place) { p.Peer = AnySource })}, []Call{{Op: Recv, Recv: one}},
			""},
		"any destination": {[]Place{with(func(p *Place) { p.Peer = AnySource })},
			[]Call{{Op: Sendrecv, Send: one, Recv: one}}, "send: rank -1 of 3"},
		"vector, any source": {[]Place{with(func(p *Place) { p.Peer = AnySource })},
			[]Call{{Op: Alltoallv, Recv: one}}, "receive: rank -1 of 3"},
		"vector, same peer": {[]Place{place, place}, []Call{{Op: Alltoallv, Send: Span{0, 2}}},
			"two messages for rank 1"},
		"vector, two buffers": {[]Place{place, {Space: &other, Peer: 2}}, []Call{{Op: Alltoallv, Send: Span{0, 2}}},
			"different spaces"},
		"no space": {[]Place{{}}, nil, "no space"},
		"beyond the end": {[]Place{with(func(p *Place) { p.Offset = 93 })}, nil,
			"8 bytes from 93 of a space of 100"},
		"overflow":       {[]Place{with(func(p *Place) { p.Offset = math.MaxInt64 })}, nil, "of a space of 100"},
		"negative":       {[]Place{with(func(p *Place) { p.Step = -8 })}, nil, "negative"},
		"unknown type":   {[]Place{with(func(p *Place) { p.Type = 99 })}, nil, "unknown type 99"},
		"broken element": {[]Place{with(func(p *Place) { p.Length, p.Type = 9, Float64 })}, nil, "not a multiple"},
		"odd marks":      {[]Place{with(func(p *Place) { p.Mark.Width = 3 })}, nil, "marks of 3"},
		"marks too wide": {[]Place{with(func(p *Place) { p.Length, p.Mark.Width = 4, 8 })}, nil,
			"marks of 8 bytes on 4"},
		"broken chunks": {[]Place{with(func(p *Place) { p.Mark = Mark{Width: 1, Chunk: 3} })}, nil, "chunks of 3"},
		"unknown call":  {nil, []Call{{Op: 255}}, "unknown call"},
		"unknown reduction": {[]Place{place}, []Call{{Op: Reduce, Send: one, Recv: one, Reduce: 3}},
			"unknown reduction 3"},
		"two places":    {[]Place{place, place}, []Call{{Op: Send, Send: Span{0, 2}}}, "takes one"},
		"span overflow": {[]Place{place}, []Call{{Op: Walk, Send: Span{math.MaxInt, 1}}}, "places from"},
		"no send":       {[]Place{place}, []Call{{Op: Send}}, "no place to send"},
		"no receive":    {[]Place{place}, []Call{{Op: Recv}}, "no place to receive"},
		"tag":           {[]Place{place}, []Call{{Op: Send, Send: one, Tag: -1}}, "tag -1"},
		"root":          {[]Place{place}, []Call{{Op: Bcast, Send: one, Recv: one, Root: 3}}, "root 3 of 3"},
		"lap":           {nil, []Call{{Op: Lap, Root: 7}}, ""},
		"no time":       {nil, []Call{{Op: Compute, Seconds: math.NaN()}}, "NaN seconds"},
		"wait for nothing": {[]Place{place}, []Call{{Op: Isend, Send: one}, {Op: Waitall}, {Op: Wait, Of: 0}},
			"no open request"},
		"wait beyond":     {nil, []Call{{Op: Wait, Of: 1}}, "refers to call 1 of 1"},
		"never completed": {[]Place{place}, []Call{{Op: Isend, Send: one}}, "1 requests are never completed"},
		"completed": {[]Place{place}, []Call{{Op: Isend, Send: one}, {Op: Irecv, Recv: one}, {Op: Wait, Of: 1},
			{Op: Wait, Of: 0}}, ""},
		"gather": {[]Place{place, with(func(p *Place) { p.Length = 24 })},
			[]Call{{Op: Gather, Send: one, Recv: One(1), Root: 1}}, ""},
		"gather, elsewhere": {[]Place{place}, []Call{{Op: Gather, Send: one, Recv: one}}, ""},
		"gather, here": {[]Place{place}, []Call{{Op: Gather, Send: one, Recv: one, Root: 1}},
			"receive: 8 bytes are not a whole number of elements for each of 3"},
		"gather, in turn": {[]Place{place}, []Call{{Op: Igather, Send: one, Recv: one, Rotate: true}, {Op: Waitall}},
			"receive: 8 bytes are not a whole number of"},
		"gather, too much": {[]Place{place, with(func(p *Place) { p.Length = 27 })},
			[]Call{{Op: Gather, Send: one, Recv: One(1), Root: 1}}, "8 bytes are sent, but 9"},
		"half an element": {[]Place{with(func(p *Place) { p.Length, p.Type = 32, Float64 })},
			[]Call{{Op: Alltoall, Send: one, Recv: one}}, "32 bytes are not a whole number of elements"},
		"bcast": {[]Place{place, with(func(p *Place) { p.Length = 7 })},
			[]Call{{Op: Bcast, Send: one, Recv: One(1), Root: 1}}, ""},
		"bcast, in turn": {[]Place{place, with(func(p *Place) { p.Length = 7 })},
			[]Call{{Op: Bcast, Send: one, Recv: One(1), Rotate: true}}, "8 bytes are sent, but 7"},
		"scatterv": {[]Place{with(func(p *Place) { p.Peer = 0 }), place, with(func(p *Place) { p.Peer = 2 })},
			[]Call{{Op: Scatterv, Send: Span{0, 3}, Recv: one, Root: 1}}, ""},
		"scatterv, a part": {[]Place{with(func(p *Place) { p.Peer = 0 }), place},
			[]Call{{Op: Scatterv, Send: Span{0, 2}, Recv: one, Root: 1}}, "2 places for 3"},
		"two to receive": {[]Place{place, with(func(p *Place) { p.Peer = 2 })},
			[]Call{{Op: Scatterv, Send: one, Recv: Span{0, 2}}}, "2 places instead of one"},
		"reduced bytes": {[]Place{place}, []Call{{Op: Allreduce, Send: one, Recv: one}}, "bytes are not numbers"},
		"reduced types": {[]Place{with(func(p *Place) { p.Type = Int32 }),
			with(func(p *Place) { p.Type = Float32 })}, []Call{{Op: Allreduce, Send: one, Recv: One(1)}},
			"elements of type 1 are sent"},
		"in place": {[]Place{with(func(p *Place) { p.Type = Int32 })},
			[]Call{{Op: Iallreduce, Send: one, Recv: one, InPlace: true}, {Op: Waitall}}, ""},
		"never in place": {[]Place{place}, []Call{{Op: Alltoallv, Send: one, Recv: one, InPlace: true}},
			"it can't work in place"},
		"copy": {[]Place{place, with(func(p *Place) { p.Offset = 8 })}, []Call{{Op: Copy, Send: one, Recv: One(1)}},
			""},
		"copy, right before": {[]Place{with(func(p *Place) { p.Offset = 8 }), place},
			[]Call{{Op: Copy, Send: one, Recv: One(1)}}, ""},
		"copy, other space": {[]Place{place, with(func(p *Place) { p.Space = &other })},
			[]Call{{Op: Copy, Send: one, Recv: One(1)}}, ""},
		"copy, overlap": {[]Place{place, with(func(p *Place) { p.Offset = 7 })},
			[]Call{{Op: Copy, Send: one, Recv: One(1)}}, "places that overlap"},
		"copy, longer": {[]Place{place, with(func(p *Place) { p.Offset, p.Length = 8, 9 })},
			[]Call{{Op: Copy, Send: one, Recv: One(1)}}, "8 bytes to 9 bytes"},
		"combined bytes": {[]Place{place, with(func(p *Place) { p.Offset = 8 })},
			[]Call{{Op: Combine, Send: one, Recv: One(1)}}, "bytes are not numbers"},
		"combined types": {[]Place{with(func(p *Place) { p.Type = Int32 }),
			with(func(p *Place) { p.Offset, p.Type = 8, Float32 })}, []Call{{Op: Combine, Send: one, Recv: One(1)}},
			"elements of type 1 to elements of type 3"},
		"replaced": {[]Place{place, with(func(p *Place) { p.Peer = 2 })},
			[]Call{{Op: SendrecvReplace, Send: one, Recv: One(1)}}, ""},
		"replaced elsewhere": {[]Place{place, with(func(p *Place) { p.Offset = 8 })},
			[]Call{{Op: SendrecvReplace, Send: one, Recv: One(1)}}, "must send and receive the same memory"},
		"replaced by more": {[]Place{place, with(func(p *Place) { p.Length = 7 })},
			[]Call{{Op: SendrecvReplace, Send: one, Recv: One(1)}}, "must send and receive the same memory"},
		"touch":         {[]Place{place}, []Call{{Op: TouchSend, Send: one, Tag: 255}, {Op: TouchRecv, Recv: one}}, ""},
		"touch nowhere": {[]Place{place}, []Call{{Op: TouchSend, Recv: one}}, "no place to send from"},
		"segments":      {segments(8), []Call{{Op: ReduceScatter, Send: Span{0, 3}, Recv: One(1)}}, ""},
		"segments apart": {segments(16), []Call{{Op: ReduceScatter, Send: Span{0, 3}, Recv: One(1)}},
			"place 1 is not the next one"},
		"test": {[]Place{place}, []Call{{Op: Isend, Send: one}, {Op: Test}, {Op: Wait}}, ""},
		"test of a file": {split, []Call{{Op: FileIwriteAt, Send: one, Recv: One(1)}, {Op: Test}, {Op: Wait}},
			"call 1 (MPI_Test): it can't test the file call 0"},
		"split": {split, []Call{{Op: FileWriteAllBegin, Send: one, Recv: One(1)},
			{Op: FileWriteAllEnd, Send: one, Recv: One(1)}}, ""},
		"split, other half": {split, []Call{{Op: FileWriteAllBegin, Send: one, Recv: One(1)},
			{Op: FileWriteAtAllEnd, Send: one, Recv: One(1)}}, "its first half is not open"},
		"split, other place": {split, []Call{{Op: FileWriteAllBegin, Send: one, Recv: One(1)},
			{Op: FileWriteAllEnd, Send: One(2), Recv: One(1)}}, "its first half is not open"},
		"split, two": {split, []Call{{Op: FileWriteAllBegin, Send: one, Recv: One(1)},
			{Op: FileReadAllBegin, Send: One(1), Recv: one}}, "is open on the same file"},
		"split, half": {split, []Call{{Op: FileReadAllBegin, Send: One(1), Recv: one}},
			"1 split calls have no second half"},
	} {
		err := (&Program{Comm: comm3{}, Places: x.places, Loop: x.calls}).Validate()
		if x.want == "" {
			require.NoError(t, err, name)
			continue
		}
		require.ErrorContains(t, err, x.want, name)
	}
	require.ErrorContains(t, (&Program{Loop: []Call{{Op: Barrier}}}).Validate(), "without a communicator")
	require.NoError(t, (&Program{}).Validate())
}

func TestAt(t *testing.T) {
	room := func(bytes int64) Space { s := space(bytes); return &s }
	for _, c := range []struct {
		place Place
		want  []int64 // by loop
	}{
		{Place{Space: room(10), Offset: 3, Length: 2}, []int64{3, 3, 3}},
		{Place{Space: room(10), Offset: 3, Length: 2, Step: 4}, []int64{3, 3}},
		{Place{Space: room(10), Length: 2, Advance: 4}, []int64{0, 4, 8, 0, 4}},
		{Place{Space: room(10), Offset: 5, Length: 2, Advance: 4}, []int64{5, 1, 5, 1}},
		{Place{Space: room(10), Offset: 3, Length: 7, Advance: 1}, []int64{3, 0, 1, 2, 3}},
		{Place{Space: room(10), Offset: 3, Length: 2, Advance: 100}, []int64{3, 3}},
		{Place{Space: room(10), Offset: 10, Advance: 10}, []int64{10, 0, 10}},
		{Place{Space: room(FileSize), Offset: FileSize - 8, Length: 8, Advance: 1 << 62},
			[]int64{FileSize - 8, 1<<62 - 9, FileSize - 8}},
	} {
		require.NoError(t, c.place.validate())
		for loop, want := range c.want {
			require.Equal(t, want, c.place.At(int64(loop)), "%+v in loop %d", c.place, loop)
		}
	}
	far := Place{Space: room(1000), Offset: 300, Length: 8, Advance: 100}
	require.EqualValues(t, 200, far.At(1<<62-1<<62%10+9))
}

// TestSections checks that an error in a section names the section.
func TestSections(t *testing.T) {
	memory := space(16)
	place := Place{Space: &memory, Length: 8}
	start, wait := Call{Op: Isend, Send: One(0)}, Call{Op: Wait}
	for name, c := range map[string]struct {
		program Program
		want    string
	}{
		"each completes its own": {Program{Before: []Call{start, wait}, Loop: []Call{{}, start, {Op: Waitall}},
			After: []Call{start, wait}}, ""},
		"never completed": {Program{Before: []Call{start}, Loop: []Call{{Op: Waitall}}},
			"program, before: 1 requests are never completed"},
		"of another section": {Program{Loop: []Call{start, {Op: Waitall}}, After: []Call{wait}},
			"program, after: call 0 (MPI_Wait): call 0 has no open request"},
		"decides outside": {Program{Before: []Call{{Op: Decide}}}, "program, before: call 0 (Decide): it is only for " +
			"loops"},
		"rotates outside": {Program{After: []Call{{Op: Bcast, Send: One(0), Recv: One(0), Rotate: true}}},
			"program, after: call 0 (MPI_Bcast): it is only for loops"},
		"rotates": {Program{Loop: []Call{{Op: Bcast, Send: One(0), Recv: One(0), Rotate: true}}}, ""},
	} {
		c.program.Comm, c.program.Places = comm3{}, []Place{place}
		err := c.program.Validate()
		if c.want == "" {
			require.NoError(t, err, name)
			continue
		}
		require.ErrorContains(t, err, c.want, name)
	}
}

func TestRootIn(t *testing.T) {
	require.Equal(t, 2, (&Call{Root: 2}).RootIn(5, 3))
	require.Equal(t, 1, (&Call{Root: 2, Rotate: true}).RootIn(5, 3))
	require.Equal(t, 2, (&Call{Root: 2, Rotate: true}).RootIn(3e12, 3))
}
