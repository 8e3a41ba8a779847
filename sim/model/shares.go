package model

import (
	"math"
	"slices"
)

// flow is a message that shares bandwidth.
type flow struct {
	rate    float64 // bytes per second
	share   float64 // of what a resource gives
	left    float64 // bytes, at since
	since   float64
	version int // number of its rates so far
	mark    int // of the solution that it was last in
	waiting bool
}

// shares holds who uses which resource. Only what hangs together with a change is computed again.
type shares struct {
	users   [][]*parcel // of each resource
	load    []float32   // messages on each resource, for adaptive routes
	changed []int32     // resources
	seen    []int       // of each resource: the solution that it was last in
	left    []float64   // of each resource, while rates are found
	weights []float64
	turn    int
	list    []*parcel // of the part that is solved
	parts   []int32   // its resources
}

func newShares(m *Model) shares {
	n := m.resources()
	return shares{users: make([][]*parcel, n), load: make([]float32, n), seen: make([]int, n),
		left: make([]float64, n), weights: make([]float64, n)}
}

// join adds a message, or returns false if it shares nothing.
func (s *shares) join(m *Model, w *parcel) bool {
	w.flow.left, w.flow.share = w.bytes, 1
	if m.SimGrid && w.latency > 0 {
		w.flow.share = float64(m.Link.Latency) / w.latency
	}
	w.flow.since = -1
	kept := w.uses[:0]
	for _, u := range w.uses {
		if m.capacity(u.resource) > 0 {
			kept = append(kept, u)
		}
	}
	w.uses = kept
	for _, u := range w.uses {
		s.users[u.resource] = append(s.users[u.resource], w)
		s.load[u.resource] += u.weight
		s.changed = append(s.changed, u.resource)
	}
	return len(w.uses) > 0
}

// leave takes a message away.
func (s *shares) leave(w *parcel) {
	for _, u := range w.uses {
		list := s.users[u.resource]
		k := slices.Index(list, w)
		list[k] = list[len(list)-1]
		list[len(list)-1] = nil
		s.users[u.resource] = list[:len(list)-1]
		s.load[u.resource] -= u.weight
		s.changed = append(s.changed, u.resource)
	}
}

// solve finds the max-min fair rates of all messages that hang together with a change, and calls ends with those whose
// rate is another one.
func (s *shares) solve(m *Model, now float64, ends func(w *parcel, end float64)) {
	if len(s.changed) == 0 {
		return
	}
	s.gather(m)
	for left := len(s.list); left > 0; {
		least := math.Inf(1)
		for _, r := range s.parts {
			if s.weights[r] >= leastWeight {
				least = min(least, s.left[r]/s.weights[r])
			}
		}
		if least <= 0 { // by rounding
			least = math.SmallestNonzeroFloat32
		}
		for _, r := range s.parts {
			if s.weights[r] < leastWeight || s.left[r]/s.weights[r] > least*(1+1e-9) {
				continue
			}
			for _, w := range s.users[r] {
				if !w.flow.waiting {
					continue
				}
				w.flow.waiting = false
				left--
				for _, u := range w.uses {
					s.left[u.resource] -= least * w.flow.share * float64(u.weight)
					s.weights[u.resource] -= w.flow.share * float64(u.weight)
				}
				s.set(w, least*w.flow.share, now, ends)
			}
		}
	}
}

// set gives a message its rate.
func (s *shares) set(w *parcel, rate, now float64, ends func(w *parcel, end float64)) {
	f := &w.flow
	if f.since >= 0 && math.Abs(rate-f.rate) <= 1e-12*rate {
		return
	}
	if f.since >= 0 {
		f.left = max(f.left-f.rate*(now-f.since), 0)
	}
	f.rate, f.since = rate, now
	f.version++
	ends(w, now+f.left/rate)
}

// gather finds what hangs together with the changed resources.
func (s *shares) gather(m *Model) {
	s.turn++
	s.list, s.parts = s.list[:0], s.parts[:0]
	add := func(r int32) {
		if s.seen[r] != s.turn {
			s.seen[r] = s.turn
			s.parts = append(s.parts, r)
			s.left[r], s.weights[r] = m.capacity(r), 0
		}
	}
	for _, r := range s.changed {
		add(r)
	}
	s.changed = s.changed[:0]
	for i := 0; i < len(s.parts); i++ {
		for _, w := range s.users[s.parts[i]] {
			if w.flow.mark == s.turn {
				continue
			}
			w.flow.mark, w.flow.waiting = s.turn, true
			s.list = append(s.list, w)
			for _, u := range w.uses {
				add(u.resource)
				s.weights[u.resource] += w.flow.share * float64(u.weight)
			}
		}
	}
}
