package local_test

import (
	"fmt"
	"testing"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/conformance"
	"github.com/effective-bandwidth/beff/mpi/local"
)

// With -short, as under the race detector of make test, processes are few: make test-embedded has more there.
func TestConformance(t *testing.T) {
	processes := []int{1, 2, 3, 4, 5, 8}
	if testing.Short() {
		processes = []int{2, 3}
	}
	for _, n := range processes {
		t.Run(fmt.Sprintf("P=%d", n), func(t *testing.T) {
			conformance.Run(t, n, func(main func(mpi.Engine) error) error { return local.Run(n, main) })
		})
	}
}
