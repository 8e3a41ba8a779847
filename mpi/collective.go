package mpi

import "fmt"

// Parts says how one side of a collective call divides up among the processes.
type Parts uint8

// The ways: one place whose bytes are of one process or for all alike; one place of as many bytes for each process, in
// the order of the ranks; a place for each process. A side of No parts has no places, or any (Alltoallv).
const (
	No Parts = iota
	Whole
	Equal
	Vector
)

// collective is what is known of a collective call with data: its sides, at the root alone if there is one, and whether
// it computes.
type collective struct {
	send, recv         Parts
	sendRoot, recvRoot bool // only the root's place is used
	reduces            bool
}

// collectives has a row for each blocking call; the nonblocking ones are in the same order.
var collectives = [Allreduce - Barrier + 1]collective{
	Bcast - Barrier:         {send: Whole, recv: Whole, sendRoot: true},
	Gather - Barrier:        {send: Whole, recv: Equal, recvRoot: true},
	Gatherv - Barrier:       {send: Whole, recv: Vector, recvRoot: true},
	Scatter - Barrier:       {send: Equal, recv: Whole, sendRoot: true},
	Scatterv - Barrier:      {send: Vector, recv: Whole, sendRoot: true},
	Allgather - Barrier:     {send: Whole, recv: Equal},
	Allgatherv - Barrier:    {send: Whole, recv: Vector},
	Alltoall - Barrier:      {send: Equal, recv: Equal},
	Reduce - Barrier:        {send: Whole, recv: Whole, recvRoot: true, reduces: true},
	ReduceScatter - Barrier: {send: Vector, recv: Whole, reduces: true},
	Allreduce - Barrier:     {send: Whole, recv: Whole, reduces: true},
}

func (op Op) collective() collective {
	switch {
	case op >= Barrier && op <= Allreduce:
		return collectives[op-Barrier]
	case op >= Ibarrier && op <= Iallreduce:
		return collectives[op-Ibarrier]
	}
	return collective{}
}

// Parts says how the places of a collective call divide up among the processes.
func (op Op) Parts() (send, recv Parts) {
	c := op.collective()
	return c.send, c.recv
}

// Reduces says that the call combines elements of the places' Type.
func (op Op) Reduces() bool { return op.collective().reduces }

// RootIn is the root of a call in a loop of a program on size processes.
func (c *Call) RootIn(loop int64, size int) int {
	if !c.Rotate {
		return c.Root
	}
	return int((int64(c.Root) + loop) % int64(size))
}

// validateCollective refuses a call whose two sides, as far as this process uses both, can't be of the same call.
func (p *Program) validateCollective(c Call) error {
	k := c.Op.collective()
	if k.send == No {
		return nil
	}
	root := c.Rotate || c.Root == p.Comm.Rank()
	send, err := p.partOf(c.Send, k.send, !k.sendRoot || root)
	if err != nil {
		return fmt.Errorf("send: %w", err)
	}
	recv, err := p.partOf(c.Recv, k.recv, !k.recvRoot || root)
	if err != nil {
		return fmt.Errorf("receive: %w", err)
	}
	both := !k.sendRoot && !k.recvRoot || root
	if k.sendRoot && k.recv == Whole && k.send == Whole {
		both = c.Rotate // the root of Bcast receives nothing
	}
	if both && send != recv {
		return fmt.Errorf("%d bytes are sent where %d are received", send, recv)
	}
	if k.reduces {
		return p.validateReduction(c, both)
	}
	return nil
}

// partOf is the length of one process' part of a side: this one's, if they differ.
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
		return 0, fmt.Errorf("%d bytes are not as many elements for each of %d processes", side[0].Length, size)
	case parts == Equal:
		return side[0].Length / int64(size), nil
	}
	return side[0].Length, nil
}

// validateReduction wants numbers of one type, and those of ReduceScatter next to each other in the order of the ranks:
// the standard has a single buffer there, without displacements (MPI 4.1, 6.11.2).
func (p *Program) validateReduction(c Call, both bool) error {
	send := p.Places[c.Send.First : c.Send.First+c.Send.Count]
	kind := send[0].Type
	if kind == Byte {
		return fmt.Errorf("bytes are no numbers")
	}
	if recv := p.Places[c.Recv.First].Type; both && recv != kind {
		return fmt.Errorf("elements of type %d are sent where those of type %d are received", kind, recv)
	}
	end := send[0].Offset
	for i, place := range send {
		if place.Type != kind {
			return fmt.Errorf("elements of types %d and %d", kind, place.Type)
		}
		if len(send) > 1 && (place.Peer != i || place.Offset != end || place.Step != 0 || place.Advance != 0) {
			return fmt.Errorf("place %d is not the next one in the order of the ranks", i)
		}
		end = place.Offset + place.Length
	}
	return nil
}
