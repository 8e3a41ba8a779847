package local_test

import (
	"fmt"
	"testing"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/conformance"
	"github.com/effective-bandwidth/beff/mpi/local"
)

func TestConformance(t *testing.T) {
	for _, n := range []int{1, 2, 3, 4, 5, 8} {
		t.Run(fmt.Sprintf("P=%d", n), func(t *testing.T) {
			conformance.Run(t, n, func(main func(mpi.Engine) error) error { return local.Run(n, main) })
		})
	}
}
