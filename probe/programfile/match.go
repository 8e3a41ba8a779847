package programfile

import (
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
)

// MostMatched is the most calls and places of all processes together that Match walks through.
const MostMatched = 1 << 19

// Matching is the outcome of a walk through the calls of all processes.
type Matching struct {
	// Unsafe is the deadlock that the processes come to if the library buffers no messages, and lets no process leave a
	// collective call before all are in it; nil: none. The standard allows both (MPI 4.1, 3.4 and 6.14).
	Unsafe error
	// Skipped is true if there are more than MostMatched calls and places: then nothing was walked through.
	Skipped bool
}

// Match resolves the calls of all processes and walks through them. It returns an error if a message isn't received, a
// receive gets none or one that is too long, the processes' collective calls differ, or they come to a deadlock however
// the library works. Messages have no wildcards, so the k-th one from one rank to another with a tag meets the k-th
// receive of it, whatever comes first.
func (f *File) Match(size, root int, bytes int64) (m Matching, err error) {
	w := &matcher{file: f}
	total := 0
	for rank := range size {
		p, err := f.Resolve(At{Rank: rank, Size: size, Root: root, Bytes: bytes})
		if err != nil {
			return m, err
		}
		if total += len(p.Calls) + len(p.Places); total > MostMatched {
			m.Skipped = true
			return m, nil
		}
		w.ranks = append(w.ranks, &walker{Program: p, rank: int32(rank), needs: make([]need, len(p.Calls))})
	}
	if err := w.meetMessages(); err != nil {
		return m, err
	}
	if err := w.meetCollectives(); err != nil {
		return m, err
	}
	if err := w.run(false); err != nil {
		return m, err
	}
	m.Unsafe = w.run(true)
	return m, nil
}

// matcher walks through the calls of all processes.
type matcher struct {
	file   *File
	ranks  []*walker
	strict bool // nothing is buffered, and all collective calls synchronize
}

// wrong returns an error at a call.
func (w *matcher) wrong(a at, format string, args ...any) error {
	return &Error{w.file.Source, w.line(a), int(a.rank), fmt.Errorf(format, args...)}
}

// at is a call of a process.
type at struct{ rank, call int32 }

// call returns a call.
func (w *matcher) call(a at) *mpi.Call { return &w.ranks[a.rank].Calls[a.call] }

// need returns what a call needs.
func (w *matcher) need(a at) *need { return &w.ranks[a.rank].needs[a.call] }

// place returns the first place of one side of a call.
func (w *matcher) place(a at, s mpi.Span) *Place { return &w.ranks[a.rank].Places[s.First] }

// line returns the line of a call.
func (w *matcher) line(a at) int { return w.ranks[a.rank].Lines[a.call] }

// name returns the name of a call as files have it.
func (w *matcher) name(a at) string { return nameOf(w.call(a).Op) }

// named returns a call with its rank and line in words.
func (w *matcher) named(a at) string {
	return fmt.Sprintf("%s of rank %d (line %d)", w.name(a), a.rank, w.line(a))
}

// lane is the messages from one process to another with one tag, which are received in the order of their sends.
type lane struct {
	from, to, tag int
	calls         [2][]at // that send, that receive
}

// The sides of a lane.
const (
	sends = iota
	receives
)

// post is the part of a call in a lane: it sends or receives the message with this number.
type post struct {
	lane   *lane
	side   int
	number int
}

// meetMessages finds the receive of each message. The error is that of the first call that is wrong.
func (w *matcher) meetMessages() error {
	for _, e := range w.posts() {
		here, others := e.lane.calls[e.side][e.number], e.lane.calls[1-e.side]
		if e.number >= len(others) {
			return w.wrong(here, "%s: %s", w.name(here), e.lane.lacks(e.side))
		}
		if e.side == receives {
			continue
		}
		to := others[e.number]
		sent, room := w.place(here, w.call(here).Send).Length, w.place(to, w.call(to).Recv).Length
		if room < sent {
			return w.wrong(to, "%s takes %d bytes, but the message has %d: %s", w.name(to), room, sent, w.named(here))
		}
		// A message is on its way once it is sent, unless the walk is strict or the call is MPI_Ssend.
		w.need(to).always = &gate{calls: e.lane.calls[sends][e.number:][:1]}
		w.need(here).strict = &gate{calls: others[e.number:][:1]}
		if w.call(here).Op == mpi.Ssend {
			w.need(here).always = w.need(here).strict
		}
	}
	return nil
}

// posts returns the parts that all calls have in lanes, in the order of the ranks and of their calls.
func (w *matcher) posts() (list []post) {
	type way struct{ from, to, tag int }
	lanes := map[way]*lane{}
	for rank, r := range w.ranks {
		for i, c := range r.Calls {
			if c.Op.Family() != mpi.PointToPoint {
				continue
			}
			here := at{int32(rank), int32(i)}
			for side, span := range [...]mpi.Span{sends: c.Send, receives: c.Recv} {
				if span.Count == 0 {
					continue
				}
				x := way{rank, w.place(here, span).Peer, c.Tag}
				if side == receives {
					x.from, x.to = x.to, x.from
				}
				if lanes[x] == nil {
					lanes[x] = &lane{from: x.from, to: x.to, tag: x.tag}
				}
				calls := &lanes[x].calls[side]
				list = append(list, post{lanes[x], side, len(*calls)})
				*calls = append(*calls, here)
			}
		}
	}
	return list
}

// lacks says that the other side of a lane has too few calls.
func (l *lane) lacks(side int) string {
	count := noMore(len(l.calls[1-side]))
	if side == sends {
		return fmt.Sprintf("rank %d receives %s from rank %d with tag %d", l.to, count, l.from, l.tag)
	}
	return fmt.Sprintf("rank %d sends %s to rank %d with tag %d", l.from, count, l.to, l.tag)
}

// noMore returns a number of messages that is too small, in words.
func noMore(count int) string {
	switch count {
	case 0:
		return "no message"
	case 1:
		return "only 1 message"
	}
	return fmt.Sprintf("only %d messages", count)
}

// meetCollectives finds the collective calls that belong together, and compares them with those of rank 0.
func (w *matcher) meetCollectives() error {
	var rounds [][]at // each with the calls of the ranks so far
	for rank, r := range w.ranks {
		count := 0
		for i, c := range r.Calls {
			if !isCollective(c.Op) {
				continue
			}
			here := at{int32(rank), int32(i)}
			if rank == 0 {
				rounds = append(rounds, nil)
			}
			if count == len(rounds) {
				return w.wrong(here, "%s: rank 0 makes only %d collective calls", w.name(here), count)
			}
			rounds[count] = append(rounds[count], here)
			if err := w.alike(here, rounds[count][0]); err != nil {
				return err
			}
			count++
		}
		if count < len(rounds) {
			first := rounds[count][0]
			return w.wrong(first, "%s: rank %d makes only %d collective calls", w.name(first), rank, count)
		}
	}
	for _, calls := range rounds {
		if err := w.meet(calls); err != nil {
			return err
		}
	}
	return nil
}

// isCollective reports whether all processes must make a call.
func isCollective(op mpi.Op) bool {
	family := op.Family()
	return family == mpi.Collective || family == mpi.NonblockingCollective ||
		slices.Contains([]mpi.Op{mpi.WinFence, mpi.FileWriteAtAll, mpi.FileReadAtAll, mpi.FileSync}, op)
}

// alike returns an error if two collective calls can't be one.
func (w *matcher) alike(here, first at) error {
	c, other := w.call(here), w.call(first)
	switch {
	case c.Op != other.Op:
		return w.wrong(here, "%s meets %s", w.name(here), w.named(first))
	case c.Root != other.Root:
		return w.wrong(here, "%s has root %d, the one of rank 0 (line %d) has root %d", w.name(here), c.Root,
			w.line(first), other.Root)
	case !c.Op.Reduces():
		return nil
	case c.Reduce != other.Reduce || w.place(here, c.Send).Type != w.place(first, other.Send).Type:
		return w.wrong(here, "%s combines other elements than rank 0 (line %d), or in another way", w.name(here),
			w.line(first))
	}
	return nil
}

// meet notes what the calls of one round need, and returns an error unless each process sends as much to each other one
// as that receives. Unless the walk is strict, a root that sends leaves when it wants, and others than a root that
// receives do.
func (w *matcher) meet(calls []at) error {
	first := w.call(calls[0])
	all := &gate{calls: calls}
	rootSends, rootReceives := first.Op.AtRoot()
	root := calls[first.Root:][:1]
	from, to := calls, calls
	for _, here := range calls {
		x, isRoot := w.need(here), here == root[0]
		x.strict = all
		switch {
		case !rootSends && !rootReceives, rootReceives && isRoot:
			x.always = all
		case rootSends && !isRoot:
			x.always = &gate{calls: root}
		}
	}
	switch {
	case rootSends:
		from, to = root, slices.Delete(slices.Clone(calls), first.Root, first.Root+1)
	case rootReceives:
		to = root
	}
	return w.lengths(from, to)
}

// lengths returns an error unless each of some calls passes as much to each of others as that takes.
func (w *matcher) lengths(from, to []at) error {
	send, recv := w.call(from[0]).Op.Parts()
	if send == mpi.No {
		return nil
	}
	for k, a := range from {
		if k > 0 && even(send) && even(recv) {
			to = to[:min(1, len(to))] // all parts of a process are alike
		}
		for _, b := range to {
			if sent, got := w.part(a, true, b), w.part(b, false, a); sent != got {
				return w.wrong(b, "%s takes %d bytes of rank %d, which passes %d (line %d)", w.name(b), got, a.rank,
					sent, w.line(a))
			}
		}
	}
	return nil
}

// even reports whether all parts of a side have the same length.
func even(p mpi.Parts) bool { return p == mpi.Whole || p == mpi.Equal }

// part returns the bytes that a process sends to another one in a collective call, or receives from it.
func (w *matcher) part(a at, sends bool, other at) int64 {
	c := w.call(a)
	span := c.Send
	kind, recv := c.Op.Parts()
	if !sends {
		span, kind = c.Recv, recv
	}
	places := w.ranks[a.rank].Places[span.First:][:span.Count]
	switch kind {
	case mpi.Whole:
		return places[0].Length
	case mpi.Equal:
		return places[0].Length / int64(len(w.ranks))
	}
	return places[other.rank].Length
}
