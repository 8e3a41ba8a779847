package model

import "slices"

// Message is a message of a step. Messages of a round are sent at the same time if the rounds are done one after the
// other.
type Message struct{ Round, From, To int32 }

// Step is what all processes do in one loop, at the same time again and again.
type Step struct {
	model    *Model
	rounds   []cost // one after the other
	together cost
	// Fair is false if the times are bounds by the busiest links.
	Fair bool
}

// NewStep returns the step of some messages. Its costs hold for messages of any length.
func (m *Model) NewStep(messages []Message) *Step {
	s := &Step{model: m, Fair: len(messages) <= m.MostFair}
	rounds := int32(0)
	for _, x := range messages {
		rounds = max(rounds, x.Round+1)
	}
	s.together = m.cost(messages, s.Fair)
	if rounds == 1 {
		s.rounds = []cost{s.together}
		return s
	}
	some := make([]Message, 0, len(messages))
	for r := range rounds {
		some = some[:0]
		for _, x := range messages {
			if x.Round == r {
				some = append(some, x)
			}
		}
		s.rounds = append(s.rounds, m.cost(some, s.Fair))
	}
	return s
}

// InTurn returns the seconds of a loop in which each process sends and receives its messages of a length round by
// round. Neighbors wait for each other, so in the long run every round takes as long as its slowest message.
func (s *Step) InTurn(length int64) float64 {
	seconds := 0.0
	for _, c := range s.rounds {
		seconds += c.seconds(s.model, length)
	}
	return seconds
}

// Together returns the seconds of a loop in which all messages are sent at once.
func (s *Step) Together(length int64) float64 { return s.together.seconds(s.model, length) }

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
func (c cost) seconds(m *Model, length int64) float64 {
	most, eager := 0.0, length <= int64(m.Endpoint.Eager) || m.Endpoint.Eager == 0
	for _, l := range c {
		t := l.alpha + float64(length)*l.beta
		if eager {
			t += float64(length) * l.copy
		} else {
			t += l.shake
		}
		most = max(most, t)
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

// cost returns the time of messages that are sent at once.
func (m *Model) cost(messages []Message, fair bool) cost {
	if len(messages) == 0 {
		return nil
	}
	s := &m.sums
	s.begin(m, messages)
	var beta []float64
	if fair {
		beta = m.fair(messages)
	} else {
		m.bound(messages)
	}
	var c cost
	var uses []use
	var links []int32
	e := &m.Endpoint
	for i, x := range messages {
		var latency float64
		uses, links, latency = m.way(uses[:0], x.From, x.To, links, s.load)
		inside := m.NodeOf[x.From] == m.NodeOf[x.To]
		l := line{alpha: latency + max(s.overhead[x.From], s.overhead[x.To])}
		if !inside {
			l.shake = 2*latency + 2*float64(e.Overhead)
			l.alpha += float64(e.Gap) * float64(s.outs[m.NodeOf[x.From]]-1)
			if e.Copy > 0 {
				l.copy = float64(max(s.copies[x.From], s.copies[x.To])) / float64(e.Copy)
			}
		}
		if fair {
			l.beta = beta[i]
		} else {
			l.beta = m.busiest(uses, s.load)
		}
		c.add(l)
	}
	return c
}

// sums holds what the messages of a cost add up to.
type sums struct {
	overhead []float64 // of each process
	copies   []int32   // of each process: messages to and from other nodes
	outs     []int32   // of each node: messages to other nodes
	load     []float32 // of each resource: messages, if they are bounded or routes depend on it
}

// begin adds up messages.
func (s *sums) begin(m *Model, messages []Message) {
	if s.overhead == nil {
		s.overhead = make([]float64, m.Processes)
		s.copies = make([]int32, m.Processes)
		s.outs = make([]int32, m.network.Nodes())
	}
	clear(s.overhead)
	clear(s.copies)
	clear(s.outs)
	for _, x := range messages {
		o := float64(m.Endpoint.Overhead)
		if m.NodeOf[x.From] == m.NodeOf[x.To] {
			if m.Inside.Overhead > 0 {
				o = float64(m.Inside.Overhead)
			}
		} else {
			s.copies[x.From]++
			s.copies[x.To]++
			s.outs[m.NodeOf[x.From]]++
		}
		s.overhead[x.From] += o
		s.overhead[x.To] += o
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
