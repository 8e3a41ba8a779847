package local

import (
	"errors"
	"fmt"
	"os"
	"sync/atomic"

	"golang.org/x/sys/unix"

	"github.com/effective-bandwidth/beff/mpi"
)

// elementary is the size in bytes of MPI_DOUBLE, the elementary type of a file unless its view is of bytes.
const elementary = 8

// classes maps errors of the operating system to MPI error classes. All other errors are errIO.
var classes = map[unix.Errno]int{
	unix.EACCES: errAccess,
	unix.EPERM:  errAccess,
	unix.EEXIST: errFileExists,
	unix.EBADF:  errFile,
	unix.ENOSPC: errNoSpace,
	unix.ENOENT: errNoSuchFile,
	unix.EDQUOT: errQuota,
	unix.EROFS:  errReadOnly,
}

// file is one rank's handle of an open file. Each rank has its own descriptor.
type file struct {
	handle
	comm   *comm // the communicator that opened it
	shared *opened
	path   string
	mode   mpi.FileMode
	closed bool
	outer  []handle // the earlier openings, while a program has opened the file again
	vector []unix.Iovec
	_      [line]byte
}

// handle is the state of one opening of a file.
type handle struct {
	system     *os.File
	descriptor int // descriptor of system, -1 if it isn't open
	view       mpi.View
	rows       bool  // the views of the ranks are slots of the same rows
	pointer    int64 // the individual pointer, an offset in the view
	kept       int64 // on rank 0: the saved shared pointer, while a later opening is in use
}

var _ mpi.File = (*file)(nil)

// opened is the state that the ranks of an open file share. As in a group, a rank writes its own slot, and the others
// read it after a meeting.
type opened struct {
	errs  []*mpi.Error
	views []mpi.View
	parts []part

	// Rank 0 writes these.
	first *mpi.Error // error of rank 0 in OpenFile
	once  *mpi.Error // error of the latest call that rank 0 made for all ranks
	base  int64      // start of an ordered call

	_       [line]byte
	pointer atomic.Int64 // the shared pointer, an offset in the view
	_       [line]byte
}

// OpenFile opens the file on rank 0 first, which may create it, and then on the others.
func (r *rank) OpenFile(c mpi.Comm, path string, mode mpi.FileMode, _ []mpi.Hint) (mpi.File, error) {
	own, err := r.own(c)
	if err != nil {
		return nil, err
	}
	if own == nil {
		return nil, fmt.Errorf("open %s: no communicator", path)
	}
	r.enter("MPI_File_open", path)
	if own.number == 0 {
		n := own.Size()
		own.group.opened = &opened{errs: make([]*mpi.Error, n), views: make([]mpi.View, n), parts: make([]part, n)}
	}
	if err := own.meet(); err != nil {
		return nil, err
	}
	f := &file{comm: own, shared: own.group.opened, path: path, mode: mode, closed: true,
		vector: make([]unix.Iovec, 0, maxVector)}
	if err := f.reopen(); err != nil {
		f.system.Close()
		return nil, err
	}
	f.mode &^= mpi.Exclusive // the file exists when a program opens it again
	return f, nil
}

// reopen opens the file after it was closed, or once more while it is open, with another view and other pointers.
func (f *file) reopen() error {
	const call = "MPI_File_open"
	if !f.closed {
		f.outer = append(f.outer, f.handle)
	}
	f.handle, f.closed = handle{descriptor: -1}, false
	if f.comm.number == 0 {
		f.shared.first = f.open(call, f.path, f.mode)
	}
	if err := f.comm.meet(); err != nil {
		return err
	}
	failed := f.shared.first
	switch {
	case f.comm.number == 0:
		f.keep()
	case failed == nil:
		failed = f.open(call, f.path, f.mode&^(mpi.Create|mpi.Exclusive))
	}
	return f.agree(failed, nil)
}

// keep saves the shared pointer's value for the outer opening, if there is one, and sets the pointer to 0.
func (f *file) keep() {
	before := f.shared.pointer.Swap(0)
	if n := len(f.outer); n > 0 {
		f.outer[n-1].kept = before
	}
}

// open opens the file on this rank. It follows no symbolic link, because anyone with write access to the directory
// could make a link to any file.
func (f *file) open(call, path string, mode mpi.FileMode) *mpi.Error {
	flags := unix.O_NOFOLLOW
	switch mode &^ (mpi.UniqueOpen | mpi.DeleteOnClose) {
	case mpi.ReadOnly:
		flags |= os.O_RDONLY
	case mpi.ReadWrite, mpi.ReadWrite | mpi.Create, mpi.ReadWrite | mpi.Create | mpi.Exclusive:
		flags |= os.O_RDWR
	default:
		return f.comm.fail(call, errAmode, fmt.Sprintf("no mode: %b", mode))
	}
	if mode&mpi.Create != 0 {
		flags |= os.O_CREATE
	}
	if mode&mpi.Exclusive != 0 {
		flags |= os.O_EXCL
	}
	var err error
	if f.system, err = os.OpenFile(path, flags, 0o600); err != nil {
		return f.fail(call, err)
	}
	f.descriptor = int(f.system.Fd())
	return nil
}

// Size returns mpi.FileSize, which means no limit.
func (f *file) Size() int64 { return mpi.FileSize }

func (f *file) SetView(v mpi.View, _ []mpi.Hint) error {
	const call = "MPI_File_set_view"
	if err := f.enter(call); err != nil {
		return err
	}
	var refused *mpi.Error
	unit := unitOf(v)
	if v.Start < 0 || v.Start%unit != 0 || v.Slots > 1 &&
		(v.Block <= 0 || v.Block%unit != 0 || v.Slot < 0 || v.Slot >= v.Slots) {
		refused = f.comm.fail(call, errArg, fmt.Sprintf("no view: %+v", v))
	}
	f.shared.views[f.comm.number] = v
	return f.agree(refused, func() {
		f.view, f.pointer, f.rows = v, 0, f.shared.areRows()
		if f.comm.number == 0 {
			f.shared.pointer.Store(0)
		}
	})
}

// unitOf returns the unit of all lengths and offsets in a view, in bytes.
func unitOf(v mpi.View) int64 {
	if v.OfBytes {
		return 1
	}
	return elementary
}

// areRows reports whether the views of the ranks are slots of the same rows.
func (o *opened) areRows() bool {
	for i, v := range o.views {
		v.Slot -= i
		if v.Slots != len(o.views) || v.Slots == 1 || v != o.views[0] {
			return false
		}
	}
	return true
}

// Hints returns no hints.
func (f *file) Hints() ([]mpi.Hint, error) { return nil, f.enter("MPI_File_get_info") }

func (f *file) Length() (int64, error) {
	const call = "MPI_File_get_size"
	if err := f.enter(call); err != nil {
		return 0, err
	}
	info, err := f.system.Stat()
	if err != nil {
		return 0, f.fail(call, err)
	}
	return info.Size(), nil
}

func (f *file) Truncate() error {
	return f.byRankZero("MPI_File_set_size", func() error { return f.system.Truncate(0) })
}

func (f *file) Sync() error { return f.byRankZero("MPI_File_sync", f.system.Sync) }

// byRankZero makes a call outside of programs, on rank 0 for all ranks.
func (f *file) byRankZero(call string, do func() error) error {
	if err := f.enter(call); err != nil {
		return err
	}
	failed, err := f.once(call, do)
	if err == nil && failed != nil {
		return failed
	}
	return err
}

// once calls do on rank 0 for all ranks, because they share the file. All ranks return its error.
func (f *file) once(call string, do func() error) (failed *mpi.Error, err error) {
	if err := f.comm.meet(); err != nil {
		return nil, err
	}
	if f.comm.number == 0 {
		f.shared.once = nil
		if err := do(); err != nil {
			f.shared.once = f.fail(call, err)
		}
	}
	err = f.comm.meet()
	return f.shared.once, err
}

func (f *file) Close() error {
	const call = "MPI_File_close"
	if err := f.enter(call); err != nil {
		return err
	}
	for len(f.outer) > 0 {
		if err := f.leave(call); err != nil {
			return err
		}
	}
	return f.leave(call)
}

// leave closes the latest opening and returns to the previous one, if there is one.
func (f *file) leave(call string) error {
	var failed *mpi.Error
	if err := f.system.Close(); err != nil {
		failed = f.fail(call, err)
	}
	err := f.agree(failed, nil)
	if f.mode&mpi.DeleteOnClose != 0 && err == nil {
		err = f.remove(call)
	}
	n := len(f.outer) - 1
	if n < 0 {
		f.handle, f.closed = handle{descriptor: -1}, true
		return err
	}
	f.handle, f.outer = f.outer[n], f.outer[:n]
	if f.comm.number == 0 {
		f.shared.pointer.Store(f.kept)
	}
	return errors.Join(err, f.comm.meet())
}

// remove removes the file. A missing file is not an error, because the file may have been opened several times.
func (f *file) remove(call string) error {
	var failed *mpi.Error
	if f.comm.number == 0 {
		if err := os.Remove(f.path); err != nil && !errors.Is(err, os.ErrNotExist) {
			failed = f.fail(call, err)
		}
	}
	return f.agree(failed, nil)
}

// enter records for Look that the rank is in a collective call, and checks that the call is possible.
func (f *file) enter(call string) error {
	f.comm.rank.enter(call, f.path)
	if err := f.comm.group.world.check(); err != nil {
		return err
	}
	if f.closed {
		return f.comm.fail(call, errFile, "the file has been closed")
	}
	return nil
}

// agree returns the same error on all ranks, the error of the lowest rank that has one. If no rank has an error, each
// rank calls the function then before any rank returns.
func (f *file) agree(mine *mpi.Error, then func()) error {
	f.shared.errs[f.comm.number] = mine
	if err := f.comm.meet(); err != nil {
		return err
	}
	var first *mpi.Error
	for _, err := range f.shared.errs {
		if first == nil {
			first = err
		}
	}
	if first == nil && then != nil {
		then()
	}
	if err := f.comm.meet(); err != nil {
		return err
	}
	if first != nil {
		return first
	}
	return nil
}

// fail converts an error of the operating system into an MPI error.
func (f *file) fail(call string, err error) *mpi.Error {
	return f.comm.fail(call, classOf(err), err.Error())
}

func classOf(err error) int {
	var errno unix.Errno
	errors.As(err, &errno)
	if class, ok := classes[errno]; ok {
		return class
	}
	return errIO
}
