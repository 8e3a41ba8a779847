package scratch

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"

	"golang.org/x/sys/unix"

	"github.com/effective-bandwidth/beff/beffio"
)

// types holds the names of file systems by magic number (from linux/magic.h and the sources of the parallel file
// systems).
var types = map[int64]string{
	0x0bd00bd0: "lustre", 0x47504653: "gpfs", 0x19830326: "beegfs", 0x00c36400: "ceph", 0x01021997: "9p",
	0x0027e0eb: "cgroup", 0x65735546: "fuse",
	0x6969: "nfs", 0xff534d42: "cifs", 0xfe534d42: "smb2", 0x20030528: "pvfs2", 0xaad7aaea: "panfs", 0x01161970: "gfs2",
	0x7461636f: "ocfs2",
	0xef53:     "ext4", 0x58465342: "xfs", 0x9123683e: "btrfs", 0x2fc12fc1: "zfs", 0xf2f52010: "f2fs",
	0x01021994: "tmpfs", 0x858458f6: "ramfs",
	0x794c7630: "overlay", 0xca451a4e: "bcachefs",
}

// Facts returns the type of the file system that holds a directory, its size and the free space that this user may use,
// in bytes, and the number of free files.
func Facts(path string) (beffio.FileSystem, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(path, &s); err != nil {
		return beffio.FileSystem{}, fmt.Errorf("file system of %s: %w", path, err)
	}
	name := cmp.Or(types[int64(uint32(s.Type))], fmt.Sprintf("%#x", uint32(s.Type)))
	// The unit of the counts may differ from Bsize, the preferred size of a transfer.
	unit := cmp.Or(uint64(s.Frsize), uint64(s.Bsize))
	return beffio.FileSystem{
		Directory: path, Type: name, Size: saturated(s.Blocks, unit), Free: saturated(s.Bavail, unit),
		Files: saturated(s.Files, 1), FreeFiles: saturated(s.Ffree, 1),
	}, nil
}

// saturated returns count times unit, limited to the range of int64, because some file systems report more.
func saturated(count, unit uint64) int64 {
	if high, low := bits.Mul64(count, unit); high == 0 && low <= math.MaxInt64 {
		return int64(low)
	}
	return math.MaxInt64
}
