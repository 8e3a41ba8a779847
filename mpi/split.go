package mpi

import "fmt"

// validateSplit returns an error if a section has only one half of a split call, or if two of them are open on one file
// (MPI 4.1, 14.4.5).
func (p *Program) validateSplit(calls []Call) error {
	open := map[Space]Call{}
	for i, c := range calls {
		begins := c.Op.Family() == SplitBegin
		if !begins && c.Op.Family() != SplitEnd {
			continue
		}
		file := p.Places[c.Recv.First].Space
		if c.Op.Reads() {
			file = p.Places[c.Send.First].Space
		}
		other, isOpen := open[file]
		switch {
		case begins && isOpen:
			return fmt.Errorf("call %d (%v): %v is open on the same file", i, c.Op, other.Op)
		case begins:
			open[file] = Call{Op: c.Op.End(), Send: c.Send, Recv: c.Recv}
		case !isOpen || other.Op != c.Op || other.Send != c.Send || other.Recv != c.Recv:
			return fmt.Errorf("call %d (%v): its first half is not open with the same places", i, c.Op)
		default:
			delete(open, file)
		}
	}
	if len(open) > 0 {
		return fmt.Errorf("%d split calls have no second half", len(open))
	}
	return nil
}
