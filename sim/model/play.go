package model

import (
	"cmp"
	"fmt"
	"slices"
)

// Act is an action of a process.
type Act struct {
	Kind    ActKind
	Peer    int32  // the other process, or Anyone
	Tag     uint64 // a Receive only takes messages with its tag
	Bytes   int64
	Waits   bool    // a Send waits until its message is received, whatever its length
	Slot    int32   // number of the request that a Send, Receive, Aside or Access opens, or that a Wait ends
	Seconds float64 // of Work
	Lap     int     // of Lap
	Back    int64   // bytes that an Access returns
	Acts    []Act   // of an Aside
}

// ActKind is the kind of an act.
type ActKind uint8

// The kinds of acts.
const (
	Send    ActKind = iota // begins to send a message
	Receive                // begins to receive one
	Wait                   // waits for a request
	WaitAll                // waits for all requests
	Work                   // the processor is busy
	Lap                    // adds the time since the last lap, or the beginning of the clocked piece, to a sum
	Aside                  // begins concurrent acts (aside.go); its request is done with the last of them
	Access                 // begins to access the memory of Peer, in the window Tag (access.go)
	Flush                  // waits until accesses of the window Tag to Peer, or to Anyone, are done
)

// Anyone as the peer of a Receive matches a message from any process.
const Anyone = -1

// Script lists the acts of a process in pieces, which it does one after the other.
type Script struct {
	Process int32
	Pieces  int
	Piece   func(k int) []Act
	Clocked int // piece at whose beginning the laps begin
	// Endless scripts continue until all others have ended, whatever Pieces is.
	Endless bool
}

// Played holds the times of a script. All scripts begin at 0.
type Played struct {
	Ends []float64   // of each piece, in seconds
	Laps [][]float64 // of each piece, the seconds of each lap
}

// Play follows the processes of scripts message by message, in a discrete event simulation. Endpoints are LogGP's, and
// messages under way share bandwidth max-min fairly. Each process continues as soon as its own messages allow. A
// message begins to share bandwidth after its latency, and ends at the receiver. Play returns an error on a deadlock.
// Only one goroutine at a time may call it, because the network keeps routes.
func (m *Model) Play(scripts []Script) ([]Played, error) {
	p := &play{m: m, actors: make([]actor, len(scripts)), of: make(map[int32]*actor, len(scripts)),
		ports: map[int32]float64{}, lines: map[int32]*queue{}}
	p.shares = newShares(m)
	for i, s := range scripts {
		a := &p.actors[i]
		a.script = s
		p.of[s.Process] = a
		if s.Endless {
			p.endless = true
		} else {
			p.left++
		}
	}
	for i := range p.actors {
		p.run(&p.actors[i])
	}
	p.loop()
	list := make([]Played, len(scripts))
	for i := range p.actors {
		a := &p.actors[i]
		if a.piece < a.script.Pieces && !a.script.Endless {
			return nil, fmt.Errorf("play: process %d waits forever", a.script.Process)
		}
		list[i] = a.played
	}
	return list, nil
}

// play is a simulation under way.
type play struct {
	m      *Model
	actors []actor
	of     map[int32]*actor
	ports  map[int32]float64 // of each node, when its port takes the next message
	lines  map[int32]*queue  // of each process, data of accesses that leave it
	events eventHeap
	number int64 // of events scheduled so far
	now    float64

	endless bool // there are endless scripts
	left    int  // others that haven't ended

	shares *shares
	links  []int32
	uses   []use
}

// actor is a process in a play.
type actor struct {
	script  Script
	played  Played
	piece   int // under way
	acts    []Act
	next    int // of acts
	now     float64
	lap     float64 // when the last lap ended
	laps    []float64
	ended   bool
	rests   bool // an endless script waits for the time of its next piece
	aside   aside
	pending map[accessKey]*pendingAccesses // of accesses

	open   []*request // by slot; nil if not open
	posted []*request // receives that have no message yet, in their order
	early  []*transit // messages that haven't been received, in their order
}

type request struct {
	of    *actor
	from  int32
	tag   uint64
	begun float64
	done  bool
	at    float64 // when it was done
	after float64 // seconds that its process's processor then takes
}

// transit is a message, or data of an access, under way.
type transit struct {
	flow
	from, to    int32
	tag         uint64
	ready       float64 // when it leaves its sender
	handshake   float64 // seconds of each half of the handshake before a long message
	waits       bool    // for its receiver
	stays       bool    // in its sender's memory until it is sent
	after       float64 // seconds of its receiver's processor
	arrived     bool
	send, taker *request
	access      *access // nil for a message
	back        bool    // it carries the data that an access returns, or the news that it is done
}

// run runs an actor until it waits.
func (p *play) run(a *actor) {
	for a.piece < a.script.Pieces || a.script.Endless {
		if p.pauses(a) {
			return
		}
		if a.acts == nil {
			a.acts, a.next = a.script.Piece(a.piece), 0
			if a.piece == a.script.Clocked {
				a.lap = a.now
			}
		}
		for a.next < len(a.acts) {
			if !p.act(a, &a.acts[a.next]) {
				return
			}
			a.next++
		}
		a.played.Ends, a.played.Laps = append(a.played.Ends, a.now), append(a.played.Laps, a.laps)
		a.laps, a.acts = nil, nil
		a.piece++
	}
	if a.aside.main == nil && !a.ended {
		a.ended = true
		p.left--
	}
	a.end()
}

// pauses reports whether an endless actor doesn't begin a piece now, because its time hasn't come or all others have
// ended. Without this, an actor that never waits would run forever.
func (p *play) pauses(a *actor) bool {
	if !a.script.Endless || a.acts != nil {
		return false
	}
	if a.now > p.until() && !a.rests {
		a.rests = true
		p.schedule(event{when: a.now, actor: a})
	}
	return a.rests || p.left == 0
}

// act does an act of an actor. It returns false if the act has to wait.
func (p *play) act(a *actor, x *Act) bool {
	if len(a.aside.begun) > 0 {
		if x.Kind == Work {
			return p.work(a, x.Seconds)
		}
		p.attend(a)
	}
	switch x.Kind {
	case Send:
		p.send(a, x)
	case Receive:
		p.receive(a, x)
	case Work:
		a.now += x.Seconds
	case Lap:
		for len(a.laps) <= x.Lap {
			a.laps = append(a.laps, 0)
		}
		a.laps[x.Lap] += a.now - a.lap
		a.lap = a.now
	case Wait:
		return a.take(x.Slot)
	case WaitAll:
		return a.takeAll()
	case Aside:
		p.begin(a, x)
	case Access:
		p.access(a, x)
	case Flush:
		return a.flush(x)
	}
	return true
}

// take ends a request. It returns false if the request isn't done.
func (a *actor) take(slot int32) bool {
	r := a.open[slot]
	if r == nil {
		return true
	}
	if !r.done {
		return false
	}
	a.now = max(a.now, r.at)
	a.spend(r.after)
	a.open[slot] = nil
	return true
}

// takeAll ends all requests in the order in which they were done. It returns false if one isn't done.
func (a *actor) takeAll() bool {
	var list []*request
	for _, r := range a.open {
		if r == nil {
			continue
		}
		if !r.done {
			return false
		}
		list = append(list, r)
	}
	slices.SortStableFunc(list, func(x, y *request) int { return cmp.Compare(x.at, y.at) })
	for _, r := range list {
		a.now = max(a.now, r.at)
		a.spend(r.after)
	}
	clear(a.open)
	return true
}

func (a *actor) request(slot int32, r *request) *request {
	for len(a.open) <= int(slot) {
		a.open = append(a.open, nil)
	}
	r.of, a.open[slot] = a, r
	return r
}

func (p *play) send(a *actor, x *Act) {
	m, from, to := p.m, a.script.Process, x.Peer
	e := &m.Endpoint
	scale := m.Factor(x.Bytes)
	bytes := scale * float64(x.Bytes)
	w := &transit{flow: flow{bytes: bytes}, from: from, to: to, tag: x.Tag, waits: x.Waits}
	p.uses, p.links, w.latency = m.way(p.uses[:0], from, to, p.links, p.shares.load)
	w.latency *= scale
	node := m.NodeOf[from]
	outside := node != m.NodeOf[to]
	overhead := m.overhead(outside) * scale
	a.spend(overhead)
	w.after = overhead
	w.stays = x.Bytes > 0
	if outside {
		w.handshake = w.latency + overhead
		if eager := int64(e.Eager); eager > 0 && x.Bytes > eager {
			w.waits = true
		} else if e.Copy > 0 {
			copying := bytes / float64(e.Copy)
			a.spend(copying)
			w.after += copying
			w.stays = false
		}
	}
	w.ready = a.now
	if outside {
		w.ready = p.leave(node, a.now)
	}
	w.send = a.request(x.Slot, &request{begun: a.now})
	if !w.waits && !w.stays {
		w.send.done, w.send.at = true, a.now
	}
	if x.Bytes > 0 {
		w.uses = slices.Clone(p.uses)
	}
	b := p.of[to]
	if b == nil {
		w.send.done, w.send.at = true, a.now
		return // nobody receives it
	}
	k := slices.IndexFunc(b.posted, func(r *request) bool { return r.fits(w) })
	if k < 0 {
		b.early = append(b.early, w)
	} else {
		r := b.posted[k]
		b.posted = slices.Delete(b.posted, k, k+1)
		p.match(w, r)
	}
	if !w.waits && !w.stays {
		p.at(w.ready+w.latency, w)
	}
}

// leave returns when a message leaves a node that is ready for it, after earlier messages.
func (p *play) leave(node int32, ready float64) float64 {
	if gap := float64(p.m.Endpoint.Gap); gap > 0 {
		ready = max(ready, p.ports[node])
		p.ports[node] = ready + gap
	}
	return ready
}

func (r *request) fits(w *transit) bool {
	return r.tag == w.tag && (r.from == Anyone || r.from == w.from)
}

func (p *play) receive(a *actor, x *Act) {
	r := a.request(x.Slot, &request{from: x.Peer, tag: x.Tag, begun: a.now})
	b := a.process()
	k := slices.IndexFunc(b.early, r.fits)
	if k < 0 {
		b.posted = append(b.posted, r)
		return
	}
	w := b.early[k]
	b.early = slices.Delete(b.early, k, k+1)
	p.match(w, r)
}

// match assigns a message to the request that receives it.
func (p *play) match(w *transit, r *request) {
	w.taker, r.after = r, w.after
	switch {
	case w.arrived:
		r.done, r.at = true, max(p.now, r.begun)
	case w.waits:
		p.at(max(w.ready+w.handshake, r.begun)+w.handshake+w.latency, w)
	case w.stays: // it waits in the sender's memory until the receive is posted
		p.at(max(w.ready+w.latency, r.begun), w)
	}
}

// at schedules a message to begin to share bandwidth.
func (p *play) at(when float64, w *transit) {
	p.schedule(event{when: max(when, p.now), transit: w, version: -1})
}

func (p *play) schedule(x event) {
	p.number++
	x.number = p.number
	p.events.push(x)
}

// until is the time until which events are treated as simultaneous with now.
func (p *play) until() float64 { return p.now*alikeRate + 1e-15 }

func (p *play) loop() {
	for len(p.events) > 0 && !(p.endless && p.left == 0) {
		p.now = p.events[0].when
		until := p.until()
		for len(p.events) > 0 && p.events[0].when <= until {
			x := p.events.pop()
			switch {
			case x.transit == nil && x.actor.rests:
				x.actor.rests = false
				p.run(x.actor)
			case x.transit == nil:
				p.worked(x.actor, x.when)
			case x.version < 0:
				p.join(x.transit)
			case x.version == x.transit.version:
				p.shares.leave(&x.transit.flow)
				p.arrive(x.transit)
				p.next(x.transit)
			}
		}
		p.shares.solve(p.now, func(f *flow) {
			p.schedule(event{when: f.end, transit: f.transit, version: f.version})
		})
	}
}

// join begins to share bandwidth with a message, or ends the message's way if it needs none.
func (p *play) join(w *transit) {
	if p.queues(w) {
		return
	}
	w.transit = w
	if !p.shares.join(p.m, &w.flow) {
		p.arrive(w)
		p.next(w)
	}
}

// arrive ends a message's way.
func (p *play) arrive(w *transit) {
	if w.access != nil {
		p.accessed(w)
		return
	}
	w.arrived = true
	if r := w.taker; r != nil {
		r.done, r.at = true, max(p.now, r.begun)
		p.wake(r.of)
	}
	if !w.send.done {
		w.send.done, w.send.at = true, p.now
		if !w.waits {
			w.send.at -= w.latency
		}
		p.wake(w.send.of)
	}
}

// event is an event. A message begins to share bandwidth (version -1), or ends unless its rate has changed since, or
// an actor has finished its work.
type event struct {
	when    float64
	number  int64
	transit *transit
	version int
	actor   *actor
}

func (x *event) before(other *event) bool {
	return x.when < other.when || x.when == other.when && x.number < other.number
}

// eventHeap is a heap of events, the soonest first. It isn't container/heap, whose conversions to interfaces took a
// fifth of a play's time.
type eventHeap []event

func (s *eventHeap) push(x event) {
	list := append(*s, x)
	i := len(list) - 1
	for i > 0 && x.before(&list[(i-1)/2]) {
		list[i] = list[(i-1)/2]
		i = (i - 1) / 2
	}
	list[i], *s = x, list
}

// pop removes the soonest event, and returns it.
func (s *eventHeap) pop() event {
	list := (*s)[:len(*s)-1]
	first, x, i := (*s)[0], (*s)[len(list)], 0
	(*s)[len(list)] = event{}
	for below := 1; below < len(list); below = 2*i + 1 {
		if below+1 < len(list) && list[below+1].before(&list[below]) {
			below++
		}
		if x.before(&list[below]) {
			break
		}
		list[i], i = list[below], below
	}
	if len(list) > 0 {
		list[i] = x
	}
	*s = list
	return first
}
