package local

import (
	"io"

	"golang.org/x/sys/unix"

	"github.com/effective-bandwidth/beff/mpi"
)

// Files and directories are accessible only to this user.
const (
	fileMode      = 0o600
	directoryMode = 0o700
)

// paths are a rank's space of paths.
type paths struct {
	rank *rank
	list mpi.PathList
	fd   int // of the open file, or -1
}

var (
	_ mpi.Paths      = (*paths)(nil)
	_ mpi.FileSystem = (*rank)(nil)
)

// NewPaths returns a space of paths.
func (r *rank) NewPaths(list mpi.PathList) (mpi.Paths, error) {
	if err := list.Check(); err != nil {
		return nil, err
	}
	return &paths{r, list, -1}, nil
}

func (p *paths) Size() int64          { return p.list.Size() }
func (p *paths) Path(at int64) string { return p.list.Path(at) }
func (p *paths) Free()                {}

// onPath makes a call on a path. After a failure the current loop is the last one, because the calls of the next loops
// would fail, too, and no other rank waits for them.
func onPath(x *runner, rec *record) error {
	if err := x.rank.world.check(); err != nil {
		return err
	}
	x.rank.storePosition()
	side := rec.into
	if rec.op.Reads() {
		side = rec.from
	}
	p := side[0]
	path := p.paths.list.Path(p.at)
	err := p.paths.call(rec, path)
	if err == nil {
		return nil
	}
	x.ended = true
	if x.failure == nil {
		x.failure = x.rank.comm.fail(rec.op.String(), classOf(err), path+": "+err.Error())
	}
	return nil
}

// call makes the system call.
func (p *paths) call(rec *record, path string) (err error) {
	switch rec.op {
	case mpi.PathCreate:
		p.fd, err = unix.Open(path, unix.O_WRONLY|unix.O_CREAT|unix.O_TRUNC|unix.O_CLOEXEC, fileMode)
	case mpi.FileOpen:
		p.fd, err = unix.Open(path, unix.O_RDWR|unix.O_CREAT|unix.O_CLOEXEC, fileMode)
	case mpi.PathOpen:
		p.fd, err = unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	case mpi.PathWrite:
		return p.move(rec.from[0].data, unix.Write)
	case mpi.PathRead:
		return p.move(rec.into[0].data, unix.Read)
	case mpi.PathSync:
		return unix.Fsync(p.fd)
	case mpi.FileSetSize:
		return unix.Ftruncate(p.fd, rec.call.Times)
	case mpi.PathClose, mpi.FileClose:
		err = unix.Close(p.fd)
		p.fd = -1
	case mpi.PathStat:
		var s unix.Stat_t
		return unix.Stat(path, &s)
	case mpi.PathRename:
		from := rec.from[0]
		return unix.Rename(from.paths.list.Path(from.at), path)
	case mpi.PathUnlink, mpi.FileDelete:
		return unix.Unlink(path)
	case mpi.PathMkdir:
		return unix.Mkdir(path, directoryMode)
	case mpi.PathRmdir:
		return unix.Rmdir(path)
	case mpi.PathEntries:
		return list(path)
	default:
		unix.Sync()
	}
	return err
}

// move moves data between memory and the open file by repeated calls of transfer, each of which moves a part of the
// data. A file that ends early is an error.
func (p *paths) move(data []byte, transfer func(int, []byte) (int, error)) error {
	for len(data) > 0 {
		n, err := transfer(p.fd, data)
		switch {
		case err == unix.EINTR:
		case err != nil:
			return err
		case n == 0:
			return io.ErrUnexpectedEOF
		default:
			data = data[n:]
		}
	}
	return nil
}

// listed is the size in bytes of the buffer for directory entries, as in the C library.
const listed = 32 << 10

// list reads all entries of a directory.
func list(path string) error {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	var entries [listed]byte
	for n := 1; n > 0 && err == nil; {
		n, err = unix.ReadDirent(fd, entries[:])
	}
	if closed := unix.Close(fd); err == nil {
		err = closed
	}
	return err
}
