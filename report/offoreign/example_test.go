package offoreign_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/foreign"
	"github.com/effective-bandwidth/beff/report/offoreign"
)

// A test of your own keeps its figures in a file that beff report, compare, trend and export read.
func ExampleReport_Sealed() {
	seconds := []float64{2.5, 2.4, 2.6} // of three runs of the test
	r := &foreign.Result{
		Identity: rating.Identity{Benchmark: foreign.Benchmark, SchemaVersion: foreign.SchemaVersion},
		Program:  "Site test", Imported: "halo.log", Processes: 4, Complete: true,
		Machine: rating.Machine{Placement: []job.Placement{}}, Warnings: []rating.Warning{},
		Tables: []foreign.Table{{Test: "halo", Processes: 4,
			Columns: []foreign.Column{{Name: "time", Quantity: foreign.Seconds, Main: true}},
			Rows:    []foreign.Row{{Values: []float64{2.5}, Each: seconds, Repetitions: 3}}}},
	}
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = os.RemoveAll(dir) }()
	file, err := os.Create(filepath.Join(dir, "halo.json"))
	if err == nil {
		err = offoreign.Report{Result: r}.Sealed(file)
	}
	if err == nil {
		err = file.Close()
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	paths, err := report.Find([]string{dir}) // the result files of a directory
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range report.ReadAll(paths, nil) {
		fmt.Println(f.Document().Title, f.Problem)
		if err := f.KeyValue(os.Stdout); err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// Site test on an unnamed system <nil>
	// benchmark=foreign
	// schema_version=1
	// system=an unnamed system
	// imported=halo.log
	// processes=4
	// program=Site test
	// halo_4_us=2500000
	// failed=0
	// noisy=0
	// warnings=0
	// verified=1
	// Success=1
}
