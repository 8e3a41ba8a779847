package beffio_test

import (
	"fmt"
	"time"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/mpi/scripted"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
)

// A plan is made and checked before anything runs. Measure runs it on each process, with files in a directory that all
// see, and NewResult derives all figures. Here each process writes and reads 1 GB/s, on a machine that exists only in
// arithmetic.
func ExamplePlan_Measure() {
	plan, err := beffio.NewPlan(2, beffio.Config{Rules: beffio.RulesPaper, Duration: time.Hour, Memory: 256 << 20,
		MaxBytes: 1 << 42})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(plan.Rows), "patterns on", plan.Partitions, "processes")

	machine := &scripted.Engine{Processes: 2, Cost: func(s scripted.Step) float64 { return float64(s.Bytes) / 1e9 }}
	machine.Members = func(_, size int) int { return size }
	run, err := rating.RunOf(machine, job.Node{Host: "n1", CPUs: job.CPUs{0b11}})
	if err != nil {
		fmt.Println(err)
		return
	}
	measured, err := plan.Measure(machine, "/scratch", rating.Observer[beffio.Measured]{Now: machine.Now})
	run.Err = err
	result := beffio.NewResult(plan, measured, beffio.Run{Run: run})
	fmt.Println("valid:", result.Valid)
	fmt.Printf("b_eff_io %.0f MB/s\n", result.Derived.BEffIO/1e6)
	// Output:
	// 43 patterns on [1 2] processes
	// valid: true
	// b_eff_io 2000 MB/s
}

// Type 0, scatter, counts twice in the mean over the five pattern types (paper, Sec. 5): (2·100 + 4·40) / 6.
func ExampleMeanOfTypes() {
	mean := beffio.MeanOfTypes(beffio.Types(), func(t patterns.IOType) float64 {
		if t == patterns.Scatter {
			return 100
		}
		return 40
	})
	fmt.Println(mean, "MB/s")
	// Output:
	// 60 MB/s
}
