package beffio_test

import (
	"fmt"
	"os"
	"time"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/internal/scripted"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/mpi/local"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
)

// Two goroutines write, rewrite and read for half a second. Every process measures by the same plan, with files in a
// directory visible to all. The rating.Run names the library and the hosts. Rank 0 gets the result. Figures differ from
// run to run.
func ExamplePlan_Measure() {
	directory, _ := os.MkdirTemp("", "")
	defer os.RemoveAll(directory)
	fmt.Println(local.Run(2, func(e mpi.Engine) error {
		plan, err := beffio.NewPlan(2, beffio.Config{Rules: beffio.RulesPaper, Duration: time.Second / 2,
			Memory: 1 << 20, MaxBytes: 1 << 28, Directory: directory})
		if err != nil {
			return err
		}
		measured, err := plan.Measure(e, rating.Observer[beffio.Measured]{})
		if err != nil {
			return err
		}
		layout, err := job.Locate(e.World(), job.Node{Host: e.Host()})
		if err == nil && e.World().Rank() == 0 {
			run := rating.Run{Library: e.Library(), Layout: *layout}
			result := beffio.NewResult(plan, measured, beffio.Run{Run: run})
			fmt.Println("a rating:", result.Derived.BEffIO > 0, "valid:", result.Valid)
		}
		return err
	}))
	// Output:
	// a rating: true valid: false
	// <nil>
}

// Each process writes and reads 1 GB/s, on a machine that exists only in arithmetic.
func ExamplePlan_Measure_scripted() {
	plan, err := beffio.NewPlan(2, beffio.Config{Rules: beffio.RulesPaper, Duration: time.Hour, Memory: 256 << 20,
		MaxBytes: 1 << 42, Directory: "/scratch"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(plan.Rows), "patterns on", plan.Partitions, "processes")

	machine := &scripted.Engine{Processes: 2, Cost: func(s scripted.Step) float64 { return float64(s.Bytes) / 1e9 }}
	machine.Members = func(_, size int) int { return size }
	layout, err := job.Locate(machine.World(), job.Node{Host: "n1", CPUs: job.CPUs{0b11}})
	if err != nil {
		fmt.Println(err)
		return
	}
	measured, err := plan.Measure(machine, rating.Observer[beffio.Measured]{Now: machine.Now})
	run := rating.Run{Library: machine.Library(), Layout: *layout, Err: err}
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
