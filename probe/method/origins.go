package method

import (
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/rating"
)

// origins returns the extremes of the times that count, and each of them.
func origins(list []times) measured.Sample {
	x := extremes(list)
	for _, r := range list {
		if r.Seconds >= 0 {
			x.Each = append(x.Each, rating.Picoseconds(r.Seconds))
		}
	}
	return x
}
