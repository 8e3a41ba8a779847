package versus

import "fmt"

// Others returns each result but the first compared with the first one. names has a different name for each.
func Others[R, C any](names []string, results []R, against func(name string, first, other R) C) ([]C, error) {
	if len(results) < 2 || len(names) != len(results) {
		return nil, fmt.Errorf("compare: %d results with %d names: want two or more", len(results), len(names))
	}
	var list []C
	for i, r := range results[1:] {
		list = append(list, against(names[1+i], results[0], r))
	}
	return list, nil
}
