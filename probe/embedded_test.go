package probe_test

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/probe/suites"
)

// processesVariable names an environment variable with the numbers of processes on which TestEmbedded runs all kernels:
// make test-embedded sets it.
const processesVariable = "BEFF_TEST_PROCESSES"

// TestEmbedded runs kernels on the embedded engine, and requires that all data are right: without the variable only
// kernels whose other tests use scripted engines, on a few processes.
func TestEmbedded(t *testing.T) {
	processes, components := []int{2, 3}, []kernel.Component{kernel.EXT, kernel.RMA, kernel.NBC}
	if testing.Short() { // as under the race detector of make test
		processes = []int{3}
	}
	if list := os.Getenv(processesVariable); list != "" {
		processes = nil
		for _, text := range strings.Split(list, ",") {
			n, err := strconv.Atoi(text)
			require.NoError(t, err)
			processes = append(processes, n)
		}
		components = suites.Components()
	}
	for _, n := range processes {
		for _, c := range components {
			if !slices.ContainsFunc(all(c, false), func(s probe.Selection) bool { return s.Kernel.MinProcesses <= n }) {
				continue // all kernels of EXT, RMA and P2P need two processes
			}
			t.Run(fmt.Sprintf("%s/P=%d", c, n), func(t *testing.T) {
				list := slices.DeleteFunc(all(c, false), func(s probe.Selection) bool {
					return raced && s.Kernel.Name == "Random_put" // several processes may put to one place
				})
				config := probe.Config{Selections: list, Settings: short(), Directory: t.TempDir()}
				config.Settings.Compute = 1e-4
				config.Settings.Rows.Lengths, config.Settings.Repetitions.Policy = []int64{0, 4, 3000}, settings.Off
				config.Settings.Repetitions.Max, config.Settings.Repetitions.MaxNonAggr,
					config.Settings.Who.MinProcesses = 3, 2, n
				config.Settings.OneSided = settings.OneSided{Count: 1000} // the race detector sees each block
				rightData(t, n, config)
			})
		}
	}
}
