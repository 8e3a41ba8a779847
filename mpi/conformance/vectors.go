package conformance

import (
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
)

// alltoallv adds one vector call to and from peers, with places in the order of peers. length returns the length of a
// message in bytes.
func (x *exchange) alltoallv(peers []int, length func(from, to int) int64) {
	me := x.program.Comm.Rank()
	for _, peer := range peers {
		x.send(peer, length(me, peer), len(x.program.Loop))
	}
	send := x.latest(len(peers))
	for _, peer := range peers {
		x.recv(peer, length(peer, me), len(x.program.Loop))
	}
	x.call(mpi.Call{Op: mpi.Alltoallv, Send: send, Recv: x.latest(len(peers))})
}

// others returns the ranks in peers, sorted and each once.
func others(peers ...int) []int {
	slices.Sort(peers)
	return slices.Compact(peers)
}

func alltoallvFull(p *process) error {
	peers := to(p.size)
	slices.Reverse(peers)
	for _, unit := range []int64{1, 8, 5000} {
		x := p.exchange(p.world)
		x.alltoallv(peers, func(from, to int) int64 { return unit * int64((7*from+13*to)%5) })
		x.alltoallv(to(p.size), func(from, to int) int64 { return unit })
		if err := x.run(once, mpi.Loops{Untimed: 1, Timed: 10}); err != nil {
			return fmt.Errorf("unit %d: %w", unit, err)
		}
	}
	return nil
}

func alltoallvNeighbours(p *process) error {
	left, right := neighbours(p.world)
	for _, length := range []int64{0, 1, 8, 4096, 65536, 1<<20 + 1} {
		x := p.exchange(p.world)
		x.alltoallv(others(left, right), func(from, to int) int64 { return length })
		if err := x.run(once, mpi.Loops{Untimed: 1, Timed: 5}); err != nil {
			return fmt.Errorf("%d bytes: %w", length, err)
		}
	}
	return nil
}

// alltoallvNothing has a call in which the last process has no places, as processes outside of a pattern have none, and
// a call in which no process has places.
func alltoallvNothing(p *process) error {
	x := p.exchange(p.world)
	var peers []int
	if n := p.size - 1; p.rank < n {
		peers = others((p.rank+1)%n, (p.rank+n-1)%n)
	}
	x.alltoallv(peers, func(from, to int) int64 { return 1000 })
	x.alltoallv(nil, nil)
	return x.run(once, mpi.Loops{Timed: 10})
}

// alltoallvTwoBuffers has the places of one call in two buffers far apart. An engine may refuse that, but if it doesn't
// the data must be right.
func alltoallvTwoBuffers(p *process) error {
	small, err := p.NewBuffer(64)
	if err != nil {
		return err
	}
	defer small.Free()
	large, err := p.NewBuffer(40 << 20) // so large that no allocator puts it beside the small one
	if err != nil {
		return err
	}
	defer large.Free()
	program := p.twoBuffers(small, large)
	r, err := p.Compile(program)
	if refused, disagree := p.count(err != nil); disagree != nil || refused > 0 {
		if err == nil {
			p.errorf("%d processes refuse what this one doesn't", refused)
			r.Close()
		}
		return disagree
	}
	defer r.Close()
	fill(small.Bytes()[:16], p.rank, 0, 0)
	fill(large.Bytes()[:16], p.rank, 1, 0)
	if err := p.runRight(r, once); err != nil {
		return err
	}
	left, right := neighbours(p.world)
	for _, c := range []struct {
		found         []byte
		from, message int
	}{{small.Bytes()[32:48], right, 0}, {large.Bytes()[4<<20:][:16], left, 1}} {
		want := make([]byte, 16)
		fill(want, c.from, c.message, 0)
		if !slices.Equal(c.found, want) {
			p.errorf("the message of %d is wrong", c.from)
		}
	}
	return nil
}

// twoBuffers sends from small to the left and from large to the right, and receives likewise.
func (p *process) twoBuffers(small, large mpi.Buffer) *mpi.Program {
	left, right := neighbours(p.world)
	return &mpi.Program{
		Comm: p.world,
		Places: []mpi.Place{
			{Space: small, Length: 16, Peer: left},
			{Space: large, Length: 16, Peer: right},
			{Space: small, Offset: 32, Length: 16, Peer: right},
			{Space: large, Offset: 4 << 20, Length: 16, Peer: left},
		},
		Loop: []mpi.Call{{Op: mpi.Alltoallv, Send: mpi.Span{First: 0, Count: 2}, Recv: mpi.Span{First: 2, Count: 2}}},
	}
}

func programBarrier(p *process) error {
	program := mpi.Program{Comm: p.world}
	program.Call(mpi.Call{Op: mpi.Barrier})
	_, err := p.holds(p.world, func() error { return p.runProgram(&program, once) })
	if err != nil {
		return err
	}
	return p.runProgram(&program, mpi.Loops{Untimed: 10, Timed: 20})
}
