package host

import (
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/prometheus/procfs"
)

// Ancestry returns when the first of the processes began that led to this one and are of its user, such as the script
// of a batch job; now if that isn't known.
func Ancestry(root string, now time.Time) time.Time {
	fs, err := procfs.NewFS(filepath.Join(root, "proc"))
	if err != nil {
		return now
	}
	for id := os.Getpid(); id > 1; {
		info, err := os.Stat(filepath.Join(root, "proc", strconv.Itoa(id)))
		if err != nil {
			break
		}
		if owner, ok := info.Sys().(*syscall.Stat_t); !ok || int(owner.Uid) != os.Getuid() {
			break
		}
		p, err := fs.Proc(id)
		if err != nil {
			break
		}
		stat, err := p.Stat()
		if err != nil {
			break
		}
		if began, err := stat.StartTime(); err == nil && began > 0 {
			now = time.Unix(0, int64(began*1e9))
		}
		id = stat.PPID
	}
	return now
}
