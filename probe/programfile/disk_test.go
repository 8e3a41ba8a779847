package programfile

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
)

const diskFile = `program: disk
memory: {out: bytes, in: bytes, data: bytes*size}
file: data
calls:
  - file_write_at: {of: out, into: "data[rank*bytes, bytes]"}
  - file_sync
  - file_iread_at: {of: "data[(size-1-rank)*bytes, bytes]", into: in, as: a}
  - wait: a
check: in == out of size-1-rank
`

const swapFile = `program: swap
memory: {out: 8, other: 8, old: 8, win: 16}
window: win
calls:
  - win_fence
  - accumulate: {of: out, into: "win[8, 8]", at: 0, type: float64, reduce: max}
  - compare_and_swap: {result: old, compare: other, of: out, into: "win[0, 8]", at: 1, type: int64}
  - win_fence
`

// Writes have memory in Send and the file in Recv, reads the reverse. The file isn't filled.
func TestDisk(t *testing.T) {
	f, err := Parse("f", diskFile)
	require.NoError(t, err)
	require.Equal(t, 2, f.File)
	require.False(t, f.Repeats())
	require.Equal(t, []bool{true, false, false}, []bool{f.Areas[0].Filled, f.Areas[1].Filled, f.Areas[2].Filled})
	p, err := f.Resolve(At{Rank: 2, Size: 3, Bytes: 8})
	require.NoError(t, err)
	require.Equal(t, `5 File_write_at out[0,8]:0 data[16,8]:0
6 File_sync data[0,0]:0
7 File_iread_at data[0,8]:0 in[0,8]:0
8 Wait of 2
check in[0,8]:0 == out[0] of 0
`, listed(f, p))
	for i, place := range p.Places {
		require.Equal(t, place.Area == 2, place.File, i)
	}
	_, err = f.Match(3, 0, 8)
	require.NoError(t, err)
}

// The memory of atomic calls is in the order of mpi.CompareAndSwap, whatever that of the operands is.
func TestAtomicPlaces(t *testing.T) {
	f, err := Parse("f", swapFile)
	require.NoError(t, err)
	require.True(t, f.Repeats())
	p, err := f.Resolve(At{Rank: 0, Size: 2})
	require.NoError(t, err)
	require.Equal(t, `5 Win_fence win[0,0]:0
6 Accumulate out[0,8]:0 win[8,8]:0
7 Compare_and_swap out[0,8]:1 other[0,8]:1 old[0,8]:1 win[0,8]:1
8 Win_fence win[0,0]:0
`, listed(f, p))
	require.Equal(t, mpi.Max, p.Calls[1].Reduce)
	require.Equal(t, mpi.Float64, p.Places[p.Calls[1].Recv.First].Type)
	require.Equal(t, mpi.Int64, p.Places[p.Calls[2].Send.First+1].Type)
}

// Mistakes about the file have their line.
func TestDiskErrors(t *testing.T) {
	const head = "program: p\nmemory: {out: bytes, data: bytes}\n"
	for _, c := range []struct{ text, want string }{
		{head + "file: disk\ncalls: []", "f:3: file: want the name of an area of the memory"},
		{head + "file: [data]\ncalls: []", "f:3: file: want the name of an area of the memory"},
		{head + "file: data\nwindow: data\ncalls: []", "f:3: file: data is the window"},
		{head + "calls: [file_sync]", "f:3: file_sync: the program has no file: AREA"},
		{head + "file: data\ncalls:\n  - file_write_at: {of: data, into: data}",
			"f:5: file_write_at: data is the file, want memory"},
		{head + "file: data\ncalls:\n  - file_write_at: {of: out, into: out}",
			"f:5: file_write_at: out is not the file"},
		{head + "file: data\ncalls:\n  - file_read_at: {of: out, into: out}", "f:5: file_read_at: out is not the file"},
		{head + "file: data\ncalls:\n  - send: {of: data, to: 0}", "f:5: send: data is the file, want memory"},
		{head + "file: data\ncalls:\n  - copy: {of: out, into: data}", "f:5: copy: data is the file, want memory"},
		{head + "file: data\ncalls:\n  - file_write_at: {of: out, into: data}\ncheck: data == out of 0",
			`f:6: "data == out of 0": data is the file: read it into memory, and check that`},
		{head + "window: out\ncalls:\n  - accumulate: {of: data, into: out}",
			`f:5: accumulate: "at" is missing: it takes of, into, reduce, type, at`},
		{head + "window: out\ncalls:\n  - compare_and_swap: {of: data, into: out, at: 0, result: data}",
			`f:5: compare_and_swap: "compare" is missing`},
	} {
		_, err := Parse("f", c.text)
		require.ErrorContains(t, err, c.want, c.text)
	}
	f, err := Parse("f", head+"file: data\ncalls:\n  - file_write_at: {of: out, into: \"data[rank*bytes, bytes]\"}")
	require.NoError(t, err)
	_, err = f.Resolve(At{Rank: 1, Size: 2, Bytes: 8})
	require.ErrorContains(t, err, "f:5: rank 1: data[8, 8]: the area has 8 bytes")
	f, err = Parse("f", head+"file: data\ncalls:\n  - {when: rank == 0, do: [file_sync]}")
	require.NoError(t, err)
	_, err = f.Match(2, 0, 8)
	require.ErrorContains(t, err, "f:5: rank 0: file_sync: rank 1 makes only 0 collective calls")
}
