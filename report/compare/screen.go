package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
)

// estimate returns the ratio of the second figure to the first with its error, as far as known.
func (d Difference) estimate() rating.Estimate { return d.within(d.Interval()) }

// within returns the ratio of the second figure to the first with this interval.
func (d Difference) within(in Interval) rating.Estimate {
	e := rating.Estimate{Value: d.Ratio(), Model: d.Computed()}
	if in.Known {
		e.Within = &rating.Interval{Low: in.Low, High: in.High}
	}
	return e
}

// over returns the difference seen from the second side.
func (d Difference) over() Difference {
	d.First, d.Second = d.Second, d.First
	return d
}

// Times formats a ratio with the digits that its interval justifies, and the interval: "1.3 times (95 %: 1.2 to 1.4)".
func (d Difference) Times() string { return formatTimes(d.estimate(), "95 %") }

// formatTimes formats a ratio as Times does, with a name of the interval.
func formatTimes(ratio rating.Estimate, interval string) string {
	text := words.Digits(ratio.Value, ratio.Digits()) + " times"
	if ratio.Within == nil || ratio.Model {
		return text
	}
	return fmt.Sprintf("%s (%s: %s)", text, interval, formatEnds(ratio))
}

// formatEnds formats the ends of a ratio's interval: "1.2 to 1.4".
func formatEnds(ratio rating.Estimate) string {
	decimals := max(0, ratio.Digits()-1-int(math.Floor(math.Log10(ratio.Value))))
	return fmt.Sprintf("%.*f to %.*f", decimals, ratio.Within.Low, decimals, ratio.Within.High)
}

// Sentence describes which side is faster and by how much, or that no difference was found.
func (d Difference) Sentence(first, second string) string {
	in := d.Interval()
	over := words.Either(d.Rows > 0, " over "+words.Count(d.Rows, "row")+" in common", "")
	fast := func(d Difference, a, b string) string {
		return fmt.Sprintf("%s has %s the %s of %s%s", b, d.Times(), d.Name, a, over)
	}
	switch {
	case !d.Measured():
		return fmt.Sprintf("%s and %s have no %s in common", first, second, d.Name)
	case d.Computed() && d.Ratio() == 1:
		return fmt.Sprintf("%s and %s have the same %s by their models", first, second, d.Name)
	case d.First.Model || d.Second.Model || !in.Known:
		return fast(d, first, second) + words.Either(d.Computed(), ", both computed by a model",
			words.Either(in.Known || d.First.Model || d.Second.Model, ", one of them computed by a model",
				", and how far runs differ isn't known"))
	case d.Comparison().Order() == rating.Alike:
		return fmt.Sprintf("No difference found: %s has %s times the %s of %s%s (95 %%)", second,
			formatEnds(d.estimate()), d.Name, first, over)
	case d.Ratio() < 1:
		return fast(d.over(), second, first)
	}
	return fast(d, first, second)
}

// estimate returns the rating of a side with its error, as far as known, or a zero value if it has none.
func (s Side) estimate(benchmark string) rating.Estimate {
	switch {
	case len(s.Runs) == 0 || !s.rated():
		return rating.Estimate{}
	case len(s.Runs) == 1:
		return s.Runs[0].Estimate()
	}
	return parts.RunsOf(benchmark, s.Runs).Estimate()
}

// screen returns the first screen of a comparison: the sentence about the main difference, the worst notice, the sides,
// the largest differences, and other facts that differ.
func (p *page) screen(d *document.Document, environments document.Section) (rows []document.Fact) {
	add := func(name, value string) {
		if value != "" {
			rows = append(rows, document.Fact{Name: name, Value: value})
		}
	}
	pair := p.pairs[0]
	add("", p.verdict(d))
	for _, n := range d.Notices {
		if n.Level == document.Bad || n.Level == document.Warning {
			if !(pair.Main.Computed() && known(aboutModels(p.sides), n)) { // the verdict contains it
				add(caution, n.Text)
			}
			add("Remedy", n.Remedy)
			break
		}
	}
	for _, s := range p.sides[:min(len(p.sides), maxSides)] {
		add(s.Name, cmp.Or(s.number(p.title, pair.Main.Computed()), s.state(), s.Fact))
	}
	if more := len(p.sides) - maxSides; more > 0 {
		add("Also", fmt.Sprintf("%d more sides: -v", more))
	}
	if len(p.sides) == 2 {
		add("Largest", strongest(pair))
	}
	add("Setup", besides(environments))
	return rows
}

// state returns the verdict on a side without the word valid, if something follows it.
func (s Side) state() string {
	return strings.TrimPrefix(strings.TrimPrefix(s.standing(), "valid, "), "but ")
}

// number returns the rating of a side with its error and state, and perhaps its number of processes, or "" if it has
// none.
func (s Side) number(benchmark string, sized bool) string {
	of := s.estimate(benchmark)
	if !(of.Value > 0) {
		return ""
	}
	runs := words.Either(s.Count > 1, fmt.Sprintf("%d runs", s.Count), "")
	size := words.Either(sized && s.Processes > 0, words.Processes(s.Processes), "")
	return joined([]string{withEnds(of), size, runs, words.Either(of.Kind() == rating.VeryNoisy, "very noisy",
		s.state())}, ", ")
}

// invalid begins the first sentence if a side isn't valid.
const invalid = "NOT VALID for comparison: "

// caution is the name of the row with the worst notice about the sides.
const caution = "Caution"

// Unlike marks a comparison of sides of different classes in its first lines. what names the difference.
func (c *Comparison) Unlike(what string) {
	d := c.Document
	d.Subtitle = "NOT OF ONE CLASS: " + what + "; " + d.Subtitle
	if text := &d.Screen[0].Value; !strings.HasPrefix(*text, invalid) {
		*text = "Not of one class: " + *text
	}
	c.Warn("not of one class: " + what)
}

// Warn makes a text the caution on the first screen, in place of any other.
func (c *Comparison) Warn(text string) {
	rows := slices.DeleteFunc(c.Document.Screen, func(f document.Fact) bool {
		return f.Name == caution || f.Name == "Remedy" // of the other caution
	})
	c.Document.Screen = slices.Insert(rows, 1, document.Fact{Name: caution, Value: text})
}

// maxSides is the number of sides that fit on a first screen.
const maxSides = 3

// verdict returns the first sentence of a comparison.
func (p *page) verdict(d *document.Document) string {
	main := p.pairs[0].Main
	text := main.Sentence(p.sides[0].Name, p.sides[min(1, len(p.sides)-1)].Name)
	switch values := p.values(); {
	case len(p.pairs) > 1 && values == nil:
		return "Not all sides have a " + main.Name
	case len(p.pairs) > 1:
		text = d.Headline.Name + ": " + d.Headline.Value + " " + d.Headline.Unit + ", " +
			p.alike(slices.Index(values, slices.Max(values)))
		text = parts.Sentence(strings.TrimSuffix(text, ", "))
	}
	if slices.ContainsFunc(p.sides, func(s Side) bool { return s.in(rating.IsNotValid) > 0 }) {
		return invalid + text
	}
	return text
}

// strongest names the two largest significant differences in a pair's rows, without the main one, or returns "".
func strongest(pair Pair) string {
	return largest(2, 1, lists.Where(pair.rows(), func(r Row) bool { return r.Significant && !r.Main }))
}

// largest names the n rows whose ratios are farthest from 1, with their intervals if so many ratios are judged
// together.
func largest(n, together int, rows []Row) string {
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b Row) int {
		return -cmp.Compare(math.Abs(math.Log(a.Ratio())), math.Abs(math.Log(b.Ratio())))
	})
	texts := lists.Each(rows[:min(len(rows), n)], func(r Row) string {
		of := words.Either(together > 1, fmt.Sprintf("95 %% for all %d", together), "95 %")
		return r.label() + " " + formatTimes(r.within(r.together(together)), of)
	})
	return strings.Join(texts, "; ")
}

// where names the parts of the benchmark and the message length in which the sides differ most, and says whether that
// may be chance. It returns "" if there are no parts.
func (p Pair) where() string {
	rows := lists.Where(p.rows(), func(r Row) bool { return !r.Main })
	unknown := len(lists.Where(rows, func(r Row) bool { return !r.Interval().Known }))
	proven := lists.Where(p.Lengths, func(r Row) bool { return r.Significant })
	text, of := joined([]string{strongest(p), largest(1, 1, proven)}, "; "), "the largest differences of "+p.Name
	switch {
	case len(rows) < 2:
		return ""
	case text != "":
		return of + ": " + text
	case unknown == len(rows):
		return of + words.Either(p.Main.Computed(), ": ", ", whose spread isn't known: ") + largest(2, 1, rows)
	}
	known, parts := lists.Where(rows, func(r Row) bool { return r.Interval().Known }), words.Count(len(rows), "part")
	if unknown > 0 {
		parts = fmt.Sprintf("%d parts (the spread of %d more isn't known)", len(known), unknown)
	}
	text, of = largest(1, len(known), known), "ratio"
	if len(p.Lengths) > 0 {
		parts += fmt.Sprintf(" or at any of %d message lengths", len(p.Lengths))
		text, of = text+"; "+largest(1, len(p.Lengths), p.Lengths), "ratios"
	}
	return fmt.Sprintf("no difference is proven in any of %s. The %s farthest from 1: %s", parts, of, text)
}

// label returns the name of a row in a text.
func (r Row) label() string {
	if r.Bytes > 0 {
		return strings.TrimSpace(r.Name + " " + rating.Bytes(r.Bytes))
	}
	return r.Name
}

// besides names the facts of the environments that differ.
func besides(environments document.Section) string {
	var names []string
	for _, b := range environments.Blocks[:min(len(environments.Blocks), 1)] {
		for _, row := range b.(*document.Table).Rows {
			if name := row[0].Text; name != "MPI" && name != "libraries" {
				names = append(names, words.Either(name == "bound to", "binding", name))
			}
		}
	}
	if len(names) == 0 {
		return ""
	}
	slices.SortStableFunc(names, func(a, b string) int { return strings.Compare(isBinding(a), isBinding(b)) })
	return words.First(3, names, ", ", "facts") + words.Either(len(names) == 1, " differs, too", " differ, too")
}

// isBinding returns a sort key that puts the binding, which influences figures most, before other facts.
func isBinding(name string) string { return words.Either(name == "binding", "0", "1") }
