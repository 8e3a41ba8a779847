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
		w.ranks = append(w.ranks, newWalker(p))
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
	rounds []round // collective calls, which all processes make in one order
	strict bool    // nothing is buffered, and all collective calls synchronize
	ready  []int   // ranks that may be able to go on
}

// walker is one process.
type walker struct {
	*Program
	sent, got []at        // of each call: the call that receives its message, and the one that sends it
	round     map[int]int // of each collective call

	begun  int          // calls that have begun
	ended  int          // calls that have ended
	open   []int        // calls whose requests no MPI_Waitall has completed
	closed map[int]bool // calls whose requests an MPI_Wait has completed
	ready  bool         // the process is in the matcher's list
}

// newWalker returns a process whose calls don't know each other yet.
func newWalker(p *Program) *walker {
	w := &walker{Program: p, sent: make([]at, len(p.Calls)), got: make([]at, len(p.Calls)), round: map[int]int{}}
	for i := range p.Calls {
		w.sent[i], w.got[i] = nowhere, nowhere
	}
	return w
}

// at is a call of a process.
type at struct{ rank, call int32 }

// nowhere is no call.
var nowhere = at{-1, -1}

// round is a collective call of all processes.
type round struct {
	calls   []at // of each rank, as far as they have one
	root    int  // -1: it has none
	sends   bool // the root alone sends
	arrived int  // processes that are in it
	late    int  // lowest rank that may not be in it
}

// wrong returns an error at a call.
func (w *matcher) wrong(a at, format string, args ...any) error {
	return &Error{w.file.Source, w.line(a), int(a.rank), fmt.Errorf(format, args...)}
}

// call returns a call.
func (w *matcher) call(a at) *mpi.Call { return &w.ranks[a.rank].Calls[a.call] }

// place returns the place of a message.
func (w *matcher) place(a at, s mpi.Span) *Place { return &w.ranks[a.rank].Places[s.First] }

// named returns a call with its rank and line in words.
func (w *matcher) named(a at) string {
	return fmt.Sprintf("%s of rank %d (line %d)", nameOf(w.call(a).Op), a.rank, w.line(a))
}

// line returns the line of a call.
func (w *matcher) line(a at) int { return w.ranks[a.rank].Lines[a.call] }

// nameOf returns the name of a call as files have it.
func nameOf(op mpi.Op) string {
	for name, c := range calls {
		if c.op == op {
			return name
		}
	}
	return op.String()
}

// channel is a way that messages take in order.
type channel struct{ from, to, tag int }

// meetMessages finds the receive of each message.
func (w *matcher) meetMessages() error {
	sends, receives := map[channel][]at{}, map[channel][]at{}
	for rank, r := range w.ranks {
		for i, c := range r.Calls {
			if c.Op.Family() != mpi.PointToPoint {
				continue
			}
			here := at{int32(rank), int32(i)}
			if c.Send.Count > 0 {
				way := channel{rank, w.place(here, c.Send).Peer, c.Tag}
				sends[way] = append(sends[way], here)
			}
			if c.Recv.Count > 0 {
				way := channel{w.place(here, c.Recv).Peer, rank, c.Tag}
				receives[way] = append(receives[way], here)
			}
		}
	}
	if err := w.counts(sends, receives); err != nil {
		return err
	}
	for rank, r := range w.ranks { // in order, so that the error is the same each time
		taken := map[channel]int{}
		for i, c := range r.Calls {
			if c.Op.Family() != mpi.PointToPoint || c.Send.Count == 0 {
				continue
			}
			from := at{int32(rank), int32(i)}
			place := w.place(from, c.Send)
			way := channel{rank, place.Peer, c.Tag}
			to := receives[way][taken[way]]
			taken[way]++
			if room := w.place(to, w.call(to).Recv).Length; room < place.Length {
				return w.wrong(to, "%s takes %d bytes, but the message has %d: %s", nameOf(w.call(to).Op), room,
					place.Length, w.named(from))
			}
			w.ranks[from.rank].sent[from.call], w.ranks[to.rank].got[to.call] = to, from
		}
	}
	return nil
}

// counts returns an error at the first message or receive that has no counterpart.
func (w *matcher) counts(sends, receives map[channel][]at) error {
	first, reason := nowhere, ""
	alone := func(some, others map[channel][]at, text func(way channel, count int) string) {
		for way, list := range some {
			count := len(others[way])
			if len(list) <= count {
				continue
			}
			if a := list[count]; first == nowhere || a.rank < first.rank ||
				a.rank == first.rank && a.call < first.call {
				first, reason = a, text(way, count)
			}
		}
	}
	alone(sends, receives, func(way channel, count int) string {
		return fmt.Sprintf("rank %d receives %s from rank %d with tag %d", way.to, noMore(count), way.from, way.tag)
	})
	alone(receives, sends, func(way channel, count int) string {
		return fmt.Sprintf("rank %d sends %s to rank %d with tag %d", way.from, noMore(count), way.to, way.tag)
	})
	if first == nowhere {
		return nil
	}
	return w.wrong(first, "%s: %s", nameOf(w.call(first).Op), reason)
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
	for rank, r := range w.ranks {
		count := 0
		for i, c := range r.Calls {
			if !isCollective(c.Op) {
				continue
			}
			here := at{int32(rank), int32(i)}
			if rank == 0 {
				w.rounds = append(w.rounds, newRound(c))
			}
			if count == len(w.rounds) {
				return w.wrong(here, "%s: rank 0 makes only %d collective calls", nameOf(c.Op), count)
			}
			x := &w.rounds[count]
			x.calls = append(x.calls, here)
			if err := w.alike(here, x.calls[0]); err != nil {
				return err
			}
			r.round[i] = count
			count++
		}
		if count < len(w.rounds) {
			return w.wrong(w.rounds[count].calls[0], "%s: rank %d makes only %d collective calls",
				nameOf(w.call(w.rounds[count].calls[0]).Op), rank, count)
		}
	}
	for i := range w.rounds {
		if err := w.lengths(&w.rounds[i]); err != nil {
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

// newRound returns the round of a collective call.
func newRound(c mpi.Call) round {
	sends, receives := c.Op.AtRoot()
	if !sends && !receives {
		return round{root: -1}
	}
	return round{root: c.Root, sends: sends}
}

// alike returns an error if two collective calls can't be one.
func (w *matcher) alike(here, first at) error {
	c, other := w.call(here), w.call(first)
	switch {
	case c.Op != other.Op:
		return w.wrong(here, "%s meets %s", nameOf(c.Op), w.named(first))
	case c.Root != other.Root:
		return w.wrong(here, "%s has root %d, the one of rank 0 (line %d) has root %d", nameOf(c.Op), c.Root,
			w.line(first), other.Root)
	case !c.Op.Reduces():
		return nil
	case c.Reduce != other.Reduce || w.place(here, c.Send).Type != w.place(first, other.Send).Type:
		return w.wrong(here, "%s combines other elements than rank 0 (line %d), or in another way", nameOf(c.Op),
			w.line(first))
	}
	return nil
}

// lengths returns an error unless each process of a round sends as much to each other one as that receives.
func (w *matcher) lengths(x *round) error {
	op := w.call(x.calls[0]).Op
	send, recv := op.Parts()
	if send == mpi.No {
		return nil
	}
	from, to := x.members()
	for k, i := range from {
		others := to
		if k > 0 && even(send) && even(recv) {
			others = to[:1] // all parts of a process are alike
		}
		for _, j := range others {
			if sent, got := w.part(x.calls[i], true, j), w.part(x.calls[j], false, i); sent != got {
				return w.wrong(x.calls[j], "%s takes %d bytes of rank %d, which passes %d (line %d)", nameOf(op), got,
					i,
					sent, w.line(x.calls[i]))
			}
		}
	}
	return nil
}

// even reports whether all parts of a side have the same length.
func even(p mpi.Parts) bool { return p == mpi.Whole || p == mpi.Equal }

// members returns the ranks whose data a round moves, and those that it moves them to.
func (x *round) members() (from, to []int) {
	all := make([]int, len(x.calls))
	for i := range all {
		all[i] = i
	}
	switch {
	case x.root < 0:
		return all, all
	case x.sends:
		return []int{x.root}, slices.Delete(slices.Clone(all), x.root, x.root+1)
	}
	return all, []int{x.root}
}

// part returns the bytes that a process sends to another one in a collective call, or receives from it.
func (w *matcher) part(a at, sends bool, other int) int64 {
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
	return places[other].Length
}
