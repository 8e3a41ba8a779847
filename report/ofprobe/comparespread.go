package ofprobe

import (
	"math"

	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/report/versus"
)

// timed returns the time of a row. Its spread is that of its series, where it has one.
func timed(r *probe.Result, t probe.Time, row *probe.Row) Timed {
	repetitions := 0
	if len(row.Series) > 0 {
		repetitions = len(row.Series[0].Max) // all groups have as many
	}
	return Timed{Bandwidth: Bandwidth(row), Sampled: versus.OfInterval(Slowest(t, row), slowestInterval(r, t, row),
		repetitions, r.Settings.Rule().Confidence)}
}

// joinPasses joins the tables of one name, which are those of the passes of a run, into one: the geometric means of the
// rows that all of them have.
func joinPasses(tables []comparedTable) []comparedTable {
	at := map[string]int{}
	var groups [][]comparedTable
	for _, t := range tables {
		i, seen := at[t.name]
		if !seen {
			i = len(groups)
			at[t.name] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], t)
	}
	var list []comparedTable
	for _, passes := range groups {
		if len(passes) == 1 {
			list = append(list, passes[0])
			continue
		}
		joined := comparedTable{name: passes[0].name}
		for _, row := range passes[0].rows {
			if row, whole := joinRow(row, passes); whole {
				joined.rows = append(joined.rows, row)
			}
		}
		list = append(list, joined)
	}
	return list
}

// joinRow returns a row of the first pass joined with those of the others; whole is false if one lacks it.
func joinRow(row Row, passes []comparedTable) (_ Row, whole bool) {
	var times, bandwidths []float64
	for _, p := range passes {
		for _, r := range p.rows {
			if r.Bytes == row.Bytes {
				times, bandwidths = append(times, r.First.Value), append(bandwidths, r.First.Bandwidth)
				break
			}
		}
	}
	row.First = Timed{Sampled: versus.OfMean(times), Passes: times}
	if bandwidths[0] > 0 {
		row.First.Bandwidth = versus.GeometricMean(bandwidths)
	}
	return row, len(times) == len(passes)
}

// meanOf returns the geometric means of the speeds of rows; not measured if there are none.
func meanOf(name string, rows []Row) versus.Difference {
	var first, second []Timed
	var speeds [2][]float64
	for _, r := range rows {
		d := r.Difference()
		first, second = append(first, r.First), append(second, r.Second)
		speeds[0], speeds[1] = append(speeds[0], d.First.Value), append(speeds[1], d.Second.Value)
	}
	return versus.Difference{Name: name, First: meanSpread(versus.GeometricMean(speeds[0]), first),
		Second: meanSpread(versus.GeometricMean(speeds[1]), second)}
}

// meanSpread returns a mean over rows with its spread: that of the passes' own means, or else that of the series, as if
// rows were independent, where all have one.
func meanSpread(value float64, rows []Timed) versus.Sampled {
	if each := passMeans(rows); len(each) > 0 {
		s := versus.OfMean(each)
		s.Value = value
		return s
	}
	sum, least := 0.0, math.MaxInt
	for _, r := range rows {
		sum += r.Deviation * r.Deviation
		least = min(least, r.Degrees)
	}
	if len(rows) == 0 || least < 1 {
		return versus.Sampled{Value: value}
	}
	return versus.Sampled{Value: value, Deviation: math.Sqrt(sum) / float64(len(rows)), Degrees: least}
}

// passMeans returns the geometric mean over rows in each pass, nil if not all rows have the same number of passes.
func passMeans(rows []Timed) []float64 {
	if len(rows) == 0 || len(rows[0].Passes) == 0 {
		return nil
	}
	each := make([]float64, len(rows[0].Passes))
	for pass := range each {
		var times []float64
		for _, r := range rows {
			if len(r.Passes) != len(each) {
				return nil
			}
			times = append(times, r.Passes[pass])
		}
		each[pass] = versus.GeometricMean(times)
	}
	return each
}

// test decides which rows are significant, all of them together.
func (o *Other) test() {
	var list []versus.Difference
	for _, d := range o.Kernels {
		for _, r := range d.Rows {
			list = append(list, r.Difference())
		}
	}
	versus.Test(list)
	for i := range o.Kernels {
		rows := o.Kernels[i].Rows
		for j := range rows {
			rows[j].Significant = list[j].Significant
		}
		list = list[len(rows):]
	}
}
