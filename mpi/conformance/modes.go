package conformance

import (
	"time"

	"github.com/effective-bandwidth/beff/mpi"
)

// synchronous sends from process 0 to 1, which begins to receive late: the send must not end before. Then all processes
// send to their right neighbours one after the other.
func synchronous(p *process) error {
	for _, length := range []int64{0, 8, 100000} {
		if err := p.sendToLate(length); err != nil {
			return err
		}
	}
	left, right := neighbours(p.world)
	x := p.exchange(p.world)
	for i, length := range lengths[:len(lengths)-1] {
		x.call(mpi.Call{Op: mpi.Irecv, Recv: x.recv(left, length, i), Tag: i})
		x.call(mpi.Call{Op: mpi.Ssend, Send: x.send(right, length, i), Tag: i})
		x.call(mpi.Call{Op: mpi.Waitall})
	}
	return x.run(once, mpi.Loops{Untimed: 1, Timed: 2})
}

// sendToLate checks that process 0's send ends after process 1 has begun to receive. Process 0's clock starts before
// the barrier ends, and process 1 sleeps after it, so an engine that waits passes on any machine, however slow.
func (p *process) sendToLate(length int64) error {
	x := p.exchange(p.world)
	x.program.Start = nil
	switch p.rank {
	case 0:
		x.call(mpi.Call{Op: mpi.Ssend, Send: x.send(1, length, 0)})
	case 1:
		x.call(mpi.Call{Op: mpi.Recv, Recv: x.recv(0, length, 0)})
	}
	b, err := p.NewBuffer(x.size)
	if err != nil {
		return err
	}
	defer b.Free()
	for i := range x.program.Places {
		x.program.Places[i].Space = b
	}
	begin := time.Now()
	if err := p.world.Barrier(); err != nil {
		return err
	}
	if p.rank == 1 {
		time.Sleep(late)
	}
	if err := p.runProgram(&x.program, once); err != nil {
		return err
	}
	if held := time.Since(begin); p.rank == 0 && held < late {
		p.errorf("%d bytes: the send ended after %v, and the receive began after %v", length, held, late)
	}
	return nil
}

// ready sends once all receives are posted.
func ready(p *process) error {
	left, right := neighbours(p.world)
	x := p.exchange(p.world)
	for i, length := range lengths {
		x.call(mpi.Call{Op: mpi.Irecv, Recv: x.recv(left, length, i), Tag: i})
	}
	x.call(mpi.Call{Op: mpi.Barrier})
	for i, length := range lengths {
		x.call(mpi.Call{Op: mpi.Rsend, Send: x.send(right, length, i), Tag: i})
	}
	x.call(mpi.Call{Op: mpi.Waitall})
	return x.run(once, mpi.Loops{Untimed: 1, Timed: 2})
}
