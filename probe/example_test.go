package probe_test

import (
	"fmt"
	"log"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/local"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/probe/suites"
	"github.com/effective-bandwidth/beff/rating"
)

// List the kernels of a component, with the calls that they time.
func Example_kernels() {
	for _, k := range suites.Kernels() {
		if k.Component == kernel.EXT && k.Class == kernel.Collective {
			fmt.Printf("%s: %s\n", k.Name, k.Calls)
		}
	}
	// Output:
	// Window: MPI_Win_create, MPI_Win_fence, MPI_Put, MPI_Win_fence, MPI_Win_free
	// Accumulate: MPI_Accumulate, MPI_Win_fence
}

// Plan for 6 processes: PingPong on two of them, Barrier on 2, 4 and all.
func ExampleNewPlan() {
	pingPong, _, _ := suites.Find("", "PingPong")
	barrier, _, _ := suites.Find("", "barrier")
	plan, err := probe.NewPlan(6, probe.Config{
		Selections: []probe.Selection{{Kernel: pingPong}, {Kernel: barrier}},
		Settings:   settings.Settings{Rows: settings.Rows{Lengths: []int64{0, 8, 4096}}},
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, b := range plan.Blocks {
		fmt.Printf("%s on %d processes, %d waiting\n", b.Kernel, b.Processes, b.Waiting)
	}
	fmt.Println(plan.Rows(), "rows")
	// Output:
	// PingPong on 2 processes, 4 waiting
	// Barrier on 2 processes, 4 waiting
	// Barrier on 4 processes, 2 waiting
	// Barrier on 6 processes, 0 waiting
	// 6 rows
}

// Measure your own operations on four goroutines: a round trip of synchronous sends between the first and the last
// process, and an allgather in which each process passes on to the right what came from the left. A step has the calls
// of one process, and the data that its memory must hold afterwards.
func Example_ownOperations() {
	own := kernel.Table(kernel.USER, []kernel.Kernel{
		{Name: "Ssend_roundtrip", Class: kernel.Single, Calls: "MPI_Ssend, MPI_Recv, there and back",
			Moved: 2, Active: 2,
			Builder: &kernel.Builder{Ops: []mpi.Op{mpi.Ssend, mpi.Recv}, Build: func(s *kernel.Setup) *kernel.Step {
				x := &kernel.Step{Wants: []kernel.Want{s.Want(&s.Recv, 0, s.Bytes, s.Partner(), 0)}}
				send := func() { x.Send(mpi.Ssend, s.In(&s.Send, 0, s.Bytes, s.Partner())) }
				if s.Rank() == 0 {
					send()
				}
				x.Receive(mpi.Recv, s.In(&s.Recv, 0, s.Bytes, s.Partner()))
				if s.Rank() != 0 {
					send()
				}
				return x
			}}},
		{Name: "Allgather_ring", Class: kernel.Collective, Calls: "MPI_Sendrecv with the neighbours, P-1 times",
			MinProcesses: 2,
			Builder: &kernel.Builder{Ops: []mpi.Op{mpi.Sendrecv, mpi.Copy}, Build: func(s *kernel.Setup) *kernel.Step {
				x := &kernel.Step{}
				block := func(of, peer int) mpi.Place { return s.In(&s.Recv, int64(of)*s.Bytes, s.Bytes, peer) }
				x.CopyOwn(s.In(&s.Send, 0, s.Bytes, s.Rank()), block(s.Rank(), s.Rank()))
				for i := range s.Size() {
					of := (s.Rank() - i + s.Size()) % s.Size()
					x.Wants = append(x.Wants, s.Want(&s.Recv, int64(of)*s.Bytes, s.Bytes, of, 0))
					if i < s.Last() {
						next := (of - 1 + s.Size()) % s.Size()
						x.Call(mpi.Call{Op: mpi.Sendrecv, Tag: kernel.Tag, Send: x.Place(block(of, s.Right())),
							Recv: x.Place(block(next, s.Left()))})
					}
				}
				return x
			}, Data: kernel.Data{Sizes: func(s *kernel.Setup) (send, recv int64) { return s.Bytes, s.All() }}}},
	}, nil)
	fmt.Println(local.Run(4, func(e mpi.Engine) error {
		config := probe.Config{Engine: e, Settings: settings.Settings{Rows: settings.Rows{Lengths: []int64{1024}},
			Repetitions: settings.Repetitions{Max: 20}, Who: settings.Who{MinProcesses: 4}}}
		for i := range own {
			config.Selections = append(config.Selections, probe.Selection{Kernel: &own[i], Named: true})
		}
		plan, err := probe.NewPlan(4, config)
		if err != nil {
			return err
		}
		rows, err := plan.Measure(e, rating.Observer[measured.Outcome]{})
		if err != nil {
			return err
		}
		if e.World().Rank() > 0 {
			return nil
		}
		run := probe.Run{Run: rating.Run{Library: e.Library()}}
		for _, b := range probe.NewResult(plan, rows, run).Blocks {
			row := b.Rows[0]
			fmt.Printf("%s on %d: %d bytes, a time: %t, wrong: %d of %d repetitions\n", b.Kernel, b.Processes,
				row.Bytes, row.Derived[0].Max > 0, row.Defects, row.Checked)
		}
		return nil
	}))
	// Output:
	// Ssend_roundtrip on 2: 1024 bytes, a time: true, wrong: 0 of 1 repetitions
	// Allgather_ring on 4: 1024 bytes, a time: true, wrong: 0 of 1 repetitions
	// <nil>
}

// Measure PingPong between two goroutines. Every process measures by the same plan, and NewResult derives all figures
// on rank 0. Times differ from run to run, so they are not shown here.
func ExamplePlan_Measure() {
	pingPong, _, _ := suites.Find("", "PingPong")
	fmt.Println(local.Run(2, func(e mpi.Engine) error {
		plan, err := probe.NewPlan(2, probe.Config{Selections: []probe.Selection{{Kernel: pingPong}}, Engine: e,
			Settings: settings.Settings{Rows: settings.Rows{Lengths: []int64{1024}},
				Repetitions: settings.Repetitions{Max: 20, Policy: settings.Off}}})
		if err != nil {
			return err
		}
		rows, err := plan.Measure(e, rating.Observer[measured.Outcome]{})
		if err != nil {
			return err
		}
		if e.World().Rank() == 0 {
			run := probe.Run{Run: rating.Run{Library: e.Library()}}
			row := probe.NewResult(plan, rows, run).Blocks[0].Rows[0]
			fmt.Println(row.Bytes, "bytes,", row.Repetitions, "repetitions, a time:", row.Derived[0].Max > 0)
		}
		return nil
	}))
	// Output:
	// 1024 bytes, 20 repetitions, a time: true
	// <nil>
}
