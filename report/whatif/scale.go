package whatif

import (
	"cmp"
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/sim/machine"
	"github.com/effective-bandwidth/beff/stats"
)

// draws is the number of seeds for an interval.
const draws = 3

// wide is the factor by which links are made faster so that they never limit.
const wide = 1 << 20

// Scale returns the ratings of a machine over the numbers of processes for which it has room.
func Scale(m *machine.Machine, over []int, seed uint64) (list []Point, err error) {
	for _, n := range over {
		if m.Nodes > 0 && n > m.Nodes*m.PerNode {
			continue
		}
		point, err := pointOf(m, n, seed)
		if err != nil {
			return nil, err
		}
		list = append(list, point)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s has only %d processes, fewer than each number of -n", m.Name, m.Nodes*m.PerNode)
	}
	return list, nil
}

// pointOf returns the rating for a number of processes: the means over several seeds.
func pointOf(m *machine.Machine, n int, seed uint64) (x Point, err error) {
	x.Rated = Rated{Name: m.Name, Processes: n, Figures: rating.Values{}}
	var all []float64
	for i := range uint64(draws) {
		r, err := rate(m, n, seed+i)
		if err != nil {
			return x, err
		}
		for key, v := range r.Figures {
			x.Figures[key] = rating.Value{Value: x.Figures[key].Value + v.Value/draws}
		}
		all = append(all, r.bEff())
	}
	mean, deviation := stat.MeanStdDev(all, nil)
	x.Half = stats.Student(0.975, draws-1) * deviation / math.Sqrt(draws) / mean
	free := *m // the ports don't change
	free.Endpoint.Port = cmp.Or(free.Endpoint.Port, free.Link.Bandwidth)
	free.Link.Bandwidth *= wide
	unlimited, err := rate(&free, n, seed)
	x.Free = unlimited.bEff()
	return x, err
}
