package imb_test

import (
	"fmt"
	"log"
	"strings"

	"github.com/effective-bandwidth/beff/report/format/imb"
)

// The figures of a text that IMB 2021 wrote, in seconds and bytes per second. Bandwidths follow from the printed times.
func ExampleRead() {
	const text = `
#    Intel(R) MPI Benchmarks 2021.3, MPI-1 part
#---------------------------------------------------
# Benchmarking PingPong
# #processes = 2
#---------------------------------------------------
       #bytes #repetitions      t[usec]   Mbytes/sec
            0         1000         0.80         0.00
         1024         1000         1.60       640.00
      1048576           40       350.25      2993.79


# All processes entering MPI_Finalize
`
	r, err := imb.Read(strings.NewReader(text), "pingpong.txt")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("from %s, complete: %t\n", r.Imported, r.Complete)
	for _, b := range r.Blocks {
		for _, row := range b.Rows {
			d := row.Derived[0]
			fmt.Printf("%s, %d bytes: %.3g s, %.4g bytes/s\n", b.Kernel, row.Bytes, d.Max, d.Bandwidth)
		}
	}
	// Output:
	// from pingpong.txt, complete: true
	// PingPong, 0 bytes: 8e-07 s, 0 bytes/s
	// PingPong, 1024 bytes: 1.6e-06 s, 6.4e+08 bytes/s
	// PingPong, 1048576 bytes: 0.00035 s, 2.994e+09 bytes/s
}
