package programfile

import (
	"errors"
	"slices"

	"go.yaml.in/yaml/v4"

	"github.com/effective-bandwidth/beff/mpi"
)

// locking lists the calls that open or need an epoch of locks. With fences alone no process locks anything.
var locking = []mpi.Op{mpi.WinLock, mpi.WinUnlock, mpi.WinLockAll, mpi.WinUnlockAll, mpi.WinFlush, mpi.WinFlushLocal,
	mpi.WinFlushAll, mpi.WinFlushLocalAll, mpi.WinSync, mpi.Rput, mpi.Rget}

// noWindow is File.Window of a file without one.
const noWindow = -1

// window reads the name of the area that other processes may access.
func (r *reader) window(n *yaml.Node) error {
	r.file.Window = noWindow
	if n == nil {
		return nil
	}
	if r.file.Window = r.area(n.Value); n.Kind != yaml.ScalarNode || r.file.Window < 0 {
		return r.wrong(n, "window: want the name of an area of the memory")
	}
	return nil
}

// onWindow returns an error unless the places of a call are on the right side of the window.
func (r *reader) onWindow(at *yaml.Node, x *node) error {
	target := x.into
	if readsWindow(x.call.op) {
		target = x.of
	}
	switch {
	case !x.call.op.OnWindow():
		return nil
	case r.file.Window == noWindow:
		return r.wrong(at, "%s: the file has no window: AREA", x.call.name)
	case x.call.op.Family() == mpi.OneSided && target.area != r.file.Window:
		return r.wrong(at, "%s: %s is not the window", x.call.name, r.file.Areas[target.area].Name)
	}
	return nil
}

// readsWindow reports whether a call brings data from a window.
func readsWindow(op mpi.Op) bool { return op == mpi.Get || op == mpi.Rget }

// Locks reports whether the file has calls of an epoch of locks.
func (f *File) Locks() bool {
	return slices.ContainsFunc(f.Ops(), func(op mpi.Op) bool { return slices.Contains(locking, op) })
}

// oneWay returns an error if a file has both fences and locks, which one window can't have at the same time (MPI 4.1,
// 12.5).
func (r *reader) oneWay(n *yaml.Node) error {
	if r.file.Locks() && slices.Contains(r.file.Ops(), mpi.WinFence) {
		return r.wrong(n, "both fences and locks of the window: want one kind")
	}
	return nil
}

// epoch is the state of a process' access to the window.
type epoch struct {
	fenced bool
	all    bool         // locked on all processes
	locked map[int]bool // targets
}

// reaches reports whether a process' memory may be accessed.
func (e *epoch) reaches(target int) bool { return e.all || e.locked[target] }

// step follows a call that accesses or synchronizes the window.
func (e *epoch) step(op mpi.Op, target int) error {
	switch op {
	case mpi.Put, mpi.Get, mpi.Accumulate, mpi.GetAccumulate, mpi.FetchAndOp, mpi.CompareAndSwap:
		if !e.fenced && !e.reaches(target) {
			return errors.New("no epoch is open: want win_fence, win_lock or win_lock_all before")
		}
	case mpi.WinFence:
		e.fenced = true
	case mpi.WinLock, mpi.WinLockAll:
		if e.all || e.locked[target] || op == mpi.WinLockAll && len(e.locked) > 0 {
			return errors.New("it is locked already")
		}
		e.all = op == mpi.WinLockAll
		if !e.all {
			e.locked[target] = true
		}
	case mpi.WinUnlockAll, mpi.WinFlushAll, mpi.WinFlushLocalAll, mpi.WinSync:
		if !e.all && (op == mpi.WinUnlockAll || len(e.locked) == 0) {
			return errors.New("it is not locked")
		}
		if op == mpi.WinUnlockAll {
			e.all = false
		}
	default: // of one target
		if !e.reaches(target) || op == mpi.WinUnlock && e.all {
			return errors.New("it is not locked")
		}
		if op == mpi.WinUnlock {
			delete(e.locked, target)
		}
	}
	return nil
}

// access adds the places of a call on the window of a process.
func (r *resolver) access(x *node, c *mpi.Call, target int64) error {
	if x.call.operands&atRank == 0 {
		target = int64(r.at.Rank)
	}
	if err := r.epoch.step(c.Op, int(target)); err != nil {
		return r.wrong(x.line, "%s: %w", x.call.name, err)
	}
	if c.Op.Family() != mpi.OneSided {
		c.Recv = mpi.One(len(r.out.Places))
		r.out.Places = append(r.out.Places, Place{Area: r.file.Window, Peer: int(target), Window: true})
		return nil
	}
	near, far := &x.of, &x.into
	if readsWindow(c.Op) {
		near, far = far, near
	}
	var err error
	if c.Send, err = r.span(x, near, 0, target); err != nil {
		return err
	}
	for _, more := range []struct {
		operand operand
		place   *place
	}{{compare, &x.compare}, {result, &x.result}} { // behind the origin, in this order
		if x.call.operands&more.operand == 0 {
			continue
		}
		if _, err = r.span(x, more.place, 0, target); err != nil {
			return err
		}
		c.Send.Count++
	}
	if c.Recv, err = r.span(x, far, 0, target); err == nil {
		r.out.Places[c.Recv.First].Window = true
	}
	return err
}
