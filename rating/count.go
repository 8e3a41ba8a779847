package rating

import "fmt"

// Processes returns a number of processes as text, such as "1 process".
func Processes(n int) string {
	if n == 1 {
		return "1 process"
	}
	return fmt.Sprintf("%d processes", n)
}
