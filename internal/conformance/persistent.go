package conformance

import "github.com/effective-bandwidth/beff/mpi"

// persistentMessages starts persistent requests, several at once and one by one, in the loops and before them.
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

// remade frees the requests of messages and of a collective call in each loop, and makes them again.
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
