package conformance

import "github.com/effective-bandwidth/beff/mpi"

// persistentMessages starts requests that were made before: some at once, and one by one, before the loops too.
func persistentMessages(x *script, length int64) {
	var several []mpi.Call
	for range 3 {
		several = append(several, mpi.Call{Op: mpi.RecvInit, Recv: x.from(x.left, length)})
	}
	for range 3 {
		several = append(several, mpi.Call{Op: mpi.SendInit, Send: x.to(x.right, length)})
	}
	one := []mpi.Call{{Op: mpi.SendInit, Send: x.to(x.left, length), Tag: 7}, {Op: mpi.Ibarrier},
		{Op: mpi.RecvInit, Recv: x.from(x.right, length), Tag: 7}, {Op: mpi.Wait, Of: 2}, {Op: mpi.Wait, Of: 1},
		{Op: mpi.Wait, Of: 0}}
	x.Before = one
	x.Call(append(several, mpi.Call{Op: mpi.Waitall})...)
	x.Call(mpi.Call{Op: mpi.Sendrecv, Send: x.to(x.right, 8), Recv: x.from(x.left, 8)})
	x.run(once, mpi.Loops{Untimed: 1, Timed: 3})
}

// remade frees requests of messages and of a collective call in each loop, and makes them anew.
func remade(x *script) {
	x.Call(mpi.Call{Op: mpi.RecvInit, Recv: x.from(x.left, 1000)},
		mpi.Call{Op: mpi.SendInit, Send: x.to(x.right, 1000)},
		mpi.Call{Op: mpi.AllreduceInit, Send: x.put(mpi.Place{Length: 80, Type: mpi.Int64}),
			Recv: x.put(mpi.Place{Length: 80, Type: mpi.Int64})}, mpi.Call{Op: mpi.Waitall})
	for _, call := range []int{2, 0, 1} {
		x.Call(mpi.Call{Op: mpi.FreeRequest, Of: call}, mpi.Call{Op: mpi.MakeRequest, Of: call})
	}
	x.run(once, mpi.Loops{Untimed: 1, Timed: 3})
}

// persistentRefused compiles requests whose arguments would change, and neighbours whose places don't fit.
func persistentRefused(p *process) {
	b := p.buffer(64)
	refuse := func(what string, c mpi.Call, places ...mpi.Place) {
		for i := range places {
			places[i].Space = b
		}
		p.mustRefuse(&mpi.Program{Comm: p.world, Places: places, Loop: []mpi.Call{c, {Op: mpi.Wait}}}, what)
	}
	sends := mpi.Call{Op: mpi.SendInit, Send: mpi.One(0)}
	refuse("a place that advances", sends, mpi.Place{Length: 8, Advance: 8})
	refuse("a place that walks", sends, mpi.Place{Length: 8, Step: 8})
	refuse("a root that rotates", mpi.Call{Op: mpi.BcastInit, Send: mpi.One(0), Recv: mpi.One(1), Rotate: true},
		mpi.Place{Length: 8}, mpi.Place{Length: 8, Offset: 8})
	start, free := mpi.Call{Op: mpi.BarrierInit}, mpi.Call{Op: mpi.FreeRequest}
	wait, again := mpi.Call{Op: mpi.Wait}, mpi.Call{Op: mpi.MakeRequest}
	for what, calls := range map[string][]mpi.Call{"a request that is free at the end": {start, wait, free},
		"an open request that is freed": {start, free, again, wait}, "a request that isn't free": {start, wait, again},
		"a request that is no persistent one": {{Op: mpi.Ibarrier}, wait, free, again}} {
		p.mustRefuse(&mpi.Program{Comm: p.world, Loop: calls}, what)
	}
	sides := mpi.Call{Send: mpi.Span{Count: 2}, Recv: mpi.Span{First: 2, Count: 2}}
	for op, second := range map[mpi.Op]mpi.Place{mpi.IneighborAlltoall: {Offset: 12, Length: 8, Peer: 1},
		mpi.IneighborAllgather: {Offset: 8, Length: 8, Peer: 1}, mpi.IneighborAllgatherv: {Length: 4, Peer: 1}} {
		if sides.Op = op; p.size > 1 {
			refuse(op.String(), sides, mpi.Place{Length: 8}, second, mpi.Place{Offset: 32, Length: 8},
				mpi.Place{Offset: 40, Length: 8, Peer: 1})
		}
	}
}
