package sum21_test

import (
	"fmt"
	"log"
	"os"

	"github.com/effective-bandwidth/beff/report/format/sum21"
)

// The ratings that follow from a file of release 2.1, by both formulas, and two of its samples in bytes per second.
func ExampleRead() {
	f, err := os.Open("testdata/release21.sum")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	r, err := sum21.Read(f, f.Name())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d of %d partitions, valid: %t\n", len(r.Derived.Partitions), len(r.Partitions), r.Valid)
	for i, p := range r.Derived.Partitions {
		fmt.Printf("%d processes: release 2.1 %.1f MB/s, paper %.1f MB/s\n", r.Partitions[i], p.Release21/1e6,
			p.Paper/1e6)
	}
	for _, s := range r.Samples[:2] {
		p := r.Pattern(s.Pattern)
		fmt.Printf("%s of type %d, %d bytes: %.0f\n", s.Access, p.Type, p.Disk, s.Bandwidth)
	}
	// Output:
	// 1 of 1 partitions, valid: false
	// 4 processes: release 2.1 123.6 MB/s, paper 163.1 MB/s
	// write of type 0, 2097152 bytes: 50000000
	// write of type 0, 1048576 bytes: 45000000
}
