package programfile

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// matched matches the calls of a file on a number of processes, at 16 bytes.
func matched(t *testing.T, calls string, size int) (Matching, error) {
	t.Helper()
	f, err := Parse("f", "program: p\nlet: {left: (rank+size-1)%size, right: (rank+1)%size}\n"+
		"memory: {out: 16*size, in: 16*size}\ncalls:\n"+calls)
	require.NoError(t, err, calls)
	return f.Match(size, 0, 16)
}

// Programs that end on every library, whatever it buffers.
func TestMatched(t *testing.T) {
	for name, calls := range map[string]string{
		"empty":   "  - nop",
		"a ring":  `  - sendrecv: {of: "out[0, 16]", into: "in[0, 16]", to: right, from: left}`,
		"shorter": `  - sendrecv: {of: "out[0, 8]", into: "in[0, 16]", to: right, from: left}`,
		"nonblocking": "  - irecv: {into: in, from: left, as: a}\n  - isend: {of: out, to: right}\n  - wait: a\n  " +
			"- waitall",
		"waits late": "  - irecv: {into: in, from: left, as: a}\n  - send: {of: out, to: right}\n  - wait: a",
		"itself":     "  - isend: {of: out, to: rank}\n  - recv: {into: in, from: rank}\n  - waitall",
		"to the next": "  - {when: rank > 0, do: [{recv: {into: in, from: left}}]}\n  - {when: rank < size-1, do: " +
			"[{ssend: {of: out, to: right}}]}",
		"to the last": "  - {when: rank < size-1, do: [{recv: {into: in, from: right}}]}\n  - {when: rank > 0, do: " +
			"[{ssend: {of: out, to: left}}]}",
		"tags": "  - isend: {of: out, to: right, tag: 1}\n  - isend: {of: out, to: right, tag: 2}\n  - " +
			"recv: {into: in, from: left, tag: 2}\n  - recv: {into: in, from: left, tag: 1}\n  - waitall",
		"collectives": `  - bcast: {of: "out[0, 8]", into: "in[0, 8]"}` + "\n  - barrier\n  - dupfree\n" +
			`  - allreduce: {of: "out[0, 8]", into: "in[0, 8]"}` + "\n" +
			`  - reduce: {of: "out[0, 8]", into: "in[0, 8]", root: size-1}`,
		"parts": `  - gather: {of: "out[0, 16]", into: in}` + "\n" +
			`  - scatter: {of: out, into: "in[0, 16]"}` + "\n  - alltoall: {of: out, into: in}",
		"vectors": `  - alltoallv: {of: "out[0, rank+peer]", into: "in[16*peer, rank+peer]"}` + "\n" +
			`  - gatherv: {of: "out[0, rank]", into: "in[16*peer, peer]"}` + "\n" +
			`  - scatterv: {of: "out[16*peer, peer]", into: "in[0, rank]"}` + "\n" +
			`  - allgatherv: {of: "out[0, rank]", into: "in[16*peer, peer]"}`,
		"reducing": `  - reduce_scatter: {of: "out[4*peer, 4]", into: "in[0, 4]"}`,
		"beside": `  - ibarrier: {as: b}` + "\n" + `  - sendrecv: {of: out, into: in, to: right, from: left}` +
			"\n  - wait: b",
		"a unused way": `  - alltoallv: {of: "out[0, 0]", into: "in[0, 0]"}`,
	} {
		for size := 1; size <= 9; size++ {
			m, err := matched(t, calls, size)
			require.NoError(t, err, "%s on %d", name, size)
			require.NoError(t, m.Unsafe, "%s on %d", name, size)
			require.False(t, m.Skipped)
		}
	}
}

// Each mistake has its line and rank, and names the other call.
func TestUnmatched(t *testing.T) {
	for _, c := range []struct{ calls, want string }{
		{"  - {when: rank == 0, do: [{send: {of: out, to: 1}}]}",
			"f:5: rank 0: send: rank 1 receives no message from rank 0 with tag 1"},
		{"  - {when: rank == 1, do: [{recv: {into: in, from: 0}}]}",
			"f:5: rank 1: recv: rank 0 sends no message to rank 1 with tag 1"},
		{"  - {when: rank == 0, do: [{send: {of: out, to: 1}}]}\n" +
			"  - {when: rank == 1, do: [{recv: {into: in, from: 0, tag: 2}}]}",
			"f:5: rank 0: send: rank 1 receives no message from rank 0 with tag 1"},
		{"  - {when: rank == 0, do: [{each: k in 0 .. 2, do: [{send: {of: out, to: 1}}]}]}\n" +
			"  - {when: rank == 1, do: [{each: k in 0 .. 1, do: [{recv: {into: in, from: 0}}]}]}",
			"f:5: rank 0: send: rank 1 receives only 2 messages from rank 0 with tag 1"},
		{`  - {when: rank == 0, do: [{send: {of: "out[0, 9]", to: 1}}]}` + "\n" +
			`  - {when: rank == 1, do: [{recv: {into: "in[0, 8]", from: 0}}]}`,
			"f:6: rank 1: recv takes 8 bytes, but the message has 9: send of rank 0 (line 5)"},
		{"  - {when: rank != 1, do: [barrier]}\n  - {when: rank == 1, do: [{ibarrier: {as: a}}, {wait: a}]}",
			"f:6: rank 1: ibarrier meets barrier of rank 0 (line 5)"},
		{"  - {when: rank < 2, do: [barrier]}", "f:5: rank 0: barrier: rank 2 makes only 0 collective calls"},
		{"  - {when: rank == 2, do: [barrier]}", "f:5: rank 2: barrier: rank 0 makes only 0 collective calls"},
		{"  - bcast: {of: out, into: in, root: rank/2}",
			"f:5: rank 2: bcast has root 1, the one of rank 0 (line 5) has root 0"},
		{`  - {when: rank == 0, do: [{allreduce: {of: "out[0, 8]", into: "in[0, 8]"}}]}` + "\n" +
			`  - {when: rank > 0, do: [{allreduce: {of: "out[0, 8]", into: "in[0, 8]", reduce: max}}]}`,
			"f:6: rank 1: allreduce combines other elements than rank 0 (line 5), or in another way"},
		{`  - allreduce: {of: "out[0, 4*(1+rank)]", into: "in[0, 4*(1+rank)]"}`,
			"f:5: rank 1: allreduce takes 8 bytes of rank 0, which passes 4 (line 5)"},
		{`  - bcast: {of: "out[0, 8]", into: "in[0, 8-rank]"}`,
			"f:5: rank 1: bcast takes 7 bytes of rank 0, which passes 8 (line 5)"},
		{`  - gather: {of: "out[0, 8+rank%2]", into: "in[0, 8*size]"}`,
			"f:5: rank 0: gather takes 8 bytes of rank 1, which passes 9 (line 5)"},
		{`  - alltoallv: {of: "out[0, 1+rank]", into: "in[0, 1]"}`,
			"f:5: rank 0: alltoallv takes 1 bytes of rank 1, which passes 2 (line 5)"},
		{"  - recv: {into: in, from: left}\n  - send: {of: out, to: right}",
			"f:5: rank 0: deadlock: recv of rank 0 (line 5) waits for rank 2, recv of rank 2 (line 5) waits for " +
				"rank 1, " +
				"recv of rank 1 (line 5) waits for rank 0"},
		{"  - ssend: {of: out, to: right}\n  - recv: {into: in, from: left}",
			"f:5: rank 0: deadlock: ssend of rank 0 (line 5) waits for rank 1, ssend of rank 1 (line 5) waits for " +
				"rank " +
				"2, ssend of rank 2 (line 5) waits for rank 0"},
		{"  - {when: rank == 0, do: [barrier, {send: {of: out, to: 1}}]}\n" +
			"  - {when: rank == 1, do: [{irecv: {into: in, from: 0}}, waitall, barrier]}\n  - {when: rank > 1, do: " +
			"[barrier]}",
			"f:5: rank 0: deadlock: barrier of rank 0 (line 5) waits for rank 1, waitall of rank 1 (line 6) waits " +
				"for rank 0"},
		{"  - {when: rank == 0, do: [{recv: {into: in, from: 1}}, {bcast: {of: out, into: in}}]}\n" +
			"  - {when: rank == 1, do: [{bcast: {of: out, into: in}}, {send: {of: out, to: 0}}]}\n" +
			"  - {when: rank > 1, do: [{bcast: {of: out, into: in}}]}",
			"f:5: rank 0: deadlock: recv of rank 0 (line 5) waits for rank 1, bcast of rank 1 (line 6) waits for " +
				"rank 0"},
		{"  - send: {of: out, to: rank+1}", "f:5: rank 2: send: rank 3 of 3"},
	} {
		_, err := matched(t, c.calls, 3)
		require.EqualError(t, err, c.want, c.calls)
	}
}

// Programs that only end where the library buffers messages, or lets processes leave collective calls early.
func TestUnsafe(t *testing.T) {
	for _, c := range []struct{ calls, want string }{
		{"  - send: {of: out, to: right}\n  - recv: {into: in, from: left}",
			"f:5: rank 0: deadlock: send of rank 0 (line 5) waits for rank 1, send of rank 1 (line 5) waits for " +
				"rank 0"},
		{"  - send: {of: out, to: rank}\n  - recv: {into: in, from: rank}",
			"f:5: rank 0: deadlock: send of rank 0 (line 5) waits for rank 0"},
		{"  - {when: rank == 0, do: [{bcast: {of: out, into: in}}, {send: {of: out, to: 1}}]}\n" +
			"  - {when: rank == 1, do: [{recv: {into: in, from: 0}}, {bcast: {of: out, into: in}}]}",
			"f:5: rank 0: deadlock: bcast of rank 0 (line 5) waits for rank 1, recv of rank 1 (line 6) waits for " +
				"rank 0"},
		{"  - {when: rank == 1, do: [{reduce: {of: out, into: in}}, {send: {of: out, to: 0}}]}\n" +
			"  - {when: rank == 0, do: [{recv: {into: in, from: 1}}, {reduce: {of: out, into: in}}]}",
			"f:6: rank 0: deadlock: recv of rank 0 (line 6) waits for rank 1, reduce of rank 1 (line 5) waits " +
				"for rank 0"},
	} {
		m, err := matched(t, c.calls, 2)
		require.NoError(t, err, c.calls)
		require.EqualError(t, m.Unsafe, c.want, c.calls)
	}
}

// A walk that would take too much memory isn't begun.
func TestMatchIsBounded(t *testing.T) {
	m, err := matched(t, fmt.Sprintf("  - {each: k in 1 .. %d, do: [barrier]}", MostMatched/4), 4)
	require.NoError(t, err)
	require.False(t, m.Skipped)
	m, err = matched(t, fmt.Sprintf("  - {each: k in 1 .. %d, do: [barrier]}", MostMatched/4+1), 4)
	require.NoError(t, err)
	require.True(t, m.Skipped)
	// Requests that are waited for from the last to the first.
	var calls strings.Builder
	for i := range 45 {
		fmt.Fprintf(&calls, "  - isend: {of: out, to: right, as: s%d}\n  - irecv: {into: in, from: left, as: r%d}\n", i,
			i)
	}
	for i := range 45 {
		fmt.Fprintf(&calls, "  - wait: s%d\n", 44-i)
	}
	m, err = matched(t, calls.String()+"  - waitall", 64)
	require.NoError(t, err)
	require.NoError(t, m.Unsafe)
}
