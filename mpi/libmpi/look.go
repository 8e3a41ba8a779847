package libmpi

import (
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/libmpi/plugin"
)

// callState records the call or run that the process is in, for Look. The lock is never held during a call of the
// library.
type callState struct {
	mu    sync.Mutex
	call  string  // the call outside of programs, or empty
	path  string  // of the call's file, or empty
	run   *runner // the runner that runs, or nil
	calls uint64
}

// enter records that a call outside of programs begins, and its path, if it has one. An empty name records its end.
func (h *callState) enter(call, path string) {
	h.mu.Lock()
	h.call, h.path = call, path
	h.calls++
	h.mu.Unlock()
}

// running records that a program runs or, if r is nil, that the run has ended. After that Look doesn't read the
// program's memory, which may be freed.
func (h *callState) running(r *runner) {
	h.mu.Lock()
	h.run = r
	h.calls++
	h.mu.Unlock()
}

// do makes a call of the library. During the call, Look reports its name.
func (c *comm) do(call string, f func() int32) error { return c.doOn("", call, f) }

// doOn is do for a call on the file path, which an error then names. path may be empty.
func (c *comm) doOn(path, call string, f func() int32) error {
	c.state.enter(call, path)
	rc := f()
	c.state.enter("", "")
	err := c.check(call, rc)
	if failed := (*mpi.Error)(nil); path != "" && errors.As(err, &failed) {
		failed.Text = path + ": " + failed.Text
	}
	return err
}

// Look returns a snapshot of this process.
func (e *engine) Look() []mpi.Snapshot {
	h := e.world.state
	h.mu.Lock()
	defer h.mu.Unlock()
	s := mpi.Snapshot{Rank: e.world.rank, Call: h.call, Path: h.path, Loop: -1, Position: mpi.Position{Calls: h.calls}}
	if h.run != nil {
		h.run.look(&s)
	}
	return []mpi.Snapshot{s}
}

// look adds the current call and loop of the run. The C loop changes them meanwhile, so they may belong to two
// neighbouring loops. Before the first call the process waits for the others in the start barrier.
func (r *runner) look(s *mpi.Snapshot) {
	last := (*plugin.Call)(atomic.LoadPointer((*unsafe.Pointer)(unsafe.Pointer(&r.prog.LastCall))))
	s.Loop = atomic.LoadInt64(&r.prog.CurrentLoop)
	s.Position.Loop, s.Position.Index = s.Loop, -1
	if last == nil {
		s.Call = "MPI_Barrier"
		return
	}
	// In an empty section, last points one call before the section.
	at := (int(uintptr(unsafe.Pointer(last))) - int(uintptr(unsafe.Pointer(r.prog.Calls)))) / int(unsafe.Sizeof(*last))
	s.Position.Index = at
	index, ok := r.currentCall(at)
	if !ok {
		return
	}
	switch op := r.calls[index]; {
	case op.Family() == mpi.Own:
	default:
		s.Call = calledIn(op)
		s.With, s.Bytes = r.partners(index)
		if c := &unsafe.Slice(r.prog.Calls, len(r.calls))[index]; (op.OnFile() || op.OnPath()) && c.Nrecv > 0 {
			s.Path = pathOf(c.Recv)
		}
	}
}

// calledIn returns the name of the library's call that a call waits in.
func calledIn(op mpi.Op) string {
	name, own := map[mpi.Op]string{mpi.Decide: "MPI_Bcast", mpi.StopOnSignal: "MPI_Iallreduce",
		mpi.SendrecvEach: "MPI_Sendrecv", mpi.RecvEach: "MPI_Waitall"}[op]
	if !own {
		return op.String()
	}
	return name
}

// short lists short calls without communication. The C loop doesn't store its position after them.
var short = []mpi.Op{mpi.Nop, mpi.Walk, mpi.Stamp, mpi.Check, mpi.Lap, mpi.Copy, mpi.Compare, mpi.TouchSend,
	mpi.TouchRecv}

// currentCall returns the index of the current call: the first one, except short calls, after the last position that
// was stored. After the end of a section it starts again at the section's beginning. ok is false if the section has
// only short calls.
func (r *runner) currentCall(last int) (index int, ok bool) {
	begin, end := r.section(last)
	for i := range end - begin {
		index = begin + (last+1-begin+i)%(end-begin)
		if !slices.Contains(short, r.calls[index]) {
			return index, true
		}
	}
	return begin, false
}

// section returns the bounds of the section that a call is in.
func (r *runner) section(index int) (begin, end int) {
	loop := int(r.prog.Nbefore)
	after := loop + int(r.prog.Nloop) + plugin.AfterLoop
	switch {
	case index < loop:
		return 0, loop
	case index < after:
		return loop, after
	}
	return after, len(r.calls)
}

// partners returns the ranks that a call's messages go to and come from, and the bytes of its longest place. For a wait
// it combines the earlier calls whose requests it may wait for.
func (r *runner) partners(index int) (with []int, bytes int64) {
	calls := unsafe.Slice(r.prog.Calls, len(r.calls))
	add := func(first *plugin.Place, n int32, names bool) {
		for _, p := range unsafe.Slice(first, max(n, 0)) {
			if p.Space == nil || p.Space.Paths.Text == nil { // a path has no bytes
				bytes = max(bytes, p.Length)
			}
			if rank, ok := r.worldRank(p.Peer); ok && names && !slices.Contains(with, rank) {
				with = append(with, rank)
			}
		}
	}
	both := func(c *plugin.Call, op mpi.Op) {
		names := op.Family() == mpi.PointToPoint || op.Family() == mpi.OneSided
		add(c.Send, c.Nsend, names)
		add(c.Recv, c.Nrecv, names)
	}
	op := r.calls[index]
	if op != mpi.Wait && op != mpi.Waitall && op != mpi.Test {
		both(&calls[index], op)
		return with, bytes
	}
	section, _ := r.section(index)
	for i := index - 1; i >= section; i-- {
		if r.calls[i].Starts() && (op == mpi.Waitall || calls[i].Request == calls[index].Request) {
			both(&calls[i], r.calls[i])
		}
	}
	return with, bytes
}

// worldRank returns the rank in the world of a place's peer. ok is false if the peer is no process.
func (r *runner) worldRank(peer int32) (rank int, ok bool) {
	if r.comm == nil || peer < 0 || int(peer) >= r.comm.size {
		return 0, false
	}
	return r.comm.members.of(int(peer)), true
}
