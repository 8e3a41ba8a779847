package suites

import (
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
)

// ackBuilders holds the builders of MPIBlib's measurements of single operations. Bcast_ack measures MPI_Bcast by
// acknowledgements (MPIBlib manual, 7.1, after de Supinski and Karonis). For each other process in turn, all processes
// call MPI_Bcast, that process sends an empty message to the root, and the root waits for the message after its own
// call. Half of an empty round trip with the process is subtracted from the root's time. The largest of these
// differences is the time of the repetition, so only the root's clock is needed. There are no barriers in between.
var ackBuilders = map[string]*kernel.Builder{
	"Bcast_ack": {Ops: []mpi.Op{mpi.Bcast, mpi.Send, mpi.Recv}, Build: bcastAck},
	"Comm_dup": {Ops: []mpi.Op{mpi.DupFree}, Build: stepOf(mpi.DupFree), Data: kernel.Data{Sizes: nothing},
		Rows: kernel.NoLength},
}

// bcastAck returns a process's step. On the root, split time i-1 is the broadcast that process i acknowledges.
func bcastAck(s *kernel.Setup) *kernel.Step {
	x := &kernel.Step{Places: []mpi.Place{s.In(&s.Send, 0, s.Bytes, 0), s.In(&s.Recv, 0, s.Bytes, 0)},
		Silent: s.Rank() != kernel.Root}
	bcast := mpi.Call{Op: mpi.Bcast, Send: mpi.One(0), Recv: mpi.One(1), Root: kernel.Root}
	for i := 1; i < s.Size(); i++ {
		x.Each = append(x.Each, bcast)
		switch s.Rank() {
		case kernel.Root:
			x.Places = append(x.Places, s.In(&s.Recv, 0, 0, i))
			x.Each = append(x.Each, mpi.Call{Op: mpi.Recv, Recv: mpi.One(len(x.Places) - 1), Tag: kernel.Tag},
				mpi.Call{Op: mpi.Lap, Root: i - 1})
		case i:
			x.Places = append(x.Places, s.In(&s.Send, 0, 0, kernel.Root))
			x.Each = append(x.Each, mpi.Call{Op: mpi.Send, Send: mpi.One(len(x.Places) - 1), Tag: kernel.Tag})
		}
	}
	if s.Rank() != kernel.Root {
		x.Wants = []kernel.Want{s.Want(&s.Recv, 0, s.Bytes, kernel.Root, 0)}
	}
	return x
}
