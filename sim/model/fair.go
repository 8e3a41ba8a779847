package model

import "math"

// fair returns the seconds per byte of each message from the beginning of all to its end: the messages have the same
// length, share their resources fairly, and leave their part to the others when they end.
func (m *Model) fair(messages []Message) []float64 {
	if m.shares == nil {
		m.shares = newShares(m)
	}
	s := m.shares
	clear(s.load) // of what rounding has left
	list, active := make([]flow, len(messages)), make([]*flow, 0, len(messages))
	var uses []use
	var links []int32
	for i, x := range messages {
		f, first := &list[i], len(uses)
		f.bytes = 1
		uses, links, _ = m.way(uses, x.From, x.To, links, s.load)
		f.uses = uses[first:len(uses):len(uses)]
		if s.join(m, f) {
			active = append(active, f)
		}
	}
	m.sums.load = append(m.sums.load[:0], s.load...)
	for now := 0.0; len(active) > 0; {
		s.solve(now, func(*flow) {})
		next := math.Inf(1)
		for _, f := range active {
			next = min(next, f.end)
		}
		now += (next - now) * alike(len(messages))
		still := active[:0]
		for _, f := range active {
			if f.end <= now {
				s.leave(f)
			} else {
				still = append(still, f)
			}
		}
		active = still
	}
	ends := make([]float64, len(messages))
	for i := range list {
		ends[i] = list[i].end
	}
	return ends
}

// alike returns the ratio of times that count as one: messages that end so close behind each other leave their parts
// together. With many messages that saves most of the time, and is a few percent late at most.
func alike(messages int) float64 { return 1 + min(0.05, 0.005+0.00002*float64(messages)) }
