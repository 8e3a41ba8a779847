package local

import "runtime"

const (
	patience = 4096 // polls of a rank with a core of its own before it looks whether others need the core
	stays    = 64   // how often it does so before it parks
	haste    = 4    // polls of a rank that others need the core of, before it parks
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
