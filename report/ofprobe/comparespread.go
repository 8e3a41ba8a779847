package ofprobe

import (
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/report/versus"
)

// timed returns the time of a row. Its spread is that of its series, where it has one.
func timed(r *probe.Result, t probe.Time, row *probe.Row) Timed {
	if r.Engine.Kind().Simulated {
		return Timed{Bandwidth: row.Bandwidth(), Sampled: versus.Sampled{Value: row.Slowest(t), Model: true}}
	}
	repetitions := 0
	if len(row.Series) > 0 {
		repetitions = len(row.Series[0].Max) // all groups have as many
	}
	return Timed{Bandwidth: row.Bandwidth(), Sampled: versus.OfInterval(row.Slowest(t), slowestInterval(r, t, row),
		repetitions, r.Settings.Rule().Confidence)}
}

// tablesOf returns the tables of a side: those of all passes of all runs, joined.
func tablesOf(runs []*probe.Result) []comparedTable {
	var list []comparedTable
	for _, r := range runs {
		list = append(list, comparedTables(r)...)
	}
	return join(list)
}

// join joins the tables of one name, which are those of the passes or runs of a side, into one: the geometric means of
// the rows that all of them have.
func join(tables []comparedTable) []comparedTable {
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
	for _, same := range groups {
		if len(same) == 1 {
			list = append(list, same[0])
			continue
		}
		joined := comparedTable{name: same[0].name}
		for _, row := range same[0].rows {
			if row, whole := joinRow(row, same); whole {
				joined.rows = append(joined.rows, row)
			}
		}
		list = append(list, joined)
	}
	return list
}

// joinRow returns a row of the first table joined with those of the others; whole is false if one lacks it.
func joinRow(row Row, tables []comparedTable) (_ Row, whole bool) {
	var each []versus.Sampled
	var bandwidths []float64
	for _, t := range tables {
		for _, r := range t.rows {
			if r.Bytes == row.Bytes {
				each, bandwidths = append(each, r.First.Sampled), append(bandwidths, r.First.Bandwidth)
				break
			}
		}
	}
	row.First = Timed{Sampled: ofSeveral(each), Each: each}
	if bandwidths[0] > 0 {
		row.First.Bandwidth = versus.GeometricMean(bandwidths)
	}
	return row, len(each) == len(tables)
}

// ofSeveral returns the geometric mean of passes or runs. What two of them spread is known by their own series, or else
// by their distance alone, with a single degree of freedom.
func ofSeveral(each []versus.Sampled) versus.Sampled {
	s := versus.OfRuns(each)
	if s.Degrees == 0 && !s.Model {
		values := make([]float64, len(each))
		for i, x := range each {
			values[i] = x.Value
		}
		s = versus.OfMean(values)
		s.Runs = len(each)
	}
	return s
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

// meanSpread returns a mean over rows with its spread: that of the passes' or runs' own means, or else that of the
// rows' series.
func meanSpread(value float64, rows []Timed) versus.Sampled {
	if each := meansOfEach(rows); len(each) > 0 {
		s := ofSeveral(each)
		s.Value = value
		return s
	}
	list := make([]versus.Sampled, len(rows))
	for i, r := range rows {
		list[i] = r.Sampled
	}
	return versus.OfTogether(value, list)
}

// meansOfEach returns the geometric mean over rows in each pass or run, nil if not all rows have the same number.
func meansOfEach(rows []Timed) []versus.Sampled {
	if len(rows) == 0 || len(rows[0].Each) == 0 {
		return nil
	}
	each := make([]versus.Sampled, len(rows[0].Each))
	for i := range each {
		var times []float64
		var own []versus.Sampled
		for _, r := range rows {
			if len(r.Each) != len(each) {
				return nil
			}
			times, own = append(times, r.Each[i].Value), append(own, r.Each[i])
		}
		each[i] = versus.OfTogether(versus.GeometricMean(times), own)
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
