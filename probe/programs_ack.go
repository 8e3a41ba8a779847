package probe

import (
	"github.com/effective-bandwidth/beff/mpi"
)

// ackRecipes holds the recipes of MPIBlib's measurements of single operations. Bcast_ack measures MPI_Bcast by
// acknowledgements (MPIBlib manual, 7.1, after de Supinski and Karonis). For each other process in turn all make the
// call, the process then sends an empty message to the root, and the root waits for it behind its own call. From the
// root's time half of an empty round trip with that process is taken off. The largest of these times is that of a
// repetition, so that no process' clock but the root's is needed. A repetition has a broadcast for each other process.
// No barriers are in between.
var ackRecipes = map[string]*recipe{
	"Bcast_ack": {ops: []mpi.Op{mpi.Bcast, mpi.Send, mpi.Recv}, build: bcastAck},
	"Comm_dup":  {ops: []mpi.Op{mpi.DupFree}, build: commDup, memory: nothing, rows: noLength},
}

// commDup returns the step of a communicator that is duplicated and freed (MPIBlib manual, 7.3).
func commDup(*scene) *step { return &step{each: []mpi.Call{{Op: mpi.DupFree}}} }

// bcastAck returns a process' step. On the root lap i-1 is the time of the broadcast that process i acknowledges.
func bcastAck(s *scene) *step {
	x := &step{places: []mpi.Place{s.in(&s.send, 0, s.bytes, 0), s.in(&s.recv, 0, s.bytes, 0)},
		silent: s.rank() != root}
	bcast := mpi.Call{Op: mpi.Bcast, Send: mpi.One(0), Recv: mpi.One(1), Root: root}
	for i := 1; i < s.size(); i++ {
		x.each = append(x.each, bcast)
		switch s.rank() {
		case root:
			x.places = append(x.places, s.in(&s.recv, 0, 0, i))
			x.each = append(x.each, mpi.Call{Op: mpi.Recv, Recv: mpi.One(len(x.places) - 1), Tag: tag},
				mpi.Call{Op: mpi.Lap, Root: i - 1})
		case i:
			x.places = append(x.places, s.in(&s.send, 0, 0, root))
			x.each = append(x.each, mpi.Call{Op: mpi.Send, Send: mpi.One(len(x.places) - 1), Tag: tag})
		}
	}
	if s.rank() != root {
		x.wants = []want{s.want(&s.recv, 0, s.bytes, root, 0)}
	}
	return x
}
