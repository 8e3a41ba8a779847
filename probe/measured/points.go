package measured

import (
	"cmp"
	"slices"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/stats"
)

// Shortest returns the slowest group's time at the shortest length above 0, and that length. If there is none, it uses
// length 0. The time is 0 if nothing was measured.
func (b *Block) Shortest(t kernel.Time) (time float64, bytes int64) {
	for row := range lists.Elements(b.Rows) {
		if x := row.Slowest(t); x > 0 && (time == 0 || row.Bytes > 0 && (bytes == 0 || row.Bytes < bytes)) {
			time, bytes = x, row.Bytes
		}
	}
	return time, bytes
}

// Bandwidth returns the bandwidth of the slowest group in bytes per second, or 0 if there is none.
func (r *Row) Bandwidth() float64 {
	least := 0.0
	for i, t := range r.Derived {
		if i == 0 || t.Bandwidth < least {
			least = t.Bandwidth
		}
	}
	return least
}

// Slowest returns a time of the slowest group in seconds, or 0 if there is none.
func (r *Row) Slowest(t kernel.Time) float64 {
	most := 0.0
	for i := range r.Derived {
		most = max(most, t.Of(&r.Derived[i]))
	}
	return most
}

// Refinement returns the rule that selects a kernel's lengths, in whole elements of its type. ok is false if the
// lengths are fixed.
func Refinement(s *settings.Settings, k *kernel.Kernel) (r stats.Refinement, ok bool) {
	a := s.Rows.Adaptive
	if a == nil || k.Builder.Rows != kernel.AllLengths {
		return r, false
	}
	unit := k.Unit(&s.IMB)
	return stats.Refinement{Min: settings.RoundUp(a.Min, unit), Max: settings.RoundUp(a.Max, unit), Rough: a.Difference,
		Stride: settings.RoundUp(a.Stride, unit), MaxLengths: a.MaxLengths}, true
}

// Split reports whether a length of a kernel was selected because of the times at other lengths.
func Split(s *settings.Settings, k *kernel.Kernel, bytes int64) bool {
	rule, ok := Refinement(s, k)
	return ok && !slices.Contains(rule.Start(), bytes)
}

// Steps returns the lengths between which the times of a kernel's block with adaptive lengths jump.
func Steps(s *settings.Settings, k *kernel.Kernel, b *Block) []stats.Step {
	rule, ok := Refinement(s, k)
	if !ok {
		return nil
	}
	return rule.Steps(Points(k, b, s.Figure()))
}

// Points returns a block's main times over the lengths.
func Points(k *kernel.Kernel, b *Block, s settings.Statistic) []stats.Point {
	return lists.Each(b.byLength(), func(i int) stats.Point { return b.Rows[i].point(k, s) })
}

// byLength returns the indices of a block's rows that have figures, by ascending length. If a length was measured
// several times, its last row counts.
func (b *Block) byLength() []int {
	list := lists.Where(lists.Numbers(len(b.Rows)), func(i int) bool { return len(b.Rows[i].Derived) > 0 })
	slices.SortStableFunc(list, func(i, j int) int {
		return cmp.Or(cmp.Compare(b.Rows[i].Bytes, b.Rows[j].Bytes), cmp.Compare(j, i))
	})
	return slices.CompactFunc(list, func(i, j int) bool { return b.Rows[i].Bytes == b.Rows[j].Bytes })
}

// point returns the slowest group's main time of the row over its length, with the half width of its interval.
func (r *Row) point(k *kernel.Kernel, s settings.Statistic) stats.Point {
	p := stats.Point{X: r.Bytes}
	for g := range r.Derived {
		t := k.Times()[0].Of(&r.Derived[g])
		if t < p.T {
			continue
		}
		p.T, p.Half = t, 0
		if x := r.Main(g); x != nil {
			p.Half, _ = x.HalfWidth(s)
		}
	}
	return p
}

// Outliers compares the time of each row of a kernel's block with the straight line through its neighbours. It returns
// the ratios that are more than 10 or less than 1/10, and 0 for other rows. A row of 0 bytes may be fast, because
// collective operations then do nothing.
func Outliers(k *kernel.Kernel, b *Block) []float64 {
	factors := make([]float64, len(b.Rows))
	order := b.byLength()
	for j, factor := range stats.LineOutliers(Points(k, b, settings.ByMean)) {
		if b.Rows[order[j]].Bytes > 0 || factor > 1 {
			factors[order[j]] = factor
		}
	}
	return factors
}
