package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
)

// Chapter is the comparison of systems by one benchmark. It has a side for each system that was measured.
type Chapter struct {
	*Comparison
	Name string // "b_eff", "PingPong"
	Of   []int  // index of each side's system
}

// OfSystems returns a document that compares systems by several benchmarks: who is compared, their numbers with the
// ratios to the first one, and a section for each chapter. facts has parts.SystemFacts of each system, with the same
// names for all.
func OfSystems(names []string, facts [][]document.Fact, chapters []Chapter) *document.Document {
	d := &document.Document{Title: words.Joined(names, "and"), Subtitle: comparedWith(names), Upright: true}
	d.ScreenLines = document.UsualLines // and a line for each number
	var method, meanings []string
	var environments document.Section
	for i, c := range chapters {
		c.addToCover(d, i == 0)
		meanings = append(meanings, c.Document.Lead.Meaning)
		for _, s := range c.Document.Sections {
			switch {
			case s.ID == methodID:
				method = append(method, s.Blocks[0].(document.List)...)
			case s.ID == environmentsID && environments.Blocks == nil:
				environments = s
			}
		}
	}
	d.Lead.Meaning = strings.Join(lists.Unique(meanings), " ")
	if more := len(names) - maxSides; more > 0 {
		d.Screen = append(d.Screen, document.Fact{Name: "Also", Value: fmt.Sprintf("%d more systems: -v", more)})
	}
	remarks := addNotices(d, chapters)
	d.Sections = append([]document.Section{systemsTable(names, facts), numbersSection(names, chapters)},
		lists.Each(chapters, Chapter.section)...)
	d.Sections = parts.Sections(append(d.Sections, remarks, environments, document.Section{ID: methodID,
		Title: methodTitle, Blocks: []document.Block{document.List(lists.Unique(method))}})...)
	return d
}

// addToCover adds the chapter's verdict, its numbers and the parts that differ to the first page and the first screen.
func (c Chapter) addToCover(d *document.Document, first bool) {
	verdict := c.Document.Screen[0].Value
	d.Lead.Sentences = append(d.Lead.Sentences, verdict)
	for _, p := range c.described() {
		if where := p.where(); where != "" {
			of := c.Name + words.Either(len(c.Pairs) > 1, ", "+p.Name, "")
			d.Lead.Sentences = append(d.Lead.Sentences, of+": "+where)
		}
	}
	d.Screen = append(d.Screen, document.Fact{Name: words.Either(first, "", c.Name), Value: verdict})
	for _, s := range c.Sides[:min(len(c.Sides), maxSides)] {
		if number := s.number(c.benchmark, false); number != "" {
			d.Screen = append(d.Screen, document.Fact{Name: s.Name, Value: c.Name + " " + number})
			d.ScreenLines++
		}
	}
}

// addNotices adds the worst notices of the chapters, each after its chapter's name unless all chapters have it. It
// returns a section with the others.
func addNotices(d *document.Document, chapters []Chapter) document.Section {
	for _, c := range chapters {
		for _, n := range c.Document.Notices {
			if slices.ContainsFunc(chapters, func(c Chapter) bool { return !known(c.Document.Notices, n) }) {
				n.Text = c.Name + ": " + n.Text
			}
			if !known(d.Notices, n) {
				d.Notices = append(d.Notices, n)
			}
		}
	}
	slices.SortStableFunc(d.Notices, func(a, b document.Notice) int {
		return seriousness[a.Level] - seriousness[b.Level]
	})
	for _, n := range d.Notices[:min(len(d.Notices), 1)] {
		d.Screen = slices.Insert(d.Screen, 1, document.Fact{Name: caution, Value: n.Text})
	}
	most := min(len(d.Notices), coverNotices)
	remarks := lists.Each(d.Notices[most:], func(n document.Notice) string {
		return strings.TrimSuffix(parts.Sentence(n.Text)+": "+n.Remedy, ": ") + "."
	})
	if d.Notices = d.Notices[:most]; len(remarks) == 0 {
		return document.Section{}
	}
	return parts.Section("remarks", "Remarks", document.List(remarks))
}

// numbersSection returns the section with the numbers of all systems and their ratios to the first one.
func numbersSection(names []string, chapters []Chapter) document.Section {
	first := chart.Clean(names[0])
	t := &document.Table{ID: "numbers", Caption: "The numbers, and their ratios to the first system of each " +
		"benchmark. If an interval contains 1, no difference is proven.",
		Columns: document.Heads("benchmark", "system", "number", "95 % interval", "ratio", "its 95 % interval",
			"verdict")}
	ratios := chart.Dots{ID: "ratios", X: chart.Ratio.Named("number divided by " + first + "'s"),
		Title: "The numbers of " + chart.Clean(several(names[1:])) + " divided by " + first + "'s",
		Of:    "benchmarks", Each: "systems", Legend: lists.Each(names, chart.Clean),
		Caption: "Each system's number divided by the number of " + first + ", with the 95 % interval of the ratio " +
			"if it is known. On the right of 1 the system is ahead."}
	ratios.X.Format = words.Short
	var sentences document.List
	var labels []string
	for i, c := range chapters {
		if i > 0 {
			t.Breaks = append(t.Breaks, len(t.Rows))
		}
		c.addNumbers(t)
		own := lists.Each(c.Document.Figures(), func(f *document.Figure) string { return f.Label })
		own = lists.Where(lists.Unique(own), func(label string) bool { return label != "" })
		labels = append(labels, strings.Join(own, ", "))
		ratios.Groups = append(ratios.Groups, c.ratios(labels[i]))
		if len(c.Pairs) > 1 && len(c.Pairs) <= maxDescribed {
			sentences = append(sentences, c.sentences()...)
		}
	}
	section := parts.Section("all", "The numbers", t)
	if sentences != nil {
		section.Blocks = append(section.Blocks, sentences)
	}
	if figure := ratios.Figure(); figure != nil && len(t.Rows) > len(chapters) {
		if figure.Source = chart.Clean(several(names)); len(lists.Unique(labels)) == 1 {
			figure.Label = labels[0]
		}
		section.Blocks = append(section.Blocks, figure)
	}
	return section
}

// described returns the pairs whose differences the cover describes: all, or the one that differs most.
func (c Chapter) described() []Pair {
	if len(c.Pairs) <= maxDescribed {
		return c.Pairs
	}
	return []Pair{slices.MaxFunc(c.Pairs, func(a, b Pair) int {
		return cmp.Compare(math.Abs(math.Log(a.Main.Ratio())), math.Abs(math.Log(b.Main.Ratio())))
	})}
}

// coverNotices is the number of notices on the cover. maxDescribed is the number of pairs up to which a sentence
// describes each.
const (
	coverNotices = 3
	maxDescribed = 3
)

// addNumbers adds a row for each side.
func (c Chapter) addNumbers(t *document.Table) {
	least := math.Inf(1)
	numbers := lists.Each(c.Sides, func(s Side) rating.Estimate { // 0 isn't known
		d := s.estimate(c.benchmark)
		if d.Value > 0 && strings.HasSuffix(c.Pairs[0].Main.Name, " per process") {
			d = d.Over(s.Processes)
		}
		least = min(least, words.Either(d.Value > 0, d.Value, least))
		return d
	})
	unit := commonUnit(least)
	for i, s := range c.Sides {
		number, in, ratio, of := "-", "-", document.Text("1"), ""
		if d := numbers[i]; d.Value > 0 {
			number, in = words.Digits(d.Value/unit.Size, d.Digits())+" "+unit.Name, "not known"
			if !math.IsNaN(d.RelativeHalfWidth()) {
				in = words.RangeIn(d, unit)
			}
		}
		if i > 0 {
			main := c.Pairs[i-1].Main
			ratio, of = main.cell(), main.range95()
		}
		name := document.Text(words.Either(i == 0, c.Pairs[0].Main.Name, ""))
		if c.Pairs[0].Main.Name == Speed && i == 0 {
			name.Text = c.Name
		}
		t.Add(name, s.Name, number, in, ratio, of, s.standing())
	}
}

// ratios returns the ratios of all sides to the first one, with the label of the chapter's pictures.
func (c Chapter) ratios(label string) chart.Group {
	g := chart.Group{Name: c.Name + words.Either(label == "", "", " ("+label+")")}
	for i, at := range c.Of[1:] {
		main := c.Pairs[i].Main
		dot := chart.Dot{StyleIndex: at, Spread: chart.Within(main.Ratio(), main.estimate().Within),
			Label: main.cell().Text}
		if main.Interval().Known {
			dot.Label += " (" + main.range95() + ")"
		}
		g.Dots = append(g.Dots, dot)
	}
	return g
}

// sentences returns a sentence about each side's main difference from the first one.
func (c Chapter) sentences() []string {
	return lists.Each(c.Pairs, func(p Pair) string { return p.Main.Sentence(c.Sides[0].Name, p.Name) })
}

// section returns the blocks of the chapter's document that show where the differences come from.
func (c Chapter) section() document.Section {
	return parts.Chapter(c.Name, lists.Where(c.Document.Sections, func(s document.Section) bool {
		return s.ID != systemsID && s.ID != environmentsID && s.ID != methodID && !strings.HasPrefix(s.ID, rowsID)
	}))
}
