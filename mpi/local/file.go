package local

import (
	"errors"
	"fmt"
	"os"
	"sync/atomic"

	"golang.org/x/sys/unix"

	"github.com/effective-bandwidth/beff/mpi"
)

// elementary is the size of MPI_DOUBLE, which files consist of.
const elementary = 8

// classes has the MPI error class of what the system says; all else is errIO.
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

// file is one rank's handle of an open file. Each rank has a descriptor of its own, and all calls go straight to the system.
type file struct {
	comm    *comm // that opened it
	shared  *opened
	system  *os.File
	number  int // descriptor of system, -1 once it is closed
	mode    mpi.FileMode
	closed  bool
	view    mpi.View
	rows    bool  // the views of all ranks are the slots of the same rows
	pointer int64 // individual, in the view
	vector  []unix.Iovec
	_       [line]byte
}

var _ mpi.File = (*file)(nil)

// opened is what the ranks of an open file share. As in a group, a rank writes its own slot, and others read it after a meeting.
type opened struct {
	errs  []*mpi.Error
	views []mpi.View
	parts []part

	// Rank 0 writes these.
	first  *mpi.Error // its own error in OpenFile
	synced *mpi.Error // of Sync
	base   int64      // of an ordered call

	_       [line]byte
	pointer atomic.Int64 // in the view
	_       [line]byte
}

// OpenFile lets the first rank create the file, and then the others open it.
func (r *rank) OpenFile(c mpi.Comm, path string, mode mpi.FileMode, _ []mpi.Hint) (mpi.File, error) {
	const call = "MPI_File_open"
	own, err := r.own(c)
	if err != nil {
		return nil, err
	}
	if own == nil {
		return nil, fmt.Errorf("open %s: no communicator", path)
	}
	f := &file{comm: own, mode: mode, number: -1}
	if own.number == 0 {
		n := own.Size()
		own.group.opened = &opened{errs: make([]*mpi.Error, n), views: make([]mpi.View, n), parts: make([]part, n)}
		own.group.opened.first = f.open(call, path, mode)
	}
	if err := own.meet(); err != nil {
		return nil, err
	}
	f.shared = own.group.opened
	failed := f.shared.first
	if own.number > 0 && failed == nil {
		failed = f.open(call, path, mode&^(mpi.Create|mpi.Exclusive))
	}
	if err := f.agree(failed, nil); err != nil {
		f.system.Close()
		return nil, err
	}
	return f, nil
}

// open never follows a symbolic link to the file: who may write into the directory could let it end anywhere.
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
	f.number = int(f.system.Fd())
	f.vector = make([]unix.Iovec, 0, vectored)
	return nil
}

// Size is without limit.
func (f *file) Size() int64 { return mpi.FileSize }

func (f *file) SetView(v mpi.View, _ []mpi.Hint) error {
	const call = "MPI_File_set_view"
	if err := f.enter(call); err != nil {
		return err
	}
	var refused *mpi.Error
	if v.Start < 0 || v.Start%elementary != 0 || v.Slots > 1 && (v.Block <= 0 || v.Block%elementary != 0 || v.Slot < 0 || v.Slot >= v.Slots) {
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

// areRows says whether the ranks see the slots of the same rows.
func (o *opened) areRows() bool {
	for i, v := range o.views {
		v.Slot -= i
		if v.Slots != len(o.views) || v.Slots == 1 || v != o.views[0] {
			return false
		}
	}
	return true
}

// SetHints ignores all hints, as MPI does with those that it doesn't know.
func (f *file) SetHints([]mpi.Hint) error { return f.enter("MPI_File_set_info") }

// Hints are none.
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

func (f *file) Sync() error {
	const call = "MPI_File_sync"
	if err := f.enter(call); err != nil {
		return err
	}
	failed, err := f.sync(call)
	if err == nil && failed != nil {
		return failed
	}
	return err
}

// sync brings all ranks' data to the device at once, because they are in one file. What failed there all ranks get.
func (f *file) sync(call string) (failed *mpi.Error, err error) {
	if err := f.comm.meet(); err != nil {
		return nil, err
	}
	if f.comm.number == 0 {
		f.shared.synced = nil
		if err := f.system.Sync(); err != nil {
			f.shared.synced = f.fail(call, err)
		}
	}
	err = f.comm.meet()
	return f.shared.synced, err
}

func (f *file) Close() error {
	const call = "MPI_File_close"
	if err := f.enter(call); err != nil {
		return err
	}
	f.closed, f.number, f.vector = true, -1, nil
	var failed *mpi.Error
	if err := f.system.Close(); err != nil {
		failed = f.fail(call, err)
	}
	err := f.agree(failed, nil)
	if err != nil || f.mode&mpi.DeleteOnClose == 0 {
		return err
	}
	if f.comm.number == 0 {
		if err := os.Remove(f.system.Name()); err != nil {
			failed = f.fail(call, err)
		}
	}
	return f.agree(failed, nil)
}

// enter begins a collective call.
func (f *file) enter(call string) error {
	if err := f.comm.group.world.check(); err != nil {
		return err
	}
	if f.closed {
		return f.comm.fail(call, errFile, "the file has been closed")
	}
	return nil
}

// agree returns the first rank's error that there is on all ranks alike, or does what is to be done on all before anyone goes on.
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

// fail is what the system says as MPI would say it.
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
