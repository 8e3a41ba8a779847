package patterns_test

import (
	"fmt"
	"log"

	"github.com/effective-bandwidth/beff/patterns"
)

// The exchanges of six processes in a ring pattern. Each process has two. In an exchange it sends to Dest while it
// receives from Source.
func ExamplePattern_Exchanges() {
	list, err := patterns.BEff(6, 1)
	if err != nil {
		log.Fatal(err)
	}
	ring := list[1]
	fmt.Printf("%s, %d messages\n", ring.Name, ring.Messages)
	for rank := range ring.Processes {
		fmt.Println(rank, ring.Exchanges(rank))
	}
	// Output:
	// ring-1*6fix, 12 messages
	// 0 [{5 1} {1 5}]
	// 1 [{0 2} {2 0}]
	// 2 [{1 3} {3 1}]
	// 3 [{2 4} {4 2}]
	// 4 [{3 5} {5 3}]
	// 5 [{4 0} {0 4}]
}

// The exchanges of rank 0 in the first random pattern, for two seeds. The same seed gives the same pattern on every
// machine.
func ExampleBEff_randoms() {
	for _, seed := range []uint64{1, 1, 2} {
		list, err := patterns.BEff(8, seed)
		if err != nil {
			log.Fatal(err)
		}
		for _, p := range list {
			if p.Kind == patterns.KindRandom {
				fmt.Printf("seed %d: %s, rank 0: %v\n", seed, p.Name, p.Exchanges(0))
				break
			}
		}
	}
	// Output:
	// seed 1: random-01, rank 0: [{3 6} {6 3}]
	// seed 1: random-01, rank 0: [{3 6} {6 3}]
	// seed 2: random-01, rank 0: [{7 5} {5 7}]
}

// The message lengths of a process with 1 GiB: from 1 byte to 1/128 of the memory.
func ExampleLengths() {
	lengths := patterns.Lengths(patterns.Lmax(1 << 30))
	fmt.Println(len(lengths), lengths[:4], lengths[len(lengths)-1])
	// Output:
	// 21 [1 2 4 8] 8388608
}

// The shapes of 12 processes in two and in three dimensions, as MPI_Dims_create makes them.
func ExampleDims() {
	fmt.Println(patterns.Dims(12, 2), patterns.Dims(12, 3))
	// Output:
	// [4 3] [3 2 2]
}

// The timed I/O patterns of type scatter, for a process with 2 GiB.
func ExampleIO() {
	for _, row := range patterns.IO(patterns.MPart(2 << 30)) {
		if row.Type == patterns.Scatter && row.Units > 0 {
			fmt.Printf("pattern %d: %d bytes on disk, %d per call, %d units of time\n",
				row.Number, row.Disk, row.Memory, row.Units)
		}
	}
	// Output:
	// pattern 1: 16777216 bytes on disk, 16777216 per call, 4 units of time
	// pattern 2: 1048576 bytes on disk, 2097152 per call, 4 units of time
	// pattern 3: 1048576 bytes on disk, 1048576 per call, 4 units of time
	// pattern 4: 32768 bytes on disk, 1048576 per call, 2 units of time
	// pattern 5: 1024 bytes on disk, 1048576 per call, 2 units of time
	// pattern 6: 32776 bytes on disk, 1048832 per call, 2 units of time
	// pattern 7: 1032 bytes on disk, 1056768 per call, 2 units of time
	// pattern 8: 1048584 bytes on disk, 1048584 per call, 2 units of time
}
