package local_test

import (
	"fmt"
	"testing"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/local"
	"github.com/effective-bandwidth/beff/mpi/mpitest"
)

func TestConformance(t *testing.T) {
	for _, n := range []int{1, 2, 3, 4, 5, 8} {
		t.Run(fmt.Sprintf("P=%d", n), func(t *testing.T) {
			mpitest.Run(t, n, func(main func(mpi.Engine) error) error { return local.Run(n, main) })
		})
	}
}
