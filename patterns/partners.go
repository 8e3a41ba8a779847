package patterns

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Partners returns the pairs of a number of processes, the lower rank of each first: {i, i+offset} for each i with i
// mod 2·offset < offset (PGAS Microbenchmark Suite, README). An offset of 0 stands for half of the processes. If the
// offset makes no pairs, the error lists the possible ones.
func Partners(processes, offset int) ([][]int, error) {
	offset, err := Distance(processes, offset)
	if err != nil {
		return nil, err
	}
	ranks := make([]int, 0, processes)
	for i := range processes {
		if i%(2*offset) < offset {
			ranks = append(ranks, i, i+offset)
		}
	}
	return slices.Collect(slices.Chunk(ranks, 2)), nil
}

// Distance returns the difference between the ranks of a pair that Partners returns, or the error of Partners.
func Distance(processes, offset int) (int, error) {
	if processes < 2 || processes%2 != 0 {
		return 0, fmt.Errorf("pairs need an even number of processes, this job has %d", processes)
	}
	offset = cmp.Or(offset, processes/2)
	if offset < 0 || offset > processes/2 || processes%(2*offset) != 0 {
		return 0, fmt.Errorf("the offset %d makes no pairs of %d processes: want %s", offset, processes,
			offsetsOf(processes))
	}
	return offset, nil
}

// offsetsOf returns the offsets that make pairs of an even number of processes, as a text such as "1, 2 or 4".
func offsetsOf(processes int) string {
	var fit []string
	for offset := 1; offset <= processes/2; offset++ {
		if processes%(2*offset) == 0 {
			fit = append(fit, fmt.Sprint(offset))
		}
	}
	if last := len(fit) - 1; last > 0 {
		return strings.Join(fit[:last], ", ") + " or " + fit[last]
	}
	return fit[0]
}
