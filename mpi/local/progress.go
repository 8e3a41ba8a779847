package local

import "runtime"

// A rank with a core of its own polls for long, as an MPI process does: some 20 µs until it lets other goroutines have
// a turn, and 1 ms until it parks. It parks at all for the sake of machines that do something else as well: where two
// ranks that wait for each other get one core, the one that polls would keep it for its time slice.
//
// Ranks that share cores park almost at once. Standing aside with runtime.Gosched instead costs a round of all who have
// nothing to do: four ranks on two cores took up to 5 µs for 1 byte and 100 µs for 64 kB around a ring, parking took
// 0.5 and 30.
const (
	patience = 4096 // polls before a turn of the others
	stays    = 64   // such turns before parking
	haste    = 4    // polls before parking, with more ranks than cores; 64 took twice the time
)

// condition is what a blocking call waits for.
type condition interface{ met() bool }

// await makes progress with everything that the rank has begun until c is met. All blocking calls wait here.
func (r *rank) await(c condition) error {
	for polls, rests := 0, 0; ; polls++ {
		moved := r.progress()
		if c.met() {
			return nil
		}
		switch {
		case moved:
			polls, rests = 0, 0
		case polls == r.world.patience:
			polls, rests = 0, rests+1
			if err := r.rest(c, rests); err != nil {
				return err
			}
		}
	}
}

// progress does what can be done now, and says whether it was anything.
func (r *rank) progress() (moved bool) {
	for i := 0; i < len(r.stalled); i++ {
		o := r.stalled[i]
		moved = r.push(o) || moved
		if o.waiting.first == nil {
			r.stalled = without(r.stalled, i)
			i--
		}
	}
	for i := 0; i < len(r.watched); i++ {
		in := r.watched[i]
		moved = r.poll(in) || moved
		if in.posted.first == nil {
			in.watched = false
			r.watched = without(r.watched, i)
			i--
		}
	}
	if r.anyone.first != nil {
		for _, in := range r.everyInbox() {
			moved = r.poll(in) || moved
		}
	}
	return moved
}

// without removes element i of a list whose order means nothing.
func without[T any](list []T, i int) []T {
	list[i] = list[len(list)-1]
	return list[:len(list)-1]
}

// rest lets other goroutines run, and in the end parks the rank.
func (r *rank) rest(c condition, times int) error {
	if times > r.world.stays {
		r.park(c)
	} else {
		runtime.Gosched()
	}
	return r.world.check()
}

// park lets the rank sleep until someone has news for it.
func (r *rank) park(c condition) {
	r.parked.Store(true)
	// Whoever has news published them before it looked at parked. So they are seen here, or a token comes.
	idle := !r.progress() && !c.met() && !r.world.aborted.Load()
	if idle || !r.parked.CompareAndSwap(true, false) {
		<-r.token
	}
}

// wake is called with every piece of news for the rank.
func (r *rank) wake() {
	if r.parked.Load() {
		r.unpark()
	}
}

func (r *rank) unpark() {
	if r.parked.CompareAndSwap(true, false) {
		r.token <- struct{}{}
	}
}
