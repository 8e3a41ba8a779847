package probe

import (
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/rating"
)

// measureOrigins measures the origins' times, while their targets wait. If targets shall compute, it is the times of a
// second run, in which they compute for as long as the first one took.
func measureOrigins(m *Measurer, s *kernel.Scene, n int64) (r reading, err error) {
	if s.Kernel.Recipe.Waits && s.One.Target == kernel.TargetComputes {
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
func origins(list []reading) Sample {
	x := extremes(list)
	for _, r := range list {
		if r.seconds >= 0 {
			x.Each = append(x.Each, rating.Picoseconds(r.seconds))
		}
	}
	return x
}

// overOrigins sets the bandwidths over all origins: the mean of theirs, the extremes, and that of all together.
func overOrigins(k *kernel.Kernel, r *Row, x *Sample, t *kernel.Times) {
	moved := k.Moved * float64(r.Bytes) * float64(max(r.Repetitions, 1)) * float64(max(k.Halves, 1))
	if moved == 0 || !(x.Min > 0) || len(x.Each) == 0 {
		return
	}
	sum := 0.0
	for _, seconds := range x.Each {
		sum += moved / seconds
	}
	t.Bandwidth = sum / float64(len(x.Each))
	t.BandwidthMin, t.BandwidthMax = moved/x.Max, moved/x.Min
	t.BandwidthAll = float64(len(x.Each)) * moved / x.Max
	if k.Recipe.Both {
		t.BandwidthBoth = 2 * t.Bandwidth
	}
}

// checkEach returns an error unless a sample has the times of its kernel's origins, and the extremes are theirs.
func (x *Sample) checkEach(k *kernel.Kernel, processes int) error {
	switch {
	case (len(x.Each) > 0) != (k.Class == kernel.Partners):
		return fmt.Errorf("%d times of origins, of a kernel of class %s", len(x.Each), k.Class)
	case len(x.Each) == 0:
		return nil
	case len(x.Each) > processes:
		return fmt.Errorf("%d times of origins, of %d processes", len(x.Each), processes)
	case slices.Min(x.Each) != x.Min || slices.Max(x.Each) != x.Max:
		return fmt.Errorf("times of origins from %v to %v, extremes %v and %v", slices.Min(x.Each),
			slices.Max(x.Each), x.Min, x.Max)
	}
	return nil
}
