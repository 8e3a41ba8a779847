package conformance

import "github.com/effective-bandwidth/beff/mpi"

// threads is the number of threads in a team.
const threads = 3

// team runs the programs of this process's threads twice, and checks their measurements, if the process can have
// several threads.
func (p *process) team(build func(thread int) *mpi.Program, parts bool) {
	e, threaded := p.Engine.(mpi.Threaded)
	if !threaded || e.Threads(threads) != nil {
		return
	}
	var programs []*mpi.Program
	for i := range threads {
		programs = append(programs, build(i))
	}
	for _, program := range programs {
		if parts {
			program.Team = programs
		}
	}
	team, err := e.Team(programs)
	p.must(err)
	defer team.Close()
	for range 2 {
		n := mpi.Loops{Untimed: 2, Timed: 5}
		all, err := team.Run(n)
		p.must(err)
		if len(all) != threads {
			p.errorf("%d threads have a time, not %d", len(all), threads)
		}
		for i, m := range all {
			if m.Loops != n.Timed || m.Mismatch != nil {
				p.errorf("thread %d: %d loops: %v", i, m.Loops, m.Mismatch)
			}
		}
	}
}

// teams passes messages of each thread around the ring. After a barrier of the threads, the first one copies the data
// that all have received.
func teams(p *process) {
	const length = 1000
	right, left := (p.rank+1)%p.size, (p.rank+p.size-1)%p.size
	out, in, copies := p.buffer(threads*length), p.buffer(threads*length), p.buffer(threads*length)
	mark := func(rank, thread int) mpi.Mark {
		return mpi.Mark{Width: 8, Key: uint64(threads*rank + thread), PerLoop: 1 << 20}
	}
	p.team(func(thread int) *mpi.Program {
		at := int64(thread * length)
		x := &mpi.Program{Comm: p.world, Start: p.world, Places: []mpi.Place{
			{Space: out, Offset: at, Length: length, Peer: right, Mark: mark(p.rank, thread)},
			{Space: in, Offset: at, Length: length, Peer: left},
			{Space: copies, Offset: at, Length: length, Mark: mark(left, thread)},
			{Space: in, Length: threads * length}, {Space: copies, Length: threads * length}}}
		barrier := mpi.Call{Op: mpi.ThreadBarrier}
		x.Call(mpi.Call{Op: mpi.Stamp, Send: mpi.One(0)},
			mpi.Call{Op: mpi.Sendrecv, Send: mpi.One(0), Recv: mpi.One(1), Tag: thread}, barrier)
		if thread == 0 {
			x.Call(mpi.Call{Op: mpi.Copy, Send: mpi.One(3), Recv: mpi.One(4)})
		}
		x.Call(barrier, mpi.Call{Op: mpi.Check, Recv: mpi.One(2)})
		return x
	}, false)
}

// teamParts passes a partitioned message around the ring. Each thread writes its parts, makes them ready, and waits for
// one received part.
func teamParts(p *process) {
	const each, length = 2, 4000
	const parts = threads * each
	right, left := (p.rank+1)%p.size, (p.rank+p.size-1)%p.size
	out, in := p.buffer(parts*length), p.buffer(parts*length)
	mark := func(rank, part int) mpi.Mark {
		return mpi.Mark{Width: 8, Key: uint64(parts*rank + part), PerLoop: 1 << 20}
	}
	p.team(func(thread int) *mpi.Program {
		x := &mpi.Program{Comm: p.world, Start: p.world, Places: []mpi.Place{
			{Space: in, Length: parts * length, Peer: left}, {Space: out, Length: parts * length, Peer: right}}}
		barrier, first := mpi.Call{Op: mpi.ThreadBarrier}, thread == 0
		if first {
			x.Call(mpi.Call{Op: mpi.PrecvInit, Recv: mpi.One(0), Parts: parts},
				mpi.Call{Op: mpi.PsendInit, Send: mpi.One(1), Parts: parts})
		}
		x.Call(barrier)
		for i := range each {
			part := thread + i*threads
			place := x.Place(mpi.Place{Space: out, Offset: int64(part * length), Length: length,
				Mark: mark(p.rank, part)})
			x.Call(mpi.Call{Op: mpi.Stamp, Send: mpi.One(place)}, mpi.Call{Op: mpi.Pready, Of: 1, Part: part})
		}
		x.Call(mpi.Call{Op: mpi.Parrived, Of: 0, Part: parts - 1 - thread}, barrier)
		if first {
			x.Call(mpi.Call{Op: mpi.Wait, Of: 1}, mpi.Call{Op: mpi.Wait, Of: 0})
		}
		for part := 0; first && part < parts; part++ {
			place := x.Place(mpi.Place{Space: in, Offset: int64(part * length), Length: length,
				Mark: mark(left, part)})
			x.Call(mpi.Call{Op: mpi.Check, Recv: mpi.One(place)})
		}
		return x
	}, true)
}
