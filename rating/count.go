package rating

import "fmt"

// Processes returns a number of processes with its noun.
func Processes(n int) string {
	if n == 1 {
		return "1 process"
	}
	return fmt.Sprintf("%d processes", n)
}
