package probe

import (
	"cmp"
	"slices"

	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/stats"
)

// byLength returns the indices of a block's rows that have figures, each length once, the last one measured, by rising
// lengths.
func (b *Block) byLength() []int {
	var list []int
	for i := range b.Rows {
		if len(b.Rows[i].Derived) > 0 {
			list = append(list, i)
		}
	}
	slices.SortStableFunc(list, func(i, j int) int {
		return cmp.Or(cmp.Compare(b.Rows[i].Bytes, b.Rows[j].Bytes), cmp.Compare(j, i))
	})
	return slices.CompactFunc(list, func(i, j int) bool { return b.Rows[i].Bytes == b.Rows[j].Bytes })
}

// point returns the row's main time over its length, of the slowest group, with the half width of its interval.
func (r *Row) point(k *kernel.Kernel, s Statistic) stats.Point {
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
