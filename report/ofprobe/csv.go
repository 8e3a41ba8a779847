package ofprobe

import (
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
)

// csvTimes has the columns of a row's figures. Times are in seconds.
var csvTimes = []struct {
	name string
	of   func(*probe.Times) float64
}{
	{"t_min_s", func(t *probe.Times) float64 { return t.Min }},
	{"t_max_s", func(t *probe.Times) float64 { return t.Max }},
	{"t_avg_s", func(t *probe.Times) float64 { return t.Mean }},
	{"t_ovrl_s", func(t *probe.Times) float64 { return t.Overlapped }},
	{"t_pure_s", func(t *probe.Times) float64 { return t.Pure }},
	{"t_cpu_s", func(t *probe.Times) float64 { return t.Compute }},
	{"t_passive_s", func(t *probe.Times) float64 { return t.Passive }},
	{"overlap", func(t *probe.Times) float64 { return t.Overlap }},
	{"bandwidth_Bps", func(t *probe.Times) float64 { return t.Bandwidth }},
	{"messages_per_s", func(t *probe.Times) float64 { return t.Rate }},
}

// csvStatistics has the columns of a row's series, in seconds but for the numbers of outliers. A figure that isn't
// known is NaN. Results without series don't have them.
var csvStatistics = []struct {
	name string
	of   func(*probe.Statistics) float64
}{
	{"mean_s", func(x *probe.Statistics) float64 { return x.Mean }},
	{"mean_low_s", func(x *probe.Statistics) float64 { return end(x.MeanInterval, 0) }},
	{"mean_high_s", func(x *probe.Statistics) float64 { return end(x.MeanInterval, 1) }},
	{"deviation_s", func(x *probe.Statistics) float64 { return x.Deviation }},
	{"min_s", func(x *probe.Statistics) float64 { return x.Min }},
	{"p50_s", func(x *probe.Statistics) float64 { return x.Median }},
	{"p50_low_s", func(x *probe.Statistics) float64 { return end(x.MedianInterval, 0) }},
	{"p50_high_s", func(x *probe.Statistics) float64 { return end(x.MedianInterval, 1) }},
	{"p90_s", func(x *probe.Statistics) float64 { return x.P90 }},
	{"p99_s", func(x *probe.Statistics) float64 { return x.P99 }},
	{"max_s", func(x *probe.Statistics) float64 { return x.Max }},
	{"outliers", func(x *probe.Statistics) float64 { return float64(x.Outliers) }},
}

// end returns an end of an interval, NaN if it isn't known.
func end(interval []float64, i int) float64 {
	if i >= len(interval) {
		return math.NaN()
	}
	return interval[i]
}

// hasSeries reports whether rows of a result are measured in series.
func hasSeries(r *probe.Result) bool {
	return slices.ContainsFunc(Of(r), func(k *Kernel) bool { return k.InSeries(&r.Settings) })
}

// seriesHeads returns the heads of a result's columns of series, none if it has neither series nor passes.
func seriesHeads(r *probe.Result) (heads []string) {
	if hasSeries(r) || r.Settings.Passes > 1 {
		heads = append(heads, "timing", "pass", "ended")
		for _, c := range csvStatistics {
			heads = append(heads, c.name)
		}
	}
	return heads
}

// seriesFields returns the fields of a group's series: those of the row's main time.
func seriesFields(r *probe.Result, b *probe.Block, row *probe.Row, group int) []string {
	x := row.Main(group)
	fields := []string{string(r.Settings.Clocked()), fmt.Sprint(max(1, b.Pass)), ""}
	if x != nil {
		fields[2] = string(row.Series[0].Ended)
	}
	for _, c := range csvStatistics {
		text := ""
		if x != nil {
			text = words.Exact(c.of(x))
		}
		fields = append(fields, text)
	}
	return fields
}

// CSV writes a line for each row and group, with times in seconds and bandwidths in bytes per second. Figures that a
// kernel lacks are empty. A row without figures has one line, which says why. The columns of the checks are the row's.
// Those of series and of one-sided transfers come last.
func CSV(w io.Writer, r *probe.Result) error {
	out := words.NewCSV(w)
	head := []string{"kernel", "component", "mode", "multi", "processes", "group", "bytes", "repetitions"}
	for _, t := range csvTimes {
		head = append(head, t.name)
	}
	head = append(append(head, "checked", "defects", "missing"), seriesHeads(r)...)
	series, oneSided := len(seriesHeads(r)) > 0, hasOneSided(r)
	if oneSided {
		head = append(head, oneSidedHeads...)
	}
	out.Texts(head...)
	for i := range r.Blocks {
		b := &r.Blocks[i]
		for j := range b.Rows {
			row := &b.Rows[j]
			for group := range max(1, len(row.Derived)) {
				line := csvLine(b, row, group)
				if series {
					line = append(line, seriesFields(r, b, row, group)...)
				}
				if oneSided {
					line = append(line, oneSidedFields(b, row, group)...)
				}
				out.Texts(line...)
			}
		}
	}
	return out.Flush()
}

func csvLine(b *probe.Block, row *probe.Row, group int) []string {
	line := []string{b.Kernel, string(b.Component), string(b.Mode), parts.Flag(b.Multi), fmt.Sprint(b.Processes),
		fmt.Sprint(group), fmt.Sprint(row.Bytes), fmt.Sprint(row.Repetitions)}
	for _, t := range csvTimes {
		text := ""
		if group < len(row.Derived) {
			// 0 is a figure
			if x := t.of(&row.Derived[group]); x != 0 || t.name == "overlap" && row.Derived[group].Overlapped > 0 {
				text = words.Exact(x)
			}
		}
		line = append(line, text)
	}
	return append(line, fmt.Sprint(row.Checked), fmt.Sprint(row.Defects), row.Missing)
}
