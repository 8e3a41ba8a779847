package model

import (
	"container/heap"
	"math"
)

// flows are messages with the resources that they use, as one list of uses with the part of each message.
type flows struct {
	starts []int32 // of each message in uses
	uses   []use   // resources by their numbers in capacity
	users  []int32 // messages of each resource
	firsts []int32 // of each resource in users

	capacity []float64 // bytes per second of each resource
	rate     []float64 // of each message: bytes per second
	left     []float64 // of each resource, while rates are found: bytes per second
	weights  []float64 // of each resource: of its messages without a rate
}

// fair returns the seconds per byte of each message from the beginning of all to its end: the messages have the same
// length, share their resources fairly, and leave their part to the others when they end.
func (m *Model) fair(messages []Message) []float64 {
	f := m.flows(messages)
	end := make([]float64, len(messages))
	rest := make([]float64, len(messages)) // of each message: bytes, of 1
	active := make([]int32, len(messages))
	for i := range active {
		active[i], rest[i] = int32(i), 1
	}
	for now := 0.0; len(active) > 0; {
		f.share(active)
		next := math.Inf(1)
		for _, i := range active {
			next = min(next, rest[i]/f.rate[i])
		}
		next *= alike
		still := active[:0]
		for _, i := range active {
			if t := rest[i] / f.rate[i]; t <= next {
				end[i] = now + t
			} else {
				rest[i] -= next * f.rate[i]
				still = append(still, i)
			}
		}
		active = still
		now += next
	}
	return end
}

// alike is the ratio of times that count as one: messages that end so close behind each other leave their parts
// together.
const alike = 1.005

// flows returns the messages with their resources.
func (m *Model) flows(messages []Message) *flows {
	f := &flows{rate: make([]float64, len(messages))}
	s := &m.sums
	if s.load == nil {
		s.load = make([]float32, m.resources())
	}
	clear(s.load)
	number := make(map[int32]int32)
	var links []int32
	for _, x := range messages {
		start := len(f.uses)
		f.starts = append(f.starts, int32(start))
		f.uses, links, _ = m.way(f.uses, x.From, x.To, links, s.load)
		kept := f.uses[:start]
		for _, u := range f.uses[start:] {
			s.load[u.resource] += u.weight
			c := m.capacity(u.resource)
			if c == 0 {
				continue
			}
			n, known := number[u.resource]
			if !known {
				n = int32(len(f.capacity))
				number[u.resource] = n
				f.capacity = append(f.capacity, c)
			}
			kept = append(kept, use{n, u.weight})
		}
		f.uses = kept
	}
	f.starts = append(f.starts, int32(len(f.uses)))
	f.index()
	return f
}

// index finds the messages of each resource.
func (f *flows) index() {
	n := len(f.capacity)
	f.firsts = make([]int32, n+1)
	for _, u := range f.uses {
		f.firsts[u.resource+1]++
	}
	for r := range n {
		f.firsts[r+1] += f.firsts[r]
	}
	f.users = make([]int32, len(f.uses))
	at := append([]int32(nil), f.firsts...)
	for i := range f.rate {
		for _, u := range f.uses[f.starts[i]:f.starts[i+1]] {
			f.users[at[u.resource]] = int32(i)
			at[u.resource]++
		}
	}
	f.left, f.weights = make([]float64, n), make([]float64, n)
}

// share finds the max-min fair rates of messages: the resource with the least for each of its messages gives them that,
// and so on with what is left for the others.
func (f *flows) share(active []int32) {
	copy(f.left, f.capacity)
	clear(f.weights)
	for i := range f.rate {
		f.rate[i] = done
	}
	for _, i := range active {
		f.rate[i] = waiting
		for _, u := range f.uses[f.starts[i]:f.starts[i+1]] {
			f.weights[u.resource] += float64(u.weight)
		}
	}
	var queue scarce
	for r, w := range f.weights {
		if w > 0 {
			queue = append(queue, part{int32(r), f.left[r] / w})
		}
	}
	heap.Init(&queue)
	for len(queue) > 0 {
		p := &queue[0]
		r := p.resource
		if f.weights[r] < leastWeight {
			heap.Pop(&queue)
			continue
		}
		if now := f.left[r] / f.weights[r]; now > p.rate*(1+1e-12) {
			p.rate = now
			heap.Fix(&queue, 0)
			continue
		}
		f.give(r, p.rate)
		heap.Pop(&queue)
	}
}

// leastWeight is what rounding may leave of weights that are 0.
const leastWeight = 1e-6

// The rates of messages that have none.
const (
	waiting = -1.0
	done    = 0.0
)

// give gives a rate to all waiting messages of a resource.
func (f *flows) give(r int32, rate float64) {
	for _, i := range f.users[f.firsts[r]:f.firsts[r+1]] {
		if f.rate[i] != waiting {
			continue
		}
		f.rate[i] = rate
		for _, u := range f.uses[f.starts[i]:f.starts[i+1]] {
			f.left[u.resource] -= rate * float64(u.weight)
			f.weights[u.resource] -= float64(u.weight)
		}
	}
}

// part is what a resource gives to each of its messages, bytes per second.
type part struct {
	resource int32
	rate     float64
}

// scarce is a heap of resources, the scarcest first.
type scarce []part

func (s scarce) Len() int           { return len(s) }
func (s scarce) Less(i, j int) bool { return s[i].rate < s[j].rate }
func (s scarce) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }

// Push implements heap.Interface.
func (s *scarce) Push(x any) { *s = append(*s, x.(part)) }

// Pop implements heap.Interface.
func (s *scarce) Pop() any {
	last := (*s)[len(*s)-1]
	*s = (*s)[:len(*s)-1]
	return last
}
