//go:build linux

package host

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

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

const cpus = "sys/devices/system/cpu/"

// The load by other programs during a run is read from /proc and /sys: how busy processors were, time that the
// hypervisor took, frequencies with their governor, and how often hot processors were slowed down. The signs of noise
// follow from these.
func TestMeter(t *testing.T) {
	root := t.TempDir()
	state := func(user, steal, throttled int) {
		stat := fmt.Sprintf("cpu  %d 0 100 5000 0 0 0 %d 0 0\n", user, steal)
		stat += fmt.Sprintf("cpu0 %d 0 50 2500 0 0 0 %d 0 0\ncpu1 0 0 50 2500 0 0 0 0 0 0\n", user, steal)
		write(t, root, map[string]string{"proc/stat": stat + "intr 1\nctxt 1\nbtime 1\nprocesses 1\nprocs_running 1\n",
			"proc/loadavg": "1.25 0.50 0.10 2/100 1\n",
			cpus + "cpu0/thermal_throttle/core_throttle_count":    fmt.Sprintln(throttled),
			cpus + "cpu0/thermal_throttle/package_throttle_count": "0\n"})
	}
	write(t, root, map[string]string{cpus + "offline": "\n"})
	running(t, root, 1000, "3000000\n")
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
	require.Equal(t, []float64{3e9, 3e9}, []float64{u.Slowest, u.Fastest}, "a short run has one sample")

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

// running writes the files of a machine on which the calling thread runs on a processor with this frequency.
func running(t *testing.T, root string, processor int, frequency string) {
	t.Helper()
	of := fmt.Sprintf("%scpu%d/cpufreq/", cpus, processor)
	write(t, root, map[string]string{
		"proc/thread-self/stat": fmt.Sprintf("7 (a ) name) R %s%d 0 0\n", strings.Repeat("0 ", 35), processor),
		of + "scaling_cur_freq": frequency, of + "scaling_governor": "powersave\n",
		of + "scaling_min_freq": "800000\n", of + "scaling_max_freq": "3000000\n",
		of + "cpuinfo_min_freq": "800000\n", of + "cpuinfo_max_freq": "3000000\n",
		of + "scaling_driver": "x\n", of + "related_cpus": "0\n", of + "scaling_available_governors": "powersave\n",
		of + "scaling_setspeed": "<unsupported>\n"})
}

// A process that measures samples the frequency of its processor every few seconds. Other processors may be idle, and
// have any frequency. With many samples the lowest frequency doesn't count.
func TestFrequencies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		root := t.TempDir()
		running(t, root, 3, "500000\n")
		m := NewMeter(root)
		m.SampleFrequency() // too early: it may have been idle
		for i, f := range []string{"2000000", "1000000", "2600000", "2500000"} {
			running(t, root, i, f+"\n")
			time.Sleep(sampleInterval)
			m.SampleFrequency()
			running(t, root, 10+i, "700000\n")
			m.SampleFrequency() // too early
			u := m.Use()
			want := [][2]float64{{2e9, 2e9}, {1e9, 2e9}, {1e9, 2.6e9}, {2e9, 2.6e9}}[i]
			require.Equal(t, want, [2]float64{u.Slowest, u.Fastest})
		}
		(*Meter)(nil).SampleFrequency()
	})
	for why, text := range map[string]string{"no number": "x\n", "nothing": ""} {
		root := t.TempDir()
		running(t, root, 0, text)
		require.Zero(t, NewMeter(root).Use().Fastest, why)
	}
	zeros := strings.Repeat("0 ", 34)
	for _, stat := range []string{"7 (a) R " + zeros + "0\n", "7 (a) R " + zeros + "0 x\n", "7"} {
		root := t.TempDir()
		running(t, root, 1, "1000000\n")
		write(t, root, map[string]string{"proc/thread-self/stat": stat})
		require.Zero(t, NewMeter(root).Use().Fastest, stat)
	}
}

// All processors of a core show the same count of slowdowns, and so do all processors of a package.
func TestThrottled(t *testing.T) {
	root := t.TempDir()
	for i, c := range []struct{ pack, core, ofCore, ofPackage int }{
		{0, 0, 3, 10}, {0, 1, 0, 10}, {0, 0, 3, 10}, {0, 1, 0, 10}, {1, 0, 5, 0}, {1, 1, 0, 0},
	} {
		at := fmt.Sprintf("%scpu%d/", cpus, i)
		write(t, root, map[string]string{at + "topology/core_id": fmt.Sprintln(c.core),
			at + "topology/physical_package_id":            fmt.Sprintln(c.pack),
			at + "topology/core_siblings_list":             "0\n",
			at + "topology/thread_siblings_list":           "0\n",
			at + "thermal_throttle/core_throttle_count":    fmt.Sprintln(c.ofCore),
			at + "thermal_throttle/package_throttle_count": fmt.Sprintln(c.ofPackage)})
	}
	write(t, root, map[string]string{cpus + "cpu6/online": "1\n"}) // a processor without these files
	require.EqualValues(t, 3+10+5, used(root).Throttled)
}
