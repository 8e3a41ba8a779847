package programfile

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
)

const putFile = `program: neighbours
memory: {out: bytes, win: 2*bytes, in: bytes}
window: win
calls:
  - win_lock_all
  - put: {of: out, into: "win[bytes, bytes]", at: (rank+1)%size}
  - win_flush: {at: (rank+1)%size}
  - rget: {of: "win[0, bytes]", into: in, at: rank, as: r}
  - wait: r
  - win_unlock_all
check: "win[bytes, bytes] == out of (rank+size-1)%size"
`

// One-sided calls have their memory in Send, and the window in Recv, whichever way the data go.
func TestWindow(t *testing.T) {
	f, err := Parse("f", putFile)
	require.NoError(t, err)
	require.Equal(t, 1, f.Window)
	require.True(t, f.Locks())
	p, err := f.Resolve(At{Rank: 2, Size: 3, Bytes: 8})
	require.NoError(t, err)
	require.Equal(t, `5 Win_lock_all win[0,0]:2
6 Put out[0,8]:0 win[8,8]:0
7 Win_flush win[0,0]:0
8 Rget in[0,8]:2 win[0,8]:2
9 Wait of 3
10 Win_unlock_all win[0,0]:2
check win[8,8]:0 == out[0] of 1
`, listed(f, p))
	for i, place := range p.Places {
		require.Equal(t, f.Areas[place.Area].Name == "win", place.Window, i)
	}
	require.Equal(t, mpi.One(1), p.Calls[1].Send)
	m, err := f.Match(3, 0, 8)
	require.NoError(t, err)
	require.NoError(t, m.Unsafe)
}

// Mistakes about the window have their line.
func TestWindowErrors(t *testing.T) {
	const head = "program: p\nmemory: {out: bytes, win: bytes}\n"
	for _, c := range []struct{ text, want string }{
		{head + "window: out2\ncalls: []", "f:3: window: want the name of an area of the memory"},
		{head + "window: [out]\ncalls: []", "f:3: window: want the name of an area of the memory"},
		{head + "calls: [win_fence]", "f:3: win_fence: the file has no window: AREA"},
		{head + "window: win\ncalls:\n  - put: {of: win, into: out, at: 0}", "f:5: put: out is not the window"},
		{head + "window: win\ncalls:\n  - get: {of: out, into: win, at: 0}", "f:5: get: out is not the window"},
		{head + "window: win\ncalls:\n  - put: {of: out, into: win}",
			`f:5: put: "at" is missing: it takes of, into, at`},
		{head + "window: win\ncalls:\n  - win_fence\n  - win_lock_all", "f:5: both fences and locks of the window"},
	} {
		_, err := Parse("f", c.text)
		require.ErrorContains(t, err, c.want, c.text)
	}
	const calls = head + "window: win\ncalls:\n"
	for _, c := range []struct{ text, want string }{
		{"  - put: {of: out, into: win, at: 0}", "f:5: rank 1: put: no epoch is open"},
		{"  - win_lock: {at: 0}\n  - put: {of: out, into: win, at: 1}\n  - win_unlock: {at: 0}",
			"f:6: rank 1: put: no epoch is open"},
		{"  - win_lock: {at: 2}", "f:5: rank 1: win_lock: rank 2 of 2"},
		{"  - win_lock: {at: 0}", "f: rank 1: the window is still locked at the end"},
		{"  - win_lock_all", "f: rank 1: the window is still locked at the end"},
		{"  - win_lock: {at: 0}\n  - win_lock: {at: 0}", "f:6: rank 1: win_lock: it is locked already"},
		{"  - win_lock: {at: 0}\n  - win_lock_all", "f:6: rank 1: win_lock_all: it is locked already"},
		{"  - win_lock_all\n  - win_lock: {at: 1}", "f:6: rank 1: win_lock: it is locked already"},
		{"  - win_unlock: {at: 0}", "f:5: rank 1: win_unlock: it is not locked"},
		{"  - win_lock_all\n  - win_unlock: {at: 0}", "f:6: rank 1: win_unlock: it is not locked"},
		{"  - win_unlock_all", "f:5: rank 1: win_unlock_all: it is not locked"},
		{"  - win_lock: {at: 0}\n  - win_unlock_all", "f:6: rank 1: win_unlock_all: it is not locked"},
		{"  - win_flush: {at: 0}", "f:5: rank 1: win_flush: it is not locked"},
		{"  - win_flush_all", "f:5: rank 1: win_flush_all: it is not locked"},
		{"  - {rput: {of: out, into: win, at: 0, as: r}}", "f:5: rank 1: rput: it is not locked"},
	} {
		f, err := Parse("f", calls+c.text)
		require.NoError(t, err, c.text)
		_, err = f.Resolve(At{Rank: 1, Size: 2, Bytes: 8})
		require.ErrorContains(t, err, c.want, c.text)
	}
	for _, good := range []string{"  - win_fence\n  - put: {of: out, into: win, at: 0}\n  - win_fence",
		"  - win_lock: {at: 0}\n  - win_lock: {at: 1}\n  - win_flush_all\n  - win_sync\n  - win_unlock: {at: 1}\n" +
			"  - win_unlock: {at: 0}"} {
		f, err := Parse("f", calls+good)
		require.NoError(t, err, good)
		_, err = f.Resolve(At{Rank: 1, Size: 2, Bytes: 8})
		require.NoError(t, err, good)
	}
	_, err := matched(t, "  - {when: rank == 0, do: [barrier]}\n  - {when: rank == 1, do: [dupfree]}", 2)
	require.ErrorContains(t, err, "dupfree meets barrier of rank 0")
}
