package model

import (
	"math"
	"slices"
)

// flow is a message that shares bandwidth.
type flow struct {
	transit *transit // to which it belongs
	uses    []use    // by the resources' numbers in shares, once it has joined
	bytes   float64  // that determine its time on the way
	latency float64
	rate    float64 // bytes per second
	left    float64 // bytes, at the time since
	since   float64
	end     float64 // seconds, if the rate doesn't change
	version int     // counts its rates
	mark    int     // the last solution that included it
	waiting bool
}

// shares records which messages use which resource. After a change, it recomputes only the messages that directly or
// indirectly share a resource with the changed one.
type shares struct {
	load    []float32 // messages on each resource of the model, for adaptive routes
	numbers map[int32]int32
	parts   []shared // resources that messages have used, by their numbers
	changed []int32
	turn    int
	toSolve []int32 // resources to solve
	list    []*flow // messages to solve
	queue   shareHeap
}

// shared is a resource that messages share.
type shared struct {
	resource int32
	capacity float64 // bytes per second
	users    []*flow
	seen     int     // the last solution that included it
	left     float64 // bytes per second, while rates are computed
	weight   float64 // of messages without a rate
	waiting  int     // number of these messages
}

func newShares(m *Model) *shares {
	return &shares{load: make([]float32, m.resources()), numbers: map[int32]int32{}}
}

// join adds a message. It returns false if the message shares nothing.
func (s *shares) join(m *Model, f *flow) bool {
	f.left, f.since = f.bytes, -1
	kept := f.uses[:0]
	for _, u := range f.uses {
		s.load[u.resource] += u.weight
		n, known := s.numbers[u.resource]
		if !known {
			n = int32(len(s.parts))
			s.numbers[u.resource] = n
			s.parts = append(s.parts, shared{resource: u.resource, capacity: m.capacity(u.resource)})
		}
		if x := &s.parts[n]; x.capacity > 0 {
			x.users = append(x.users, f)
			s.changed = append(s.changed, n)
			kept = append(kept, use{n, u.weight})
		}
	}
	f.uses = kept
	return len(f.uses) > 0
}

func (s *shares) leave(f *flow) {
	for _, u := range f.uses {
		x := &s.parts[u.resource]
		k, last := slices.Index(x.users, f), len(x.users)-1
		x.users[k], x.users[last] = x.users[last], nil
		x.users = x.users[:last]
		s.load[x.resource] -= u.weight
		s.changed = append(s.changed, u.resource)
	}
}

// solve computes the max-min fair rates of all messages that are connected with a change. The resource with the
// smallest share for each of its messages gives them this rate. The remaining capacities are shared among the other
// messages in the same way. solve calls changed with each message whose rate has changed.
func (s *shares) solve(now float64, changed func(*flow)) {
	if len(s.changed) == 0 {
		return
	}
	s.gather()
	least := math.SmallestNonzeroFloat32 // rounding may leave less
	for left := len(s.list); left > 0; {
		x, rate := s.scarcest()
		least = max(least, rate)
		for _, f := range x.users {
			if !f.waiting {
				continue
			}
			f.waiting = false
			left--
			for _, u := range f.uses {
				used, weight := &s.parts[u.resource], float64(u.weight)
				used.left -= least * weight
				used.weight -= weight
				used.waiting--
			}
			if f.set(least, now) {
				changed(f)
			}
		}
	}
}

// scarcest returns the resource with the smallest share for each of its waiting messages, and that share. There must be
// a waiting message.
func (s *shares) scarcest() (x *shared, rate float64) {
	for {
		p := &s.queue[0]
		x = &s.parts[p.resource]
		if x.waiting == 0 {
			last := len(s.queue) - 1
			s.queue[0], s.queue = s.queue[last], s.queue[:last]
			s.queue.down(0)
			continue
		}
		now := x.left / x.weight
		if now <= p.rate*alikeRate {
			return x, p.rate
		}
		p.rate = now
		s.queue.down(0)
	}
}

// alikeRate is the largest ratio of rates that differ only by rounding.
const alikeRate = 1 + 1e-12

// set sets the rate of a message, and reports whether the rate has changed.
func (f *flow) set(rate, now float64) bool {
	if f.since >= 0 && math.Abs(rate-f.rate) <= 1e-12*rate {
		return false
	}
	if f.since >= 0 {
		f.left = max(f.left-f.rate*(now-f.since), 0)
	}
	f.rate, f.since, f.end = rate, now, now+f.left/rate
	f.version++
	return true
}

// gather finds the connected component of the changed resources, because only its rates can change.
func (s *shares) gather() {
	s.turn++
	s.list, s.toSolve, s.queue = s.list[:0], s.toSolve[:0], s.queue[:0]
	add := func(n int32) *shared {
		x := &s.parts[n]
		if x.seen != s.turn {
			x.seen, x.left, x.weight, x.waiting = s.turn, x.capacity, 0, 0
			s.toSolve = append(s.toSolve, n)
		}
		return x
	}
	for _, n := range s.changed {
		add(n)
	}
	s.changed = s.changed[:0]
	for i := 0; i < len(s.toSolve); i++ {
		for _, f := range s.parts[s.toSolve[i]].users {
			if f.mark == s.turn {
				continue
			}
			f.mark, f.waiting = s.turn, true
			s.list = append(s.list, f)
			for _, u := range f.uses {
				x := add(u.resource)
				x.weight += float64(u.weight)
				x.waiting++
			}
		}
	}
	for _, n := range s.toSolve {
		if x := &s.parts[n]; x.waiting > 0 {
			s.queue = append(s.queue, part{n, x.left / x.weight})
		}
	}
	for i := len(s.queue)/2 - 1; i >= 0; i-- {
		s.queue.down(i)
	}
}

// part is the share in bytes per second that a resource gives to each of its messages.
type part struct {
	resource int32
	rate     float64
}

// shareHeap is a heap of resources, the scarcest first.
type shareHeap []part

// down moves a part, if there is one, down to its place in the heap, as in container/heap, whose calls through an
// interface took half of a simulation's time.
func (s shareHeap) down(i int) {
	if i >= len(s) {
		return
	}
	x := s[i]
	for {
		child := 2*i + 1
		if child >= len(s) {
			break
		}
		if other := child + 1; other < len(s) && s[other].rate < s[child].rate {
			child = other
		}
		if s[child].rate >= x.rate {
			break
		}
		s[i] = s[child]
		i = child
	}
	s[i] = x
}
