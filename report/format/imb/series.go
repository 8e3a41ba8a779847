package imb

import (
	"fmt"
	"strings"

	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/words"
)

// seriesColumn is a column of a table of series.
type seriesColumn struct {
	head string
	unit float64
	// of returns a figure. ok is false if it isn't known.
	of func(x *measured.Statistics, by settings.Statistic) (figure float64, ok bool)
}

// known returns a seriesColumn's function for a figure that is always known.
func known(of func(x *measured.Statistics) float64) func(*measured.Statistics, settings.Statistic) (float64, bool) {
	return func(x *measured.Statistics, _ settings.Statistic) (float64, bool) { return of(x), true }
}

// relative returns half of the interval's width divided by the statistic.
func relative(x *measured.Statistics, by settings.Statistic) (float64, bool) {
	value, _ := x.Of(by)
	half, ok := x.HalfWidth(by)
	return half / value, ok && value > 0
}

// Columns of series. In tables of percentiles, percentiles replace the median and the extremes.
var (
	seriesTime = []seriesColumn{
		{"t[usec]", words.Micro, func(x *measured.Statistics, by settings.Statistic) (float64, bool) {
			value, _ := x.Of(by)
			return value, true
		}},
		{"±[usec]", words.Micro, func(x *measured.Statistics, by settings.Statistic) (float64, bool) {
			return x.HalfWidth(by)
		}},
		{"±[%]", 0.01, relative},
	}
	seriesColumns = append(seriesTime[:3:3],
		seriesColumn{"t_med[usec]", words.Micro, known(func(x *measured.Statistics) float64 { return x.Median })},
		seriesColumn{"t_min[usec]", words.Micro, known(func(x *measured.Statistics) float64 { return x.Min })},
		seriesColumn{"t_max[usec]", words.Micro, known(func(x *measured.Statistics) float64 { return x.Max })},
	)
	percentileColumns = append(seriesTime[:3:3],
		seriesColumn{"P50[usec]", words.Micro, known(func(x *measured.Statistics) float64 { return x.Median })},
		seriesColumn{"P90[usec]", words.Micro, known(func(x *measured.Statistics) float64 { return x.P90 })},
		seriesColumn{"P99[usec]", words.Micro, known(func(x *measured.Statistics) float64 { return x.P99 })},
	)
)

// seriesColumnsOf returns the columns of series for the settings.
func seriesColumnsOf(s *settings.Settings) []seriesColumn {
	if s.CountsTimes() {
		return quantileColumns(s.Series.Quantiles)
	}
	if s.Columns == settings.PercentileColumns {
		return percentileColumns
	}
	return seriesColumns
}

// quantileColumns returns the columns of quantiles, each with the ends of its interval.
func quantileColumns(percent []float64) []seriesColumn {
	list := seriesTime[:3:3]
	for i, p := range percent {
		type value = func(*rating.Quantile) float64
		of := func(value value) func(*measured.Statistics, settings.Statistic) (float64, bool) {
			return func(x *measured.Statistics, _ settings.Statistic) (float64, bool) {
				if i >= len(x.Quantiles) || !x.Quantiles[i].Known() {
					return 0, false
				}
				return value(&x.Quantiles[i]), true
			}
		}
		head := fmt.Sprintf("P%v[usec]", p)
		if len(head) >= width {
			head = fmt.Sprintf("P%v", p) // leaves a blank before it
		}
		list = append(list,
			seriesColumn{head, words.Micro, of(func(q *rating.Quantile) float64 { return q.Value })},
			seriesColumn{"from", words.Micro, of(func(q *rating.Quantile) float64 { return q.Interval[0] })},
			seriesColumn{"to", words.Micro, of(func(q *rating.Quantile) float64 { return q.Interval[1] })})
	}
	return list
}

// TooFew returns a line for each quantile of a row that has too few repetitions.
func TooFew(row *measured.Row) (list []string) {
	if x := row.Main(0); x != nil {
		for _, q := range x.Quantiles {
			if !q.Known() {
				list = append(list, fmt.Sprintf("P%v: too few repetitions: %s are needed", q.Percent,
					words.Grouped(q.Needed)))
			}
		}
	}
	return list
}

// otherTimes returns the columns of a kernel's further times, which follow the columns of its first time.
func otherTimes(k *kernel.Kernel) []Column {
	if len(k.Times()) < 2 {
		return nil
	}
	return formats[k.Class][1:]
}

// seriesColumns returns the columns of a table of series, after those for bytes and repetitions. Unknown values are
// dashes.
func (t *Writer) seriesColumns(k *kernel.Kernel) (list []printedColumn) {
	for _, c := range seriesColumnsOf(&t.r.Settings) {
		head := c.head
		if len(k.Times()) > 1 {
			head = strings.Replace(head, "t[", k.Times()[0].Name+"[", 1)
		}
		list = append(list, printedColumn{head, func(row *measured.Row, group int, _ *kernel.Times) string {
			if x := row.Main(group); x != nil {
				if figure, ok := c.of(x, t.r.Settings.Figure()); ok {
					return fmt.Sprintf("%.2f", figure/c.unit)
				}
			}
			return "-"
		}})
	}
	for _, c := range otherTimes(k) {
		list = append(list, printedColumn{c.Head, func(row *measured.Row, group int, _ *kernel.Times) string {
			return fmt.Sprintf("%.2f", *c.Of(&row.Derived[group])/c.Unit)
		}})
	}
	return list
}
