package beffio_test

import (
	"fmt"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/patterns"
)

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
