package host

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/procfs"
	"github.com/prometheus/procfs/sysfs"
	"golang.org/x/sys/unix"
)

// Meter measures the Use of this machine's processors from its beginning on.
type Meter struct {
	root  string
	begin time.Time
	first Use // what was used before
}

// NewMeter returns a meter that begins now. root is "/" except in tests.
func NewMeter(root string) *Meter {
	return &Meter{root: root, begin: time.Now(), first: used(root)}
}

// Use returns the use since the meter's beginning.
func (m *Meter) Use() Use {
	u := used(m.root)
	u.Seconds = time.Since(m.begin).Seconds()
	u.Own -= m.first.Own
	u.Busy -= m.first.Busy
	u.Stolen -= m.first.Stolen
	u.Throttled -= m.first.Throttled
	u.Average = m.first.Average
	return u
}

// used returns the use since the machine and this process were started. What can't be found is 0.
func used(root string) Use {
	u := Use{Process: int64(os.Getpid())}
	var r unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &r) == nil {
		u.Own = float64(r.Utime.Nano()) / 1e9
	}
	if fs, err := procfs.NewFS(filepath.Join(root, "proc")); err == nil {
		if stat, err := fs.Stat(); err == nil {
			c := stat.CPUTotal
			u.Busy, u.Stolen, u.Processors = c.User+c.Nice, c.Steal, float64(len(stat.CPU))
		}
		if load, err := fs.LoadAvg(); err == nil {
			u.Average = load.Load1
		}
	}
	fs, err := sysfs.NewFS(filepath.Join(root, "sys"))
	if err != nil {
		return u
	}
	if cpus, err := fs.CPUs(); err == nil {
		for _, c := range cpus {
			if t, err := c.ThermalThrottle(); err == nil {
				u.Throttled += float64(t.CoreThrottleCount)
			}
		}
	}
	u.Slowest, u.Fastest = frequencies(fs)
	return u
}

// frequencies returns the lowest and the highest present frequency of the processors that this process may run on.
func frequencies(fs sysfs.FS) (low, high float64) {
	const kilohertz = 1e3
	all, err := fs.SystemCpufreq()
	if err != nil {
		return 0, 0
	}
	var set unix.CPUSet
	bound := unix.SchedGetaffinity(0, &set) == nil
	for _, c := range all {
		number, err := strconv.Atoi(c.Name) // the list is in the order of names: cpu10 comes before cpu2
		if c.ScalingCurrentFrequency == nil || err != nil || bound && !set.IsSet(number) {
			continue
		}
		f := float64(*c.ScalingCurrentFrequency) * kilohertz
		if high = max(high, f); low == 0 || f < low {
			low = f
		}
	}
	return low, high
}

// Governor returns the governors of this machine's frequencies, empty if not known.
func Governor(root string) string {
	fs, err := sysfs.NewFS(filepath.Join(root, "sys"))
	if err != nil {
		return ""
	}
	all, err := fs.SystemCpufreq()
	if err != nil {
		return ""
	}
	var names []string
	for _, c := range all {
		if c.Governor != "" && !slices.Contains(names, c.Governor) {
			names = append(names, c.Governor)
		}
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}
