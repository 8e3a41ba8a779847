package local

import (
	"sync/atomic"

	"github.com/effective-bandwidth/beff/mpi"
)

// A nonblocking collective call begins once all members have started it. From then on each member's part of the work
// (collective.go) may be done by anyone: a member does its own part when it waits, and others' parts when they don't
// come to do them. A member that goes on to compute hands the call over to a helper, a goroutine of its own. So the
// work overlaps with computing if a core is free for the helper, and not if the members compute on all of them. A
// program that doesn't compute beside its calls has no helpers, which would only take its cores.
//
// MPI_Ialltoallv is messages, as its blocking form is (carrier.go).

// request is a nonblocking collective call of a program as one member sees it. It is made once and used in each loop.
type request struct {
	comm *comm
	now  *ongoing // since the start of the call
	mine *shown   // this member's entry there
}

// ongoing is one call of all members. It is used again and again, and its counters go on counting: cleared, their cache
// lines would have to come to the core that clears them. Each member knows their values by its own entry in shown.
type ongoing struct {
	segment *segment
	shown   []shown // of the members
	parts   []share // of the members
	handed  atomic.Int64
	_       [line]byte
	arrived atomic.Int64 // starts of the call by all members
	_       [line]byte
	taken   atomic.Int64 // parts that helpers have looked at; see take
	_       [line]byte
	done    atomic.Int64 // parts
	_       [line]byte
}

// share is one member's part of a call's work.
type share struct {
	claimed atomic.Int64 // the last round in which someone does it, or has done it
	refused error        // of the work of that round
	_       [line - 24]byte
}

// segment holds some calls of a group, one after the other. The segments are a list, on which each member goes forward
// by itself. Members may start any number of calls before others have started them, and wait for them in any order.
type segment struct {
	group *group
	next  atomic.Pointer[segment]
	calls []ongoing
	left  []leaving    // of the members
	users atomic.Int64 // members and helpers that may still use the segment
}

// leaving counts what a member has done with in a segment: the calls that it has waited for, and the start of the first
// one behind.
type leaving struct {
	count int
	_     [line - 8]byte
}

// newSegment makes a segment of as many calls as take a moderate amount of memory.
func newSegment(g *group) *segment {
	n := len(g.members)
	s := &segment{group: g, calls: make([]ongoing, max(1, min(16, 256/n))), left: make([]leaving, n)}
	for i := range s.calls {
		s.calls[i] = ongoing{segment: s, shown: make([]shown, n), parts: make([]share, n)}
	}
	return s
}

// following returns the segment after s. The first member that comes there makes it, of an earlier one if possible.
func (g *group) following(s *segment) *segment {
	g.mu.Lock()
	defer g.mu.Unlock()
	next := s.next.Load()
	switch n := len(g.spare); {
	case next != nil:
		return next
	case n > 0:
		next, g.spare = g.spare[n-1], g.spare[:n-1]
	default:
		next = newSegment(g)
	}
	next.users.Store(int64(len(g.members)))
	s.next.Store(next)
	return next
}

// count notes one thing that a member has done with.
func (s *segment) count(me int) {
	if len(s.calls) == 0 { // the beginning of the list
		return
	}
	if s.left[me].count++; s.left[me].count > len(s.calls) {
		s.left[me].count = 0
		s.leave()
	}
}

// leave notes that a member or helper has done with the segment. After the last one it can be used again.
func (s *segment) leave() {
	if s.users.Add(-1) > 0 {
		return
	}
	s.next.Store(nil)
	s.group.mu.Lock()
	s.group.spare = append(s.group.spare, s)
	s.group.mu.Unlock()
}

// next returns the group's call after the one that the rank has started last.
func (c *comm) next() *ongoing {
	if c.started == len(c.segment.calls) {
		before := c.segment
		if c.segment = before.next.Load(); c.segment == nil {
			c.segment = c.group.following(before)
		}
		c.started = 0
		before.count(c.number)
	}
	c.started++
	return &c.segment.calls[c.started-1]
}

// startCollective starts a nonblocking collective call.
func startCollective(x *runner, rec *record) error {
	c := rec.comm
	o := c.next()
	m := &o.shown[c.number]
	rec.starts.now, rec.starts.mine = o, m
	m.record, m.root = rec, rec.call.RootIn(x.loop, c.Size())
	m.round++
	if rec.move != nil {
		m.worked++
	}
	if o.arrived.Add(1) == m.round*int64(len(o.shown)) {
		o.wake()
	}
	return nil
}

func (o *ongoing) wake() {
	for _, r := range o.segment.group.members {
		r.wake()
	}
}

// perform does a member's part, unless someone does or has done it. all is the count of done at which all are.
func (o *ongoing) perform(i int, all int64) {
	p, m := &o.parts[i], &o.shown[i]
	if last := p.claimed.Load(); last == m.round || !p.claimed.CompareAndSwap(last, m.round) {
		return
	}
	w := work{record: m.record, me: i, root: m.root, members: o.shown}
	p.refused = w.run()
	if o.done.Add(1) == all {
		o.wake()
	}
}

// help does the parts that nobody does.
func (o *ongoing) help(all int64) {
	for i := o.take(); i < len(o.parts); i = o.take() {
		o.perform(i, all)
	}
}

// take returns the next part that no helper has looked at, or more than there are.
func (o *ongoing) take() int {
	const shift = 32 // the round stands above the number of the part
	first := o.shown[0].round << shift
	for {
		last := o.taken.Load()
		next := max(last, first) + 1
		if o.taken.CompareAndSwap(last, next) {
			return int(next - 1 - first)
		}
	}
}

// handOver lets helpers do the work of calls that have begun, while this rank computes.
func handOver(requests []*request) {
	for _, q := range requests {
		o, round, all := q.now, q.mine.round, q.all()
		last := o.handed.Load()
		if !q.met() || !q.works() || last == round || !o.handed.CompareAndSwap(last, round) {
			continue
		}
		o.segment.users.Add(1) // this rank hasn't left, so others are there still
		go func() {
			o.help(all)
			o.segment.leave()
		}()
	}
}

// works reports whether the call has work to do: it is no barrier.
func (q *request) works() bool { return q.mine.move != nil }

// met reports whether all members have started the call.
func (q *request) met() bool { return q.now.arrived.Load() == q.mine.round*int64(len(q.now.shown)) }

// all returns the count of the call's done parts at which all are.
func (q *request) all() int64 { return q.mine.worked * int64(len(q.now.parts)) }

// performed is the condition that all parts of a request's call are done.
type performed request

func (p *performed) met() bool { return p.now.done.Load() == (*request)(p).all() }

// finish completes a request.
func (r *rank) finish(q *request, op mpi.Op) error {
	if !q.met() {
		if err := r.await(q); err != nil {
			return err
		}
	}
	o, me := q.now, q.comm.number
	if !q.works() {
		o.segment.count(me)
		return nil
	}
	o.perform(me, q.all())
	if err := r.awaitParts(q); err != nil {
		return err
	}
	refused := o.parts[me].refused
	o.segment.count(me)
	if refused != nil {
		return q.comm.fail(op.String(), errTruncate, refused.Error())
	}
	return nil
}

// awaitParts returns once all parts are done. Other members may compute instead of doing theirs, so after a while it
// does what nobody has begun to do.
func (r *rank) awaitParts(q *request) error {
	for range r.world.patience {
		if (*performed)(q).met() {
			return nil
		}
	}
	q.now.help(q.all())
	return r.await((*performed)(q))
}
