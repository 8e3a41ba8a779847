package ofbeffio

import (
	"fmt"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/compare"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
)

// Compared compares sides with the first one. The results have passed beffio's Result.Check. Each run is represented by
// its best partition according to the first result's rules.
func Compared(names []string, sides [][]*beffio.Result) (*compare.Comparison, error) {
	rules := sides[0][0].Rules
	list := lists.Each(sides, func(runs []*beffio.Result) side { return sideOf(runs, rules) })
	return compare.Kind[beffio.Result]{
		Title: beffio.Benchmark, Meaning: meaning,
		By: formulas[rules] + "'s formula", Figures: beffio.Figures, Aspects: aspects(rules),
		Each:   "area",
		As:     func(r *beffio.Result) *beffio.Result { return r.WithRules(rules) },
		Header: func(r *beffio.Result) parts.Header { return Report{r}.Header() },
		Fact:   func(r *beffio.Result) string { return fact(r, rules) },
		Shown:  "Bandwidths",
		Terms: "Scatter: each process writes many small pieces with a call. Shared: one file pointer for all. " +
			"Separated: a file for each process. Segmented: each process has a part of one file, and with seg_coll " +
			"all write it in common calls. M_PART: the longest chunk.",
		Nothing:  "a rating needs all access methods",
		Against:  func(i int) compare.Pair { return against(list[0], list[i], rules, names[0], names[i]) },
		Pictures: func([]compare.Pair) []*document.Figure { return Overlay(names, list) },
		Method: []string{
			"The compared partition of each result is its best by the formula of the first result's rules. " +
				"The rating by a formula is the rating of the best partition by that formula.",
			"Types: bytes by the time from open to close. Chunks: the mean over the patterns with that chunk on disk " +
				"which both results have; M_PART is each result's own. 1 kB = 2^10, 1 MB = 2^20 bytes of these.",
			"The paper: 0.25 write + 0.25 rewrite + 0.5 read, each the mean over the types with scatter counted " +
				"twice. Release 2.1: the square root of (all types of write, and rewrite of scatter)/6 times read.",
		},
		Spread: "The ratings and the access methods have the intervals within their runs, by blocks of calls, if " +
			"these are known. For other figures of reading, the repetitions are the passes over the files, if both " +
			"results have two or more complete ones, which read all data that the first one read. The figures are of " +
			"the first pass. Other figures of writing and rewriting are measured once in a run, which doesn't show " +
			"how much they differ between runs. No run shows that its file system was in another state from " +
			"beginning to end.",
	}.Compare(names, sides)
}

// fact returns the compared partition of a result and its settings, in words.
func fact(r *beffio.Result, rules beffio.Rules) string {
	on := "nothing measured"
	if n := r.WithRules(rules).Main(); n >= 0 {
		on = fmt.Sprintf("partition of %d", r.Partitions[n])
	}
	return fmt.Sprintf("%s, %s, T = %s s, rules %s", on,
		strings.TrimSpace(r.FileSystem.Type+" "+r.FileSystem.Directory), rating.Rounded(r.Duration, 4), r.Rules)
}

// aspects returns the facts that results should have in common to be compared by these rules.
func aspects(rules beffio.Rules) []compare.Aspect[beffio.Result] {
	rewriting := document.Bad
	if rules == beffio.Rules21 { // its formula only uses the rewriting of scatter
		rewriting = document.Warning
	}
	return []compare.Aspect[beffio.Result]{
		{Level: document.Bad, Names: "file pointers of type 1",
			Of:     func(r *beffio.Result) string { return words.Either(r.NoShared, "individual", "shared") },
			Remedy: "individual file pointers measure something different: measure both without --noshared"},
		{Level: rewriting, Names: "types that are rewritten",
			Of:     func(r *beffio.Result) string { return words.Either(r.RewriteAll, "all", "scatter") },
			Remedy: "the paper's formula averages over the rewritten types: use --rewrite for both, or for neither"},
		{Level: document.Bad, Names: "files after reading",
			Of:     func(r *beffio.Result) string { return words.Either(r.Keep, "kept", "removed") },
			Remedy: "closing removes the files within the time of reading: measure both with --keep, or neither"},
		{Level: document.Warning, Names: "rules",
			Of: func(r *beffio.Result) string { return string(r.Rules) },
			Remedy: fmt.Sprintf("rules ask for different times, and their headlines use different formulas: the "+
				"ratios here use %s's formula", formulas[rules])},
		{Level: document.Warning, Names: "times scheduled for a partition", Of: func(r *beffio.Result) string {
			return rating.Rounded(r.Duration/float64(len(r.Partitions)), 4) + " s"
		}, Remedy: "data that are written in a short time stay in caches; use the same -T and as many partitions"},
		{Level: document.Warning, Names: "longest chunks",
			Of:     func(r *beffio.Result) string { return words.Length(r.MPart) },
			Remedy: "M_PART depends on the memory: use the same --memory"},
		{Level: document.Warning, Names: "numbers of processes",
			Of:     func(r *beffio.Result) string { return fmt.Sprint(r.Processes) },
			Remedy: "more processes may get more bandwidth from the file system, or obstruct each other"},
		{Level: document.Warning, Names: "numbers of processes per node",
			Of:     func(r *beffio.Result) string { return compare.Counted(r.PerNode()) },
			Remedy: "the processes of a node share its cache and its connection to the file system"},
		{Level: document.Warning, Names: "numbers of processes of the compared partitions",
			Of: func(r *beffio.Result) string {
				if n := r.Main(); n >= 0 {
					return fmt.Sprint(r.Partitions[n])
				}
				return "none"
			}, Remedy: "b_eff_io is the rating of the best partition, which has different numbers of processes here"},
	}
}

// side holds the runs of one side.
type side []view

func sideOf(runs []*beffio.Result, rules beffio.Rules) side {
	return lists.Each(runs, func(r *beffio.Result) view { return newView(r.WithRules(rules)) })
}

// sampled returns the bandwidth of an area from all runs of a side.
func (s side) sampled(a area) compare.Sampled {
	return compare.OfRuns(lists.Each(s, a.sampled))
}

// lacks reports whether a run of the side lacks a property.
func (s side) lacks(property func(view) bool) bool {
	return slices.ContainsFunc(s, func(v view) bool { return !property(v) })
}

// against compares two sides by these rules.
func against(a, b side, rules beffio.Rules, first, second string) compare.Pair {
	p := compare.Pair{Main: compare.Difference{Name: beffio.Benchmark}}
	measured := func(v view) bool { return v.n >= 0 }
	if a.lacks(measured) || b.lacks(measured) {
		return p
	}
	var rows []compare.Row
	for _, area := range areas(a[0], b[0]) {
		row := compare.OfBandwidth(area.name, a.sampled(area), b.sampled(area))
		if row.Main = area.name == ratedBy(rules); row.Main {
			p.Main.First, p.Main.Second = row.First, row.Second
		}
		rows = append(rows, row)
	}
	p.Groups = compare.Ungrouped(rows)
	p.Remarks = []document.Block{document.Paragraph(fmt.Sprintf("Whole passes over the read access: %s has %d, "+
		"%s has %d.", first, len(a[0].whole), second, len(b[0].whole)))}
	return p
}

// view is the partition of a result that is compared.
type view struct {
	*beffio.Result     // by the rules of the comparison
	n              int // the partition's index; negative if there is none
	whole          []int
	passes         map[passOf]transfer
}

// passOf identifies a part of a pass: a pattern by its number, or opening and closing a type's file by a negative
// number.
type passOf struct{ pass, number int }

type transfer struct {
	bytes   int64
	seconds float64
}

func newView(r *beffio.Result) view {
	v := view{Result: r, n: r.Main(), passes: map[passOf]transfer{}}
	if v.n >= 0 {
		v.findPasses()
	}
	return v
}

// findPasses finds the whole passes of reading, which moved as many bytes as the first pass in every pattern.
func (v *view) findPasses() {
	last := 0
	for _, s := range v.Samples {
		if s.Partition == v.n && s.Access == beffio.Read && s.Errors == 0 {
			v.passes[passOf{s.Pass, s.Pattern}] = transfer{s.Bytes, s.Seconds}
			last = max(last, s.Pass)
		}
	}
	for _, f := range v.Files {
		if f.Partition == v.n && f.Access == beffio.Read {
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

// partition returns the derived figures of the compared partition, or an empty Partition if there is none.
func (v view) partition() *beffio.Partition {
	if v.n < 0 {
		return &beffio.Partition{}
	}
	return &v.Derived.Partitions[v.n]
}

// interval returns the interval of the rating by the rules, or nil if it is unknown: only the rating by the run's own
// rules has one.
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

// area is a part of a result that has a bandwidth in bytes per second, and perhaps a bandwidth in each pass.
type area struct {
	name   string
	all    func(v view) float64
	pass   func(v view, pass int) float64 // nil without passes
	within func(v view) *rating.Interval  // nil without intervals
}

// sampled returns the bandwidth of the first pass, with its interval within the run or with the spread of all whole
// passes.
func (a area) sampled(v view) compare.Sampled {
	if a.within != nil {
		if in := a.within(v); in != nil {
			return compare.OfRating(a.all(v), in)
		}
	}
	if a.pass == nil {
		return compare.Sampled{Value: a.all(v)}
	}
	return compare.OfOne(a.all(v), lists.Each(v.whole, func(pass int) float64 { return a.pass(v, pass) }))
}

// ratedBy returns the name of the rating by a formula.
func ratedBy(rules beffio.Rules) string { return beffio.Benchmark + " by " + formulas[rules] }

// areas returns all areas to be compared: ratings, access methods, types, chunk sizes.
func areas(a, b view) (list []area) {
	for _, rules := range []beffio.Rules{beffio.RulesPaper, beffio.Rules21} {
		list = append(list, area{name: ratedBy(rules), all: func(v view) float64 { return v.partition().Rating(rules) },
			within: func(v view) *rating.Interval { return v.interval(rules) }})
	}
	for _, access := range beffio.Accesses() {
		add := func(name string, all func(v view) float64, pass func(v view, pass int) float64) {
			one := area{name: name, all: all}
			if access == beffio.Read {
				one.pass = pass
			}
			list = append(list, one)
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
		for _, c := range chunkClasses {
			common := c.common(a, b, access)
			mean := func(of func(number int) float64) float64 {
				return lists.SumOf(common, of) / float64(len(common))
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

// chunkClass is a class of patterns with the same size of contiguous chunks on disk.
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

// common returns the numbers of the class's patterns that have a bandwidth in both results. It leaves out patterns with
// a single call.
func (c chunkClass) common(a, b view, access beffio.Access) []int {
	has := func(v view, number int) bool {
		p := v.Pattern(number)
		return p != nil && p.Units > 0 && c.of(p.Disk, v.MPart) && v.Bandwidth(v.n, access, number) > 0
	}
	numbers := lists.Each(a.Patterns, func(p beffio.Pattern) int { return p.Number })
	return lists.Where(numbers, func(n int) bool { return has(a, n) && has(b, n) })
}
