package model

// An access to another process's memory takes time of its origin's processor, but none of its target's. Its data go to
// the target, and then the fetched data come back, or an acknowledgement (LogGP with overhead on one side, as with
// Cray's E-registers and InfiniBand's RDMA). No access waits for a receiver, and no data are copied. The data of a
// process's accesses leave in their order, a few accesses at a time, because simulating all at a time would take too
// long. With many processes they leave one by one: then a process whose first target is busy waits although others are
// free, which may leave 2 - √2 of the bandwidth or less (Karol, Hluchyj and Morgan, Input versus output queueing on a
// space-division packet switch, IEEE Trans. Commun. 35(12), 1987). Within a node the origin itself accesses the memory,
// so it waits for no acknowledgement.

type access struct {
	of      *actor
	target  int32
	window  uint64
	bytes   int64 // bytes that go to the target
	back    int64 // bytes that come back
	fetches bool  // the origin needs the data that come back
	left    bool  // the data have left the origin's memory, or have come into it
	request *request
}

// accessKey identifies accesses of a process by their window and their target, which may be Anyone.
type accessKey struct {
	window uint64
	target int32
}

// pendingAccesses counts accesses that aren't done, and accesses that still need the origin's memory.
type pendingAccesses struct {
	open, here         int
	openUntil, hereTil float64 // when the last ones were done
}

// eachPending calls f with each count that includes the access.
func (v *access) eachPending(f func(d *pendingAccesses)) {
	a := v.of
	for _, target := range [...]int32{v.target, Anyone} {
		key := accessKey{v.window, target}
		d := a.pending[key]
		if d == nil {
			if a.pending == nil {
				a.pending = map[accessKey]*pendingAccesses{}
			}
			d = &pendingAccesses{}
			a.pending[key] = d
		}
		f(d)
	}
}

func (p *play) access(a *actor, x *Act) {
	m, from := p.m, a.script.Process
	v := &access{of: a, target: x.Peer, window: x.Tag, bytes: x.Bytes, back: x.Back, fetches: x.Waits}
	v.eachPending(func(d *pendingAccesses) { d.open, d.here = d.open+1, d.here+1 })
	if x.Slot >= 0 {
		v.request = a.request(x.Slot, &request{begun: a.now})
	}
	scale := m.Factor(max(x.Bytes, x.Back))
	a.spend(m.overhead(m.NodeOf[from] != m.NodeOf[x.Peer]) * scale)
	p.carry(v, false, a.now)
}

// carry sends the data of an access to the target, or the data that come back.
func (p *play) carry(v *access, back bool, when float64) {
	m := p.m
	from, to, bytes := v.of.script.Process, v.target, v.bytes
	if back {
		from, to, bytes = to, from, v.back
	}
	scale := m.Factor(max(v.bytes, v.back))
	w := &transit{flow: flow{bytes: scale * float64(bytes)}, from: from, to: to, access: v, back: back, ready: when}
	p.uses, p.links, w.latency = m.way(p.uses[:0], from, to, p.links, p.shares.load)
	w.latency *= scale
	switch node := m.NodeOf[from]; {
	case node != m.NodeOf[to]:
		if !back || v.fetches {
			w.ready = p.leave(node, when)
		}
	case back != v.fetches && bytes == 0: // nothing goes this way
		w.latency = 0
	}
	if bytes > 0 {
		w.uses = append([]use(nil), p.uses...)
	}
	p.at(w.ready+w.latency, w)
}

// queue holds the accesses' data that leave a process. A few are under way, and the others wait.
type queue struct {
	busy    int
	waiting []*transit
}

// Number of accesses of a process whose data are under way at a time. With more than fewProcesses it is 1.
const (
	atOnce       = 4
	fewProcesses = 64
)

// limit returns the largest number of a process's accesses under way at a time.
func (p *play) limit() int {
	if len(p.actors) > fewProcesses {
		return 1
	}
	return atOnce
}

// queues reports whether a message must wait for other messages of its sender.
func (p *play) queues(w *transit) bool {
	if w.access == nil || len(w.uses) == 0 {
		return false
	}
	q := p.lines[w.from]
	if q == nil {
		q = &queue{}
		p.lines[w.from] = q
	}
	if most := p.limit(); q.busy == most {
		q.waiting = append(q.waiting, w)
		return true
	}
	q.busy++
	return false
}

// next starts the next waiting message, after w has arrived.
func (p *play) next(w *transit) {
	if w.access == nil || w.bytes == 0 {
		return
	}
	q := p.lines[w.from]
	q.busy--
	if len(q.waiting) > 0 {
		first := q.waiting[0]
		q.waiting[0] = nil
		q.waiting = q.waiting[1:]
		p.join(first)
	}
}

// accessed ends one way of an access.
func (p *play) accessed(w *transit) {
	v := w.access
	if !w.back {
		if !v.fetches {
			v.leaves(max(p.now-w.latency, w.ready))
		}
		p.carry(v, true, p.now)
	} else {
		v.leaves(p.now)
		v.eachPending(func(d *pendingAccesses) { d.open, d.openUntil = d.open-1, max(d.openUntil, p.now) })
	}
	p.wake(v.of)
}

// leaves records that the origin's memory may be used again.
func (v *access) leaves(at float64) {
	if v.left {
		return
	}
	v.left = true
	v.eachPending(func(d *pendingAccesses) { d.here, d.hereTil = d.here-1, max(d.hereTil, at) })
	if v.request != nil {
		v.request.done, v.request.at = true, at
	}
}

// flush returns false if accesses aren't done. Without Waits, accesses only have to release the origin's memory.
func (a *actor) flush(x *Act) bool {
	d := a.pending[accessKey{x.Tag, x.Peer}]
	switch {
	case d == nil:
	case x.Waits && d.open > 0 || d.here > 0:
		return false
	case x.Waits:
		a.now = max(a.now, d.openUntil)
	default:
		a.now = max(a.now, d.hereTil)
	}
	return true
}
