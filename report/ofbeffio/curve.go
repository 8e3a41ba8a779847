package ofbeffio

import (
	"cmp"
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/report/parts"
)

// way is an access method with a pattern type.
type way struct {
	access beffio.Access
	of     patterns.IOType
}

// Curve returns the bandwidth over the size of the contiguous chunks on disk, on the partition that is rated: the
// geometric mean over writing and reading by all pattern types. A chunk that lacks some of them has no point, as its
// mean would be that of something else.
func (r Report) Curve() (list []parts.CurvePoint) {
	n := r.Rated()
	if n < 0 {
		return nil
	}
	chunks := map[int64]map[way]float64{}
	most := 0
	for _, a := range []beffio.Access{beffio.Write, beffio.Read} {
		for _, t := range beffio.Types() {
			for _, p := range chunksOf(r.Result, n, a, t) {
				if !(p.Bandwidth > 0) {
					continue
				}
				if chunks[p.Disk] == nil {
					chunks[p.Disk] = map[way]float64{}
				}
				of := chunks[p.Disk]
				of[way{a, t}] = max(of[way{a, t}], p.Bandwidth) // type 0 has two patterns of 1 MB
				most = max(most, len(of))
			}
		}
	}
	for bytes, of := range chunks {
		logs := 0.0
		for _, t := range beffio.Types() { // in one order, so that sums are the same each time
			for _, a := range beffio.Accesses() {
				if x := of[way{a, t}]; x > 0 {
					logs += math.Log(x)
				}
			}
		}
		if len(of) == most {
			list = append(list, parts.CurvePoint{Bytes: bytes, Bandwidth: math.Exp(logs / float64(most))})
		}
	}
	slices.SortFunc(list, func(a, b parts.CurvePoint) int { return cmp.Compare(a.Bytes, b.Bytes) })
	return list
}
