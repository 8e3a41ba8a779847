package mpi

import "fmt"

// MaxParts is the largest number of parts of a partitioned message.
const MaxParts = 1 << 16

// validateParts returns an error unless the message of a call divides into Parts parts of equally many whole elements.
func (p *Program) validateParts(c Call) error {
	if !c.Op.Partitioned() {
		return nil
	}
	side := c.Send
	if side.Count == 0 {
		side = c.Recv
	}
	place := p.Places[side.First]
	switch {
	case c.Parts < 1 || c.Parts > MaxParts:
		return fmt.Errorf("%d parts: want 1 to %d", c.Parts, MaxParts)
	case place.Length%(int64(c.Parts)*place.Type.Size()) != 0:
		return fmt.Errorf("%d bytes don't divide into %d parts of equally many elements", place.Length, c.Parts)
	case place.Peer == AnySource:
		return fmt.Errorf("parts come from one process") // MPI 4.1, 4.2.1
	}
	return nil
}

// callsReferredTo returns the calls that a call's Of is an index of. They are the section's calls in this program or,
// for calls on parts, in the program that starts the message.
func (p *Program) callsReferredTo(section int, c Call) []Call {
	if c.Op.Family() == Partition && len(p.Team) > 0 {
		p = p.Team[0]
	}
	return p.Sections()[section]
}

// validatePartitions returns an error unless each part of each message of a section is marked ready once before the
// Wait for the message, and parts are asked for only between the start and the Wait.
func (p *Program) validatePartitions(section int) error {
	calls := p.Sections()[section]
	if len(p.Team) > 0 && p.Team[0] != p {
		return p.validateOthers(section)
	}
	open := map[int][]bool{} // for each call with an open message: which parts are ready
	whole := func(i int) error {
		for part, ready := range open[i] {
			if !ready && calls[i].Op == PsendInit {
				return fmt.Errorf("call %d (%v): part %d is never ready", i, calls[i].Op, part)
			}
		}
		delete(open, i)
		return nil
	}
	for i, c := range calls {
		switch {
		case c.Op.Partitioned():
			open[i] = make([]bool, c.Parts)
			if err := p.markByTeam(section, i, open[i]); err != nil {
				return err
			}
		case c.Op.Family() == Partition:
			if err := c.mark(open[c.Of], calls[c.Of].Op); err != nil {
				return fmt.Errorf("call %d (%v): %w", i, c.Op, err)
			}
		case c.Op == Wait:
			if err := whole(c.Of); err != nil {
				return err
			}
		case c.Op == Waitall:
			for start := range calls[:i] {
				if err := whole(start); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// validateOthers returns an error if the program of a thread other than the first starts a partitioned message itself,
// or marks parts of a call that starts none.
func (p *Program) validateOthers(section int) error {
	for i, c := range p.Sections()[section] {
		if c.Op.Partitioned() || c.Op.Family() == Partition && !p.callsReferredTo(section, c)[c.Of].Op.Partitioned() {
			return fmt.Errorf("call %d (%v): only the team's first thread starts partitioned messages", i, c.Op)
		}
	}
	return nil
}

// markByTeam marks the parts of a message that other threads make ready. The message must be open at that time, so a
// barrier of the threads must come before it, after the message's start, and another one after it, before the message's
// Wait.
func (p *Program) markByTeam(section, start int, ready []bool) error {
	calls := p.Sections()[section]
	wait := start
	for wait < len(calls)-1 && !(calls[wait].Op == Waitall || calls[wait].Op == Wait && calls[wait].Of == start) {
		wait++
	}
	for i := 1; i < len(p.Team); i++ {
		others := p.Team[i].Sections()[section]
		if n, want := threadBarriers(others), threadBarriers(calls); n != want {
			return fmt.Errorf("thread %d waits for the others %d times, thread 0 %d times", i, n, want)
		}
		for k, c := range others {
			if c.Op.Family() != Partition || c.Of != start {
				continue
			}
			err := c.mark(ready, calls[start].Op)
			n := threadBarriers(others[:k])
			if n <= threadBarriers(calls[:start]) || n >= threadBarriers(calls[:wait]) {
				err = fmt.Errorf("no barrier of the threads is between it and the start or the wait")
			}
			if err != nil {
				return fmt.Errorf("thread %d: call %d (%v): %w", i, k, c.Op, err)
			}
		}
	}
	return nil
}

// threadBarriers returns the number of barriers of the threads in calls.
func threadBarriers(calls []Call) (n int) {
	for _, c := range calls {
		if c.Op == ThreadBarrier {
			n++
		}
	}
	return n
}

// Ready returns the first part that the call makes ready or waits for, and the number of parts.
func (c *Call) Ready() (first, parts int) {
	if c.Op == PreadyRange {
		return c.Part, c.Parts
	}
	return c.Part, 1
}

// mark sets ready for the parts that the call makes ready, if it makes any ready.
func (c *Call) mark(ready []bool, start Op) error {
	first, n := c.Ready()
	sends := c.Op != Parrived
	switch {
	case ready == nil || sends != (start == PsendInit):
		return fmt.Errorf("call %d has no open message of parts this way", c.Of)
	case first < 0 || n < 1 || n > len(ready)-first:
		return fmt.Errorf("%d parts beginning with part %d, of %d", n, first, len(ready))
	}
	for part := first; sends && part < first+n; part++ {
		if ready[part] {
			return fmt.Errorf("part %d is ready twice", part)
		}
		ready[part] = true
	}
	return nil
}
