package compare

import (
	"fmt"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/internal/lists"
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
	var method, labels []string
	var sentences document.List
	var environments document.Section
	numbers := &document.Table{ID: "numbers", Caption: "The numbers, and their ratios to the first system of each " +
		"benchmark. If an interval contains 1, no difference is proven.",
		Columns: document.Heads("benchmark", "system", "number", "95 %", "ratio", "95 % of the ratio", "verdict")}
	ratios := chart.Dots{ID: "ratios", X: chart.Ratio.Named("number divided by " + chart.Clean(names[0]) + "'s"),
		Title: "The numbers of " + chart.Clean(words.Joined(names[1:], "and")) + " divided by " +
			chart.Clean(names[0]) + "'s", Of: "benchmarks", Each: "systems",
		Caption: "Each system's number divided by the number of " + chart.Clean(names[0]) + ", with the 95 % " +
			"interval of the ratio if it is known. On the right of 1 the system is ahead.",
		Legend: lists.Each(names, chart.Clean)}
	for i, c := range chapters {
		if i > 0 {
			numbers.Breaks = append(numbers.Breaks, len(numbers.Rows))
		}
		c.addNumbers(numbers)
		var own []string
		for _, f := range c.Document.Figures() {
			own = append(own, f.Label)
		}
		own = lists.Where(lists.Unique(own), func(label string) bool { return label != "" })
		labels = append(labels, strings.Join(own, ", "))
		ratios.Groups = append(ratios.Groups, c.ratios(labels[i]))
		verdict := c.Document.Screen[0].Value
		d.Lead.Sentences = append(d.Lead.Sentences, verdict)
		if len(c.Pairs) == 1 {
			if where := c.Pairs[0].where(); where != "" {
				d.Lead.Sentences = append(d.Lead.Sentences, c.Name+": "+where)
			}
		}
		d.Screen = append(d.Screen, document.Fact{Name: words.Either(i == 0, "", c.Name), Value: verdict})
		for _, s := range c.Sides[:min(len(c.Sides), maxSides)] {
			if number := s.number(c.benchmark, false); number != "" {
				d.Screen = append(d.Screen, document.Fact{Name: s.Name, Value: c.Name + " " + number})
				d.ScreenLines++
			}
		}
		if len(c.Pairs) > 1 {
			sentences = append(sentences, c.sentences()...)
		}
		for _, n := range c.Document.Notices {
			if slices.ContainsFunc(chapters, func(c Chapter) bool { return !known(c.Document.Notices, n) }) {
				n.Text = c.Name + ": " + n.Text
			}
			if !known(d.Notices, n) {
				d.Notices = append(d.Notices, n)
			}
		}
		for _, s := range c.Document.Sections {
			switch {
			case s.ID == methodID:
				method = append(method, s.Blocks[0].(document.List)...)
			case s.ID == environmentsID && environments.Blocks == nil:
				environments = s
			}
		}
	}
	if more := len(names) - maxSides; more > 0 {
		d.Screen = append(d.Screen, document.Fact{Name: "Also", Value: fmt.Sprintf("%d more systems: -v", more)})
	}
	slices.SortStableFunc(d.Notices, func(a, b document.Notice) int {
		return seriousness[a.Level] - seriousness[b.Level]
	})
	for _, n := range d.Notices[:min(len(d.Notices), 1)] {
		d.Screen = slices.Insert(d.Screen, 1, document.Fact{Name: caution, Value: n.Text})
	}
	var remarks document.List
	for _, n := range d.Notices[min(len(d.Notices), coverNotices):] {
		remarks = append(remarks, strings.TrimSuffix(parts.Sentence(n.Text)+": "+n.Remedy, ": ")+".")
	}
	d.Notices = d.Notices[:min(len(d.Notices), coverNotices)]
	section := parts.Section("all", "The numbers", numbers)
	if sentences != nil {
		section.Blocks = append(section.Blocks, sentences)
	}
	if figure := ratios.Figure(); figure != nil && len(numbers.Rows) > len(chapters) {
		if figure.Source = chart.Clean(strings.Join(names, ", ")); len(lists.Unique(labels)) == 1 {
			figure.Label = labels[0]
		}
		section.Blocks = append(section.Blocks, figure)
	}
	d.Sections = []document.Section{systemsTable(names, facts), section}
	for _, c := range chapters {
		d.Sections = append(d.Sections, c.section())
	}
	if remarks != nil {
		d.Sections = append(d.Sections, parts.Section("remarks", "Remarks", remarks))
	}
	d.Sections = append(d.Sections, environments, document.Section{ID: methodID, Title: methodTitle,
		Blocks: []document.Block{document.List(lists.Unique(method))}})
	d.Sections = parts.Sections(d.Sections...)
	return d
}

// coverNotices is the number of notices on the cover. The others are remarks.
const coverNotices = 3

// addNumbers adds a row for each side.
func (c Chapter) addNumbers(t *document.Table) {
	for i, s := range c.Sides {
		number, in, ratio, of := "-", "-", document.Text("1"), ""
		if d := s.doubt(c.benchmark); d.Value > 0 {
			value, unit := words.ValueAndUnit(d)
			number, in = value+" "+unit, words.Either(d.Within == nil || d.Model, "not known", words.Range(d))
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
		dot := chart.Dot{StyleIndex: at, Spread: chart.Within(main.Ratio(), main.doubt().Within)}
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
