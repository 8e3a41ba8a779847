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

// request is a nonblocking collective call of a program as one member sees it. It is made once and used in each loop.
type request struct {
	comm *comm
	now  *ongoing // since the start of the call
}

// ongoing is one call of all members.
type ongoing struct {
	segment *segment
	shown   []shown // of the members
	parts   []share // of the members
	works   bool    // the parts have work to do; false in a barrier
	handed  atomic.Bool
	_       [line]byte
	arrived atomic.Int64 // members that have started the call
	_       [line]byte
	taken   atomic.Int64 // parts that helpers have looked at
	_       [line]byte
	done    atomic.Int64 // parts
	_       [line]byte
}

// share is one member's part of a call's work.
type share struct {
	claimed atomic.Bool // someone does it, or has done it
	refused error       // of the work
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
		s.leave()
	}
}

// leave notes that a member or helper has done with the segment. The last one clears it, so that it can be used again.
func (s *segment) leave() {
	if s.users.Add(-1) > 0 {
		return
	}
	s.next.Store(nil)
	clear(s.left)
	for i := range s.calls {
		o := &s.calls[i]
		o.handed.Store(false)
		o.arrived.Store(0)
		o.taken.Store(0)
		o.done.Store(0)
		clear(o.shown)
		for j := range o.parts {
			o.parts[j].claimed.Store(false)
			o.parts[j].refused = nil
		}
	}
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
	rec.starts.now = o
	m := &o.shown[c.number]
	m.record, m.root = rec, rec.call.RootIn(x.loop, c.Size())
	if c.number == 0 {
		o.works = rec.move != nil
	}
	if o.arrived.Add(1) == int64(len(o.shown)) {
		o.wake()
	}
	return nil
}

func (o *ongoing) wake() {
	for _, r := range o.segment.group.members {
		r.wake()
	}
}

// begun reports whether all members have started the call.
func (o *ongoing) begun() bool { return o.arrived.Load() == int64(len(o.shown)) }

// ended reports whether all parts are done.
func (o *ongoing) ended() bool { return o.done.Load() == int64(len(o.parts)) }

// perform does a member's part, unless someone does or has done it.
func (o *ongoing) perform(i int) {
	p := &o.parts[i]
	if p.claimed.Load() || !p.claimed.CompareAndSwap(false, true) {
		return
	}
	w := work{record: o.shown[i].record, me: i, root: o.shown[i].root, members: o.shown}
	p.refused = w.run()
	if o.done.Add(1) == int64(len(o.parts)) {
		o.wake()
	}
}

// help does the parts that nobody does.
func (o *ongoing) help() {
	for {
		i := o.taken.Add(1) - 1
		if i >= int64(len(o.parts)) {
			return
		}
		o.perform(int(i))
	}
}

// handOver lets helpers do the work of calls that have begun, while this rank computes.
func handOver(requests []*request) {
	for _, q := range requests {
		o := q.now
		if !o.begun() || !o.works || o.handed.Load() || !o.handed.CompareAndSwap(false, true) {
			continue
		}
		o.segment.users.Add(1) // this rank hasn't left, so others are there still
		go func() {
			o.help()
			o.segment.leave()
		}()
	}
}

// met reports whether all members have started the call.
func (q *request) met() bool { return q.now.begun() }

// performed is the condition that all parts of a request's call are done.
type performed request

func (p *performed) met() bool { return p.now.ended() }

// finish completes a request.
func (r *rank) finish(q *request, op mpi.Op) error {
	if err := r.await(q); err != nil {
		return err
	}
	o, me := q.now, q.comm.number
	if o.works {
		o.perform(me)
		if err := r.awaitParts(q); err != nil {
			return err
		}
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
		if q.now.ended() {
			return nil
		}
	}
	q.now.help()
	return r.await((*performed)(q))
}
