package local

import (
	"path/filepath"
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
)

// Other goroutines see of a rank what it stores in atomic fields. A store takes about 7 ns, so a rank stores only where
// it waits or works for long: when it lets others run, before a call of the system, and outside of programs. A rank
// that runs through its program shows the last of these, which changes often enough.

// show shows the record that the rank is doing.
func (r *rank) show() {
	x := r.run
	if x == nil || x.index >= len(x.section) {
		return
	}
	if rec := &x.section[x.index]; rec != r.shown {
		r.shown = rec
		r.seen.Store(rec)
	}
	r.turn.Store(x.loop)
}

// hide shows that the rank goes on. Ranks that share cores wait so often that the next wait shows it soon enough.
func (r *rank) hide() {
	if r.world.stays > 0 && r.shown != nil {
		r.shown = nil
		r.seen.Store(nil)
	}
}

// enterRun shows that a program runs.
func (r *rank) enterRun(x *runner) {
	r.run = x
	r.visits.Add(1)
}

// leaveRun shows that it has ended.
func (r *rank) leaveRun() {
	r.run, r.shown = nil, nil
	r.seen.Store(nil)
	r.visits.Add(1)
}

// visit is a call outside of programs, and the path that it is on; empty: on none.
type visit struct{ call, path string }

// enter shows a call outside of programs.
func (r *rank) enter(call, path string) {
	r.visit.Store(&visit{call, path})
	r.visits.Add(1)
}

// Look returns a sight of each rank.
func (r *rank) Look() []mpi.Sight {
	list := make([]mpi.Sight, len(r.world.ranks))
	for i, other := range r.world.ranks {
		list[i] = other.sight()
	}
	return list
}

func (r *rank) sight() mpi.Sight {
	s := mpi.Sight{Rank: r.number, Loop: -1, Moment: mpi.Moment{Calls: r.visits.Load()}}
	rec := r.seen.Load()
	if rec == nil {
		if v := r.visit.Load(); v != nil {
			s.Call, s.Path = v.call, v.path
		}
		return s
	}
	s.Loop = r.turn.Load()
	s.Moment.Loop, s.Moment.Index = s.Loop, int(rec.op)
	if rec.op.Family() != mpi.Own {
		s.Call = rec.op.String()
	}
	rec.partners(&s)
	return s
}

// partners adds the ranks that a record's messages go to and come from, the bytes of its longest place, and its file.
// Of paths it adds the directory of the first: which one the rank is at, it doesn't store.
func (rec *record) partners(s *mpi.Sight) {
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
