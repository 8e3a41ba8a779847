//go:build linux

package host

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/effective-bandwidth/beff/mpi/job"
)

// write writes files below a directory.
func write(t *testing.T, root string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(root, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
}

// What others did during a run is found in /proc and /sys: processors that they kept busy, time that the hypervisor
// took, frequencies with their governor, and how often a hot processor was slowed down. From it follow the signs.
func TestMeter(t *testing.T) {
	root := t.TempDir()
	const cpu = "sys/devices/system/cpu/"
	state := func(user, steal, throttled int) {
		stat := fmt.Sprintf("cpu  %d 0 100 5000 0 0 0 %d 0 0\n", user, steal)
		stat += fmt.Sprintf("cpu0 %d 0 50 2500 0 0 0 %d 0 0\ncpu1 0 0 50 2500 0 0 0 0 0 0\n", user, steal)
		write(t, root, map[string]string{"proc/stat": stat + "intr 1\nctxt 1\nbtime 1\nprocesses 1\nprocs_running 1\n",
			"proc/loadavg": "1.25 0.50 0.10 2/100 1\n",
			cpu + "cpu0/thermal_throttle/core_throttle_count":    fmt.Sprintln(throttled),
			cpu + "cpu0/thermal_throttle/package_throttle_count": "0\n"})
	}
	// One processor that this process may run on, and another one. The list of names puts cpu1000 before cpu2.
	var set unix.CPUSet
	require.NoError(t, unix.SchedGetaffinity(0, &set))
	own := 0
	for !set.IsSet(own) {
		own++
	}
	write(t, root, map[string]string{cpu + "offline": "\n"})
	for i, frequency := range map[int]string{own: "3000000\n", 1000: "1500000\n"} {
		of := fmt.Sprintf("%scpu%d/cpufreq/", cpu, i)
		write(t, root, map[string]string{of + "scaling_cur_freq": frequency, of + "scaling_governor": "powersave\n",
			of + "scaling_min_freq": "800000\n", of + "scaling_max_freq": "3000000\n",
			of + "cpuinfo_min_freq": "800000\n", of + "cpuinfo_max_freq": "3000000\n",
			of + "scaling_driver": "x\n", of + "related_cpus": "0\n", of + "scaling_available_governors": "powersave\n",
			of + "scaling_setspeed": "<unsupported>\n"})
	}
	state(1000, 10, 3)
	m := NewMeter(root)
	state(1600, 70, 5) // hundredths of a second
	u := m.Use()
	require.InDelta(t, 6, u.Busy, 1e-9)
	require.InDelta(t, 0.6, u.Stolen, 1e-9)
	require.EqualValues(t, 2, u.Throttled)
	require.EqualValues(t, 2, u.Processors)
	require.Equal(t, 1.25, u.Average)
	require.Equal(t, "powersave", Governor(root))
	require.Equal(t, []float64{3e9, 3e9}, []float64{u.Slowest, u.Fastest},
		"of the processors that this process may run on")

	u.Seconds, u.Own, u.Slowest, u.Fastest = 10, 1, 1.5e9, 3e9
	load := Load(&job.Layout{Placement: []job.Placement{{Host: "n1"}}, Ranks: [][]int{{0}}}, Governor(root), []Use{u})
	noisy := map[string]bool{}
	for _, s := range load.Signs() {
		noisy[s.Name] = !s.Quiet
	}
	require.Equal(t, map[string]bool{"load": true, "steal": true, "frequency": true, "throttled": true}, noisy)

	empty := NewMeter(t.TempDir()).Use()
	require.Zero(t, empty.Busy+empty.Stolen+empty.Throttled+empty.Processors+empty.Fastest)
}
