package model

import (
	"cmp"
	"math"
	"slices"
)

// Message is a message of a step. Messages of a round are sent at the same time if the rounds are done one after the
// other.
type Message struct{ Round, From, To int32 }

// Step is what all processes do in one loop, at the same time again and again.
type Step struct {
	model    *Model
	rounds   []round // one after the other
	together cost
	// Fair is false if the times are bounds by the busiest links.
	Fair bool

	played map[played]float64 // of steps that are followed message by message
}

// round is the messages of a round: of fair ones the line of each, else those of the slowest.
type round struct {
	messages []Message
	lines    []line
	slowest  cost
}

// NewStep returns the step of some messages. Its costs hold for messages of any length.
func (m *Model) NewStep(messages []Message) *Step {
	s := &Step{model: m, Fair: len(messages) <= m.MostFair || m.Exact}
	rounds := int32(0)
	for _, x := range messages {
		rounds = max(rounds, x.Round+1)
	}
	if m.Exact {
		s.rounds = make([]round, rounds)
		for _, x := range messages {
			s.rounds[x.Round].messages = append(s.rounds[x.Round].messages, x)
		}
		return s
	}
	for r := range rounds {
		var some []Message
		for _, x := range messages {
			if x.Round == r {
				some = append(some, x)
			}
		}
		if s.Fair {
			s.rounds = append(s.rounds, round{messages: some, lines: m.fairLines(some, nil)})
		} else {
			s.rounds = append(s.rounds, round{slowest: m.bounds(some)})
		}
	}
	switch {
	case s.Fair:
		s.together = m.staggered(messages)
	case rounds == 1:
		s.together = s.rounds[0].slowest
	default:
		s.together = m.bounds(messages)
	}
	return s
}

// InTurn returns the seconds of a loop in which each process sends and receives its messages of a length round by
// round. A process waits for its partners alone, so that slow messages of two rounds add up only where they meet: the
// loops are followed until they take the same time (the maximum cycle mean of Baccelli et al., Synchronization and
// linearity, 1992). Of bounded steps, the slowest messages of all rounds are added.
func (s *Step) InTurn(length int64) float64 {
	if s.model.Exact {
		return s.exact(length, false)
	}
	if !s.Fair {
		seconds := 0.0
		for _, r := range s.rounds {
			seconds += r.slowest.seconds(s.model, length)
		}
		return seconds
	}
	now, next := make([]float64, s.model.Processes), make([]float64, s.model.Processes)
	times := make([][]float64, len(s.rounds))
	for i, r := range s.rounds {
		times[i] = make([]float64, len(r.messages))
		for k := range r.messages {
			times[i][k] = r.lines[k].seconds(s.model, length)
		}
	}
	middle := 0.0
	for loop := range 2 * settling {
		if loop == settling {
			middle = latest(now)
		}
		for i, r := range s.rounds {
			copy(next, now)
			for k, x := range r.messages {
				end := now[x.From] + times[i][k]
				next[x.To] = max(next[x.To], end)
				next[x.From] = max(next[x.From], end)
			}
			now, next = next, now
		}
	}
	return (latest(now) - middle) / settling
}

// settling is the number of loops after which their times no longer change, and of those whose time is taken.
const settling = 16

// latest returns the largest of some times.
func latest(times []float64) float64 {
	most := 0.0
	for _, t := range times {
		most = max(most, t)
	}
	return most
}

// Together returns the seconds of a loop in which all messages are sent at once.
func (s *Step) Together(length int64) float64 {
	if s.model.Exact {
		return s.exact(length, true)
	}
	return s.together.seconds(s.model, length)
}

// line is the time of a message as a function of its length.
type line struct {
	alpha float64 // seconds of the shortest message: overheads, latency and gaps
	shake float64 // seconds of the messages before a long one
	beta  float64 // seconds per byte on the way
	copy  float64 // seconds per byte of the copies of an eager message
}

// cost is the time of messages that are sent at once: that of the slowest.
type cost []line

// seconds returns the time for a length.
func (l *line) seconds(m *Model, length int64) float64 {
	latency, bytes := m.Scale(length)
	alpha, beta := l.alpha, l.beta
	if eager := int64(m.Endpoint.Eager); length <= eager || eager == 0 {
		beta += l.copy
	} else {
		alpha += l.shake
	}
	return latency*alpha + bytes*float64(length)*beta
}

// seconds returns the time of the slowest message of a length.
func (c cost) seconds(m *Model, length int64) float64 {
	most := 0.0
	for i := range c {
		most = max(most, c[i].seconds(m, length))
	}
	return most
}

// add adds a message's line, and keeps the slowest of those that differ in beta alone.
func (c *cost) add(l line) {
	for i := range *c {
		x := &(*c)[i]
		if x.alpha == l.alpha && x.shake == l.shake && x.copy == l.copy {
			x.beta = max(x.beta, l.beta)
			return
		}
		if x.alpha >= l.alpha && x.shake >= l.shake && x.copy >= l.copy && x.beta >= l.beta {
			return
		}
	}
	*c = append(slices.DeleteFunc(*c, func(x line) bool {
		return x.alpha <= l.alpha && x.shake <= l.shake && x.copy <= l.copy && x.beta <= l.beta
	}), l)
}

// lines returns the times of messages that are sent at once, but for their bandwidth, as if each process had one
// message to send and one to receive. Each is called with the resources of each message. Further adds what several
// messages of a process take: the last one leaves late, arrivals are received one after the other, and a processor has
// no time for anything else.
func (m *Model) lines(messages []Message, further *cost, each func(i int, l line, uses []use)) {
	m.sums.begin(m, messages)
	s, e := &m.sums, &m.Endpoint
	var uses []use
	var links []int32
	for i, x := range messages {
		var latency float64
		uses, links, latency = m.way(uses[:0], x.From, x.To, links, s.load)
		node := m.NodeOf[x.From]
		outside := node != m.NodeOf[x.To]
		o, copying := m.overhead(outside), 0.0
		l := line{alpha: latency + 2*o}
		if outside {
			l.shake = 2*latency + 2*float64(e.Overhead)
			if e.Copy > 0 {
				copying = 1 / float64(e.Copy)
				l.copy = 2 * copying
			}
		}
		if further != nil {
			many := l
			many.beta = m.alone(uses)
			many.alpha = latency + o + max(s.sends[x.From], s.receives[x.To])
			many.copy = copying * float64(1+max(s.sent[x.From], s.received[x.To]))
			further.add(many)
			further.add(line{alpha: max(s.sends[x.From]+s.receives[x.From], s.sends[x.To]+s.receives[x.To]),
				copy: copying * float64(max(s.sent[x.From]+s.received[x.From], s.sent[x.To]+s.received[x.To]))})
			if outside && e.Gap > 0 {
				many.alpha, many.copy = l.alpha+float64(e.Gap)*float64(s.outs[node]-1), l.copy
				further.add(many)
			}
		}
		each(i, l, uses)
	}
}

// overhead returns the processor time of a message at each of its ends.
func (m *Model) overhead(outside bool) float64 {
	if !outside && m.Inside.Overhead > 0 {
		return float64(m.Inside.Overhead)
	}
	return float64(m.Endpoint.Overhead)
}

// alone returns the seconds per byte of a message that shares nothing.
func (m *Model) alone(uses []use) float64 {
	most := 0.0
	for _, u := range uses {
		if c := m.capacity(u.resource); c > 0 {
			most = max(most, float64(u.weight)/c)
		}
	}
	return most
}

// fairLines returns the time of each message that shares fairly with the others (lines).
func (m *Model) fairLines(messages []Message, further *cost) []line {
	list, ends := make([]line, len(messages)), m.fair(messages)
	m.lines(messages, further, func(i int, l line, _ []use) {
		l.beta = ends[i]
		list[i] = l
	})
	return list
}

// bounds returns the time of the slowest of messages none of which is faster than the busiest resource on its way.
func (m *Model) bounds(messages []Message) (c cost) {
	m.bound(messages)
	m.lines(messages, &c, func(_ int, l line, uses []use) {
		l.beta = m.busiest(uses, m.sums.load)
		c.add(l)
	})
	return c
}

// staggered returns the time of the slowest of messages that are sent at once and share fairly. A message doesn't share
// with others before its latency has passed, so the time is that of the latest ones among themselves, or of all but the
// soonest, and so on, whichever is longest. For messages that share one link that is exact.
func (m *Model) staggered(messages []Message) (c cost) {
	list := m.fairLines(messages, &c)
	order := make([]int32, len(messages))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(list[a].alpha, list[b].alpha) })
	some := make([]Message, len(messages))
	for i, k := range order {
		some[i] = messages[k]
	}
	first := list[order[0]].alpha
	apart := 1 + stagger
	if len(messages) > many {
		apart = max(apart, math.Pow(list[order[len(order)-1]].alpha/first, 1/classes))
	}
	for i, k := range order {
		l := list[k]
		switch {
		case i == 0:
		case l.alpha <= first*apart:
			l.alpha = first
		default:
			first = l.alpha
			for at, end := range m.fair(some[i:]) {
				list[order[i+at]].beta = end
			}
			l = list[k]
		}
		c.add(l)
	}
	return c
}

// stagger is the part by which latencies differ that count as one. Of many messages at a time there are no more than so
// many classes of latencies, to save time.
const (
	stagger = 0.1
	many    = 512
	classes = 3.0
)

// sums holds what the messages of a cost add up to.
type sums struct {
	sends, receives []float64 // of each process: overheads in seconds
	sent, received  []int32   // of each process: messages to and from other nodes
	outs            []int32   // of each node: messages to other nodes
	load            []float32 // of each resource: messages, if they are bounded or routes depend on it
}

// begin adds up messages.
func (s *sums) begin(m *Model, messages []Message) {
	if s.sends == nil {
		s.sends, s.receives = make([]float64, m.Processes), make([]float64, m.Processes)
		s.sent, s.received = make([]int32, m.Processes), make([]int32, m.Processes)
		s.outs = make([]int32, m.network.Nodes())
	}
	clear(s.sends)
	clear(s.receives)
	clear(s.sent)
	clear(s.received)
	clear(s.outs)
	for _, x := range messages {
		outside := m.NodeOf[x.From] != m.NodeOf[x.To]
		o := m.overhead(outside)
		s.sends[x.From] += o
		s.receives[x.To] += o
		if outside {
			s.sent[x.From]++
			s.received[x.To]++
			s.outs[m.NodeOf[x.From]]++
		}
	}
}

// bound counts the messages on each resource.
func (m *Model) bound(messages []Message) {
	s := &m.sums
	if s.load == nil {
		s.load = make([]float32, m.resources())
	}
	clear(s.load)
	var uses []use
	var links []int32
	for _, x := range messages {
		uses, links, _ = m.way(uses[:0], x.From, x.To, links, s.load)
		for _, u := range uses {
			s.load[u.resource] += u.weight
		}
	}
}

// busiest returns the seconds per byte of the busiest resource.
func (m *Model) busiest(uses []use, load []float32) float64 {
	most := 0.0
	for _, u := range uses {
		if c := m.capacity(u.resource); c > 0 {
			most = max(most, float64(load[u.resource])/c)
		}
	}
	return most
}
