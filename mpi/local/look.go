package local

import (
	"path/filepath"
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
)

// A rank stores its position in atomic fields, for other goroutines. A store takes about 7 ns, so a rank stores only if
// it may stay for long: when it lets others run, before a system call, and outside of programs. While the rank runs
// through its program, Look sees the position that was stored last, which changes often enough.

// storePosition stores the record that the rank runs.
func (r *rank) storePosition() {
	x := r.run
	if x == nil || x.index >= len(x.section) {
		return
	}
	if rec := &x.section[x.index]; rec != r.stored {
		r.stored = rec
		r.seen.Store(rec)
	}
	r.loop.Store(x.loop)
}

// clearPosition stores that the rank no longer waits. Ranks that share cores don't need it, because they soon wait
// again.
func (r *rank) clearPosition() {
	if r.world.turnsToPark > 0 && r.stored != nil {
		r.stored = nil
		r.seen.Store(nil)
	}
}

// enterRun records that a program runs.
func (r *rank) enterRun(x *runner) {
	r.run = x
	r.visits.Add(1)
}

// leaveRun records that the program has ended.
func (r *rank) leaveRun() {
	r.run, r.stored = nil, nil
	r.seen.Store(nil)
	r.visits.Add(1)
}

// visit is a call outside of programs, and its path, if it has one.
type visit struct{ call, path string }

// enter stores a call outside of programs.
func (r *rank) enter(call, path string) {
	r.visit.Store(&visit{call, path})
	r.visits.Add(1)
}

// Look returns a snapshot of each rank.
func (r *rank) Look() []mpi.Snapshot {
	list := make([]mpi.Snapshot, len(r.world.ranks))
	for i, other := range r.world.ranks {
		list[i] = other.snapshot()
	}
	return list
}

func (r *rank) snapshot() mpi.Snapshot {
	s := mpi.Snapshot{Rank: r.number, Loop: -1, Position: mpi.Position{Calls: r.visits.Load()}}
	rec := r.seen.Load()
	if rec == nil {
		if v := r.visit.Load(); v != nil {
			s.Call, s.Path = v.call, v.path
		}
		return s
	}
	s.Loop = r.loop.Load()
	s.Position.Loop, s.Position.Index = s.Loop, int(rec.op)
	if rec.op.Family() != mpi.Own {
		s.Call = rec.op.String()
	}
	rec.partners(&s)
	return s
}

// partners adds the ranks that a record's messages go to and come from, the bytes of its longest place, and its file.
// For paths it adds the directory of the first one, because the rank doesn't store which path it uses.
func (rec *record) partners(s *mpi.Snapshot) {
	add := func(p *place, other *rank) {
		if p.paths != nil { // has no bytes
			s.Path = filepath.Dir(p.paths.list.Prefixes[0])
			return
		}
		if s.Bytes = max(s.Bytes, int64(p.length)); p.file != nil {
			s.Path = p.file.path
		}
		if other != nil && !slices.Contains(s.With, other.number) {
			s.With = append(s.With, other.number)
		}
	}
	for _, p := range slices.Concat(rec.from, rec.into) {
		add(p, nil)
	}
	for _, m := range rec.sends {
		add(m.place, m.out.to)
	}
	for _, m := range rec.recvs {
		if m.in != nil {
			add(m.place, m.in.from)
		}
	}
}
