package libmpi

import (
	"fmt"
	"strings"
	"syscall"
	"unsafe"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/libmpi/plugin"
)

// paths is a space of paths on the C heap.
type paths struct {
	api   *plugin.Library
	space *plugin.Space
	list  mpi.PathList
}

var _ mpi.Paths = (*paths)(nil)

func (e *engine) NewPaths(list mpi.PathList) (mpi.Paths, error) {
	if err := list.Check(); err != nil {
		return nil, err
	}
	p := &paths{api: e.world.api, list: list}
	if err := p.fill(e.world); err != nil {
		p.Free()
		return nil, fmt.Errorf("paths: %w", err)
	}
	return p, nil
}

// fill allocates the space on the C heap.
func (p *paths) fill(c *comm) (err error) {
	if p.space, err = alloc[plugin.Space](p.api, 1); err != nil {
		return err
	}
	p.space.Size, p.space.File.Handle = p.list.Size(), p.api.Constants.NoFile
	x := &p.space.Paths
	x.PerPrefix, x.Fd = p.list.PerPrefix, -1
	if p.list.Unnumbered {
		x.Unnumbered = 1
	}
	if x.Text, err = c.text(strings.Join(p.list.Prefixes, "")); err != nil {
		return err
	}
	if x.Path, err = alloc[byte](p.api, p.list.MaxLength()+1); err != nil {
		return err
	}
	n := len(p.list.Prefixes)
	if x.Starts, err = alloc[int64](p.api, n+1); err != nil {
		return err
	}
	starts := unsafe.Slice(x.Starts, n+1)
	for i, prefix := range p.list.Prefixes {
		starts[i+1] = starts[i] + int64(len(prefix))
	}
	if n = len(p.list.Order); n > 0 {
		if x.Order, err = alloc[int64](p.api, n); err == nil {
			copy(unsafe.Slice(x.Order, n), p.list.Order)
		}
	}
	return err
}

func (p *paths) c() *plugin.Space     { return p.space }
func (p *paths) Size() int64          { return p.list.Size() }
func (p *paths) Path(at int64) string { return p.list.Path(at) }

func (p *paths) Free() {
	if p.space == nil {
		return
	}
	x := &p.space.Paths
	free(p.api, x.Text)
	free(p.api, x.Path)
	free(p.api, x.Starts)
	free(p.api, x.Order)
	free(p.api, p.space)
	p.space = nil
}

// pathError returns the error of a failed call on a path, with the path and the operating system's text.
func (r *runner) pathError(op mpi.Op) *mpi.Error {
	return &mpi.Error{Call: op.String(), Rank: r.world.worldRank,
		Text: pathOf(r.prog.IoFailure.Recv) + ": " + syscall.Errno(r.prog.Lost).Error()}
}

// pathOf returns the path of a place's file, or the last path used in its space of paths.
func pathOf(place *plugin.Place) string {
	path := unsafe.Pointer(place.Space.Paths.Path)
	if path == nil {
		path = unsafe.Pointer(place.Space.File.Path)
	}
	n := 0
	for *(*byte)(unsafe.Add(path, n)) != 0 {
		n++
	}
	return string(unsafe.Slice((*byte)(path), n))
}
