package conformance

import (
	"slices"
	"time"

	"github.com/effective-bandwidth/beff/mpi"
)

// looks makes process 0 wait for a late message of process 1, and calls Look from another goroutine meanwhile. Calls
// that don't communicate, which engines need not record, precede the receive. The message is sent later and later,
// until Look is called in time.
func looks(p *process) {
	w, ok := p.Engine.(mpi.Watchable)
	if !ok || p.size < 2 {
		return
	}
	const length = 1000
	for delay := 50 * time.Millisecond; delay < time.Minute; delay *= 4 {
		done, found := make(chan struct{}), make(chan bool, 1)
		go func() { found <- p.rank == 0 && sees(w, length, done) }()
		p.play(p.world, func(x *script) {
			switch x.rank {
			case 0:
				recv := x.from(1, length)
				x.Call(mpi.Call{Op: mpi.Nop})
				if p.Supports(mpi.TouchRecv) {
					x.Call(mpi.Call{Op: mpi.TouchRecv, Recv: recv})
				}
				x.Call(mpi.Call{Op: mpi.Recv, Recv: recv})
			case 1:
				x.Call(mpi.Call{Op: mpi.Compute, Seconds: delay.Seconds()})
				x.Call(mpi.Call{Op: mpi.Send, Send: x.to(0, length)})
			}
			x.run(once)
		})
		close(done)
		if p.count(<-found) > 0 {
			return
		}
	}
	p.errorf("process 0 was never seen in MPI_Recv")
}

// sees reports whether Look shows process 0 in its receive twice, at the same moment, before done is closed.
func sees(w mpi.Watchable, length int64, done chan struct{}) bool {
	want := mpi.Snapshot{Call: "MPI_Recv", With: []int{1}, Bytes: length}
	var last mpi.Position
	for times := 0; times < 2; {
		select {
		case <-done:
			return false
		case <-time.After(time.Millisecond):
		}
		s := w.Look()[0]
		same := s.Rank == 0 && s.Call == want.Call && slices.Equal(s.With, want.With) && s.Bytes == want.Bytes &&
			s.Loop == 0
		if same && (times == 0 || s.Position == last) {
			times++
		}
		last = s.Position
	}
	return true
}
