package model

import (
	"cmp"
	"math"
	"slices"
)

// flows are messages with the resources that they share, as one list of uses with the part of each message. Resources
// of one message alone limit that message, and are left out.
type flows struct {
	starts []int32 // of each message in uses
	uses   []use   // resources by their numbers in capacity
	users  []int32 // messages of each resource
	firsts []int32 // of each resource in users

	capacity []float64 // bytes per second of each resource
	limit    []float64 // bytes per second of each message alone
	rate     []float64 // of each message: bytes per second
	left     []float64 // of each resource, while rates are found: bytes per second
	weights  []float64 // of each resource: of its messages without a rate
	queue    scarce
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
	slices.SortStableFunc(active, func(a, b int32) int { return cmp.Compare(f.limit[a], f.limit[b]) })
	for now := 0.0; len(active) > 0; {
		f.share(active)
		next := math.Inf(1)
		for _, i := range active {
			next = min(next, rest[i]/f.rate[i])
		}
		next *= alike(len(messages))
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

// alike returns the ratio of times that count as one: messages that end so close behind each other leave their parts
// together. With many messages that saves most of the time, and is a few percent late at most.
func alike(messages int) float64 { return 1 + min(0.05, 0.005+0.00002*float64(messages)) }

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
	f.setLimits()
	f.index()
	return f
}

// setLimits leaves out the resources of one message alone.
func (f *flows) setLimits() {
	count := make([]int32, len(f.capacity))
	for _, u := range f.uses {
		count[u.resource]++
	}
	kept := f.uses[:0]
	for i := range f.rate {
		f.limit = append(f.limit, math.Inf(1))
		mine := f.uses[f.starts[i]:f.starts[i+1]]
		f.starts[i] = int32(len(kept))
		for _, u := range mine {
			if count[u.resource] > 1 {
				kept = append(kept, u)
			} else {
				f.limit[i] = min(f.limit[i], f.capacity[u.resource]/float64(u.weight))
			}
		}
	}
	f.starts[len(f.rate)] = int32(len(kept))
	f.uses = kept
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

// share finds the max-min fair rates of messages, which are in the order of their limits: the resource with the least
// for each of its messages gives them that, or the message with the lowest limit has it, and so on with what is left
// for the others.
func (f *flows) share(active []int32) {
	copy(f.left, f.capacity)
	clear(f.weights)
	clear(f.rate) // of all that have ended
	for _, i := range active {
		f.rate[i] = waiting
		for _, u := range f.uses[f.starts[i]:f.starts[i+1]] {
			f.weights[u.resource] += float64(u.weight)
		}
	}
	f.queue = f.queue[:0]
	for r, w := range f.weights {
		if w > 0 {
			f.queue = append(f.queue, part{int32(r), f.left[r] / w})
		}
	}
	for i := len(f.queue)/2 - 1; i >= 0; i-- {
		f.queue.down(i)
	}
	for {
		least := f.scarcest()
		for len(active) > 0 && (f.rate[active[0]] != waiting || f.limit[active[0]] <= least) {
			if i := active[0]; f.rate[i] == waiting {
				f.give(i, f.limit[i])
			}
			active = active[1:]
		}
		if len(f.queue) == 0 {
			return
		}
		// What the limited messages left may have made another resource the scarcest.
		if r := f.queue[0].resource; f.weights[r] >= leastWeight && f.left[r]/f.weights[r] <= least*alikeRate {
			for _, i := range f.users[f.firsts[r]:f.firsts[r+1]] {
				if f.rate[i] == waiting {
					f.give(i, least)
				}
			}
		}
	}
}

// scarcest brings the resource with the least for each of its waiting messages to the front, and returns that rate. It
// removes resources without waiting messages.
func (f *flows) scarcest() float64 {
	for len(f.queue) > 0 {
		p := &f.queue[0]
		if f.weights[p.resource] < leastWeight {
			last := len(f.queue) - 1
			f.queue[0], f.queue = f.queue[last], f.queue[:last]
			if last > 0 {
				f.queue.down(0)
			}
			continue
		}
		now := f.left[p.resource] / f.weights[p.resource]
		if now <= p.rate*alikeRate {
			return p.rate
		}
		p.rate = now
		f.queue.down(0)
	}
	return math.Inf(1)
}

// alikeRate is the ratio of rates that differ by rounding alone.
const alikeRate = 1 + 1e-12

// leastWeight is what rounding may leave of weights that are 0.
const leastWeight = 1e-6

// waiting is the rate of messages that have none yet.
const waiting = -1.0

// give gives a message its rate.
func (f *flows) give(i int32, rate float64) {
	f.rate[i] = rate
	for _, u := range f.uses[f.starts[i]:f.starts[i+1]] {
		f.left[u.resource] -= rate * float64(u.weight)
		f.weights[u.resource] -= float64(u.weight)
	}
}

// part is what a resource gives to each of its messages, bytes per second.
type part struct {
	resource int32
	rate     float64
}

// scarce is a heap of resources, the scarcest first.
type scarce []part

// down brings a part to its place among those below it. It is that of container/heap, whose calls through an interface
// took half of a simulation's time.
func (s scarce) down(i int) {
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
