package model

import "slices"

// Message is a message of a step. The messages of a round are sent at the same time.
type Message struct{ Round, From, To int32 }

// Step is the communication of all processes in one loop, which they repeat.
type Step struct {
	model    *Model
	rounds   [][]Message // of a step that is followed message by message
	slowest  []cost      // of each round
	together cost
}

// NewStep returns a step with messages. Its costs hold for messages of any length.
func (m *Model) NewStep(messages []Message) *Step {
	var rounds [][]Message
	for _, x := range messages {
		for int(x.Round) >= len(rounds) {
			rounds = append(rounds, nil)
		}
		rounds[x.Round] = append(rounds[x.Round], x)
	}
	s := &Step{model: m}
	if m.Exact {
		s.rounds = rounds
		return s
	}
	for _, list := range rounds {
		s.slowest = append(s.slowest, m.bounds(list))
	}
	if len(rounds) == 1 {
		s.together = s.slowest[0]
	} else {
		s.together = m.bounds(messages)
	}
	return s
}

// InTurn returns the seconds of a loop in which each process sends and receives its messages round by round. Unless
// messages are followed, this is the sum over the rounds of the slowest process's time.
func (s *Step) InTurn(length int64) float64 {
	if s.model.Exact {
		return s.exact(length, false)
	}
	seconds := 0.0
	for _, c := range s.slowest {
		seconds += c.seconds(s.model, length)
	}
	return seconds
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
	alpha     float64 // seconds of the shortest message: overheads, latency and gaps
	handshake float64 // seconds of the handshake before a long message
	beta      float64 // seconds per byte on the way
	copy      float64 // seconds per byte of the copies of an eager message
}

// cost is the time of the slowest of some messages that are sent at once: the largest of its lines.
type cost []line

// seconds returns the time for a length.
func (l *line) seconds(m *Model, length int64) float64 {
	alpha, beta := l.alpha, l.beta
	if eager := int64(m.Endpoint.Eager); length <= eager || eager == 0 {
		beta += l.copy
	} else {
		alpha += l.handshake
	}
	return m.Factor(length) * (alpha + float64(length)*beta)
}

// seconds returns the time of the slowest message of a length.
func (c cost) seconds(m *Model, length int64) float64 {
	most := 0.0
	for i := range c {
		most = max(most, c[i].seconds(m, length))
	}
	return most
}

// add adds a message's line. Of lines that only differ in beta it keeps the slowest.
func (c *cost) add(l line) {
	for i := range *c {
		x := &(*c)[i]
		if x.alpha == l.alpha && x.handshake == l.handshake && x.copy == l.copy {
			x.beta = max(x.beta, l.beta)
			return
		}
		if x.alpha >= l.alpha && x.handshake >= l.handshake && x.copy >= l.copy && x.beta >= l.beta {
			return
		}
	}
	*c = append(slices.DeleteFunc(*c, func(x line) bool {
		return x.alpha <= l.alpha && x.handshake <= l.handshake && x.copy <= l.copy && x.beta <= l.beta
	}), l)
}

// bounds returns the time of the slowest of messages that are sent at once. No message is faster than the busiest
// resource on its way allows. This bound is exact if messages of the same length begin together and share max-min
// fairly (Bertsekas and Gallager, Data Networks, 1992, 6.5.2), because the busiest resource then gives its messages the
// smallest rate all the time. A process with several messages takes longer: the last one leaves late, arrivals are
// received one after the other, and the processor handles one message at a time.
func (m *Model) bounds(messages []Message) (c cost) {
	s, e := m.sum(messages), &m.Endpoint
	var uses []use
	var links []int32
	for _, x := range messages {
		var latency float64
		uses, links, latency = m.way(uses[:0], x.From, x.To, links, s.load)
		node := m.NodeOf[x.From]
		outside := node != m.NodeOf[x.To]
		o, copying := m.overhead(outside), 0.0
		sender, receiver := &s.of[x.From], &s.of[x.To]
		alone, shared := m.busiest(uses, s.load)
		l := line{alpha: latency + 2*o, beta: shared}
		if outside {
			l.handshake = 2*latency + 2*float64(e.Overhead)
			if e.Copy > 0 {
				copying = 1 / float64(e.Copy)
				l.copy = 2 * copying
			}
		}
		c.add(l)
		many := l
		many.beta = alone
		many.alpha = latency + o + max(sender.sends, receiver.receives)
		many.copy = copying * float64(1+max(sender.sent, receiver.received))
		c.add(many)
		c.add(line{alpha: max(sender.sends+sender.receives, receiver.sends+receiver.receives),
			copy: copying * float64(max(sender.sent+sender.received, receiver.sent+receiver.received))})
		if outside && e.Gap > 0 {
			many.alpha, many.copy = l.alpha+float64(e.Gap)*float64(s.outs[node]-1), l.copy
			c.add(many)
		}
	}
	return c
}

// overhead returns the processor time of a message at each of its ends.
func (m *Model) overhead(outside bool) float64 {
	if !outside && m.Inside.Overhead > 0 {
		return float64(m.Inside.Overhead)
	}
	return float64(m.Endpoint.Overhead)
}

// busiest returns the seconds per byte on the busiest of some resources: for one message without others, and for the
// messages that share it.
func (m *Model) busiest(uses []use, load []float32) (alone, shared float64) {
	for _, u := range uses {
		if c := m.capacity(u.resource); c > 0 {
			alone = max(alone, float64(u.weight)/c)
			shared = max(shared, float64(load[u.resource])/c)
		}
	}
	return alone, shared
}

// sums holds the totals over the messages that a cost is for.
type sums struct {
	of   []sum     // of each process
	outs []int32   // of each node, messages to other nodes
	load []float32 // of each resource, messages
}

// sum holds the totals of a process's messages.
type sum struct {
	sends, receives float64 // in seconds of overhead
	sent, received  int32   // to and from other nodes
}

func (m *Model) sum(messages []Message) *sums {
	s := &m.sums
	if s.of == nil {
		s.of, s.outs = make([]sum, m.Processes), make([]int32, m.network.Nodes())
		s.load = make([]float32, m.resources())
	}
	clear(s.of)
	clear(s.outs)
	clear(s.load)
	var uses []use
	var links []int32
	for _, x := range messages {
		sender, receiver := &s.of[x.From], &s.of[x.To]
		outside := m.NodeOf[x.From] != m.NodeOf[x.To]
		o := m.overhead(outside)
		sender.sends += o
		receiver.receives += o
		if outside {
			sender.sent++
			receiver.received++
			s.outs[m.NodeOf[x.From]]++
		}
		uses, links, _ = m.way(uses[:0], x.From, x.To, links, s.load)
		for _, u := range uses {
			s.load[u.resource] += u.weight
		}
	}
	return s
}
