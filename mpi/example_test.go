package mpi_test

import (
	"fmt"

	"github.com/effective-bandwidth/beff/internal/scripted"
	"github.com/effective-bandwidth/beff/mpi"
)

// A program is one loop of a step as one process executes it. This is rank 0's side of a ping-pong of 1 kB, with marks
// that show the receiver whether the data belong to this loop. Outside of beff, take an engine of mpi/local.
func ExampleProgram() {
	e := &scripted.Engine{Processes: 2} // stands for any engine
	buffer, err := e.NewBuffer(2048)
	if err != nil {
		fmt.Println(err)
		return
	}
	p := &mpi.Program{Comm: e.World(), Start: e.World()}
	ping := mpi.One(p.Place(mpi.Place{Space: buffer, Length: 1024, Peer: 1,
		Mark: mpi.Mark{Width: 8, Key: 0xabc, PerLoop: 1}}))
	pong := mpi.One(p.Place(mpi.Place{Space: buffer, Offset: 1024, Length: 1024, Peer: 1,
		Mark: mpi.Mark{Width: 8, Key: 0xdef, PerLoop: 1}}))
	p.Call(
		mpi.Call{Op: mpi.Stamp, Send: ping},
		mpi.Call{Op: mpi.Send, Send: ping},
		mpi.Call{Op: mpi.Recv, Recv: pong},
		mpi.Call{Op: mpi.Check, Recv: pong},
	)
	fmt.Println("valid:", p.Validate() == nil)

	p.Places[0].Peer = 2
	fmt.Println(p.Validate())
	// Output:
	// valid: true
	// program: call 1 (MPI_Send): send: rank 2 of 2
}

// An Op has methods for the properties of its call.
func ExampleOp() {
	for _, op := range []mpi.Op{mpi.Isend, mpi.Iallreduce, mpi.FileReadAllBegin} {
		fmt.Printf("%v: %v, starts a request: %v, does the work of %v\n", op, op.Family(), op.Starts(), op.Blocking())
	}
	// Output:
	// MPI_Isend: point to point, starts a request: true, does the work of MPI_Isend
	// MPI_Iallreduce: nonblocking collective, starts a request: true, does the work of MPI_Allreduce
	// MPI_File_read_all_begin: split begin, starts a request: false, does the work of MPI_File_read_all
}
