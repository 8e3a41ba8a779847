package local

import (
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
)

// record is a call of a compiled program with its operands.
type record struct {
	do      func(*runner, *record) error
	op      mpi.Op
	from    []*place // places of Call.Send
	into    []*place // places of Call.Recv
	sends   []*send  // messages to begin, to complete, or both
	recvs   []*receive
	comm    *comm
	seconds float64
	root    int
	starts  *request   // request that a nonblocking collective call starts
	waits   []*request // requests that the call completes
	// Most records of a long program don't have these.
	*common
	*transfer
}

// compiler makes the records of one program.
type compiler struct {
	rank   *rank
	comm   *comm
	signal *comm // nil if the program has none
	places []*place
	given  []mpi.Place // the program's places
	open   []int       // calls of the section whose requests are open
	made   []record
}

func (r *rank) Compile(p *mpi.Program) (mpi.Runner, error) {
	if err := r.world.check(); err != nil {
		return nil, err
	}
	if err := mpi.CheckSupport(r, p); err != nil {
		return nil, fmt.Errorf("compile: %w", err)
	}
	x, err := r.compile(p)
	if err != nil {
		return nil, fmt.Errorf("compile: %w", err)
	}
	return x, nil
}

func (r *rank) compile(p *mpi.Program) (*runner, error) {
	var b compiler
	var start *comm
	var err error
	if b.comm, err = r.own(p.Comm); err != nil {
		return nil, err
	}
	if p.Comm != nil {
		p = p.Expanded(p.Comm.Rank(), p.Comm.Size())
	}
	b.rank, b.given, b.places = r, p.Places, make([]*place, 0, len(p.Places))
	if start, err = r.own(p.Start); err != nil {
		return nil, err
	}
	if b.signal, err = r.own(p.Signal); err != nil {
		return nil, err
	}
	for i, place := range p.Places {
		if err := b.place(place); err != nil {
			return nil, fmt.Errorf("place %d: %w", i, err)
		}
	}
	var made [3][]record
	for n, section := range p.Sections() {
		b.open, b.made = b.open[:0], make([]record, 0, len(section))
		for i, call := range section {
			if err := b.call(i, call); err != nil {
				return nil, fmt.Errorf("call %d (%v): %w", i, call.Op, err)
			}
		}
		made[n] = b.made
	}
	return newRunner(r, start, made, b.places), nil
}

// own returns c as a communicator of this rank, or an error if it isn't one or can't be used. Nil is allowed.
func (r *rank) own(c mpi.Comm) (*comm, error) {
	if c == nil {
		return nil, nil
	}
	own, ok := c.(*comm)
	if !ok || own == nil || own.rank != r {
		return nil, fmt.Errorf("the communicator doesn't belong to rank %d", r.number)
	}
	return own, own.usable("compile", 0)
}

func (b *compiler) place(p mpi.Place) error {
	made := &place{index: len(b.places), length: int(p.Length), at: p.Offset, kind: p.Type, peer: p.Peer,
		layout: newLayout(p)}
	if p.Advance > 0 {
		run := p // with the same positions
		run.Length, run.Pieces, run.Form = p.Extent(), nil, mpi.Basic
		made.moves = &run
	}
	switch space := p.Space.(type) {
	case *buffer:
		made.memory, made.walker, made.step = space.memory, &space.walker, int(p.Step)
		end := p.Offset + p.Extent()
		made.data = space.memory[p.Offset:end:end]
		made.mark = newMark(p.Mark, made.length)
	case *window:
		if space.comm.rank != b.rank || space.closed {
			return fmt.Errorf("the window is not open on rank %d", b.rank.number)
		}
		made.inWindow(space, p)
	case *file:
		if space.comm.rank != b.rank || space.closed {
			return fmt.Errorf("the file is not open on rank %d", b.rank.number)
		}
		made.file = space
	case *paths:
		if space.rank != b.rank {
			return fmt.Errorf("the paths don't belong to rank %d", b.rank.number)
		}
		made.paths = space
	default:
		return fmt.Errorf("the space is not a buffer, window, file or paths of this engine")
	}
	b.places = append(b.places, made)
	return nil
}

// call adds the record of call number i.
func (b *compiler) call(i int, c mpi.Call) error {
	from := b.places[c.Send.First:][:c.Send.Count]
	into := b.places[c.Recv.First:][:c.Recv.Count]
	rec := record{do: callOf(c.Op), op: c.Op, from: from, into: into, comm: b.comm, seconds: c.Seconds, root: c.Root}
	switch c.Op {
	case mpi.Walk, mpi.Stamp, mpi.Check, mpi.Send, mpi.Recv, mpi.Sendrecv, mpi.Isend, mpi.Irecv, mpi.Wait, mpi.Waitall,
		mpi.Alltoallv:
	default:
		rec.common = &common{call: c}
	}
	if c.Op.Family() == mpi.OneSided {
		if err := into[0].target(b.given[c.Recv.First]); err != nil {
			return err
		}
	}
	if c.Op == mpi.WinCreate || c.Op == mpi.WinFree {
		if err := into[0].window.changeable(c.Op.String()); err != nil {
			return err
		}
	}
	if c.Op.OnPath() || len(into) > 0 && into[0].paths != nil {
		rec.do = onPath
	} else if c.Op.OnFile() {
		if err := b.transfer(&rec); err != nil {
			return err
		}
	} else if c.Op != mpi.Walk && slices.ContainsFunc(slices.Concat(from, into),
		func(p *place) bool { return p.file != nil }) {
		return fmt.Errorf("a file is not memory")
	}
	switch c.Op {
	case mpi.Send, mpi.Ssend, mpi.Rsend, mpi.Recv, mpi.Sendrecv, mpi.SendrecvReplace, mpi.Notify, mpi.Isend,
		mpi.Irecv, mpi.SendInit, mpi.RecvInit, mpi.SendLarge, mpi.RecvLarge:
		b.messages(&rec, b.comm.group.context, c.Tag)
	case mpi.PsendInit, mpi.PrecvInit:
		b.messages(&rec, b.comm.group.context+1, partitioned-c.Tag)
		rec.unready = c.Parts
	case mpi.Pready, mpi.PreadyRange, mpi.Parrived:
		b.partsOf(&rec, &c)
	case mpi.Test: // it makes progress with all messages, whichever request it names
	case mpi.WinPost, mpi.WinStart, mpi.WinComplete, mpi.WinWait:
		b.handshake(&rec)
	case mpi.Wait:
		b.complete(&rec, c.Of)
		b.open = slices.DeleteFunc(b.open, func(i int) bool { return i == c.Of })
	case mpi.Waitall:
		b.complete(&rec, b.open...)
		b.open = b.open[:0]
	case mpi.StopOnSignal:
		rec.signalState = newSignalState(b.signal)
	case mpi.Exploit:
		rec.exploited = newExploited(c.Times)
	default:
		if c.Op.PerPeer() {
			b.scattered(&rec)
		} else {
			b.collective(&rec, c)
		}
	}
	if c.Op.Starts() {
		b.open = append(b.open, i)
	}
	b.made = append(b.made, rec)
	return nil
}

// collective sets the parameters of a collective call.
func (b *compiler) collective(rec *record, c mpi.Call) {
	if c.Op.Family() == mpi.NonblockingCollective {
		rec.starts = &request{comm: b.comm}
	}
	given, taken := c.Op.Parts()
	if given == mpi.No {
		return
	}
	rec.given, rec.taken = given, taken
	rec.move = moves[c.Op.Blocking()]
	rec.from, rec.into = b.side(c.Send, rec.given), b.side(c.Recv, rec.taken)
	if form := b.given[c.Send.First]; form.Form.Stride() > 1 {
		rec.gap = int(form.Type.Size())
	}
	if c.InPlace && c.Op.Reduces() {
		rec.scratch = make([]byte, block)
	}
}

// side returns the places of one side of a collective call, for a vector call in the order of the ranks.
func (b *compiler) side(s mpi.Span, parts mpi.Parts) []*place {
	side := slices.Clone(b.places[s.First:][:s.Count])
	if parts == mpi.Vector {
		slices.SortFunc(side, func(p, q *place) int { return p.peer - q.peer })
	}
	return side
}

// transfer sets the file, the memory and the direction of a file call. The call must move whole elements of the file's
// view.
func (b *compiler) transfer(rec *record) error {
	reads := rec.op.Reads()
	f, memory := rec.into, rec.from
	if reads {
		f, memory = memory, f
	}
	rec.transfer = &transfer{file: f[0].file}
	if rec.op.Family() == mpi.FileState {
		return nil
	}
	given, unit := b.given[f[0].index], unitOf(rec.file.view)
	if given.Offset%unit != 0 || given.Advance%unit != 0 || given.Length%unit != 0 {
		return fmt.Errorf("%d bytes at %d, advancing by %d, of a file of elements of %d bytes", given.Length,
			given.Offset, given.Advance, unit)
	}
	rec.memory, rec.place, rec.write = memory[0], f[0], !reads
	return nil
}

// receiving are the calls that only receive a message.
var receiving = []mpi.Op{mpi.Recv, mpi.Irecv, mpi.RecvInit, mpi.PrecvInit, mpi.RecvLarge}

// messages makes the messages of a point-to-point call. It ignores places in a span that the call doesn't use.
func (b *compiler) messages(rec *record, context uint32, tag int) {
	sends := !slices.Contains(receiving, rec.op)
	if sends {
		b.sends(rec, rec.from[:1], context, tag)
	}
	if !sends || rec.op == mpi.Sendrecv || rec.op == mpi.SendrecvReplace || rec.op == mpi.Notify {
		b.receives(rec, rec.into[:1], context, tag)
	}
}

// partitioned is the tag of partitioned messages to which the program gives tag 0. Tag n of a program becomes
// partitioned - n. These messages are in the group's second context, whose other messages have no negative tags, so
// they match neither the other messages nor messages of one part (MPI 4.1, 4.2).
const partitioned = -1

// partsOf compiles a call on the parts of a message. The call that makes the last part ready sends the whole message,
// because the receiver may divide it into other parts. The order of the calls is known here, so the last one is known,
// too.
func (b *compiler) partsOf(rec *record, c *mpi.Call) {
	message := &b.made[c.Of]
	if c.Op == mpi.Parrived {
		rec.recvs = message.recvs
		return
	}
	if _, n := c.Ready(); message.unready > n {
		message.unready -= n
		return
	}
	rec.sends = message.sends
}

// handshake makes the empty message by which two processes synchronize a window, from WinPost to WinStart or from
// WinComplete to WinWait. The window's communicator is the program's.
func (b *compiler) handshake(rec *record) {
	const posted, completed = 2, 3
	context, tag := b.comm.group.context+1, posted
	if rec.op == mpi.WinComplete || rec.op == mpi.WinWait {
		tag = completed
	}
	nothing := []*place{{peer: rec.into[0].peer}}
	if rec.op == mpi.WinPost || rec.op == mpi.WinComplete {
		b.sends(rec, nothing, context, tag)
	} else {
		b.receives(rec, nothing, context, tag)
	}
}

// scattered makes the messages of a collective call in which each process names its peers. A place of length 0 has no
// message, because the other side of an Alltoallv doesn't have to name it (MPI 4.1, 6.8). Each call has its own tag,
// because different calls must not match, not even the blocking and the nonblocking form of one call (MPI 4.1, 6.12).
func (b *compiler) scattered(rec *record) {
	const first = 4 // after the tags of handshakes
	context, tag := b.comm.group.context+1, first+int(rec.op)
	b.sends(rec, filled(rec.from), context, tag)
	b.receives(rec, filled(rec.into), context, tag)
}

// filled returns the places that have a length and a peer.
func filled(places []*place) []*place {
	empty := func(p *place) bool { return p.length == 0 || p.peer == mpi.Nobody }
	if !slices.ContainsFunc(places, empty) {
		return places
	}
	return slices.DeleteFunc(slices.Clone(places), empty)
}

// sends adds a message from each place to rec.
func (b *compiler) sends(rec *record, places []*place, context uint32, tag int) {
	for _, p := range places {
		s := &send{place: p, out: b.rank.outbox(b.comm.group.members[p.peer]), context: context, tag: tag,
			meets: rec.op == mpi.Ssend}
		if p.layout != nil || rec.op == mpi.SendrecvReplace { // in pieces, or replaced by the received message
			s.packed = make([]byte, p.length)
		}
		rec.sends = append(rec.sends, s)
	}
}

// receives adds a message into each place to rec.
func (b *compiler) receives(rec *record, places []*place, context uint32, tag int) {
	for _, p := range places {
		q := &receive{place: p, context: context, tag: tag}
		if p.peer != mpi.AnySource {
			q.in = b.rank.inbox(b.comm.group.members[p.peer])
		}
		rec.recvs = append(rec.recvs, q)
	}
}

// complete makes rec complete the requests of calls.
func (b *compiler) complete(rec *record, calls ...int) {
	for _, i := range calls {
		rec.sends = append(rec.sends, b.made[i].sends...)
		rec.recvs = append(rec.recvs, b.made[i].recvs...)
		if q := b.made[i].starts; q != nil {
			rec.waits = append(rec.waits, q)
		}
	}
}
