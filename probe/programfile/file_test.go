package programfile

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
)

// halo is the file of docs/calls.md.
const halo = `program: halo-and-sum
needs: size >= 2                      # else the kernel is skipped, with these words
let: {left: (rank + size - 1) % size, right: (rank + 1) % size}
memory: {out: 2*bytes, in: 2*bytes, one: 8, sum: 8}
calls:
  - irecv: {into: "in[0, bytes]", from: left}
  - irecv: {into: "in[bytes, bytes]", from: right}
  - isend: {of: "out[0, bytes]", to: right}
  - isend: {of: "out[bytes, bytes]", to: left}
  - waitall
  - each: k in 0 .. size-1
    do: [{bcast: {of: one, into: sum, root: k}}]
  - {when: rank == 0, do: [{exploit: {times: 10}}]}
moves: 2*bytes*size
check: ["in[0, bytes] == out[0, bytes] of left"]
`

// listed returns a process' calls as text: each with its places, and where these lie.
func listed(f *File, p *Program) string {
	var s strings.Builder
	place := func(x Place) string {
		return fmt.Sprintf(" %s[%d,%d]:%d", f.Areas[x.Area].Name, x.Offset, x.Length, x.Peer)
	}
	for i, c := range p.Calls {
		fmt.Fprintf(&s, "%d %s", p.Lines[i], strings.TrimPrefix(c.Op.String(), "MPI_"))
		for _, span := range []mpi.Span{c.Send, c.Recv} {
			for _, x := range p.Places[span.First:][:span.Count] {
				s.WriteString(place(x))
			}
		}
		if c.Root > 0 {
			fmt.Fprintf(&s, " root %d", c.Root)
		}
		if c.Times > 0 {
			fmt.Fprintf(&s, " %d times", c.Times)
		}
		if c.Op == mpi.Wait {
			fmt.Fprintf(&s, " of %d", c.Of)
		}
		s.WriteString("\n")
	}
	for _, c := range p.Checks {
		fmt.Fprintf(&s, "check%s == %s[%d] of %d\n", place(c.Place), f.Areas[c.Source].Name, c.Position, c.Rank)
	}
	return s.String()
}

func TestHalo(t *testing.T) {
	f, err := Parse("halo.yaml", halo)
	require.NoError(t, err)
	require.Equal(t, "halo-and-sum", f.Name)
	require.True(t, f.Moves)
	var filled []string
	for _, a := range f.Areas {
		if a.Filled {
			filled = append(filled, a.Name)
		}
	}
	require.Equal(t, []string{"out", "one"}, filled)
	sizes, err := f.Sizes(3, 100)
	require.NoError(t, err)
	require.Equal(t, []int64{200, 200, 8, 8}, sizes)
	moved, err := f.Moved(3, 100)
	require.NoError(t, err)
	require.Equal(t, int64(600), moved)
	unmet, err := f.Needs(1)
	require.NoError(t, err)
	require.Equal(t, "size >= 2", unmet)
	unmet, err = f.Needs(2)
	require.NoError(t, err)
	require.Empty(t, unmet)

	p, err := f.Resolve(At{Rank: 0, Size: 3, Bytes: 100})
	require.NoError(t, err)
	require.Equal(t, `6 Irecv in[0,100]:2
7 Irecv in[100,100]:1
8 Isend out[0,100]:1
9 Isend out[100,100]:2
10 Waitall
12 Bcast one[0,8]:0 sum[0,8]:0
12 Bcast one[0,8]:0 sum[0,8]:0 root 1
12 Bcast one[0,8]:0 sum[0,8]:0 root 2
13 Exploit 10 times
check in[0,100]:0 == out[0] of 2
`, listed(f, p))
	p, err = f.Resolve(At{Rank: 2, Size: 3, Bytes: 100})
	require.NoError(t, err)
	require.Len(t, p.Calls, 8)
	require.Equal(t, 0, p.Places[2].Peer)
}

func TestInline(t *testing.T) {
	for _, calls := range []string{
		`[{sendrecv: {of: out, into: in, to: right, from: left}}]`,
		"- sendrecv: {of: out, into: in, to: right, from: left}",
	} {
		f, err := Parse("-e", Inline(calls))
		require.NoError(t, err)
		p, err := f.Resolve(At{Rank: 3, Size: 4, Bytes: 8})
		require.NoError(t, err)
		require.Contains(t, listed(f, p), "Sendrecv out[0,8]:0 in[0,8]:2")
	}
	_, err := Parse("-e", Inline(`[{sendrecv: {of: out, into: in, to: right}}]`))
	require.EqualError(t, err, `-e:1: sendrecv: "from" is missing: it takes of, into, to, from, tag`)
}

// Requests have names, places a process each, and reductions types.
func TestCalls(t *testing.T) {
	f, err := Parse("f", `program: all
memory: {out: 8*size, in: 8*size, mine: 8, all: 8}
calls:
  - isend: {of: "out[0, 8]", to: rank, as: a, tag: 3}
  - irecv: {into: "in[0, 8]", from: rank, as: b, tag: 3}
  - wait: b
  - wait: {request: a}
  - MPI_Alltoallv: {of: "out[8*peer, 8]", into: "in[8*(size-1-peer), 8]"}
  - allreduce: {of: mine, into: all, type: int64, reduce: max}
  - {iallreduce: {of: mine, into: all, type: int64, as: r}}
  - {wait: r}
  - {each: i in 0 .. 1, do: [{when: i != rank, do: [barrier]}]}
check:
  - all == sum of mine
`)
	require.NoError(t, err)
	require.Equal(t, mpi.Int64, f.Areas[2].Type)
	p, err := f.Resolve(At{Rank: 1, Size: 2, Root: 1, Bytes: 0})
	require.NoError(t, err)
	require.Equal(t, `4 Isend out[0,8]:1
5 Irecv in[0,8]:1
6 Wait of 1
7 Wait of 0
8 Alltoallv out[0,8]:0 out[8,8]:1 in[8,8]:0 in[0,8]:1
9 Allreduce mine[0,8]:0 all[0,8]:0
10 Iallreduce mine[0,8]:0 all[0,8]:0
11 Wait of 6
12 Barrier
check all[0,8]:0 == mine[0] of -1
`, listed(f, p))
	require.Equal(t, mpi.Max, p.Calls[5].Reduce)
	require.Equal(t, 3, p.Calls[0].Tag)
}

func TestExpressions(t *testing.T) {
	for text, want := range map[string]int64{
		"1 + 2*3": 7, "(1+2)*3": 9, "7/2": 3, "-7/2": -3, "7%4": 3, "-1 % 4": -1, "2-3-4": -5, "- -2": 2,
		"1 < 2 && 2 < 1": 0, "1 < 2 || 1/0": 1, "!0": 1, "!5": 0, "1 == 1": 1, "2 != 2": 0, "3 >= 3": 1, "3 <= 2": 0,
		"min(3, max(1, 2))": 2, "log2(1)": 0, "log2(1023)": 9, "pow2(10)": 1024, "bytes*size": 12, "half": 2,
		"9223372036854775807 - 1": 9223372036854775806, "5 > 4 > 0": 1,
	} {
		f, err := Parse("f", "program: p\nlet: {half: bytes/2}\ncalls: []\nmoves: "+quoted(text)+"\n")
		require.NoError(t, err, text)
		if text == "1 < 2 || 1/0" {
			_, err := f.Moved(3, 4)
			require.EqualError(t, err, `f:4: "1 < 2 || 1/0": a division by 0`, "both sides are computed")
			continue
		}
		got, err := f.sameValue(f.moves, 3, 4, usesBytes)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
}

func quoted(text string) string { return `"` + text + `"` }

// Each mistake of a text is one line with its place.
func TestParseErrors(t *testing.T) {
	const head = "program: p\nmemory: {out: bytes, in: bytes}\n"
	for _, c := range []struct{ text, want string }{
		{"", "f: it is empty"},
		{"# nothing", "f: no YAML"},
		{"[", "f:2: no YAML: "},
		{"a: b\n c: d", "f:2: no YAML: "},
		{"a: b", `f:1: unknown "a": there are program, needs, let, memory, window, file, calls, moves, check`},
		{"program: p", "f:1: calls are missing"},
		{"calls: []", "f:1: program, the name, is missing"},
		{"program: 'a b'\ncalls: []", "f:1: program: want a name"},
		{"program: p\nprogram: q\ncalls: []", "f:2: \"program\" comes twice"},
		{head + "calls: 3", "f:3: want a list of calls"},
		{head + "calls:\n  - sned: {of: out, to: 0}", `f:4: unknown call "sned": there are scatter, scatterv, send`},
		{head + "calls:\n  - send: {of: out}", `f:4: send: "to" is missing: it takes of, to, tag`},
		{head + "calls:\n  - send: {of: out, from: 0}", `f:4: send has no "from": it takes of, to, tag`},
		{head + "calls:\n  - send: {of: outer, to: 0}", `f:4: "outer": unknown area outer`},
		{head + "calls:\n  - send: {of: out, to: lft}",
			`f:4: "lft": unknown name lft: there are size, bytes, rank, root`},
		{head + "calls:\n  - send: {of: \"out[0]\", to: 0}", `f:4: "out[0]": want ",", not "]"`},
		{head + "calls:\n  - send: {of: out, to: 1 +}", `f:4: "1 +": want a number or a name, not its end`},
		{head + "calls:\n  - send: {of: out, to: 1 2}", `f:4: "1 2": "2" is too much`},
		{head + "calls:\n  - send: {of: out, to: 1;2}", `f:4: "1;2": ';' does not belong into an expression`},
		{head + "calls:\n  - send: {of: out, to: f(2)}", `unknown function f: there are log2, max, min and pow2`},
		{head + "calls:\n  - wait: x", `f:4: wait: no call before is named "x"`},
		{head + "calls:\n  - {barrier: , waitall: }", "f:4: want one call"},
		{head + "calls:\n  - {each: k in 0 .. 3}", "f:4: each without do"},
		{head + "calls:\n  - {each: k of 3, do: []}", `f:4: "k of 3": want "in", not "of"`},
		{head + "calls:\n  - {each: rank in 0 .. 3, do: []}", "f:4: the name rank is taken"},
		{head + "calls:\n  - reduce: {of: out, into: in, type: byte}", `reduce: "byte" is none of float32, float64`},
		{"program: p\nmemory: {out: rank}\ncalls: []", `f:2: "rank": rank depends on the rank, which this must not`},
		{"program: p\nlet: {x: root}\nmemory: {out: x}\ncalls: []", `f:3: "x": x depends on the root, which`},
		{"program: p\nneeds: bytes > 0\ncalls: []", `f:2: "bytes > 0": bytes depends on the length, which`},
		{"program: p\nlet: {size: 3}\ncalls: []", "f:2: the name size is taken"},
		{"program: p\nlet: {a-b: 3}\ncalls: []", `f:2: "a-b" is no name`},
		{head + "calls: []\ncheck: in == out of 0", `f:4: "in == out of 0": out has no data that are known`},
		{head + "calls: [{send: {of: out, to: 0}}]\ncheck: out == out of 0", "no call receives into out"},
		{head + "calls: [{sendrecv: {of: out, into: in, to: 0, from: 0}}]\ncheck: in == sum of out", "out holds bytes"},
		{"program: &a p\ncalls: *a", "f:2: want a list of calls"},
		{head + "calls: [" + strings.Repeat("{when: 1, do: [", 300) + strings.Repeat("]}", 300) + "]",
			"nested too deeply"},
		{head + "calls: []\nmoves: " + strings.Repeat("(", 300), "nested too deeply"},
		{strings.Repeat("#", MostText+1), "f: longer than 262144 bytes"},
	} {
		_, err := Parse("f", c.text)
		require.ErrorContains(t, err, c.want, c.text)
		require.NotContains(t, err.Error(), "\n")
	}
}

// Each mistake that only some processes make names the rank.
func TestResolveErrors(t *testing.T) {
	const head = "program: p\nmemory: {out: bytes, in: bytes}\ncalls:\n"
	for _, c := range []struct{ text, want string }{
		{head + "  - send: {of: out, to: rank + 1}", "f:4: rank 3: send: rank 4 of 4"},
		{head + "  - send: {of: out, to: 1/(rank-3)}", `f:4: rank 3: "1/(rank-3)": a division by 0`},
		{head + "  - send: {of: \"out[1, bytes]\", to: 0}", "f:4: rank 3: out[1, 12]: the area has 12 bytes"},
		{head + "  - send: {of: \"out[0, -1]\", to: 0}", "f:4: rank 3: out[0, -1]: the area has 12 bytes"},
		{head + "  - {bcast: {of: out, into: in, root: size}}", "f:4: rank 3: bcast: rank 4 of 4"},
		{head + "  - {send: {of: out, to: 0, tag: 32768}}", "tag 32768: want 0 to 32767"},
		{head + "  - {exploit: {times: -1}}", "f:4: rank 3: exploit: want 0 to"},
		{head + "  - {each: k in 0 .. pow2(40), do: [barrier]}",
			"f:4: rank 3: a loop from 0 to 1099511627776: at most"},
		{head + "  - {each: k in -pow2(62)*2 .. pow2(62), do: [barrier]}", "f:4: rank 3: a loop from"},
		{head + "  - {each: k in 0 .. 9999, do: [{each: i in 0 .. 9999, do: [barrier]}]}", "more than 1048576"},
		{head + "  - {allreduce: {of: \"out[0, 3]\", into: \"in[0, 3]\"}}", "no whole number of elements of 4 bytes"},
		{head + "  - {isend: {of: out, to: 0, as: a}}\n  - {isend: {of: out, to: 0, as: a}}",
			`f:5: rank 3: isend: "a" is still`},
		{head + "  - {isend: {of: out, to: 0, as: a}}\n  - {wait: a}\n  - {wait: a}",
			`f:6: rank 3: wait: "a" is not open`},
		{head + "  - {send: {of: out, to: 0}}\n  - {recv: {into: in, from: 0}}\ncheck: in == out of 9",
			"f:6: rank 3: check: rank 9 of 4"},
		{head + "  - {send: {of: out, to: 0}}\n  - {recv: {into: in, from: 0}}\ncheck: \"in[0, 1] == out of 0\"",
			"f:6: rank 3: check: 1 bytes against 12"},
		{"program: p\nlet: {x: 1/(rank-3)}\ncalls: []", `f:2: rank 3: x: "1/(rank-3)": a division by 0`},
		{"program: p\nmemory: {a: 0 - 1}\ncalls: []", "f:2: the area a has -1 bytes"},
		{"program: p\nmemory: {a: bytes*pow2(62)}\ncalls: []", `"bytes*pow2(62)": a number is beyond 2^63`},
	} {
		f, err := Parse("f", c.text)
		require.NoError(t, err, c.text)
		_, err = f.Resolve(At{Rank: 3, Size: 4, Bytes: 12})
		require.ErrorContains(t, err, c.want, c.text)
		require.NotContains(t, err.Error(), "\n")
	}
}

// FuzzParse reads any text: an error is one line, and what is read resolves or fails in one line.
func FuzzParse(f *testing.F) {
	f.Add(halo)
	f.Add(putFile)
	f.Add(diskFile)
	f.Add(swapFile)
	f.Add(Inline(`[{sendrecv: {of: out, into: in, to: right, from: left}}]`))
	f.Add("program: p\nlet: {a: min(1, size)}\nmemory: {m: 8*a}\ncalls: [{each: k in 0 .. 3, do: [{copy: {of: m, " +
		"into: m}}]}]")
	f.Fuzz(func(t *testing.T, text string) {
		file, err := Parse("f", text)
		if err == nil {
			at := At{Rank: 1, Size: 3, Root: 2, Bytes: 16}
			_, err = file.Resolve(at)
			if err == nil {
				_, err = file.Needs(at.Size)
			}
		}
		if err != nil && (strings.Contains(err.Error(), "\n") || !strings.HasPrefix(err.Error(), "f")) {
			t.Errorf("%q", err)
		}
	})
}

// FuzzExpression computes any expression without a panic.
func FuzzExpression(f *testing.F) {
	for _, text := range []string{"1 + 2*3", "min(rank, 4) % (size - 1)", "!(a && b)", "-9223372036854775807 - 1",
		"log2(0)"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		names, v := &known{}, &values{}
		for i, name := range []string{"size", "bytes", "rank"} {
			names.add(name, 0)
			v.add(name, int64(i)-1)
		}
		e, _, err := parse(text, names, 0, func(p *parser) (formula, error) { return p.expression(levelOr) })
		if err == nil {
			_, _ = e(v)
		}
	})
}
