package pagecache

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Examine returns how much of the parts of a file is in memory, without reading it. Without parts, it examines the
// whole file. This user must be allowed to write the file. For other files the kernel reports all pages as in memory
// (mincore(2), since Linux 5.2), so Examine returns ErrUnknown.
func Examine(path string, parts ...Part) (Residency, error) {
	f, err := open(path)
	if err != nil {
		return Residency{}, err
	}
	defer f.Close()
	if unix.Access(path, unix.W_OK) != nil {
		return Residency{}, ErrUnknown
	}
	info, err := f.Stat()
	if err != nil {
		return Residency{}, err
	}
	if len(parts) == 0 {
		parts = []Part{{Length: info.Size(), Count: 1}}
	}
	var all Residency
	bytes, page := int64(0), int64(os.Getpagesize())
	for _, p := range parts {
		bytes += p.span(info.Size())
	}
	for _, p := range parts {
		span, into := p.span(info.Size()), p.Offset%page
		if span == 0 {
			continue
		}
		offsets, length := windows(p.Offset-into, span+into, bytes)
		for _, at := range offsets {
			seen, err := held(int(f.Fd()), at, length, p)
			if err != nil {
				return Residency{}, fmt.Errorf("%s: %w", path, err)
			}
			all.Pages, all.Held = all.Pages+seen.Pages, all.Held+seen.Held
		}
	}
	return all, nil
}

// open opens a file to examine it. It follows no symbolic link.
func open(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|unix.O_NOFOLLOW, 0)
}

// held returns how many pages in a window of a file have bytes of a part, and how many of these are in memory.
func held(descriptor int, at, length int64, p Part) (seen Residency, err error) {
	mapped, err := unix.Mmap(descriptor, at, int(length), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return Residency{}, fmt.Errorf("mmap: %w", err)
	}
	defer unix.Munmap(mapped)
	page := int64(os.Getpagesize())
	pages := make([]byte, (length+page-1)/page)
	if _, _, failed := unix.Syscall(unix.SYS_MINCORE, uintptr(unsafe.Pointer(&mapped[0])), uintptr(length),
		uintptr(unsafe.Pointer(&pages[0]))); failed != 0 {
		return Residency{}, fmt.Errorf("mincore: %w", failed)
	}
	for i, flags := range pages {
		if begin := at + int64(i)*page; p.overlaps(begin, begin+page) {
			seen.Pages, seen.Held = seen.Pages+1, seen.Held+int64(flags&1)
		}
	}
	return seen, nil
}

// Drop writes a file's unwritten data to its device, and drops the file from the page cache. A file that is itself in
// memory, such as on tmpfs, stays there.
func Drop(path string) error {
	f, err := open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Sync(); err != nil { // the error has the call and the path
		return err
	}
	if err := unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED); err != nil {
		return &os.PathError{Op: "posix_fadvise", Path: path, Err: err}
	}
	return nil
}

// Fetched returns the bytes that this process has caused to be read from storage since it began, as far as its file
// systems count them. It reports false if the system has no such count.
func Fetched() (int64, bool) {
	text, err := os.ReadFile("/proc/self/io")
	if err != nil {
		return 0, false
	}
	for line := range strings.Lines(string(text)) {
		if value, is := strings.CutPrefix(line, "read_bytes: "); is {
			n, err := strconv.ParseInt(strings.TrimSpace(value), 10, 64)
			return n, err == nil
		}
	}
	return 0, false
}
