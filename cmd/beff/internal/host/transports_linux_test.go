package host

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// The mappings and open files of a process show how its messages may travel. Memory of PMIx, read-only shared memory,
// and private mappings don't count.
func TestFindTransports(t *testing.T) {
	root := tree(t, map[string]string{"proc/self/maps": `
7f00-7f01 rw-s 00000000 00:18 7    /dev/shm/vader_segment.n1.0
7f01-7f02 rw-s 00000000 00:18 7    /dev/shm/vader_segment.n1.0
7f02-7f03 rw-s 00000000 fe:00 8    /tmp/ompi.n1/pmix-gds-shmem3.n1
7f03-7f04 r--s 00000000 fe:00 9    /dev/shm/read
7f04-7f05 rw-p 00000000 fe:00 10   /dev/shm/private
7f05-7f06 r-xp 00000000 fe:00 11   /usr/lib/openmpi/mca_pml_ob1.so
7f06-7f07 r-xp 00000000 fe:00 12   /usr/lib/openmpi/mca_coll_tuned.so
`[1:], "dev/here": ""})
	self := filepath.Join(root, "proc", strconv.Itoa(os.Getpid()))
	require.NoError(t, os.Rename(filepath.Join(root, "proc/self"), self))
	require.NoError(t, os.Symlink(strconv.Itoa(os.Getpid()), filepath.Join(root, "proc/self")))
	require.NoError(t, os.Mkdir(filepath.Join(self, "fd"), 0o755))
	for i, target := range []string{"/dev/infiniband/uverbs0", "/dev/null", "socket:[7]", "/dev/xpmem"} {
		require.NoError(t, os.Symlink(target, filepath.Join(self, "fd", strconv.Itoa(i))))
	}
	w := FindTransports(root)
	require.Len(t, w.Shared, 1)
	require.Contains(t, w.Shared[0], ":7 /dev/shm/vader_segment.n1.0")
	require.Equal(t, []string{"/dev/infiniband/uverbs0", "/dev/xpmem"}, w.Devices)
	require.Equal(t, []string{"pml ob1"}, w.Components)
	require.Empty(t, FindTransports(tree(t)).Devices)
}

// CheckCopy reads the value at the address that another process gives. It notices that the process ID belongs to a
// different process.
func TestCheckCopy(t *testing.T) {
	w := FindTransports("/")
	require.NoError(t, CheckCopy(w))
	w.Value++
	require.ErrorContains(t, CheckCopy(w), "another process")
	w.Address = 1
	require.Error(t, CheckCopy(w))
	w.Process = 1 << 30
	require.Error(t, CheckCopy(w))
}

func TestCopyRestrictions(t *testing.T) {
	require.Empty(t, CopyRestrictions(tree(t)))
	require.Empty(t, CopyRestrictions(tree(t, map[string]string{"proc/sys/kernel/yama/ptrace_scope": "0\n",
		"proc/self/status": "Name: x\nSeccomp:\t0\n"})))
	require.Equal(t, "ptrace_scope 1, seccomp 2", CopyRestrictions(tree(t, map[string]string{
		"proc/sys/kernel/yama/ptrace_scope": "1\n",
		"proc/self/status":                  "Name: x\nSeccomp:\t2\nSeccomp_filters:\t1\n"})))
}

func TestMemoryLimits(t *testing.T) {
	require.Zero(t, memoryLimit(tree(t, meminfo)))
	require.Positive(t, memoryLimit(tree(t, meminfo, map[string]string{"proc/self/cgroup": "0::/job\n",
		v2 + "job/memory.max": "1073741824\n"})))
	require.Positive(t, MaxLocked())
}
