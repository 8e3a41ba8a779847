package method

import (
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/rating"
)

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
