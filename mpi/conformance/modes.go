package conformance

import (
	"fmt"

	"github.com/effective-bandwidth/beff/mpi"
)

// synchronous sends from process 0 to 1, which works before it receives: the send must take as long, in most of
// several runs. Then all processes send to their right neighbours one after the other.
func synchronous(p *process) error {
	const work = 0.01
	for _, length := range []int64{0, 8, 100000} {
		longest := 0.0
		for range 5 {
			x := p.exchange(p.world)
			switch p.rank {
			case 0:
				x.call(mpi.Call{Op: mpi.Ssend, Send: x.send(1, length, 0)})
			case 1:
				x.call(mpi.Call{Op: mpi.Compute, Seconds: work})
				x.call(mpi.Call{Op: mpi.Recv, Recv: x.recv(0, length, 0)})
			}
			seconds, err := x.seconds()
			if err != nil {
				return err
			}
			longest = max(longest, seconds)
		}
		if p.rank == 0 && longest < work/2 {
			p.errorf("%d bytes: the receive began after %v s, and the send took %v s at most", length, work, longest)
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

// seconds runs the program once, and returns its time.
func (x *exchange) seconds() (float64, error) {
	b, err := x.p.NewBuffer(x.size)
	if err != nil {
		return 0, err
	}
	defer b.Free()
	for i := range x.program.Places {
		x.program.Places[i].Space = b
	}
	r, err := x.p.Compile(&x.program)
	if err != nil {
		return 0, fmt.Errorf("compile: %w", err)
	}
	defer r.Close()
	m, err := r.Run(once)
	if err != nil {
		return 0, fmt.Errorf("run: %w", err)
	}
	return m.Seconds, nil
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
