package local

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/effective-bandwidth/beff/mpi"
)

const (
	engine  = "local"
	library = "beff embedded engine"
	version = "0.1"
)

// line is the smallest distance in bytes between data that different ranks write. It is two cache lines, because cores
// fetch cache lines in pairs. Structs that a rank writes in a timed loop are padded to a multiple of it, so that no two
// ranks write to the same cache line.
const line = 128

// rank is one rank: the engine of its main, and the owner of its ends of all queues.
type rank struct {
	world  *world
	number int
	comm   *comm

	// Only the rank's own goroutine touches these.
	outboxes       map[int]*outbox
	inboxes        map[int]*inbox
	known          []*inbox   // of all sources, for receives from any source
	watchedInboxes []*inbox   // inboxes with posted receives
	fullOutboxes   []*outbox  // outboxes with sends that found their queue full
	anySource      []*receive // receives from any source, in the order of posting
	posts          uint64     // receives posted so far
	pool           pool
	spare          []*early
	collectives    []*request // nonblocking collective calls of which the rank hasn't done its part

	ordered atomic.Bool // see synchronize

	run    *runner // the current one, or nil
	stored *record // the last one stored in seen

	_      [line]byte
	visit  atomic.Pointer[visit]  // outside of programs
	seen   atomic.Pointer[record] // the record in which the rank may stay for long, or nil
	loop   atomic.Int64           // the loop of seen
	visits atomic.Uint64          // calls and runs so far

	_      [line]byte
	parked atomic.Bool // read by all ranks that may have to wake this one
	token  chan struct{}
	_      [line]byte

	numSources atomic.Int64  // length of sources
	mu         sync.Mutex    // guards pairs and sources; taken only for a new pair, never for a message
	pairs      map[int]*pair // queues that end here
	sources    []*rank       // the ranks at their other ends
}

var (
	_ mpi.Engine      = (*rank)(nil)
	_ mpi.Files       = (*rank)(nil)
	_ mpi.Interrupter = (*rank)(nil)
	_ mpi.Progressor  = (*rank)(nil)
	_ mpi.Watchable   = (*rank)(nil)
)

func newRank(w *world, number int) *rank {
	return &rank{
		world: w, number: number,
		outboxes: map[int]*outbox{}, inboxes: map[int]*inbox{}, pairs: map[int]*pair{},
		token: make(chan struct{}, 1),
	}
}

func (r *rank) World() mpi.Comm { return r.comm }

func (r *rank) Host() string { return r.world.host }

func (r *rank) Library() mpi.Library {
	return mpi.Library{Engine: engine, Library: library, Version: fmt.Sprintf("%s (%s)", version, runtime.Version())}
}

// Clock describes Go's monotonic clock, which all ranks read.
func (r *rank) Clock() mpi.Clock { return mpi.Clock{Global: true, Resolution: 1e-9} }

func (r *rank) Supports(op mpi.Op) bool { return callOf(op) != nil }

func (r *rank) NewBuffer(size int64) (mpi.Buffer, error) {
	if err := r.world.check(); err != nil {
		return nil, err
	}
	if size < 0 {
		return nil, fmt.Errorf("new buffer: %d bytes", size)
	}
	return newBuffer(size)
}

// Collect is collective in this engine. The last rank collects for all, while the others wait.
func (r *rank) Collect() error {
	c := r.comm
	if err := c.enter("collect", 0); err != nil {
		return err
	}
	c.round = c.group.round.Load()
	if !c.group.arriveLast() {
		return r.await(c)
	}
	collect(len(c.group.members))
	c.group.end()
	return r.world.check()
}

func (r *rank) Abort(code int) {
	r.world.fail(fmt.Errorf("rank %d ended the job with code %d: %w", r.number, code, mpi.ErrAborted))
}

func (r *rank) Progress() string {
	return "only in calls: while all ranks compute, no message makes progress"
}

// Interrupt interrupts all ranks, whichever rank it is called on.
func (r *rank) Interrupt() { r.world.interrupted.Store(true) }

// pairFrom returns the queue of messages from another rank to this one. The first call makes it.
func (r *rank) pairFrom(from *rank) *pair {
	r.mu.Lock()
	defer r.mu.Unlock()
	p := r.pairs[from.number]
	if p == nil {
		p = r.world.arena.pair()
		r.pairs[from.number] = p
		r.sources = append(r.sources, from)
		r.numSources.Store(int64(len(r.sources)))
	}
	return p
}

// outbox returns this rank's end of the queue to another rank.
func (r *rank) outbox(to *rank) *outbox {
	o := r.outboxes[to.number]
	if o == nil {
		o = &outbox{pair: to.pairFrom(r), to: to}
		r.outboxes[to.number] = o
	}
	return o
}

// inbox returns this rank's end of the queue from another rank.
func (r *rank) inbox(from *rank) *inbox {
	in := r.inboxes[from.number]
	if in == nil {
		in = &inbox{pair: r.pairFrom(from), from: from}
		r.inboxes[from.number] = in
	}
	return in
}

// everyInbox returns the inboxes of all ranks that may have sent a message so far.
func (r *rank) everyInbox() []*inbox {
	if int(r.numSources.Load()) > len(r.known) {
		r.mu.Lock()
		sources := r.sources[len(r.known):]
		r.mu.Unlock()
		for _, from := range sources {
			r.known = append(r.known, r.inbox(from))
		}
	}
	return r.known
}
