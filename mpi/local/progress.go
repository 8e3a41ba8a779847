package local

import "runtime"

// If each rank can have its own core, ranks poll for long, as MPI processes do: about 20 µs before they let other
// goroutines run, and 1 ms before they park. They park because other programs may use the machine as well. If two ranks
// that wait for each other then got the same core, the polling one would keep it for its time slice.
//
// Ranks that share cores park almost at once. If they called runtime.Gosched instead, every waiting rank would get a
// turn. Four ranks on two cores then took up to 5 µs for 1 byte and 100 µs for 64 kB around a ring. With parking they
// took 0.5 and 30 µs.
const (
	pollsPerTurn = 4096 // polls before other goroutines get a turn
	turnsToPark  = 64   // such turns before the rank parks
	crowdedPolls = 4    // polls before parking if there are more ranks than cores; 64 took twice the time
)

// condition is a condition for which a blocking call waits, such as the completion of a request.
type condition interface{ met() bool }

// await makes progress with all open sends, receives and nonblocking collective calls of the rank until c is met. All
// blocking calls wait here. It returns an error if the job is aborted.
func (r *rank) await(c condition) error {
	for polls, turns := 0, 0; ; polls++ {
		moved := r.progress()
		if c.met() {
			if turns > 0 {
				r.clearPosition()
			}
			return nil
		}
		switch {
		case moved:
			polls, turns = 0, 0
		case polls == r.world.pollsPerTurn:
			polls, turns = 0, turns+1
			r.storePosition()
			if err := r.yieldOrPark(c, turns); err != nil {
				return err
			}
		}
	}
}

// progress makes all transfers that are possible now, and reports whether there were any.
func (r *rank) progress() (moved bool) {
	for i := 0; i < len(r.fullOutboxes); i++ {
		o := r.fullOutboxes[i]
		moved = r.push(o) || moved
		if len(o.waiting) == 0 {
			r.fullOutboxes = removeAt(r.fullOutboxes, i)
			i--
		}
	}
	for i := 0; i < len(r.watchedInboxes); i++ {
		in := r.watchedInboxes[i]
		moved = r.poll(in) || moved
		if len(in.posted) == 0 {
			in.watched = false
			r.watchedInboxes = removeAt(r.watchedInboxes, i)
			i--
		}
	}
	for i := 0; i < len(r.collectives); i++ {
		if r.collectives[i].perform() {
			moved = true
			r.collectives = removeAt(r.collectives, i)
			i--
		}
	}
	if len(r.anySource) > 0 {
		for _, in := range r.everyInbox() {
			moved = r.poll(in) || moved
		}
	}
	return moved
}

// removeAt removes element i of a list, whose order may change.
func removeAt[T any](list []T, i int) []T {
	list[i] = list[len(list)-1]
	return list[:len(list)-1]
}

// yieldOrPark lets other goroutines run for the given number of turns, and then parks the rank.
func (r *rank) yieldOrPark(c condition, turns int) error {
	if turns > r.world.turnsToPark {
		r.park(c)
	} else {
		runtime.Gosched()
	}
	return r.world.check()
}

// park suspends the rank until another rank wakes it, unless c is met or progress is possible.
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

// unpark gives a parked rank its token, and does nothing if another rank has just done so.
func (r *rank) unpark() {
	if r.parked.CompareAndSwap(true, false) {
		r.token <- struct{}{}
	}
}
