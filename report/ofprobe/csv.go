package ofprobe

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"

	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/report/parts"
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

// CSV writes a line for each row and group, with times in seconds and bandwidths in bytes per second. Figures that a
// kernel lacks are empty. A row without figures has one line, which says why. The columns of the checks are the row's.
func CSV(w io.Writer, r *probe.Result) error {
	out := csv.NewWriter(w)
	head := []string{"kernel", "component", "mode", "multi", "processes", "group", "bytes", "repetitions"}
	for _, t := range csvTimes {
		head = append(head, t.name)
	}
	lines := [][]string{append(head, "checked", "defects", "missing")}
	for i := range r.Blocks {
		b := &r.Blocks[i]
		for j := range b.Rows {
			row := &b.Rows[j]
			for group := range row.Derived {
				lines = append(lines, csvLine(b, row, group))
			}
			if len(row.Derived) == 0 {
				lines = append(lines, csvLine(b, row, 0))
			}
		}
	}
	return out.WriteAll(lines)
}

func csvLine(b *probe.Block, row *probe.Row, group int) []string {
	line := []string{b.Kernel, string(b.Component), string(b.Mode), parts.Flag(b.Multi), fmt.Sprint(b.Processes),
		fmt.Sprint(group), fmt.Sprint(row.Bytes), fmt.Sprint(row.Repetitions)}
	for _, t := range csvTimes {
		text := ""
		if group < len(row.Derived) {
			// 0 is a figure
			if x := t.of(&row.Derived[group]); x != 0 || t.name == "overlap" && row.Derived[group].Overlapped > 0 {
				text = strconv.FormatFloat(x, 'g', -1, 64)
			}
		}
		line = append(line, text)
	}
	return append(line, fmt.Sprint(row.Checked), fmt.Sprint(row.Defects), row.Missing)
}
