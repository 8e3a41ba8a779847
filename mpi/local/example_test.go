package local_test

import (
	"fmt"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/local"
)

// Two ranks exchange 1 kB ten times between two clock readings and check the received data.
func ExampleRun() {
	err := local.Run(2, func(e mpi.Engine) error {
		w := e.World()
		buffer, err := e.NewBuffer(2048)
		if err != nil {
			return err
		}
		defer buffer.Free()
		peer := 1 - w.Rank()
		p := &mpi.Program{Comm: w, Start: w}
		out := mpi.One(p.Place(mpi.Place{Space: buffer, Length: 1024, Peer: peer,
			Mark: mpi.Mark{Width: 8, Key: uint64(w.Rank()), PerLoop: 2}}))
		in := mpi.One(p.Place(mpi.Place{Space: buffer, Offset: 1024, Length: 1024, Peer: peer,
			Mark: mpi.Mark{Width: 8, Key: uint64(peer), PerLoop: 2}}))
		p.Call(mpi.Call{Op: mpi.Stamp, Send: out}, mpi.Call{Op: mpi.Sendrecv, Send: out, Recv: in},
			mpi.Call{Op: mpi.Check, Recv: in})
		runner, err := e.Compile(p)
		if err != nil {
			return err
		}
		defer runner.Close()
		m, err := runner.Run(mpi.Loops{Untimed: 1, Timed: 10})
		if err != nil {
			return err
		}
		if w.Rank() == 0 {
			fmt.Printf("%d loops took time: %v, all data were right: %v\n", m.Loops, m.Seconds > 0, m.Mismatch == nil)
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: 10 loops took time: true, all data were right: true
}
