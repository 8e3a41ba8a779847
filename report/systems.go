package report

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/compare"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/foreign"
	"github.com/effective-bandwidth/beff/report/offoreign"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
)

// Chapter is the comparison of systems by one benchmark.
type Chapter struct {
	compare.Chapter
	Sides []Side
}

// CompareSystems compares systems with the first one, each by all of its results, in a document with a chapter for each
// benchmark that two or more have measured. Notes name the results that no chapter has.
func CompareSystems(systems []Side) (d *document.Document, chapters []Chapter, err error) {
	names := systemNames(systems)
	topics := lists.Unique(lists.Each(slices.Concat(systems...), (*File).topic))
	slices.SortStableFunc(topics, func(a, b string) int { return cmp.Compare(topicRank(a), topicRank(b)) })
	var made []compare.Chapter
	unused := lists.Each(systems, func(s Side) Side { return slices.Clone(s) })
	for _, topic := range topics {
		c := Chapter{Chapter: compare.Chapter{Name: topic}}
		var taken []string
		for i, s := range chosen(systems, topic) {
			if s != nil {
				c.Sides, c.Of, taken = append(c.Sides, s), append(c.Of, i), append(taken, names[i])
			}
		}
		if len(c.Sides) < 2 {
			continue
		}
		for k, i := range c.Of {
			unused[i] = lists.Where(unused[i], func(f *File) bool { return !slices.Contains(c.Sides[k], f) })
		}
		if c.Comparison, err = CompareAs(taken, c.Sides); err != nil {
			return nil, nil, err
		}
		chapters, made = append(chapters, c), append(made, c.Chapter)
	}
	if len(chapters) == 0 {
		return nil, nil, fmt.Errorf("no two of %s have results of one benchmark", words.Joined(names, "and"))
	}
	facts := factsOf(systems, chapters)
	d = compare.OfSystems(names, facts, made)
	var several, machines []string // systems with several processors, and these
	for i, own := range facts {
		var found, texts []string
		for _, f := range own {
			if topics, is := strings.CutPrefix(f.Name, processor+", "); is && f.Value != "" {
				value, _, _ := strings.Cut(f.Value, " (stated")
				found, texts = append(found, value), append(texts, topics+": "+value)
			}
		}
		if text := strings.Join(texts, "; "); len(lists.Unique(found)) > 1 {
			machines, several = append(machines, text), append(several, names[i])
		}
	}
	if texts := lists.Unique(machines); len(texts) > 0 {
		text := words.Either(len(texts) > 1, "see the table of systems", texts[0])
		d.Notices = append(d.Notices, document.Notice{Level: document.Warning, Text: fmt.Sprintf("the results of %s "+
			"come from different processors: %s", words.Joined(several, "and"), text)})
	}
	for i, s := range unused {
		if len(s) > 0 {
			d.Notices = append(d.Notices, document.Notice{Level: document.Note, Text: fmt.Sprintf("only %s has a "+
				"result of %s, which isn't compared: %s", names[i],
				words.Joined(lists.Unique(lists.Each(s, (*File).topic)), "and"),
				words.Some(lists.Each(s, (*File).Name)))})
		}
	}
	return d, chapters, nil
}

// topic names the chapter of a result in documents of systems: its benchmark, a probe's kernels, or a program.
func (f *File) topic() string {
	if r := f.Probe(); r != nil {
		return cmp.Or(f.report.Entry().Kernels, "probes")
	}
	return f.program()
}

// topicRank returns a sort key that puts the two ratings first.
func topicRank(topic string) int {
	return words.Either(topic == beff.Benchmark, 0, words.Either(topic == beffio.Benchmark, 1, 2))
}

// likeness has the properties that compared results of different systems should share.
type likeness struct {
	rating.Class
	Processes int
	Way       string
}

// chosen returns, for each system, the results by which a topic is compared, or nil if the system has none. It chooses
// the configuration that most systems have or, among several, the one with the most processes.
func chosen(systems []Side, topic string) []Side {
	cells := lists.Each(systems, func(s Side) []Side {
		var cells rating.Cells
		return grouped(lists.Where(s, func(f *File) bool { return f.topic() == topic }), func(f *File) int {
			b := f.Basis()
			b.System = ""
			n, _ := cells.Of(b)
			return n
		})
	})
	like := func(s Side) likeness {
		b := s[0].Basis()
		return likeness{b.Class, b.Processes, b.Way}
	}
	have := map[likeness]int{}
	for _, of := range cells {
		for _, l := range lists.Unique(lists.Each(of, like)) {
			have[l]++
		}
	}
	return lists.Each(cells, func(of []Side) Side {
		if len(of) == 0 {
			return nil
		}
		return slices.MaxFunc(of, func(a, b Side) int {
			x, y := like(a), like(b)
			return cmp.Or(cmp.Compare(have[x], have[y]), cmp.Compare(x.Processes, y.Processes),
				cmp.Compare(len(a), len(b)))
		})
	})
}

// processor is a fact's name, and statedOnly ends the value of a fact that no run has found.
const (
	processor  = "processor"
	statedOnly = " (stated)"
)

// factsOf returns parts.SystemFacts of the compared results of each system. If results of a system differ in a fact,
// there is a fact for each value, whose name ends with the benchmarks for which it holds.
func factsOf(systems []Side, chapters []Chapter) [][]document.Fact {
	compared, facts := make([]Side, len(systems)), make([][]document.Fact, len(systems))
	each := make([][][]document.Fact, len(chapters)) // of each system in a chapter; nil if the chapter lacks it
	for n, c := range chapters {
		each[n] = make([][]document.Fact, len(systems))
		for k, i := range c.Of {
			compared[i], each[n][i] = append(compared[i], c.Sides[k]...), c.Sides[k].facts()
		}
	}
	whole := lists.Each(lists.Numbers(len(systems)), func(i int) []document.Fact {
		return words.Either(compared[i] == nil, systems[i], compared[i]).facts()
	})
	for k, fact := range whole[0] {
		var order []string
		topics, values, differ := map[string][]string{}, map[string][]string{}, false
		for n, c := range chapters {
			var own []string
			for i, of := range each[n] {
				value := ""
				if of != nil {
					value = of[k].Value
				}
				own = append(own, value)
				differ = differ || value != whole[i][k].Value && value != "" && !strings.HasSuffix(value, statedOnly)
			}
			key := strings.Join(own, "\n")
			order, topics[key], values[key] = append(order, key), append(topics[key], c.Name), own
		}
		for i := range systems {
			if !differ {
				facts[i] = append(facts[i], whole[i][k])
				continue
			}
			for _, key := range lists.Unique(order) {
				facts[i] = append(facts[i], document.Fact{Name: fact.Name + ", " + words.Joined(topics[key], "and"),
					Value: values[key][i]})
			}
		}
	}
	return facts
}

// facts returns parts.SystemFacts of all results of a system. If results differ in a fact, it has each value after the
// benchmarks for which it holds.
func (s Side) facts() (all []document.Fact) {
	s = slices.Clone(s)
	slices.SortStableFunc(s, func(a, b *File) int { return cmp.Compare(topicRank(a.topic()), topicRank(b.topic())) })
	each := lists.Each(s, func(f *File) []document.Fact { return parts.SystemFacts(f.report.Header()) })
	for k, fact := range each[0] {
		var values []string
		found := false // a value that is not only stated
		for _, of := range each {
			values = append(values, of[k].Value)
			found = found || of[k].Value != "" && !strings.HasSuffix(of[k].Value, statedOnly)
		}
		different := lists.Unique(lists.Where(values, func(value string) bool {
			return value != "" && !(found && strings.HasSuffix(value, statedOnly))
		}))
		if len(different) > 1 {
			for i, value := range different {
				var topics []string
				for at, f := range s {
					if values[at] == value {
						topics = append(topics, f.topic())
					}
				}
				different[i] = strings.Join(lists.Unique(topics), ", ") + ": " + value
			}
		}
		fact.Value = strings.Join(different, "; ")
		all = append(all, fact)
	}
	return all
}

// systemNames returns distinct names: the systems' names if they all differ, otherwise the names of their directories.
func systemNames(systems []Side) []string {
	list := lists.Each(systems, Side.system)
	if slices.Contains(list, "") || len(lists.Unique(slices.Clone(list))) < len(list) {
		list = lists.Each(systems, func(s Side) string {
			return filepath.Base(filepath.Dir(s[0].Path))
		})
	}
	return distinct(list)
}

// convertible is a report of a result that can be compared with results of other programs.
type convertible interface{ Common() *foreign.Result }

// mixesPrograms reports whether sides are compared in the form that all programs share: all results can be converted to
// it, and at least one comes from another program.
func mixesPrograms(sides []Side) bool {
	theirs := false
	for _, s := range sides {
		for _, f := range s {
			if _, has := f.report.(convertible); !has {
				return false
			}
			theirs = theirs || f.kind.name == foreign.Benchmark
		}
	}
	return theirs
}

// program returns the name of the program whose measurement the result is or imitates, or its benchmark.
func (f *File) program() string {
	if c, has := f.report.(convertible); has {
		if name := c.Common().Program; !strings.HasPrefix(name, "beff") {
			return name
		}
	}
	return f.Benchmark()
}

// compared compares reports of one benchmark by its own rules, and reports of several in the form that programs share.
func compared(kind *benchmark, names []string, sides [][]Report) (*compare.Comparison, error) {
	ours := func(r Report) bool { _, foreign := r.(offoreign.Report); return !foreign }
	theirs := func(runs []Report) bool { return slices.ContainsFunc(runs, func(r Report) bool { return !ours(r) }) }
	mixed := slices.ContainsFunc(sides, theirs) && slices.ContainsFunc(sides, func(runs []Report) bool {
		return slices.ContainsFunc(runs, ours)
	})
	if !mixed {
		return kind.compared(names, sides)
	}
	return offoreign.Compared(names, lists.Each(sides, func(runs []Report) []*foreign.Result {
		return lists.Each(runs, func(r Report) *foreign.Result { return r.(convertible).Common() })
	}))
}
