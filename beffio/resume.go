package beffio

import (
	"fmt"
	"slices"
	"time"

	"github.com/effective-bandwidth/beff/patterns"
)

// unit is a pass over a partition with an access method. A resumed run continues after a whole unit, because the files
// of other units are gone.
type unit struct {
	partition int
	access    Access
	pass      int
}

// wholeUnits returns the units of which a measurement has all patterns and all files.
func (p *Plan) wholeUnits(m *Measured) map[unit]bool {
	samples, files := map[unit]int{}, map[unit]int{}
	for _, s := range m.Samples {
		samples[unit{s.Partition, s.Access, s.Pass}]++
	}
	for _, f := range m.Files {
		files[unit{f.Partition, f.Access, f.Pass}]++
	}
	whole := map[unit]bool{}
	for u, n := range samples {
		rows, types := 0, 0
		for _, t := range Types() {
			if p.measures(u.access, t) {
				rows, types = rows+len(p.rows(t)), types+1
			}
		}
		whole[u] = n == rows && files[u] == types
	}
	return whole
}

// Trim drops the patterns of units that are not whole, which can't be resumed.
func (p *Plan) Trim(m *Measured) {
	if p.Adaptive() {
		p.trimRounds(m)
		return
	}
	whole := p.wholeUnits(m)
	m.Samples = slices.DeleteFunc(m.Samples,
		func(s Sample) bool { return !whole[unit{s.Partition, s.Access, s.Pass}] })
	m.Files = slices.DeleteFunc(m.Files,
		func(f FileSample) bool { return !whole[unit{f.Partition, f.Access, f.Pass}] })
	m.Errors = slices.DeleteFunc(m.Errors, func(e DataError) bool { return !e.isOf(m.Samples) })
	m.Hints = slices.DeleteFunc(m.Hints, func(h HintsInForce) bool { return !whole[unit{h.Partition, h.Access, 0}] })
}

// earlier is the outcome of earlier parts of a run.
type earlier struct {
	Measured
	whole  map[unit]bool
	rounds int // number of rounds, all of them whole
}

// resume takes over the outcome of earlier parts, which Trim has trimmed.
func (m *measurer) resume(from *Measured) {
	if from == nil {
		return
	}
	all := *from
	all.Samples, all.Files = slices.Clone(from.Samples), slices.Clone(from.Files)
	all.Errors, all.Hints = slices.Clone(from.Errors), slices.Clone(from.Hints)
	m.out = &all
	if m.plan.Adaptive() {
		m.earlier = earlier{Measured: *from, rounds: rounds(from.Samples)}
		return
	}
	m.earlier = earlier{Measured: *from, whole: m.plan.wholeUnits(from)}
}

// pending reports whether an access method of a partition is still to be measured.
func (m *measurer) pending(a Access, n int) bool {
	return !m.earlier.whole[unit{n, a, 0}]
}

// task is the task of a resumed run for an access method of a partition.
type task int

const (
	measures task = iota
	restores      // writes the files of an earlier part once more, for the accesses that are left
	skips
)

// task returns the task of an access method for a partition.
func (m *measurer) task(a Access, n int) task {
	switch {
	case m.pending(a, n):
		return measures
	case a == Write && (m.pending(Rewrite, n) || m.pending(Read, n)):
		return restores
	}
	return skips
}

// resumed removes finished items from the schedule of a resumed run.
func (m *measurer) resumed(s *schedule) {
	s.items = slices.DeleteFunc(s.items, func(it item) bool { return !m.pending(it.access, it.partition) })
	s.reads, s.resumed = reads(s.items), true
	for _, x := range m.earlier.Samples {
		if x.Access == Write && x.Pass == 0 {
			s.took[item{x.Partition, Write, x.Pattern}] = x.Seconds
		}
	}
}

// restore writes the files of a partition as an earlier part has written them. None of it counts, not even its time.
func (m *measurer) restore(n int) error {
	begin := m.Now()
	m.pass.restoring = map[int]int64{}
	for _, s := range m.earlier.Samples {
		if s.Partition == n && s.Access == Write {
			m.pass.restoring[s.Pattern] = s.Repetitions
			m.pass.schedule.restored(item{n, Write, s.Pattern}, s.Bytes)
		}
	}
	err := m.partition(Write, n)
	m.pass.restoring = nil
	m.pass.origin += m.Now().Sub(begin).Seconds()
	return err
}

// restored subtracts the bytes of a pattern that is written once more.
func (s *schedule) restored(it item, bytes int64) {
	r := s.plan.Rows[it.row]
	if !timeDriven(it.access, r) {
		return
	}
	s.bytes -= bytes * weight(r.Type)
	if it.row == 0 {
		s.bytes -= int64(s.plan.Partitions[it.partition]) * roundedUp
	}
}

// restoredShare returns the share of a pattern that is written once more, which has as many calls as before.
func (m *measurer) restoredShare(r patterns.IORow) share {
	return share{Seconds: time.Duration(1 << 62).Seconds(), Loops: max(m.pass.restoring[r.Number], 1)}
}

// doing describes an access method in words.
func (m *measurer) doing(a Access) string {
	if m.pass.restoring != nil {
		return fmt.Sprintf("%s once more", a)
	}
	return string(a)
}

// Since returns the news of a measurement, which is everything that before lacks. It reports false if there is nothing.
func (m *Measured) Since(before *Measured) (Measured, bool) {
	news := Measured{
		Samples: m.Samples[len(before.Samples):], Files: m.Files[len(before.Files):],
		Errors: m.Errors[len(before.Errors):], Hints: m.Hints[len(before.Hints):],
		WallSeconds: m.WallSeconds,
	}
	return news, len(news.Samples)+len(news.Files)+len(news.Errors)+len(news.Hints) > 0
}

// Add adds news to a measurement.
func (m *Measured) Add(news Measured) {
	m.Samples = append(m.Samples, news.Samples...)
	m.Files = append(m.Files, news.Files...)
	m.Errors = append(m.Errors, news.Errors...)
	m.Hints = append(m.Hints, news.Hints...)
	m.WallSeconds = news.WallSeconds
}
