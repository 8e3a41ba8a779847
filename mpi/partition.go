package mpi

import "fmt"

// MostParts is the largest number of parts of a partitioned message.
const MostParts = 1 << 16

// validateParts returns an error unless the message of a call has parts of as many whole elements.
func (p *Program) validateParts(c Call) error {
	if !c.Op.Parted() {
		return nil
	}
	side := c.Send
	if side.Count == 0 {
		side = c.Recv
	}
	place := p.Places[side.First]
	switch {
	case c.Parts < 1 || c.Parts > MostParts:
		return fmt.Errorf("%d parts, not 1 to %d", c.Parts, MostParts)
	case place.Length%(int64(c.Parts)*place.Type.Size()) != 0:
		return fmt.Errorf("%d bytes are not %d parts of as many elements", place.Length, c.Parts)
	case place.Peer == AnySource:
		return fmt.Errorf("parts come from one process") // MPI 4.1, 4.2.1
	}
	return nil
}

// validatePartitions returns an error unless each part of the messages of a section is ready once before the message is
// waited for, and parts are asked for between the start and the wait.
func validatePartitions(calls []Call) error {
	open := map[int][]bool{} // which parts of the messages that calls started are ready
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
		case c.Op.Parted():
			open[i] = make([]bool, c.Parts)
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

// Ready returns the parts that the call makes ready, or waits for, of a message in parts: the first, and their number.
func (c *Call) Ready() (first, parts int) {
	if c.Op == PreadyRange {
		return c.Part, c.Parts
	}
	return c.Part, 1
}

// mark notes the parts of an open message that the call makes ready, if it does so.
func (c *Call) mark(ready []bool, start Op) error {
	first, n := c.Ready()
	sends := c.Op != Parrived
	switch {
	case ready == nil || sends != (start == PsendInit):
		return fmt.Errorf("call %d has no open message of parts this way", c.Of)
	case first < 0 || n < 1 || n > len(ready)-first:
		return fmt.Errorf("%d parts from %d on, of %d", n, first, len(ready))
	}
	for part := first; sends && part < first+n; part++ {
		if ready[part] {
			return fmt.Errorf("part %d is ready twice", part)
		}
		ready[part] = true
	}
	return nil
}
