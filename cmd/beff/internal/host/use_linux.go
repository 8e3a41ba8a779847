package host

import (
	"bytes"
	"fmt"
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

// Meter measures the Use of this machine's processors since its creation.
type Meter struct {
	root  string
	begin time.Time
	first Use       // the use at the beginning
	next  time.Time // when to sample the frequency again
	seen  []float64 // frequencies of the processors on which the process ran, in Hz

	counters map[string]int64 // network counters at the beginning
}

const (
	warm           = time.Second     // from the beginning to the first sample: a processor that was idle is slow
	sampleInterval = 5 * time.Second // between two samples
)

// NewMeter returns a meter that begins now. root is "/" except in tests.
func NewMeter(root string) *Meter {
	now := time.Now()
	return &Meter{root: root, begin: now, first: used(root), next: now.Add(warm), counters: counters(root)}
}

// SampleFrequency takes a sample of the frequency of the caller's processor, but only every few seconds. It is called
// between two measurements, because the frequency of an idle processor means nothing. m may be nil.
func (m *Meter) SampleFrequency() {
	if m == nil {
		return
	}
	if now := time.Now(); !now.Before(m.next) {
		m.next = now.Add(sampleInterval)
		m.sampleFrequency()
	}
}

func (m *Meter) sampleFrequency() {
	if f := hertz(m.root, processor(m.root)); f > 0 {
		m.seen = append(m.seen, f)
	}
}

// Use returns the use since the meter's beginning. With four samples or more it ignores the lowest frequency, because
// the process may just have moved to another processor.
func (m *Meter) Use() Use {
	const many = 4
	if len(m.seen) == 0 {
		m.sampleFrequency() // a short run
	}
	u := used(m.root)
	if seen := slices.Sorted(slices.Values(m.seen)); len(seen) > 0 {
		u.Slowest, u.Fastest = seen[0], seen[len(seen)-1]
		if len(seen) >= many {
			u.Slowest = seen[1]
		}
	}
	u.Seconds = time.Since(m.begin).Seconds()
	u.Own -= m.first.Own
	u.Busy -= m.first.Busy
	u.Stolen -= m.first.Stolen
	u.Throttled -= m.first.Throttled
	u.QuotaSeconds -= m.first.QuotaSeconds
	u.QuotaPeriods -= m.first.QuotaPeriods
	u.QuotaStopped -= m.first.QuotaStopped
	u.Average = m.first.Average
	u.Counters = increased(m.counters, counters(m.root))
	return u
}

// used returns the use since the machine and this process were started. Unknown values are 0.
func used(root string) Use {
	u := Use{Numbers: Numbers{Process: int64(os.Getpid())}}
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
	q := quotaOf(root)
	u.Quota, u.QuotaSeconds, u.QuotaPeriods, u.QuotaStopped = q.processors, q.throttled, q.periods, q.stopped
	fs, err := sysfs.NewFS(filepath.Join(root, "sys"))
	if err != nil {
		return u
	}
	if cpus, err := fs.CPUs(); err == nil {
		u.Throttled = throttled(cpus)
	}
	return u
}

// throttled returns how often cores and packages were slowed down because they were hot. All processors of a core or
// package show the same count.
func throttled(cpus []sysfs.CPU) (sum float64) {
	counts := map[[2]string]uint64{}
	for _, c := range cpus {
		t, err := c.ThermalThrottle()
		if err != nil {
			continue
		}
		core, pack := [2]string{"", c.Number()}, [2]string{}
		if at, err := c.Topology(); err == nil {
			core, pack = [2]string{at.PhysicalPackageID, at.CoreID}, [2]string{at.PhysicalPackageID}
		}
		counts[core], counts[pack] = max(counts[core], t.CoreThrottleCount), max(counts[pack], t.PackageThrottleCount)
	}
	for _, n := range counts {
		sum += float64(n)
	}
	return sum
}

// processor returns the number of the caller's processor, -1 if unknown.
func processor(root string) int {
	const place = 36 // index among the fields after the name, which may contain blanks
	text, err := os.ReadFile(filepath.Join(root, "proc/thread-self/stat"))
	if err != nil {
		return -1
	}
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	if len(fields) <= place {
		return -1
	}
	n, err := strconv.Atoi(fields[place])
	if err != nil {
		return -1
	}
	return n
}

// hertz returns the present frequency of a processor in Hz, 0 if unknown.
func hertz(root string, processor int) float64 {
	const kilohertz = 1e3
	f, err := strconv.ParseUint(firstLine(root, fmt.Sprintf("sys/devices/system/cpu/cpu%d/cpufreq/scaling_cur_freq",
		processor)), 10, 64)
	if err != nil {
		return 0
	}
	return kilohertz * float64(f)
}

// Governor returns the governors of this machine's frequencies, empty if unknown.
func Governor(root string) string {
	return firstLines(filepath.Join(root, "sys/devices/system/cpu"), "cpu[0-9]*/cpufreq/scaling_governor")
}
