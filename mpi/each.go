package mpi

import "slices"

// Partners returns the processes to which process rank of size sends, and from which it receives, in an exchange of
// SendrecvEach. Exchanges are counted from 1.
func Partners(rank, size, exchange int) (to, from int) {
	if size&(size-1) == 0 {
		return rank ^ exchange, rank ^ exchange
	}
	return (rank + exchange) % size, (rank + size - exchange) % size
}

// Expanded returns the program of process rank in which each SendrecvEach and RecvEach is replaced by a call for each
// message. Engines that don't have the two calls run this program instead.
func (p *Program) Expanded(rank, size int) *Program {
	isEach := func(c Call) bool { return c.Op == SendrecvEach || c.Op == RecvEach }
	if !slices.ContainsFunc(p.Calls(), isEach) {
		return p
	}
	made := *p
	made.Places = slices.Clone(p.Places)
	for _, section := range []*[]Call{&made.Before, &made.Loop, &made.After} {
		var calls []Call
		first := make([]int, len(*section)) // index of each call in calls
		for i, c := range *section {
			c.Of = first[min(c.Of, i)]
			first[i] = len(calls)
			if isEach(c) {
				calls = append(calls, made.messages(c, rank, size)...)
			} else {
				calls = append(calls, c)
			}
		}
		*section = calls
	}
	return &made
}

// messages returns the single calls of a SendrecvEach or a RecvEach, and adds their places.
func (p *Program) messages(c Call, rank, size int) (calls []Call) {
	place := func(s Span, peer, index int) Span {
		made := p.Places[s.First]
		made.Peer, made.Offset = peer, made.Offset+int64(index)*made.Length
		return One(p.Place(made))
	}
	if c.Op == SendrecvEach {
		for exchange := 1; exchange < size; exchange++ {
			to, from := Partners(rank, size, exchange)
			calls = append(calls, Call{Op: Sendrecv, Tag: c.Tag, Send: place(c.Send, to, 0),
				Recv: place(c.Recv, from, 0)})
		}
		return calls
	}
	for peer := range size {
		if peer != rank {
			calls = append(calls, Call{Op: Irecv, Recv: place(c.Recv, peer, peer), Tag: c.Tag})
		}
	}
	return append(calls, Call{Op: Waitall})
}
