package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/ranking"
	"github.com/effective-bandwidth/beff/report/words"
)

// Metric is a result in the form that monitoring systems need.
type Metric struct {
	ranking.Entry
	engine, beff string
}

// Metric returns the result for OpenMetrics.
func (f *File) Metric() Metric {
	of := f.report.Header().Software
	return Metric{f.Entry(), of.Engine.Engine, of.Beff}
}

// property is a label of a series.
type property struct{ name, value string }

// labels formats the labels that identify a series. A label that changes ends a series. So the verdict and the
// library's version are labels of beff_run_info.
func (m *Metric) labels(more ...property) string {
	var list []string
	for _, l := range append([]property{
		{"benchmark", m.Benchmark}, {"system", m.System.Name}, {"engine", m.engine}, {"library", m.LibraryName},
		{"processes", strconv.Itoa(m.Processes)}, {"per_node", strconv.Itoa(m.PerNode)}, {"numbering", m.Numbering},
		{"class", m.Class.String()}, {"way", m.Way},
	}, more...) {
		list = append(list, fmt.Sprintf("%s=\"%s\"", l.name, escaped.Replace(words.OneLine(l.value))))
	}
	return strings.Join(list, ",")
}

// escaped escapes the characters of a label's value (OpenMetrics 1.0, 4.2).
var escaped = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// family is a family of metrics.
type family struct {
	name, unit, help string
	of               func(*Metric) float64    // NaN if not known
	more             func(*Metric) []property // further labels; may be nil
}

// units are the names of units in names of metrics.
var units = map[string]string{"B/s": "bytes_per_second", "s": "seconds", "1/s": "per_second",
	"B": "bytes", "%": "percent"}

// families returns all families in the order of the output: each figure and the ends of its interval. A name ends with
// the unit.
func families() (list []family) {
	for _, f := range ranking.AllFigures() {
		add := func(end, help string, of func(rating.Value) float64) {
			list = append(list, family{"beff_" + f.Key + end, units[f.Unit.Base], f.About + help,
				func(m *Metric) float64 {
					if v, known := m.Figures[f.Key]; known {
						return of(v)
					}
					return math.NaN()
				}, nil})
		}
		add("", "", func(v rating.Value) float64 { return v.Value })
		add("_low", ": lower end of its 95 % interval", func(v rating.Value) float64 { return v.Ends().Low })
		add("_high", ": upper end of its 95 % interval", func(v rating.Value) float64 { return v.Ends().High })
	}
	return append(list,
		family{"beff_valid", "", "1 if all criteria of the benchmark are met.", func(m *Metric) float64 {
			return words.Either(m.Status.Valid(), 1., 0)
		}, nil},
		family{"beff_noisy", "", "1 if something disturbed the run.", func(m *Metric) float64 {
			return words.Either(m.Status == ranking.Noisy, 1., 0)
		}, nil},
		family{"beff_slowed", "", "1 if a known cause made the number too low.", func(m *Metric) float64 {
			return words.Either(m.Status == ranking.Slowed, 1., 0)
		}, nil},
		family{"beff_run_info", "", "1, with the verdict and the versions of library and beff as labels.",
			func(*Metric) float64 { return 1 }, func(m *Metric) []property {
				return []property{{"verdict", verdicts[m.Status]}, {"cause", m.Cause.Code},
					{"library_version", m.Library},
					{"beff_version", m.beff}}
			}},
		family{"beff_run_start_time", "seconds", "Start of the measurement, since 1970.", func(m *Metric) float64 {
			if m.Date.IsZero() || !words.HasZone(m.Date) {
				return math.NaN()
			}
			return float64(m.Date.Unix())
		}, nil})
}

// OpenMetrics writes the figures of results in the OpenMetrics 1.0 format, in the subset that Prometheus's text format
// shares, so that node_exporter's textfile collector can read it. If several results have the same labels, it writes
// the newest.
func OpenMetrics(w io.Writer, metrics []Metric) error {
	newest := map[string]*Metric{}
	for m := range lists.Elements(metrics) {
		if was := newest[m.labels()]; was == nil || m.Date.After(was.Date) {
			newest[m.labels()] = m
		}
	}
	list := slices.SortedFunc(maps.Values(newest), func(a, b *Metric) int {
		return cmp.Compare(a.labels(), b.labels())
	})
	b := bufio.NewWriter(w)
	for _, f := range families() {
		name := f.name
		if f.unit != "" {
			name += "_" + f.unit
		}
		begun := false
		for _, m := range list {
			x := f.of(m)
			if math.IsNaN(x) {
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
			var more []property
			if f.more != nil {
				more = f.more(m)
			}
			fmt.Fprintf(b, "%s{%s} %s\n", name, m.labels(more...), strconv.FormatFloat(x, 'g', -1, 64))
		}
	}
	fmt.Fprintln(b, "# EOF")
	return b.Flush()
}
