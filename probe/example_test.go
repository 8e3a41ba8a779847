package probe_test

import (
	"fmt"
	"log"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/mpi/local"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/probe/suites"
	"github.com/effective-bandwidth/beff/rating"
)

// The kernels of a component, with the calls that they time.
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

// A plan for 6 processes: PingPong on two of them, Barrier on 2, 4 and all.
func ExampleNewPlan() {
	pingPong, _, _ := suites.Find("PingPong")
	barrier, _, _ := suites.Find("barrier")
	plan, err := probe.NewPlan(6, probe.Config{
		Selections: []probe.Selection{{Kernel: pingPong}, {Kernel: barrier}},
		Settings:   settings.Settings{Lengths: []int64{0, 8, 4096}},
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

// PingPong between two goroutines. Every process measures by the same plan, and NewResult derives all figures on rank
// 0. Times differ from run to run, so they are not shown here.
func ExamplePlan_Measure() {
	pingPong, _, _ := suites.Find("PingPong")
	fmt.Println(local.Run(2, func(e mpi.Engine) error {
		plan, err := probe.NewPlan(2, probe.Config{Selections: []probe.Selection{{Kernel: pingPong}}, Engine: e,
			Settings: settings.Settings{Lengths: []int64{1024}, MsgsPer: 20, Policy: settings.Off}})
		if err != nil {
			return err
		}
		rows, err := plan.Measure(e, rating.Observer[measured.Outcome]{})
		if err != nil {
			return err
		}
		run, err := rating.RunOf(e, job.Node{})
		if err == nil && e.World().Rank() == 0 {
			row := probe.NewResult(plan, rows, probe.Run{Run: run}).Blocks[0].Rows[0]
			fmt.Println(row.Bytes, "bytes,", row.Repetitions, "repetitions, a time:", row.Derived[0].Max > 0)
		}
		return err
	}))
	// Output:
	// 1024 bytes, 20 repetitions, a time: true
	// <nil>
}
