package host

import (
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// quota is the smallest CPU quota of the process's cgroup and its parents, with its effects so far.
type quota struct {
	processors float64 // 0: no quota
	throttled  float64 // seconds for which processors were stopped, summed over processors
	periods    float64 // periods of the quota
	stopped    float64 // periods in which processes were stopped
}

// quotaOf returns the quota of this process.
func quotaOf(root string) (q quota) {
	least := ""
	for dir, v2 := range cgroups(root, "cpu") {
		var limit, period float64
		if v2 {
			limit, period = numbers(firstLine(dir, "cpu.max"))
		} else {
			limit, _ = numbers(firstLine(dir, "cpu.cfs_quota_us"))
			period, _ = numbers(firstLine(dir, "cpu.cfs_period_us"))
		}
		if limit > 0 && period > 0 && (q.processors == 0 || limit/period < q.processors) {
			q.processors, least = limit/period, dir
		}
	}
	if least == "" {
		return q
	}
	stat, _ := os.ReadFile(filepath.Join(least, "cpu.stat")) // empty after an error
	for line := range strings.Lines(string(stat)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		n, _ := numbers(value)
		switch name {
		case "nr_periods":
			q.periods = n
		case "nr_throttled":
			q.stopped = n
		case "throttled_usec": // version 2
			q.throttled = n / 1e6
		case "throttled_time": // version 1
			q.throttled = n / 1e9
		}
	}
	return q
}

// numbers returns the first two words of a text as numbers, with 0 for a word that isn't a number.
func numbers(text string) (a, b float64) {
	first, second, _ := strings.Cut(text, " ")
	a, _ = strconv.ParseFloat(first, 64)
	b, _ = strconv.ParseFloat(second, 64)
	return a, b
}

// memoryLimit returns the memory limit of the process's cgroups in bytes if it is below the node's memory, and
// otherwise 0.
func memoryLimit(root string) int64 {
	if limit := cgroupLimit(root); limit < math.MaxInt64 && limit == Memory(root) {
		return limit
	}
	return 0
}
