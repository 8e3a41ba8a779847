package ofprobe

import (
	"fmt"
	"math"

	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/report/versus"
	"github.com/effective-bandwidth/beff/report/words"
)

// Comparison is a comparison of sides with the first one. A side is a result, or several runs of one system and
// configuration.
type Comparison struct {
	Names   []string
	Results []*probe.Result // of each side the first run
	Others  []Other

	sides [][]*probe.Result
}

// Other is the comparison of one side with the first.
type Other struct {
	Name    string
	Main    versus.Difference // of the speed: geometric means over all lengths that both have
	Kernels []Difference
	// OnlyFirst and OnlySecond name kernels, or lengths of kernels, of which the other result has no figures.
	OnlyFirst, OnlySecond []string
}

// Difference holds the rows of a kernel on a number of processes, in a mode.
type Difference struct {
	Name string
	Rows []Row
}

// Row is a length that both results have.
type Row struct {
	Bytes         int64
	First, Second Timed
	// Significant reports whether the speeds differ, tested together with all other rows.
	Significant bool
}

// Timed holds the seconds of one repetition in the slowest process or group.
type Timed struct {
	versus.Sampled
	Each      []versus.Sampled // of the passes or runs, whose geometric mean the value is; nil: there is one
	Bandwidth float64          // bytes per second; 0 if the kernel has none
}

// Difference returns the row's speeds: the bandwidths, or else the inverse of the times.
func (r Row) Difference() versus.Difference {
	both := r.First.Bandwidth > 0 && r.Second.Bandwidth > 0
	return versus.Difference{First: r.First.speed(both), Second: r.Second.speed(both), Significant: r.Significant}
}

// speed returns the bandwidth, or the inverse of the time. Its logarithm spreads as that of the time does.
func (t Timed) speed(bandwidth bool) versus.Sampled {
	s := t.Sampled
	if s.Value = 1 / t.Value; bandwidth {
		s.Value = t.Bandwidth
	}
	return s
}

// Ratio returns the ratio of the second's speed to the first's.
func (r Row) Ratio() float64 { return r.Difference().Ratio() }

// classes has the classes of lengths, in bytes. Up to 1 kB time is mostly latency, and b_eff's class of short messages
// ends there. The other limit is fixed as well, because probes' lengths don't depend on the memory as b_eff's do.
var classes = []struct {
	name       string
	above, top int64
}{{"short", -1, 1 << 10}, {"middle", 1 << 10, 64 << 10}, {"long", 64 << 10, math.MaxInt64}}

// Mean returns the geometric means of the speeds at lengths above one length and up to another, in bytes; not measured
// if there are none.
func (d Difference) Mean(above, top int64) versus.Difference {
	var list []Row
	for _, r := range d.Rows {
		if r.Bytes > above && r.Bytes <= top {
			list = append(list, r)
		}
	}
	return meanOf(d.Name, list)
}

// Compare compares two sides or more, whose results have passed probe's Result.Check. names has a different name for
// each.
func Compare(names []string, sides [][]*probe.Result) (*Comparison, error) {
	others, err := versus.Others(names, sides, against)
	if err != nil {
		return nil, err
	}
	c := &Comparison{Names: names, Others: others, sides: sides}
	for _, runs := range sides {
		c.Results = append(c.Results, runs[0])
	}
	return c, nil
}

// comparedTable holds the rows of a result's block that have figures.
type comparedTable struct {
	name string
	rows []Row // with the first figures only
}

func comparedTables(r *probe.Result) []comparedTable {
	var list []comparedTable
	named := func(kernel string, b *probe.Block) string {
		any := *b
		any.Pass = 0
		return fmt.Sprintf("%s (%s), %s", kernel, b.Component, Who(&any))
	}
	known := map[string]bool{}
	for _, k := range Of(r) {
		for _, b := range k.Blocks {
			known[named(k.Title(), b)] = true
		}
	}
	for _, k := range Of(r) {
		for _, b := range k.Blocks {
			t := comparedTable{name: named(k.Title(), b)}
			// One group is the same as without Multi-, and IMB's text calls it so.
			if plain := named(k.Name, b); len(b.Groups) <= 1 && !known[plain] {
				t.name = plain
			}
			for i := range b.Rows {
				row := &b.Rows[i]
				if time := row.Slowest(k.Times()[0]); time > 0 && !math.IsInf(time, 0) {
					t.rows = append(t.rows, Row{Bytes: row.Bytes, First: timed(r, k.Times()[0], row)})
				}
				if k.Strided() { // all rows have one length: each stride is a table of its own
					list = append(list, comparedTable{fmt.Sprintf("%s, stride %d", t.name, row.Stride), t.rows})
					t.rows = nil
				}
			}
			if !k.Strided() {
				list = append(list, t)
			}
		}
	}
	return list
}

func against(name string, first, second []*probe.Result) Other {
	o := Other{Name: name}
	others := map[string]comparedTable{}
	for _, t := range tablesOf(second) {
		others[t.name] = t
	}
	var rows []Row
	known := map[string]bool{}
	for _, t := range tablesOf(first) {
		known[t.name] = true
		other, found := others[t.name]
		if !found {
			o.OnlyFirst = append(o.OnlyFirst, t.name)
			continue
		}
		d := o.match(t, other)
		if len(d.Rows) > 0 {
			o.Kernels = append(o.Kernels, d)
			rows = append(rows, d.Rows...)
		}
	}
	for _, t := range tablesOf(second) {
		if !known[t.name] {
			o.OnlySecond = append(o.OnlySecond, t.name)
		}
	}
	o.Main = meanOf("speed", rows)
	o.test()
	return o
}

// match returns the lengths that two tables have in common, and the names of those that only one has.
func (o *Other) match(a, b comparedTable) Difference {
	d := Difference{Name: a.name}
	left := map[int64]Row{}
	for _, row := range b.rows {
		left[row.Bytes] = row
	}
	for _, row := range a.rows {
		other, found := left[row.Bytes]
		if !found {
			o.OnlyFirst = append(o.OnlyFirst, fmt.Sprintf("%s, %s", a.name, words.Count(int(row.Bytes), "byte")))
			continue
		}
		delete(left, row.Bytes)
		row.Second = other.First
		d.Rows = append(d.Rows, row)
	}
	for _, row := range b.rows {
		if _, alone := left[row.Bytes]; alone {
			o.OnlySecond = append(o.OnlySecond, fmt.Sprintf("%s, %s", b.name, words.Count(int(row.Bytes), "byte")))
		}
	}
	return d
}
