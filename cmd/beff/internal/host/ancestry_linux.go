package host

import (
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/prometheus/procfs"
	"golang.org/x/sys/unix"
)

// Ancestors returns this process and its ancestors, the oldest last.
func Ancestors(root string) (list []Ancestor) {
	fs, err := procfs.NewFS(filepath.Join(root, "proc"))
	for id := os.Getpid(); err == nil && id > 1; {
		var p procfs.Proc
		if p, err = fs.Proc(id); err != nil {
			break
		}
		var stat procfs.ProcStat
		if stat, err = p.Stat(); err != nil {
			break
		}
		a := Ancestor{ID: id}
		a.Program, _ = p.Executable() // only its user may read it
		a.Args, _ = p.CmdLine()
		if began, err := stat.StartTime(); err == nil && began > 0 {
			a.Began = time.Unix(0, int64(began*1e9))
		}
		const ticks = 100 // ticks per second in /proc/PID/stat
		var now unix.Timespec
		if unix.ClockGettime(unix.CLOCK_BOOTTIME, &now) == nil {
			a.Age = max(0, float64(now.Nano())/1e9-float64(stat.Starttime)/ticks)
		}
		if info, err := os.Stat(filepath.Join(root, "proc", strconv.Itoa(id))); err == nil {
			owner, ok := info.Sys().(*syscall.Stat_t)
			a.Mine = ok && int(owner.Uid) == os.Getuid()
		}
		list, id = append(list, a), stat.PPID
	}
	return list
}
