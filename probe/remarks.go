package probe

import (
	"fmt"
	"math"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/method"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/rating"
)

// The clock matters for times shorter than this many readings of it, or this many ticks.
const (
	minReadings = 20
	minTicks    = 10
)

// remark is something that a reader should know about a row's figures.
type remark struct{ code, text string }

// Remarks returns remarks on a row's series in words.
func (r *Result) Remarks(b *measured.Block, row *measured.Row) []string {
	return lists.Each(r.remarks(b, row), func(x remark) string { return x.text })
}

// remarks returns the remarks on a row's main time, in its first group that has any.
func (r *Result) remarks(b *measured.Block, row *measured.Row) []remark {
	k, ok := r.Kernel(b)
	for i := 0; ok && i < len(row.Series) && i < len(row.Statistics); i++ {
		if row.Series[i].Time != row.Series[0].Time {
			break
		}
		if list := r.remarksOn(k, row, &row.Series[i], &row.Statistics[i]); len(list) > 0 {
			return list
		}
	}
	return nil
}

func (r *Result) remarksOn(k *kernel.Kernel, row *measured.Row, series *measured.Series,
	x *measured.Statistics) (list []remark) {
	add := func(code, text string, args ...any) { list = append(list, remark{code, fmt.Sprintf(text, args...)}) }
	p := r.Settings.Rule()
	value, _ := x.Of(p.Statistic)
	half, known := x.HalfWidth(p.Statistic)
	switch {
	case !(value > 0):
		add("not-positive", "the %s is not above 0, so it can't be precise", p.Statistic)
	case series.Ended != settings.Precise && p.Min < p.Max && known && half/value >= p.Relative:
		add("not-precise", "not precise: %s",
			map[settings.Ending]string{settings.AtMost: "these are the most repetitions",
				settings.OutOfTime: "there is no time for more"}[series.Ended])
	}
	if operations := r.tooShort(k, value); operations > 0 {
		add("too-short", "so short that the clock matters: give --option inner=%d", operations)
	}
	if known && p.Statistic == settings.ByMean && math.Abs(x.OutlierShift) > half {
		add("outliers", "%d of %d repetitions are outliers that move the mean by %+.3g %%", x.Outliers, series.N(),
			100*x.OutlierShift/(x.Mean-x.OutlierShift))
	}
	if o := row.Offsets; o != nil && value > 0 && o.Uncertainty > p.Relative*value*float64(max(k.Divisor, 1)) {
		add("clocks", "the clocks' offsets are known to ±%s", rating.Time(o.Uncertainty))
	}
	return list
}

// tooShort returns the number of operations between two readings of the clock that operations of the given time need,
// or 0 if there are enough.
func (r *Result) tooShort(k *kernel.Kernel, value float64) int64 {
	if r.Clock == nil || !(value > 0) || k.Component.Files() || method.TimesItself(k) {
		return 0
	}
	p := r.Settings.Rule()
	one := value * float64(max(k.Divisor, 1))
	needed := math.Ceil(max(minReadings*r.Clock.Reading, minTicks*r.Clock.Resolution) / one)
	if needed <= float64(p.Inner) || p.Inner == settings.MaxInner {
		return 0
	}
	return int64(min(needed, settings.MaxInner))
}

// seriesWarnings returns a warning for each kind of remark that rows have.
func seriesWarnings(r *Result) (list []rating.Warning) {
	type found struct {
		rows  int
		first string
	}
	all := map[string]*found{}
	for b, row := range r.Rows() {
		for _, x := range r.remarks(b, row) {
			if all[x.code] == nil {
				all[x.code] = &found{first: fmt.Sprintf("%s, %s, %d bytes: %s", b.Name(),
					rating.Processes(b.Processes), row.Bytes, x.text)}
			}
			all[x.code].rows++
		}
	}
	for _, kind := range remarkKinds {
		f := all[kind.code]
		if f == nil {
			continue
		}
		text := f.first
		if f.rows > 1 {
			text = fmt.Sprintf("%d rows, first %s", f.rows, f.first)
		}
		list = append(list, rating.Warning{Code: kind.code, Text: text, Remedy: kind.remedy})
	}
	return list
}

// remarkKinds has the remedies of all kinds of remarks, in the order of the warnings.
var remarkKinds = []struct{ code, remedy string }{
	{"not-positive", "a barrier takes longer than the operation: use --timing max"},
	{"too-short", "give --option inner=N, so that several operations lie between two readings of the clock"},
	{"clocks", "the timing max needs no offsets; more --repetitions narrow them"},
	{"outliers", "look for other work on the machine, or use --option statistic=median"},
	{"not-precise", "give more --repetitions or --sample-time, or a larger --within"},
}
