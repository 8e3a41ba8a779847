package host

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The smallest CPU quota of the process's cgroup and its parents counts, in version 2 and 1.
func TestQuota(t *testing.T) {
	const v2, v1 = "sys/fs/cgroup/", "sys/fs/cgroup/cpu/"
	for name, c := range map[string]struct {
		files map[string]string
		want  quota
	}{
		"none":     {map[string]string{"proc/self/cgroup": "0::/a\n", v2 + "a/cpu.max": "max 100000\n"}, quota{}},
		"no files": {map[string]string{"proc/self/cgroup": "0::/a\n"}, quota{}},
		"the parent's": {map[string]string{"proc/self/cgroup": "0::/a/b\n", v2 + "a/b/cpu.max": "400000 100000\n",
			v2 + "a/cpu.max":      "60000 100000\n",
			v2 + "a/cpu.stat":     "usage_usec 9\nnr_periods 100\nnr_throttled 90\nthrottled_usec 8000000\n",
			v2 + "a/b/cpu.stat":   "nr_periods 7\nnr_throttled 7\nthrottled_usec 7\n",
			v2 + "other/cpu.max":  "1 100000\n",
			v2 + "other/cpu.stat": "nr_periods 1\n"}, quota{0.6, 8, 100, 90}},
		"version 1": {map[string]string{"proc/self/cgroup": "9:memory:/m\n3:cpu,cpuacct:/a\n0::/\n",
			v1 + "a/cpu.cfs_quota_us": "120000\n", v1 + "a/cpu.cfs_period_us": "100000\n",
			v1 + "cpu.cfs_quota_us": "-1\n", v1 + "cpu.cfs_period_us": "100000\n",
			v1 + "a/cpu.stat": "nr_periods 50\nnr_throttled 20\nthrottled_time 1500000000\n"}, quota{1.2, 1.5, 50, 20}},
	} {
		require.Equal(t, c.want, quotaOf(tree(t, c.files)), name)
	}
}

// A lock on a file of the directory works, and leaves no file. Without a directory nothing is known.
func TestLock(t *testing.T) {
	dir := t.TempDir()
	require.Equal(t, "work", TryLock(dir))
	require.Empty(t, TryLock(dir+"/none"))
}
