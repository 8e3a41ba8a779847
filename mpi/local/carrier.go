package local

import (
	"slices"
	"sync/atomic"
)

// carrier is a helper that goes on with a rank's messages while the rank computes: those of open calls of
// MPI_Ialltoallv. Messages of point-to-point calls alone have none. As in most MPI libraries, they move on in calls.
type carrier struct {
	sends []*send
	recvs []*receive

	state    atomic.Int32
	recalled atomic.Bool
	ended    chan struct{} // a message when the helper has ended
}

// The states of a carrier.
const (
	idle int32 = iota
	asked
	carrying
)

// begin starts the helper, which takes the rank's place in the message passing until end.
func (c *carrier) begin(r *rank) {
	if c == nil || c.met() {
		return
	}
	c.state.Store(asked)
	go func() {
		if c.state.CompareAndSwap(asked, carrying) {
			_ = r.await(c) // after an abort the rank finds out by itself
			c.ended <- struct{}{}
		}
	}()
}

// end waits for the helper. One that hasn't got a core yet doesn't begin any more.
func (c *carrier) end(r *rank) {
	if c == nil || c.state.Load() == idle || c.state.CompareAndSwap(asked, idle) {
		return
	}
	c.recalled.Store(true)
	r.wake()
	<-c.ended
	c.recalled.Store(false)
	c.state.Store(idle)
}

// met reports whether the messages have been delivered, or the rank wants to go on.
func (c *carrier) met() bool {
	return c.recalled.Load() ||
		!slices.ContainsFunc(c.recvs, func(q *receive) bool { return !q.met() }) &&
			!slices.ContainsFunc(c.sends, func(s *send) bool { return !s.met() })
}
