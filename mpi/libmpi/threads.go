package libmpi

import (
	"bytes"
	"errors"
	"fmt"
	"hash/fnv"
	"unsafe"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/libmpi/plugin"
)

// share divides the processors that several processes of a host may run on among these processes.
type share struct {
	processors    []int
	sharers, mine int // number of the host's processes with these processors, and this process's index among them
}

// shareBytes is the length of the digest of its processors that each process sends.
const shareBytes = 8

// findShare finds out which processes have the same host and processors as this one.
func (e *engine) findShare(processors []int) (*share, error) {
	s := &share{processors: processors}
	digest := fnv.New64a()
	fmt.Fprint(digest, e.host, s.processors)
	w := e.world
	own, all := digest.Sum(nil), make([]byte, shareBytes*w.size)
	var into []byte
	if w.rank == 0 {
		into = all
	}
	if err := w.Gather(own, into, 0); err != nil {
		return nil, err
	}
	if err := w.Bcast(all, 0); err != nil {
		return nil, err
	}
	for rank := range w.size {
		if bytes.Equal(all[shareBytes*rank:][:shareBytes], own) {
			s.sharers++
			if rank < w.rank {
				s.mine++
			}
		}
	}
	return s, nil
}

// of returns the processor for each of n threads. It returns -1 for all threads if there aren't enough processors,
// because threads that wait for each other on one processor would be slower than the system's choice. s is nil without
// MPI_THREAD_MULTIPLE.
func (s *share) of(n int) []int32 {
	list := make([]int32, n)
	for i := range list {
		list[i] = -1
		if s != nil && s.sharers*n <= len(s.processors) {
			list[i] = int32(s.processors[s.mine*n+i])
		}
	}
	return list
}

// maxThreads is the largest number of threads of a process.
const maxThreads = 1 << 12

// Threads implements mpi.Threaded.
func (e *engine) Threads(n int) error {
	switch {
	case n > 1 && e.share == nil:
		return errors.New("MPI was initialized without MPI_THREAD_MULTIPLE")
	case n < 1 || n > maxThreads:
		return fmt.Errorf("want 1 to %d threads, not %d", maxThreads, n)
	}
	return nil
}

// ThreadComm returns a duplicate with the info key thread_id, which Intel MPI uses to find a thread's endpoint.
func (e *engine) ThreadComm(c mpi.Comm, thread int) (mpi.Comm, error) {
	from := c.(*comm)
	return orNil(from.create("MPI_Comm_dup", func(out *plugin.Comm) int32 {
		return e.world.api.ThreadComm(from.c, int32(thread), out)
	}))
}

// ThreadBuffers returns memory of the C heap for each thread.
func (e *engine) ThreadBuffers(n int, size int64, how mpi.Allocation) (list []mpi.Buffer, err error) {
	defer func() {
		if err != nil {
			for _, b := range list {
				b.Free()
			}
			list = nil
		}
	}()
	switch {
	case how == mpi.Continuous:
		whole, err := e.NewBuffer(int64(n) * size)
		if err != nil {
			return nil, err
		}
		b := whole.(*buffer)
		b.space.Size = size
		for i := range n {
			part := &part{buffer: &buffer{api: b.api, space: b.space}}
			if i == 0 {
				part.whole, part.size = b, int64(n)*size
			} else {
				if part.space, err = alloc[plugin.Space](b.api, 1); err != nil {
					return list, err
				}
				at := unsafe.Add(unsafe.Pointer(b.space.Base), int64(i)*size)
				*part.space = plugin.Space{Base: (*byte)(at), Size: size}
			}
			list = append(list, part)
		}
	case how == mpi.Parallel && n > 1:
		return e.touchedByThreads(n, size)
	default:
		for range n {
			b, err := e.NewBuffer(size)
			if err != nil {
				return list, err
			}
			list = append(list, b)
		}
	}
	return list, nil
}

// part is a part of memory that several threads share.
type part struct {
	*buffer
	whole *buffer // the whole buffer, for its first part only
	size  int64   // bytes of the whole
}

func (p *part) Free() {
	if p.whole != nil {
		p.space.Size = p.size
		p.whole.Free()
		return
	}
	free(p.api, p.space)
}

// touchedByThreads makes each thread allocate and touch its own memory.
func (e *engine) touchedByThreads(n int, size int64) (list []mpi.Buffer, err error) {
	t, err := e.newTeam(n)
	if err != nil {
		return nil, err
	}
	defer t.release()
	if t.team.Memory, err = alloc[unsafe.Pointer](t.api, n); err != nil {
		return nil, err
	}
	defer free(t.api, t.team.Memory)
	t.team.Size = size
	if err := t.open(); err != nil {
		return nil, err
	}
	t.api.TeamRun(t.team)
	t.api.TeamClose(t.team)
	for _, memory := range unsafe.Slice(t.team.Memory, n) {
		s, failed := alloc[plugin.Space](t.api, 1)
		if memory == nil {
			failed = fmt.Errorf("new buffer: no memory for %d bytes", size)
		}
		if failed != nil {
			err = failed
			continue
		}
		s.Base, s.Size = (*byte)(memory), size
		list = append(list, &buffer{api: t.api, space: s})
	}
	return list, err
}

// team is the threads of this process with their programs.
type team struct {
	api     *plugin.Library
	world   *comm
	team    *plugin.Team
	runners []*runner
	opened  bool
}

// newTeam returns a team without programs, whose threads don't exist yet.
func (e *engine) newTeam(n int) (*team, error) {
	t := &team{api: e.world.api, world: e.world}
	var err error
	if t.team, err = alloc[plugin.Team](t.api, 1); err != nil {
		return nil, err
	}
	t.team.Threads = int32(n)
	if t.team.Processors, err = alloc[int32](t.api, n); err != nil {
		t.release()
		return nil, err
	}
	copy(unsafe.Slice(t.team.Processors, n), e.share.of(n))
	return t, nil
}

// open creates the threads.
func (t *team) open() error {
	if rc := t.api.TeamOpen(t.team); rc != success {
		return fmt.Errorf("the system can't create %d threads", t.team.Threads)
	}
	t.opened = true
	return nil
}

// release releases the team's memory on the C heap.
func (t *team) release() {
	if t.team.Programs != nil {
		free(t.api, t.team.Programs)
	}
	if t.team.Processors != nil {
		free(t.api, t.team.Processors)
	}
	free(t.api, t.team)
}

// Team compiles a program for each thread.
func (e *engine) Team(programs []*mpi.Program) (mpi.Team, error) {
	if err := e.Threads(len(programs)); err != nil {
		return nil, err
	}
	t, err := e.newTeam(len(programs))
	if err != nil {
		return nil, err
	}
	for _, p := range programs {
		r, err := e.Compile(p)
		if err != nil {
			t.Close()
			return nil, err
		}
		t.runners = append(t.runners, r.(*runner))
	}
	if t.team.Programs, err = alloc[*plugin.Program](t.api, len(programs)); err == nil {
		for i, r := range t.runners {
			unsafe.Slice(t.team.Programs, len(programs))[i] = r.prog
			if len(programs[i].Team) > 0 {
				r.prog.Leader = t.runners[0].prog
			}
		}
		err = t.open()
	}
	if err != nil {
		t.Close()
		return nil, err
	}
	return t, nil
}

// Run runs all programs at the same time.
func (t *team) Run(n mpi.Loops) ([]mpi.Measurement, error) {
	for _, r := range t.runners {
		if err := r.prepare(n); err != nil {
			return nil, err
		}
	}
	t.world.state.running(t.runners[0])
	t.api.TeamRun(t.team)
	t.world.state.running(nil)
	var list []mpi.Measurement
	for _, r := range t.runners {
		list = append(list, r.measurement(n))
	}
	return list, nil
}

// Close ends the threads, and releases the programs.
func (t *team) Close() {
	if t.opened {
		t.api.TeamClose(t.team)
	}
	for _, r := range t.runners {
		r.Close()
	}
	t.release()
}
