package local

import "runtime"

// If each rank can have its own core, ranks poll for long, as MPI processes do: about 20 µs before they let other
// goroutines run, and 1 ms before they park. They park at all because the machine may do other work. If two ranks that
// wait for each other then get the same core, the polling one would keep it for its time slice.
//
// Ranks that share cores park almost at once. With runtime.Gosched instead, every waiting rank gets a turn: four ranks
// on two cores then took up to 5 µs for 1 byte and 100 µs for 64 kB around a ring. With parking they took 0.5 and 30
// µs.
const (
	pollsPerTurn = 4096 // polls before other goroutines get a turn
	turnsToPark  = 64   // such turns before the rank parks
	crowdedPolls = 4    // polls before parking if there are more ranks than cores; 64 took twice the time
)

// condition is what a blocking call waits for.
type condition interface{ met() bool }

// await makes progress with all open sends and receives of the rank until c is met. All blocking calls wait here.
func (r *rank) await(c condition) error {
	for polls, rests := 0, 0; ; polls++ {
		moved := r.progress()
		if c.met() {
			if rests > 0 {
				r.hide()
			}
			return nil
		}
		switch {
		case moved:
			polls, rests = 0, 0
		case polls == r.world.pollsPerTurn:
			polls, rests = 0, rests+1
			r.show()
			if err := r.rest(c, rests); err != nil {
				return err
			}
		}
	}
}

// progress does all transfers that are possible now, and reports whether there were any.
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
	for i := 0; i < len(r.begun); i++ {
		if r.begun[i].perform() {
			moved = true
			r.begun = without(r.begun, i)
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

// without removes element i of a list, without keeping the order.
func without[T any](list []T, i int) []T {
	list[i] = list[len(list)-1]
	return list[:len(list)-1]
}

// rest lets other goroutines run, and parks the rank after enough rests.
func (r *rank) rest(c condition, times int) error {
	if times > r.world.turnsToPark {
		r.park(c)
	} else {
		runtime.Gosched()
	}
	return r.world.check()
}

// park suspends the rank until another rank wakes it.
func (r *rank) park(c condition) {
	r.parked.Store(true)
	// Another rank makes its change before it calls wake, which reads parked. So either this rank sees the change here,
	// or it gets a token.
	idle := !r.progress() && !c.met() && !r.world.aborted.Load()
	if idle || !r.parked.CompareAndSwap(true, false) {
		<-r.token
	}
}

// wake resumes the rank if it is parked. Other ranks call it after each change that this rank may wait for.
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
