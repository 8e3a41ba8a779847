package host

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/rating"
)

// tree writes the files of a made-up machine and returns its root directory.
func tree(t *testing.T, files ...map[string]string) string {
	root := t.TempDir()
	for _, part := range files {
		for name, text := range part {
			path := filepath.Join(root, name)
			require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
			require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		}
	}
	return root
}

// meminfo holds the file of a node with 16 GiB.
var meminfo = map[string]string{"proc/meminfo": "MemTotal:       16777216 kB\nMemFree:         1234567 kB\n"}

const (
	node = 16 << 30
	v1   = "sys/fs/cgroup/memory/"
	v2   = "sys/fs/cgroup/"
)

func TestMemory(t *testing.T) {
	const unlimited1 = "9223372036854771712\n" // the content in version 1 without a limit
	for name, c := range map[string]struct {
		files map[string]string
		want  int64
	}{
		"no cgroup": {nil, node},
		"version 2": {map[string]string{"proc/self/cgroup": "0::/user.slice\n",
			v2 + "user.slice/memory.max": "4294967296\n"}, 4 << 30},
		"version 2, max": {map[string]string{"proc/self/cgroup": "0::/user.slice\n",
			v2 + "user.slice/memory.max": "max\n"}, node},
		"version 2, more than the node": {map[string]string{"proc/self/cgroup": "0::/a\n",
			v2 + "a/memory.max": "99999999999999\n"}, node},
		"version 2, parent": {map[string]string{
			"proc/self/cgroup":             "0::/system.slice/job_1/step_0/task_0\n",
			v2 + "system.slice/memory.max": "max\n", v2 + "system.slice/job_1/memory.max": "2147483648\n",
			v2 + "system.slice/job_1/step_0/memory.max":        "3221225472\n",
			v2 + "system.slice/job_1/step_0/task_0/memory.max": "max\n",
		}, 2 << 30},
		"version 2, child below parent": {map[string]string{
			"proc/self/cgroup": "0::/a/b\n", v2 + "a/memory.max": "8589934592\n", v2 + "a/b/memory.max": "1073741824\n",
		}, 1 << 30},
		"version 2, in a container": {map[string]string{"proc/self/cgroup": "0::/\n",
			v2 + "memory.max": "1073741824\n"}, 1 << 30},
		"version 2, outside of the container's tree": {map[string]string{
			"proc/self/cgroup": "0::/../../other\n", v2 + "memory.max": "1073741824\n",
		}, 1 << 30},
		"version 2, without files": {map[string]string{"proc/self/cgroup": "0::/gone\n"}, node},
		"version 1": {map[string]string{
			"proc/self/cgroup": "12:cpu,cpuacct:/slurm/job_1\n" +
				"9:memory:/slurm/job_1\n1:name=systemd:/x\n",
			v1 + "memory.limit_in_bytes":               unlimited1,
			v1 + "slurm/memory.limit_in_bytes":         unlimited1,
			v1 + "slurm/job_1/memory.limit_in_bytes":   "1073741824\n",
			"sys/fs/cgroup/cpu/slurm/job_1/memory.max": "1\n",
		}, 1 << 30},
		"version 1, parent": {map[string]string{
			"proc/self/cgroup": "9:memory:/a/b\n", v1 + "a/memory.limit_in_bytes": "536870912\n",
			v1 + "a/b/memory.limit_in_bytes": unlimited1,
		}, 512 << 20},
		"version 1, unlimited": {map[string]string{"proc/self/cgroup": "9:memory:/\n",
			v1 + "memory.limit_in_bytes": unlimited1}, node},
		"version 1, in a container": {map[string]string{
			"proc/self/cgroup": "9:memory:/docker/0123\n", v1 + "memory.limit_in_bytes": "2147483648\n",
		}, 2 << 30},
		"version 1, together with others": {map[string]string{
			"proc/self/cgroup": "3:cpu,memory,pids:/a\n", v1 + "a/memory.limit_in_bytes": "1073741824\n",
		}, 1 << 30},
		"both": {map[string]string{
			"proc/self/cgroup": "9:memory:/a\n0::/b\n", v1 + "a/memory.limit_in_bytes": "2147483648\n",
			v2 + "b/memory.max": "1073741824\n",
		}, 1 << 30},
		"path with a colon": {map[string]string{"proc/self/cgroup": "0::/a:b\n", v2 + "a:b/memory.max": "1073741824\n"},
			1 << 30},
		"nonsense": {map[string]string{
			"proc/self/cgroup": "\n:\nmemory\n0::/a\n", v2 + "a/memory.max": "much\n", v2 + "memory.max": "-1\n",
		}, node},
		"empty file": {map[string]string{"proc/self/cgroup": "0::/a\n", v2 + "a/memory.max": ""}, node},
		"zero":       {map[string]string{"proc/self/cgroup": "0::/a\n", v2 + "a/memory.max": "0\n"}, node},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.want, Memory(tree(t, meminfo, c.files))) })
	}
}

func TestMemoryUnknown(t *testing.T) {
	limit := map[string]string{"proc/self/cgroup": "0::/\n", v2 + "memory.max": "1073741824\n"}
	for name, files := range map[string]map[string]string{
		"no proc":      nil,
		"no meminfo":   {"proc/cpuinfo": "x"},
		"no total":     {"proc/meminfo": "MemFree: 1 kB\n"},
		"no number":    {"proc/meminfo": "MemTotal: much kB\n"},
		"empty":        {"proc/meminfo": ""},
		"only a limit": limit,
	} {
		t.Run(name, func(t *testing.T) { require.Zero(t, Memory(tree(t, files))) })
	}
	require.Zero(t, Memory(filepath.Join(t.TempDir(), "gone")))
}

// Free returns the kernel's available memory, at most the cgroup's limit.
func TestFree(t *testing.T) {
	available := map[string]string{"proc/meminfo": "MemTotal: 16777216 kB\nMemFree: 1 kB\nMemAvailable: 1048576 kB\n"}
	require.EqualValues(t, 1<<30, FreeMemory(tree(t, available)))
	require.EqualValues(t, 1<<20, FreeMemory(tree(t, available, map[string]string{"proc/self/cgroup": "0::/a\n",
		v2 + "a/memory.max": "1048576\n"})))
	require.Zero(t, FreeMemory(tree(t, meminfo)), "an old kernel doesn't report it")
}

// port returns the files of one made-up port.
func port(device, number, state, layer, rate string) map[string]string {
	dir := "sys/class/infiniband/" + device + "/"
	return map[string]string{
		dir + "fw_ver": "20.31.1014\n", dir + "hca_type": "MT4123\n",
		dir + "ports/" + number + "/link_layer": layer + "\n", dir + "ports/" + number + "/state": state + "\n",
		dir + "ports/" + number + "/phys_state": "5: LinkUp\n", dir + "ports/" + number + "/rate": rate + "\n",
	}
}

func TestInterconnect(t *testing.T) {
	first := port("mlx5_0", "1", "4: ACTIVE", "InfiniBand", "200 Gb/sec (4X HDR)")
	root := tree(t,
		port("mlx5_1", "2", "4: ACTIVE", "Ethernet", "25 Gb/sec (1X EDR)"),
		port("mlx5_1", "1", "1: DOWN", "Ethernet", "25 Gb/sec (1X EDR)"),
		first, port("broken", "1", "what", "InfiniBand", "1 Gb/sec"),
	)
	require.NoError(t, os.Remove(filepath.Join(root, "sys/class/infiniband/mlx5_1/hca_type")))
	require.Equal(t, []string{"mlx5_0 port 1: InfiniBand, 200 Gb/s, MT4123", "mlx5_1 port 2: Ethernet, 25 Gb/s"},
		interconnect(root))

	require.Empty(t, interconnect(tree(t, meminfo)), "no sys")
	require.Empty(t, interconnect(tree(t, map[string]string{"sys/class/net/lo": ""})), "no adapters")
}

func TestFacts(t *testing.T) {
	files := maps.Clone(meminfo)
	files["proc/cpuinfo"] = "processor\t: 0\nmodel name\t: Any CPU @ 2 GHz\n\nprocessor\t: 1\nmodel name\t: Any CPU " +
		"@ 2 GHz\n\n"
	h := Facts(tree(t, files, port("mlx5_0", "1", "4: ACTIVE", "InfiniBand", "200 Gb/sec (4X HDR)")))
	require.Equal(t, int64(node), h.Memory)
	require.Len(t, h.Interconnect, 1)
	if runtime.GOARCH == "amd64" { // the file's format depends on the processor
		require.Equal(t, "Any CPU @ 2 GHz", h.CPU)
		require.Equal(t, 2, h.Cores)
	}
	require.Equal(t, "Linux", h.System)
	name, err := os.Hostname()
	require.NoError(t, err)
	require.Equal(t, name, h.Name)
	require.NotEmpty(t, h.Release)
	require.NotEmpty(t, h.Version)
	require.NotEmpty(t, h.Machine)
}

// Facts that can't be found are left empty.
func TestFactsOfNothing(t *testing.T) {
	h := Facts(filepath.Join(t.TempDir(), "gone"))
	require.Equal(t, "Linux", h.System)
	require.Equal(t, rating.Host{System: h.System, Name: h.Name, Release: h.Release, Version: h.Version,
		Machine: h.Machine}, h)
}

// The real machine has memory and processors.
func TestHere(t *testing.T) {
	require.Greater(t, Memory("/"), int64(1<<20))
	require.Positive(t, CPUs().Count())
	require.LessOrEqual(t, runtime.NumCPU(), CPUs().Count())
}

// The file that holds this function is this test's program.
func TestMappedFile(t *testing.T) {
	path, digest := MappedFile("/", reflect.ValueOf(TestMappedFile).Pointer())
	self, err := os.Executable()
	require.NoError(t, err)
	require.Equal(t, self, path)
	content, err := os.ReadFile(self)
	require.NoError(t, err)
	require.Equal(t, fmt.Sprintf("%x", sha256.Sum256(content)), digest)
	path, digest = MappedFile("/", 0)
	require.Empty(t, path+digest)
}
