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

// The kernels of a component, with the calls that they time.
func Example_kernels() {
	for i := range suites.Kernels {
		if k := &suites.Kernels[i]; k.Component == kernel.EXT && k.Class == kernel.Collective {
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
	}, func(mpi.Op) bool { return true }, mpi.Library{})
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

// PingPong between two goroutines. Every rank measures by the same plan. Rank 0 has the rows. Times differ from run to
// run, so they are not shown here.
func ExamplePlan_Measure() {
	pingPong, _, _ := suites.Find("PingPong")
	config := probe.Config{
		Selections: []probe.Selection{{Kernel: pingPong, Named: true}},
		Settings:   settings.Settings{Lengths: []int64{1, 1024}, MsgsPer: 20, Policy: settings.Off},
	}
	err := local.Run(2, func(e mpi.Engine) error {
		plan, err := probe.NewPlan(e.World().Size(), config, e.Supports, e.Library())
		if err != nil {
			return err
		}
		got, err := plan.Measure(e, rating.Observer[measured.Outcome]{})
		if err != nil || e.World().Rank() != 0 {
			return err
		}
		for _, row := range got.Blocks[0].Rows {
			times := measured.Derive(pingPong, &got.Blocks[0], &row)[0]
			fmt.Printf("%d bytes, %d repetitions, %d defects, a time: %t, a bandwidth: %t\n", row.Bytes,
				row.Repetitions, row.Defects, times.Max > 0, times.Bandwidth > 0)
		}
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// 1 bytes, 20 repetitions, 0 defects, a time: true, a bandwidth: true
	// 1024 bytes, 20 repetitions, 0 defects, a time: true, a bandwidth: true
}
