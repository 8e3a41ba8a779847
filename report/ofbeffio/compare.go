package ofbeffio

import (
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/versus"
	"github.com/effective-bandwidth/beff/report/words"
)

// Comparison is a comparison of sides with the first one. A side is a b_eff_io result, or several runs of one system
// and configuration. Of each run it takes the partition that is best by the first one's rules.
type Comparison struct {
	Names   []string
	Results []*beffio.Result // the first run of each side
	Rules   beffio.Rules
	Others  []Other

	sides []side
}

// side holds the runs of a side.
type side []view

// sampled returns a figure of a side, of which each run has its own.
func (s side) sampled(figure func(v view) versus.Sampled) versus.Sampled {
	var runs []versus.Sampled
	for _, v := range s {
		runs = append(runs, figure(v))
	}
	return versus.OfRuns(runs)
}

// Other is the comparison of one side with the first.
type Other struct {
	Name        string
	Main        versus.Difference // of the ratings by the rules of the comparison; not measured if either has none
	Differences []versus.Difference
	Gap         *Gap // nil if either has no rating
}

// Gap holds the natural logarithm of the ratio of two ratings, and its parts, the largest first. A part is a pattern
// type with an access method.
type Gap struct {
	Log   float64
	Parts []versus.Part
}

// Compare compares two sides or more, whose results have passed beffio's Result.Check. names has a different name for
// each.
func Compare(names []string, sides [][]*beffio.Result) (*Comparison, error) {
	if len(sides) < 2 || len(names) != len(sides) {
		return nil, fmt.Errorf("compare: %d results with %d names: want two or more", len(sides), len(names))
	}
	c := &Comparison{Names: names, Rules: sides[0][0].Rules}
	for _, runs := range sides {
		c.Results = append(c.Results, runs[0])
		var s side
		for _, r := range runs {
			s = append(s, newView(r, c.Rules))
		}
		c.sides = append(c.sides, s)
	}
	for i := 1; i < len(sides); i++ {
		c.Others = append(c.Others, c.against(i))
	}
	return c, nil
}

// Partitions returns the index of the partition that is compared, of each side's first run; negative if it has none.
func (c *Comparison) Partitions() []int {
	var list []int
	for _, s := range c.sides {
		list = append(list, s[0].n)
	}
	return list
}

// against returns the comparison of side i with the first.
func (c *Comparison) against(i int) Other {
	a, b := c.sides[0], c.sides[i]
	o := Other{Name: c.Names[i], Main: versus.Difference{Name: beffio.Benchmark}}
	none := func(v view) bool { return v.n < 0 }
	if slices.ContainsFunc(a, none) || slices.ContainsFunc(b, none) {
		return o
	}
	o.Gap = gapOfSides(a, b, c.Rules)
	rated := func(v view) versus.Sampled { return versus.OfRating(v.rating(c.Rules), v.interval(c.Rules)) }
	o.Main.First, o.Main.Second = a.sampled(rated), b.sampled(rated)
	for _, area := range areas(a[0], b[0]) {
		d := versus.Difference{Name: area.name, First: a.sampled(area.sampled), Second: b.sampled(area.sampled)}
		if d.Measured() {
			o.Differences = append(o.Differences, d)
		}
	}
	versus.TestBeside(o.Differences, slices.IndexFunc(o.Differences, func(d versus.Difference) bool {
		return d.Name == ratedBy[c.Rules]
	}))
	return o
}

// view is the partition of a result that is compared.
type view struct {
	*beffio.Result
	by     *beffio.Result // the result by the rules of the comparison
	n      int            // its index; negative: there is none
	whole  []int
	passes map[passOf]transfer
}

// passOf names a pass over a pattern, or over opening and closing the file of a type, whose number is negative.
type passOf struct{ pass, number int }

type transfer struct {
	bytes   int64
	seconds float64
}

func newView(r *beffio.Result, rules beffio.Rules) view {
	v := view{Result: r, by: r.By(rules), passes: map[passOf]transfer{}}
	if v.n = v.by.Main(); v.n >= 0 {
		v.findPasses()
	}
	return v
}

// findPasses finds the whole passes over the read access: those that moved the bytes of the first one in every pattern.
func (v *view) findPasses() {
	last := 0
	for _, s := range v.Samples {
		if s.Partition == v.n && s.Access == beffio.Read && v.Imported == "" && s.Errors == 0 {
			v.passes[passOf{s.Pass, s.Pattern}] = transfer{s.Bytes, s.Seconds}
			last = max(last, s.Pass)
		}
	}
	for _, f := range v.Files {
		if f.Partition == v.n && f.Access == beffio.Read && v.Imported == "" {
			v.passes[passOf{f.Pass, file(beffio.TypeNamed(f.Type))}] = transfer{0, f.Open + f.Close}
		}
	}
	for pass := range last + 1 {
		whole := true
		for _, p := range v.Patterns {
			m, measured := v.passes[passOf{pass, p.Number}]
			whole = whole && measured && m.bytes == v.passes[passOf{0, p.Number}].bytes
		}
		for _, t := range beffio.Types() {
			_, measured := v.passes[passOf{pass, file(t)}]
			whole = whole && measured
		}
		if whole {
			v.whole = append(v.whole, pass)
		}
	}
}

// file returns the number of a type's file in passOf.
func file(t patterns.IOType) int { return -1 - int(t) }

// rating returns the rating of the partition by the rules.
func (v view) rating(rules beffio.Rules) float64 { return v.partition().Rating(rules) }

// partition returns the derived figures of the partition that is compared; none if there is no partition.
func (v view) partition() *beffio.Partition {
	if v.n < 0 {
		return &beffio.Partition{}
	}
	return &v.Derived.Partitions[v.n]
}

// interval returns the interval of the rating by the rules, which is that of the run's own rules; nil if it isn't
// known.
func (v view) interval(rules beffio.Rules) *rating.Interval {
	if v.Rules != rules {
		return nil
	}
	return v.partition().Interval
}

// access returns the derived figures of an access method.
func (v view) access(a beffio.Access) beffio.AccessMethod { return v.partition().Access(a) }

// typeInPass returns the bandwidth of reading a type in one pass.
func (v view) typeInPass(t patterns.IOType, pass int) float64 {
	m := v.passes[passOf{pass, file(t)}]
	for _, p := range v.Patterns {
		if p.Type == t {
			of := v.passes[passOf{pass, p.Number}]
			m.bytes, m.seconds = m.bytes+of.bytes, m.seconds+of.seconds
		}
	}
	return float64(m.bytes) / m.seconds
}

func (v view) patternInPass(number, pass int) float64 {
	m := v.passes[passOf{pass, number}]
	return float64(m.bytes) / m.seconds
}

// ioArea is a part of a result with a bandwidth of its own, in bytes per second, and perhaps with one in each pass.
type ioArea struct {
	name   string
	all    func(v view) float64
	pass   func(v view, pass int) float64 // nil: there are no passes
	within func(v view) *rating.Interval  // nil: there is none
}

// sampled returns the bandwidth, which is that of the first pass, with its interval within the run, or with the spread
// of all whole passes.
func (a ioArea) sampled(v view) versus.Sampled {
	if a.within != nil {
		if in := a.within(v); in != nil {
			return versus.OfRating(a.all(v), in)
		}
	}
	if a.pass == nil {
		return versus.Sampled{Value: a.all(v)}
	}
	var each []float64
	for _, pass := range v.whole {
		each = append(each, a.pass(v, pass))
	}
	return versus.OfOne(a.all(v), each)
}

// ratedBy names the ratings by each formula.
var ratedBy = map[beffio.Rules]string{beffio.RulesPaper: "b_eff_io by the paper",
	beffio.Rules21: "b_eff_io by release 2.1"}

// areas returns all areas to be compared: ratings, access methods, types, chunk sizes.
func areas(a, b view) []ioArea {
	list := []ioArea{
		{name: ratedBy[beffio.RulesPaper], all: func(v view) float64 { return v.rating(beffio.RulesPaper) },
			within: func(v view) *rating.Interval { return v.interval(beffio.RulesPaper) }},
		{name: ratedBy[beffio.Rules21], all: func(v view) float64 { return v.rating(beffio.Rules21) },
			within: func(v view) *rating.Interval { return v.interval(beffio.Rules21) }},
	}
	for _, access := range beffio.Accesses() {
		add := func(name string, all func(v view) float64, pass func(v view, pass int) float64) {
			area := ioArea{name: name, all: all}
			if access == beffio.Read {
				area.pass = pass
			}
			list = append(list, area)
		}
		add(string(access), func(v view) float64 { return v.access(access).Bandwidth },
			func(v view, pass int) float64 {
				return beffio.MeanOfTypes(beffio.Types(),
					func(t patterns.IOType) float64 { return v.typeInPass(t, pass) })
			})
		list[len(list)-1].within = func(v view) *rating.Interval { return v.access(access).Interval }
		for _, t := range beffio.Types() {
			add(fmt.Sprintf("%s, %v", access, t), func(v view) float64 { return v.access(access).Types[t] },
				func(v view, pass int) float64 { return v.typeInPass(t, pass) })
		}
		for _, c := range append(smallClasses(a, b), chunkClasses...) {
			common := c.common(a, b, access)
			mean := func(of func(number int) float64) float64 {
				sum := 0.0
				for _, number := range common {
					sum += of(number)
				}
				return sum / float64(len(common))
			}
			add(fmt.Sprintf("%s, chunks of %s", access, c.name),
				func(v view) float64 {
					return mean(func(number int) float64 { return v.Bandwidth(v.n, access, number) })
				},
				func(v view, pass int) float64 {
					return mean(func(number int) float64 { return v.patternInPass(number, pass) })
				})
		}
	}
	return list
}

// chunkClass is a class of patterns, by the size of their contiguous chunks on disk.
type chunkClass struct {
	name string
	of   func(disk, mpart int64) bool
}

const (
	kibi   = 1 << 10
	uneven = 8 // bytes more than a power of two (paper, Table 2)
)

var chunkClasses = []chunkClass{
	{"1 kB", func(disk, _ int64) bool { return disk == kibi }},
	{"1 kB + 8 B", func(disk, _ int64) bool { return disk == kibi+uneven }},
	{"32 kB", func(disk, _ int64) bool { return disk == 32*kibi }},
	{"32 kB + 8 B", func(disk, _ int64) bool { return disk == 32*kibi+uneven }},
	{"1 MB", func(disk, _ int64) bool { return disk == words.Mebi }},
	{"1 MB + 8 B", func(disk, _ int64) bool { return disk == words.Mebi+uneven }},
	{"M_PART", func(disk, mpart int64) bool { return disk == mpart }},
}

// smallClasses returns a class for each size below 1 kB that both results have: imported ones may have such chunks.
func smallClasses(a, b view) []chunkClass {
	var list []chunkClass
	seen := map[int64]bool{}
	for _, p := range a.Patterns {
		size := p.Disk
		has := func(q beffio.Pattern) bool { return q.Disk == size }
		if size <= 0 || size >= kibi || seen[size] || !slices.ContainsFunc(b.Patterns, has) {
			continue
		}
		seen[size] = true
		list = append(list, chunkClass{fmt.Sprintf("%d B", size), func(disk, _ int64) bool { return disk == size }})
	}
	return list
}

// common returns the numbers of the class' patterns that have a bandwidth in both results, without those of a single
// call.
func (c chunkClass) common(a, b view, access beffio.Access) []int {
	has := func(v view, number int) bool {
		p := v.Pattern(number)
		return p != nil && (p.Units > 0 || v.Imported != "") && c.of(p.Disk, v.MPart) &&
			v.Bandwidth(v.n, access, number) > 0
	}
	var list []int
	for _, p := range a.Patterns {
		if has(a, p.Number) && has(b, p.Number) {
			list = append(list, p.Number)
		}
	}
	return list
}

// gapOfSides returns the parts of the difference between two sides; nil if a run of either has no rating. The logarithm
// of the ratio of two geometric means is the mean over all pairs of runs.
func gapOfSides(a, b side, rules beffio.Rules) *Gap {
	gap := &Gap{}
	parts := map[string]float64{}
	for _, x := range a {
		for _, y := range b {
			if x.rating(rules) == 0 || y.rating(rules) == 0 {
				return nil
			}
			gap.add(x, y, rules, 1/float64(len(a)*len(b)), parts)
		}
	}
	gap.Parts = versus.Ranked(parts, gap.Log)
	return gap
}

// add adds the parts of the difference between two runs, which counts as a part of all.
func (gap *Gap) add(a, b view, rules beffio.Rules, share float64, parts map[string]float64) {
	formula := rules.Formula()
	for _, factor := range formula.Factors {
		factor = factor.Split()
		mean := versus.LogMean(factor.Of(b.partition()), factor.Of(a.partition()))
		for _, t := range factor.Terms {
			if first, second := t.Of(a.partition()), t.Of(b.partition()); first > 0 || second > 0 {
				part := share * formula.Power * t.Weight * (second - first) / mean
				gap.Log += part
				parts[fmt.Sprintf("%s, %v", t.Access, t.Type)] += part
			}
		}
	}
}
