package local_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/internal/conformance"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/local"
)

// TestConformance runs the suite on 1 to 4 processes, as every engine must. With -short, which make test uses for the
// race detector, it runs on 3. No algorithm of this engine is only for more processes. make test-embedded sets a
// variable to run the suite on 5 and 8.
func TestConformance(t *testing.T) {
	processes := []int{1, 2, 3, 4}
	if testing.Short() {
		processes = []int{3}
	}
	if list := os.Getenv("BEFF_TEST_PROCESSES"); list != "" {
		processes = nil
		for text := range strings.SplitSeq(list, ",") {
			n, err := strconv.Atoi(text)
			require.NoError(t, err)
			processes = append(processes, n)
		}
	}
	for _, n := range processes {
		t.Run(fmt.Sprintf("P=%d", n), func(t *testing.T) {
			conformance.Run(t, n, func(main func(mpi.Engine) error) error { return local.Run(n, main) })
		})
	}
}
