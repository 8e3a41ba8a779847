package beff_test

import (
	"fmt"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/mpi/scripted"
	"github.com/effective-bandwidth/beff/rating"
)

// A plan is made and checked before anything runs. Measure runs it on each process, and NewResult derives all figures.
// RunOf says what measured, and where the processes were: a result without is never valid.
// Here a message takes 1 µs and 1 ns for each byte, on a machine that exists only in arithmetic.
func ExamplePlan_Measure() {
	plan, err := beff.NewPlan(2, beff.Config{Rules: beff.Rules2001, Memory: 128 << 20, Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(plan.Patterns), "patterns,", len(plan.Lengths), "lengths up to", plan.Lmax, "bytes")

	machine := &scripted.Engine{Processes: 2, Cost: scripted.Linear(1e-6, 1e9)}
	run, err := rating.RunOf(machine, job.Node{Host: "n1", CPUs: job.CPUs{0b11}})
	if err != nil {
		fmt.Println(err)
		return
	}
	measured, err := plan.Measure(machine, rating.Observer[beff.Measured]{Now: machine.Now})
	run.Err = err
	result := beff.NewResult(plan, measured, run)
	d := result.Derived
	fmt.Println("valid:", result.Valid)
	fmt.Printf("b_eff %.0f MB/s, at the longest message %.0f MB/s\n", d.BEff/1e6, d.AtLmax/1e6)
	// Output:
	// 46 patterns, 21 lengths up to 1048576 bytes
	// valid: true
	// b_eff 1003 MB/s, at the longest message 1998 MB/s
}
