package offoreign

import (
	"fmt"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/report/compare"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/foreign"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
)

// Compared compares sides of one result each with the first one. The results have passed Check.
func Compared(names []string, sides [][]*foreign.Result) (*compare.Comparison, error) {
	list := lists.Each(sides, joined)
	return compare.Kind[foreign.Result]{
		Title: "Results", Figures: foreign.Figures, Notices: notices, Each: "test",
		Columns: []string{"figure", "first", "second", "method"},
		Header:  func(r *foreign.Result) parts.Header { return Report{r}.Header() },
		Fact: func(r *foreign.Result) string {
			return strings.TrimSpace(r.Program + " " + words.OneLine(r.ProgramVersion))
		},
		Shown:   "Figures of both",
		Nothing: "nothing was measured in both on the same number of processes",
		Against: func(i int) compare.Pair {
			p := against(list[0], list[i])
			if d := ratingOf(sides[0], sides[i]); d.Name != "" {
				p.Main = d
			}
			p.Notices = append(p.Notices, libraryNotice(p, list[0], list[i])...)
			return p
		},
		Pictures: func(pairs []compare.Pair) []*document.Figure { return overlay(names, list, pairs) },
		Method: []string{
			"Tests are compared if they measure the same thing on the same number of processes, as far as both files " +
				"name it, at lengths that both have. If there are several such tests, the most similar ones are " +
				"taken: from the same program, measured in the same way, with the same settings.",
			"If both have the same rating, such as b_eff, it is the main figure of the comparison. Otherwise the " +
				"main figure is the geometric mean over all lines that both have, without factors, which are " +
				"computed from other lines.",
			"Several results of a side are runs. Only the tests that all of them have are compared.",
			"Differences in method are not corrected. The notices name them.",
			"A ratio compares bandwidths or rates, or times inversely.",
		},
		Spread: "Repetitions are the ones that a program printed.",
	}.Compare(names, sides)
}

// test is a quantity of a table that can be compared.
type test struct {
	result *foreign.Result
	*foreign.Table
	quantity foreign.Quantity
	name     string        // of the table
	figures  compare.Table // of all runs of a side
}

type tests []test

// testsOf returns the tests of a result that can be compared.
func testsOf(r *foreign.Result) (list tests) {
	names := foreign.Names(r.Tables)
	for i := range r.Tables {
		for _, q := range shownQuantities {
			if t := &r.Tables[i]; t.Main(q) >= 0 {
				list = append(list, test{result: r, Table: t, quantity: q, name: words.OneLine(names[i])})
			}
		}
	}
	return list
}

// joined returns the tests that all runs of a side have, with their figures over all runs. Factors aren't averaged with
// the figures of which they are made.
func joined(runs []*foreign.Result) (list tests) {
	each := lists.Each(runs, testsOf)
	others := slices.ContainsFunc(each[0], func(t test) bool { return t.quantity != foreign.Factor })
	for _, t := range slices.Clone(each[0]) {
		var same []compare.Table
		for k, run := range each {
			if i := slices.IndexFunc(run, t.repeats); i >= 0 {
				same = append(same, run[i].table(t.on(t.name)))
				each[k] = slices.Delete(run, i, i+1)
			}
		}
		if len(same) == len(runs) {
			t.figures = compare.Joined(same)[0]
			t.figures.Source, t.figures.NotAveraged = t.Table, t.quantity == foreign.Factor && others
			list = append(list, t)
		}
	}
	return list
}

// repeats reports whether two tests of different runs are the same test.
func (t test) repeats(other test) bool {
	return t.SameTest(*other.Table) && t.Operation == other.Operation && t.Way == other.Way &&
		t.Lengths == other.Lengths && t.quantity == other.quantity
}

// table returns the figures of a test as a table with a name.
func (t test) table(name string) compare.Table {
	of := compare.Table{Name: name}
	for i := range t.Rows {
		row, k := &t.Rows[i], t.Main(t.quantity)
		if s := sampled(t.Table, row, k); s.Value > 0 {
			of.Lines = append(of.Lines, compare.Line{
				At:     compare.At{Label: words.OneLine(row.Label), Bytes: row.Bytes},
				Values: []compare.Value{{Figure: quantities[t.quantity].figure(), Value: s.Value}}, Sampled: s})
		}
	}
	return of
}

// tables returns the figures of all tests.
func (list tests) tables() []compare.Table {
	return lists.Each(list, func(t test) compare.Table { return t.figures })
}

// on appends the number of processes to the name of a measurement.
func (t test) on(what string) string {
	if t.Processes > 0 {
		what += ", " + words.Processes(t.Processes)
	}
	return what
}

// against compares two results. Each test has at most one partner.
func against(first, second tests) compare.Pair {
	p := compare.Match(first.tables(), second.tables(), func(i, j int) []int { return first[i].nearness(second[j]) })
	var differences []string
	of := map[string][]string{} // the tests whose settings have a difference
	for g := range lists.Elements(p.Groups) {
		x, y := first[g.Of[0]], second[g.Of[1]]
		if x.Operation != "" {
			g.Name = x.on(x.Operation.Title() + strings.TrimPrefix(x.name, words.OneLine(x.Test)))
		}
		g.Words = []string{quantities[x.quantity].name, words.OneLine(x.Test), words.OneLine(y.Test),
			words.Either(x.sameWay(y), "same", "differs")}
		if !x.sameWay(y) {
			warn(&p, fmt.Sprintf("the methods differ: %s is %s, but %s is %s", x.ofProgram(), x.Words(), y.ofProgram(),
				y.Words()), "programs")
		} else if text := x.settingsDiffer(y); text != "" {
			differences, of[text] = append(differences, text), append(of[text], x.ofProgram())
		}
	}
	for _, text := range lists.Unique(differences) {
		names := words.First(3, of[text], ", ", "tests")
		warn(&p, fmt.Sprintf("the settings of %s differ: %s", names, text), "settings")
	}
	return p
}

// warn adds the notice about a difference that ratios depend on.
func warn(p *compare.Pair, text, on string) {
	p.Notices = append(p.Notices, document.Notice{Level: document.Warning, Text: text,
		Remedy: "such a ratio depends on the " + on + " as well as on the systems"})
}

// libraryNotice returns a notice that names the libraries of two results if they differ and all tests were measured in
// the same way.
func libraryNotice(p compare.Pair, first, second tests) []document.Notice {
	if len(p.Groups) == 0 {
		return nil
	}
	for _, g := range p.Groups {
		if !first[g.Of[0]].sameWay(second[g.Of[1]]) {
			return nil
		}
	}
	library := func(t test) string {
		return words.OneLine(strings.TrimSpace(t.result.Engine.Library + " " + t.result.Engine.Version))
	}
	a, b := library(first[0]), library(second[0])
	if a == "" || b == "" || a == b {
		return nil
	}
	text := fmt.Sprintf("the method is the same, but the libraries differ: %s, %s", a, b)
	return []document.Notice{{Level: document.Note, Text: text}}
}

// ratingOf returns the difference of the programs' own ratings if all results have the same one. A bandwidth is
// divided by the number of processes if these differ.
func ratingOf(first, second []*foreign.Result) (d compare.Difference) {
	a, b := first[0], second[0]
	x := a.Rating
	for _, r := range slices.Concat(first, second) {
		if y := r.Rating; x == nil || y == nil || x.Name != y.Name || x.Quantity != y.Quantity {
			return d
		}
	}
	d = compare.Difference{Name: words.OneLine(x.Name), First: ratings(first), Second: ratings(second)}
	if strings.HasPrefix(x.Name, foreign.BEff) && a.Processes != b.Processes && a.Processes > 0 && b.Processes > 0 {
		d.Name += " per process"
		d.First.Value /= float64(a.Processes)
		d.Second.Value /= float64(b.Processes)
	}
	return d
}

// ratings returns the rating of a side's runs.
func ratings(runs []*foreign.Result) compare.Sampled {
	each := lists.Each(runs, func(r *foreign.Result) compare.Sampled { return compare.Sampled{Value: r.Rating.Value} })
	if len(each) == 1 {
		return each[0]
	}
	return compare.OfSeveral(each)
}

// nearness returns how similar two tests are by each criterion, the most important one first, or nil if they can't be
// compared.
func (t test) nearness(other test) []int {
	same := t.Test == other.Test && t.sameProgram(other)
	switch {
	case t.quantity != other.quantity, t.Operation != other.Operation, t.Operation == "" && !same,
		t.Processes > 0 && other.Processes > 0 && t.Processes != other.Processes, t.Lengths != other.Lengths:
		return nil
	}
	one := func(is bool) int { return words.Either(is, 1, 0) }
	settings, others := t.AllSettings(), other.AllSettings()
	equal := lists.Where(settings, func(s foreign.Setting) bool { return slices.Contains(others, s) })
	return []int{one(same), one(t.Way == other.Way), one(t.Words() == other.Words()), len(equal),
		one(len(settings) == len(others))}
}

// sameWay reports whether both tests were measured in the same way.
func (t test) sameWay(other test) bool {
	return t.Words() == other.Words() && (t.Operation != "" || t.sameProgram(other))
}

// sameProgram reports whether both tests are from one program, or one is from beff, whose kernels have the names and
// methods of other programs.
func (t test) sameProgram(other test) bool {
	a, b := t.result.Program, other.result.Program
	return a == b || a == foreign.ProbeProgram || b == foreign.ProbeProgram
}

// ofProgram returns the test's name after its program's.
func (t test) ofProgram() string { return t.result.Program + " " + t.name }

// settingsDiffer describes how the settings of two tests differ, or returns "" if no difference is known.
func (t test) settingsDiffer(other test) string {
	var list []string
	for _, s := range t.AllSettings() {
		for _, o := range other.AllSettings() {
			if o.Name == s.Name && o.Value != s.Value {
				list = append(list, fmt.Sprintf("%s %s against %s", words.OneLine(s.Name), words.OneLine(s.Value),
					words.OneLine(o.Value)))
			}
		}
	}
	return strings.Join(list, ", ")
}

// sampled returns a figure with its spread, if the row has one for it.
func sampled(t *foreign.Table, row *foreign.Row, k int) compare.Sampled {
	x := row.Values[k]
	switch {
	case k != t.Mains()[0]:
	case len(row.Each) > 1:
		s := compare.OfMean(row.Each)
		s.Value = x
		return s
	case row.HalfWidth > 0 && row.Confidence > 0 && row.Repetitions > 1:
		return compare.OfInterval(x, []float64{x - row.HalfWidth, x + row.HalfWidth}, int(row.Repetitions),
			row.Confidence)
	}
	return compare.Sampled{Value: x}
}
