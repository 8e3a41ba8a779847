package model

import "slices"

// An aside is a list of acts that a process does concurrently with others: a nonblocking collective call, which sends
// its next messages when the messages before have arrived. They share the processor with the process's other acts, so
// an aside that needs the processor while the process works makes the work end later. If progress is only made in
// calls, an aside doesn't act while the process works; only the network makes progress.

// aside is the state of an actor that has asides, or that is an aside.
type aside struct {
	main  *actor   // the actor of the process; nil if this is that actor
	ends  *request // done when the last act is done
	begun []*actor // asides that haven't ended
	spent float64  // seconds of the processor that this actor has used
	taken float64  // time until which asides occupy the processor
	works bool     // the actor works until the time until
	until float64
}

// process returns the actor of the process.
func (a *actor) process() *actor {
	if a.aside.main != nil {
		return a.aside.main
	}
	return a
}

// spend uses the processor for a time.
func (a *actor) spend(seconds float64) {
	a.now += seconds
	a.aside.spent += seconds
}

// begin begins an aside. The call that begins it does all acts up to the first one that waits.
func (p *play) begin(a *actor, x *Act) {
	acts := x.Acts
	b := &actor{now: a.now, script: Script{Process: a.script.Process, Pieces: 1, Clocked: -1,
		Piece: func(int) []Act { return acts }}}
	b.aside = aside{main: a, ends: a.request(x.Slot, &request{begun: a.now})}
	a.aside.begun = append(a.aside.begun, b)
	p.run(b)
	a.now = max(a.now, b.now)
}

// end records that an actor has done all its acts.
func (a *actor) end() {
	x := &a.aside
	if x.main == nil || x.ends.done {
		return
	}
	x.ends.done, x.ends.at = true, a.now
	begun := &x.main.aside.begun
	k := slices.Index(*begun, a)
	*begun = slices.Delete(*begun, k, k+1)
}

// wake continues an actor after an event for which it may be waiting.
func (p *play) wake(a *actor) {
	m := a.aside.main
	switch {
	case m == nil && !a.aside.works:
		if len(a.aside.begun) > 0 {
			a.now = max(a.now, a.aside.taken)
		}
		p.run(a)
	case m == nil || m.aside.works && p.m.Endpoint.Progress == "calls":
	default:
		p.proceed(a)
		if a.aside.ends.done && !m.aside.works {
			p.run(m)
		}
	}
}

// proceed runs an aside as far as possible.
func (p *play) proceed(a *actor) {
	m := a.aside.main
	a.now = max(a.now, m.now, m.aside.taken)
	before := a.aside.spent
	p.run(a)
	if took := a.aside.spent - before; took > 0 {
		m.aside.taken = a.now
		m.aside.until += took
	}
}

// attend runs all asides as far as possible, because their process is in a call that makes them progress.
func (p *play) attend(a *actor) {
	if p.m.Endpoint.Progress != "calls" {
		return
	}
	for _, b := range slices.Clone(a.aside.begun) {
		p.proceed(b)
	}
	a.now = max(a.now, a.aside.taken)
}

// work begins to work concurrently with asides, and returns false because the work ends with an event.
func (p *play) work(a *actor, seconds float64) bool {
	a.aside.works, a.aside.until = true, a.now+seconds
	p.schedule(event{when: max(a.aside.until, p.now), actor: a})
	return false
}

// worked ends the work of an actor, unless asides have occupied the processor meanwhile.
func (p *play) worked(a *actor, now float64) {
	if a.aside.until > now {
		p.schedule(event{when: a.aside.until, actor: a})
		return
	}
	a.now, a.aside.works = max(a.now, a.aside.until), false
	a.next++
	p.run(a)
}
