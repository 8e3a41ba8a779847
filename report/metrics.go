package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/effective-bandwidth/beff/report/ranking"
)

// Metric is the newest result of its kind, as a monitoring system wants it.
type Metric struct {
	ranking.Entry
	engine string
}

// Metric returns what metrics say of the result.
func (f *File) Metric() Metric {
	e, _ := f.Entry()
	return Metric{e, f.report.Head().Engine.Engine}
}

// labels returns the properties that tell series apart, but for the verdict.
func (m *Metric) labels() string {
	var b strings.Builder
	for _, l := range []struct{ name, value string }{
		{"benchmark", m.Benchmark}, {"system", m.System.Name}, {"engine", m.engine}, {"library", m.Library},
		{"processes", strconv.Itoa(m.Processes)}, {"class", m.Class.String()},
	} {
		fmt.Fprintf(&b, "%s=\"%s\",", l.name, escaped.Replace(strings.ToValidUTF8(l.value, "\uFFFD")))
	}
	return b.String()
}

// escaped has the characters that a label's value escapes (OpenMetrics 1.0, 4.2).
var escaped = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

// family is a family of metrics.
type family struct {
	name, unit, help string
	of               func(*Metric) (value float64, known bool)
}

// families returns all families, in the order in which they are written. Names end with the unit.
func families() []family {
	named := func(figure string) func(*Metric) (aFigure, bool) {
		return func(m *Metric) (aFigure, bool) {
			list := figuresOf(&m.Entry)
			i := slices.IndexFunc(list, func(f aFigure) bool { return f.name == figure })
			if i < 0 {
				return aFigure{}, false
			}
			return list[i], true
		}
	}
	value := func(figure string) func(*Metric) (float64, bool) {
		return func(m *Metric) (float64, bool) {
			f, known := named(figure)(m)
			return f.value, known
		}
	}
	end := func(high bool) func(*Metric) (float64, bool) {
		return func(m *Metric) (float64, bool) {
			f, known := named("b_eff")(m)
			if !known || f.within == nil {
				return 0, false
			}
			if high {
				return f.within.High, true
			}
			return f.within.Low, true
		}
	}
	const bandwidth, seconds = "bytes_per_second", "seconds"
	return []family{
		{"beff_effective_bandwidth", bandwidth, "b_eff of all processes together.", value("b_eff")},
		{"beff_effective_bandwidth_low", bandwidth, "Lower end of the 95 % interval of b_eff.", end(false)},
		{"beff_effective_bandwidth_high", bandwidth, "Upper end of the 95 % interval of b_eff.", end(true)},
		{"beff_effective_io_bandwidth", bandwidth, "b_eff_io of the best partition.", value("b_eff_io")},
		{"beff_bandwidth_at_lmax", bandwidth, "Bandwidth of rings and randoms at the longest message.",
			value("bandwidth_at_lmax")},
		{"beff_ping_pong_bandwidth", bandwidth, "Largest bandwidth of the ping-pong.", value("ping_pong_bandwidth")},
		{"beff_latency", seconds, "Time of an exchange at the shortest message; of probes of their ping-pong.",
			value("latency")},
		{"beff_valid", "", "1 if all criteria of the benchmark are met.",
			func(m *Metric) (float64, bool) {
				if m.Status.Valid() {
					return 1, true
				}
				return 0, true
			}},
		{"beff_run_start_time", seconds, "When the measurement began, since 1970.",
			func(m *Metric) (float64, bool) { return float64(m.Date.Unix()), !m.Date.IsZero() }},
	}
}

// OpenMetrics writes the figures of results as OpenMetrics 1.0, which Prometheus' text format has too, so that the
// textfile collector of node_exporter takes it. Of results with the same labels it is the newest one.
func OpenMetrics(w io.Writer, metrics []Metric) error {
	newest := map[string]*Metric{}
	for i := range metrics {
		m := &metrics[i]
		if was := newest[m.labels()]; was == nil || m.Date.After(was.Date) {
			newest[m.labels()] = m
		}
	}
	var list []*Metric
	for _, m := range newest {
		list = append(list, m)
	}
	slices.SortFunc(list, func(a, b *Metric) int { return cmp.Compare(a.labels(), b.labels()) })
	b := bufio.NewWriter(w)
	for _, f := range families() {
		name := f.name
		if f.unit != "" {
			name += "_" + f.unit
		}
		begun := false
		for _, m := range list {
			x, known := f.of(m)
			if !known {
				continue
			}
			if !begun {
				fmt.Fprintf(b, "# TYPE %s gauge\n", name)
				if f.unit != "" {
					fmt.Fprintf(b, "# UNIT %s %s\n", name, f.unit)
				}
				fmt.Fprintf(b, "# HELP %s %s\n", name, f.help)
				begun = true
			}
			fmt.Fprintf(b, "%s{%sverdict=\"%s\"} %s\n", name, m.labels(), verdicts[m.Status],
				strconv.FormatFloat(x, 'g', -1, 64))
		}
	}
	fmt.Fprintln(b, "# EOF")
	return b.Flush()
}
