package beff_test

import (
	"fmt"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/internal/scripted"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/mpi/local"
	"github.com/effective-bandwidth/beff/rating"
)

// A plan is made and checked before anything runs. Every process measures by the same plan, and NewResult derives all
// figures on rank 0. Without a rating.Run that names the library, the hosts and the processors of each process
// (job.Node), a result is never valid. A full measurement locates first, and takes Config.Memory from the layout. Here
// two goroutines measure with short loops, as a preview, which is never valid either. Figures differ from run to run.
func ExamplePlan_Measure() {
	fmt.Println(local.Run(2, func(e mpi.Engine) error {
		plan, err := beff.NewPlan(2, beff.Config{Rules: beff.Rules2001, Memory: 1 << 20, Quick: true,
			Methods: []string{"sendrecv"}})
		if err != nil {
			return err
		}
		measured, err := plan.Measure(e, rating.Observer[beff.Measured]{})
		if err != nil {
			return err
		}
		layout, err := job.Locate(e.World(), job.Node{Host: e.Host()})
		if err == nil && e.World().Rank() == 0 {
			result := beff.NewResult(plan, measured, rating.Run{Library: e.Library(), Layout: *layout})
			fmt.Println("a rating:", result.Derived.BEff > 0, "valid:", result.Valid)
		}
		return err
	}))
	// Output:
	// a rating: true valid: false
	// <nil>
}

// A message takes 1 µs and 1 ns for each byte, on a machine that exists only in arithmetic. The package scripted is
// internal, but mpi/sim has an engine of simulated networks for the same use.
func ExamplePlan_Measure_scripted() {
	plan, err := beff.NewPlan(2, beff.Config{Rules: beff.Rules2001, Memory: 128 << 20, Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(plan.Patterns), "patterns,", len(plan.Lengths), "lengths up to", plan.Lmax, "bytes")

	machine := &scripted.Engine{Processes: 2, Cost: scripted.Linear(1e-6, 1e9)}
	layout, err := job.Locate(machine.World(), job.Node{Host: "n1", CPUs: job.CPUs{0b11}})
	if err != nil {
		fmt.Println(err)
		return
	}
	measured, err := plan.Measure(machine, rating.Observer[beff.Measured]{Now: machine.Now})
	result := beff.NewResult(plan, measured, rating.Run{Library: machine.Library(), Layout: *layout, Err: err})
	d := result.Derived
	fmt.Println("valid:", result.Valid)
	fmt.Printf("b_eff %.0f MB/s, at the longest message %.0f MB/s\n", d.BEff/1e6, d.AtLmax/1e6)
	// Output:
	// 46 patterns, 21 lengths up to 1048576 bytes
	// valid: true
	// b_eff 1003 MB/s, at the longest message 1998 MB/s
}
