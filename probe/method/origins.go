package method

import (
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/rating"
)

// measureOrigins measures the origins' times, while their targets wait. If targets shall compute, it is the times of a
// second run, in which they compute for as long as the first one took.
func measureOrigins(m *Measurer, s *kernel.Scene, n int64) (r reading, err error) {
	if s.Kernel.Recipe.Waits && s.One.Target == settings.TargetComputes {
		seconds, err := m.slowest(s, n)
		if err != nil {
			return r, err
		}
		s.Overlapped, s.Times = true, m.turns(seconds)
		defer func() { s.Overlapped = false }()
	}
	return measurePlain(m, s, n)
}

// origins returns the extremes of the times that count, and each of them.
func origins(list []reading) measured.Sample {
	x := extremes(list)
	for _, r := range list {
		if r.seconds >= 0 {
			x.Each = append(x.Each, rating.Picoseconds(r.seconds))
		}
	}
	return x
}
