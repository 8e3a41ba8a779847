package local

import (
	"sync/atomic"

	"github.com/effective-bandwidth/beff/mpi"
)

// A nonblocking collective call begins when all members have started it. Each member then does its own part of the work
// (collective.go) during its next wait, whatever it waits for. A rank that computes makes no progress. A barrier has no
// work, and is done when all members have started it.
//
// MPI_Ialltoallv is messages, as its blocking form is.

// request is a nonblocking collective call of a program as one member sees it. It is made once and used in each loop.
type request struct {
	comm    *comm
	now     *ongoing // the call; set when it starts
	refused error    // the error of this member's part
}

// ongoing is one call, as all members share it.
type ongoing struct {
	calls   []memberCall // of the members
	started atomic.Int64 // members that have started the call
	done    atomic.Int64 // members that have done their part
	// The group's mu guards these.
	known int // members that have got the call from next
	left  int // members that don't use the call any more
}

// next returns the group's call that follows the last one the rank has started. Members may start any number of calls
// before others do, and wait for them in any order.
func (c *comm) next() *ongoing {
	g := c.group
	g.mu.Lock()
	defer g.mu.Unlock()
	o := g.ongoing[c.started]
	if n := len(g.spare); o == nil && n > 0 {
		o, g.spare = g.spare[n-1], g.spare[:n-1]
	} else if o == nil {
		o = &ongoing{calls: make([]memberCall, len(g.members))}
	}
	g.ongoing[c.started] = o
	if o.known++; o.known == len(g.members) {
		delete(g.ongoing, c.started)
	}
	c.started++
	return o
}

// leave notes that a member doesn't use a call any more. Once no member uses it, it can be reused.
func (g *group) leave(o *ongoing) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if o.left++; o.left == len(g.members) {
		o.started.Store(0)
		o.done.Store(0)
		o.known, o.left = 0, 0
		g.spare = append(g.spare, o)
	}
}

// startCollective starts a nonblocking collective call.
func startCollective(x *runner, rec *record) error {
	c, q := rec.comm, rec.starts
	q.now, q.refused = c.next(), nil
	q.now.calls[c.number] = memberCall{record: rec, root: rec.call.RootIn(x.loop, c.Size())}
	if rec.move == nil {
		q.now.done.Add(1)
	} else {
		x.rank.collectives = append(x.rank.collectives, q)
	}
	if q.now.started.Add(1) == int64(c.Size()) {
		c.group.wake()
	}
	return nil
}

// perform does the rank's part of the call if all members have started it, and reports whether they have.
func (q *request) perform() bool {
	o, n := q.now, int64(q.comm.Size())
	if o.started.Load() < n {
		return false
	}
	m := &o.calls[q.comm.number]
	w := work{record: m.record, me: q.comm.number, root: m.root, members: o.calls}
	q.refused = w.run()
	if o.done.Add(1) == n {
		q.comm.group.wake()
	}
	return true
}

// met reports whether all members have done their part.
func (q *request) met() bool {
	o := q.now
	if o.calls[q.comm.number].move == nil {
		return o.started.Load() == int64(len(o.calls))
	}
	return o.done.Load() == int64(len(o.calls))
}

// finish completes a request.
func (r *rank) finish(q *request, op mpi.Op) error {
	if err := r.await(q); err != nil {
		return err
	}
	q.comm.group.leave(q.now)
	if q.refused != nil {
		return q.comm.fail(op.String(), errTruncate, q.refused.Error())
	}
	return nil
}
