package mpi

import "fmt"

// Parts is the way in which one side of a collective call is divided among the processes.
type Parts uint8

// The ways to divide a side.
const (
	No     Parts = iota // no places
	Whole               // one place, whose bytes belong to one process or are the same for all
	Equal               // one place with equally many bytes for each process, in the order of the ranks
	Vector              // a place for each process
	Sparse              // a place for each peer, if there are any
)

// RootIn returns the root of a call in a loop of a program on size processes.
func (c *Call) RootIn(loop int64, size int) int {
	if !c.Rotate {
		return c.Root
	}
	return int((int64(c.Root) + loop) % int64(size))
}

// validateCollective returns an error if this process uses both sides of the call and their lengths differ.
func (p *Program) validateCollective(c Call) error {
	k := c.Op.row()
	if k.send == No || k.send == Sparse {
		return p.validateNeighbours(c)
	}
	rootSends, rootReceives := k.uses&rootSends != 0, k.uses&rootReceives != 0
	root := c.Rotate || c.Root == p.Comm.Rank()
	send, err := p.partOf(c.Send, k.send, !rootSends || root)
	if err != nil {
		return fmt.Errorf("send: %w", err)
	}
	recv, err := p.partOf(c.Recv, k.recv, !rootReceives || root)
	if err != nil {
		return fmt.Errorf("receive: %w", err)
	}
	both := !rootSends && !rootReceives || root
	if rootSends && k.recv == Whole && k.send == Whole {
		both = c.Rotate // the root of Bcast receives nothing
	}
	if both && send != recv {
		return fmt.Errorf("%d bytes are sent, but %d are received", send, recv)
	}
	if c.Op.Reduces() {
		return p.validateReduction(c, both)
	}
	return nil
}

// partOf returns the number of bytes of one process's part of a side. If the parts differ, it is this process's part.
func (p *Program) partOf(s Span, parts Parts, used bool) (int64, error) {
	side := p.Places[s.First : s.First+s.Count]
	size := p.Comm.Size()
	switch {
	case !used:
		return 0, nil
	case parts == Vector && len(side) != size:
		return 0, fmt.Errorf("%d places for %d processes", len(side), size)
	case parts == Vector:
		for _, place := range side {
			if place.Peer == p.Comm.Rank() {
				return place.Length, nil
			}
		}
	case len(side) != 1:
		return 0, fmt.Errorf("%d places instead of one", len(side))
	case parts == Equal && side[0].Length%(int64(size)*side[0].Type.Size()) != 0:
		return 0, fmt.Errorf("%d bytes are not a whole number of elements for each of %d processes", side[0].Length,
			size)
	case parts == Equal:
		return side[0].Length / int64(size), nil
	}
	return side[0].Length, nil
}

// validateReduction returns an error unless the elements are numbers of one type. ReduceScatter's parts must also lie
// next to each other in the order of the ranks, because the standard has a single buffer there, without displacements
// (MPI 4.1, 6.11.2).
func (p *Program) validateReduction(c Call, both bool) error {
	send := p.Places[c.Send.First : c.Send.First+c.Send.Count]
	kind := send[0].Type
	if kind == Byte {
		return fmt.Errorf("bytes are not numbers")
	}
	if recv := p.Places[c.Recv.First].Type; both && recv != kind {
		return fmt.Errorf("elements of type %d are sent, but elements of type %d are received", kind, recv)
	}
	end := send[0].Offset
	for i, place := range send {
		if place.Type != kind {
			return fmt.Errorf("elements of types %d and %d", kind, place.Type)
		}
		if len(send) > 1 && (place.Peer != i || place.Offset != end || place.Step != 0 || place.Advance != 0) {
			return fmt.Errorf("place %d is not the next one in the order of the ranks", i)
		}
		end = place.Offset + place.Extent()
	}
	return nil
}

// validatePersistent returns an error if the arguments of a persistent request, or of a call with large counts, would
// change from loop to loop.
func (p *Program) validatePersistent(c Call) error {
	if !c.Op.Persistent() && (!c.Op.Large() || c.Op.OnFile()) {
		return nil
	}
	if c.Rotate {
		return fmt.Errorf("its root can't rotate")
	}
	for _, side := range [...]Span{c.Send, c.Recv} {
		for _, place := range p.Places[side.First : side.First+side.Count] {
			if place.Step > 0 || place.Advance > 0 {
				return fmt.Errorf("a place that moves from loop to loop")
			}
		}
	}
	return nil
}

// validateRequests returns an error unless each persistent request is freed only after a Wait for it, and is made again
// later.
func validateRequests(calls []Call) error {
	open, free := map[int]bool{}, map[int]bool{}
	for i, c := range calls {
		switch {
		case c.Op.Persistent():
			open[i] = true
		case c.Op == Wait:
			delete(open, c.Of)
		case c.Op == Waitall:
			clear(open)
		case c.Op == FreeRequest && (open[c.Of] || free[c.Of]), c.Op == MakeRequest && !free[c.Of],
			(c.Op == FreeRequest || c.Op == MakeRequest) && !(c.Of < i && calls[c.Of].Op.Persistent()):
			return fmt.Errorf("call %d (%v): call %d is not a persistent request that can be freed or made again", i,
				c.Op,
				c.Of)
		case c.Op == FreeRequest:
			free[c.Of] = true
		case c.Op == MakeRequest:
			delete(free, c.Of)
		}
	}
	if len(free) > 0 {
		return fmt.Errorf("%d persistent requests are freed and not made again", len(free))
	}
	return nil
}

// validateNeighbours returns an error unless the places of a neighbourhood call are where the standard's arguments can
// express them.
func (p *Program) validateNeighbours(c Call) error {
	adjacent, same := c.Op.Blocks()
	for i, side := range [...][]Place{p.Places[c.Send.First:][:c.Send.Count], p.Places[c.Recv.First:][:c.Recv.Count]} {
		distance := int64(1) // from one place to the next, in places
		if i == 0 && same {
			distance = 0
		} else if !adjacent {
			continue
		}
		for k, place := range side {
			first := side[0]
			if place.Length != first.Length || place.Offset != first.Offset+distance*int64(k)*first.Extent() ||
				place.Step != first.Step || place.Advance != first.Advance {
				return fmt.Errorf("place %d differs in length from the first one, or isn't next to the one before", k)
			}
		}
	}
	return nil
}
