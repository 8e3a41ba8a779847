package trend

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
)

// Document returns the trends as a document: all steps, then a section for each series. alone is the number of
// results that no series includes, because they are the only ones of their kind. judged has the notices of a gate,
// if there is one.
func Document(list []*Series, alone int, judged []document.Notice) *document.Document {
	d := &document.Document{Title: "Trend of " + systems(list)}
	var first, last time.Time
	steps := 0
	for i, s := range list {
		steps += len(s.Steps)
		from, to := s.Points[0].Date, s.Points[len(s.Points)-1].Date
		if i == 0 || from.Before(first) {
			first = from
		}
		if to.After(last) {
			last = to
		}
	}
	d.Subtitle = fmt.Sprintf("%s to %s, %s, %s", first.Format(day), last.Format(day), words.Count(len(list), "figure"),
		words.Count(steps, "step"))
	notes := document.List{"A series has the results of one system, class, number of processes, number of processes " +
		"per node and library, whatever its version. Only valid results count, unless there are fewer than two.",
		"There is a step if the ranks of the results before and after a point differ so much that at most 1 % of all " +
			"orders of the same results differ as much, and if two levels fit the values better than a straight " +
			"line. The step is at the point whose levels fit best. A step needs ten results, or more if it is near " +
			"an end. One of a hundred series of pure noise has a step.",
		"The change at a step compares the geometric means of both levels. Its 95 % interval follows from the " +
			"scatter of all results around their levels (Student's t). The table lists recorded facts that differ " +
			"between the results before and after the step. This doesn't prove that they are the cause.",
		"± is half of the 95 % interval of a rating within its run. 1 MB/s = 10^6 bytes per second."}
	if len(judged) > 0 {
		d.Notices = judged
		notes = append(notes, "The newest result is below the baseline if it is beyond the limit, which chance "+
			"exceeds in one night of a hundred. The limit is the end of the prediction interval from the results of "+
			"the baseline's level up to its date, or from their intervals within the runs if there are fewer than "+
			"three. A newer result of the benchmark that is in no series of the baseline can't be judged.")
	}
	d.Screen = screen(list, d.Notices)
	d.Sections = append(d.Sections, stepSection(list))
	d.Sections = append(d.Sections, Sections(list)...)
	if alone > 0 {
		notes = append(notes, "Single results of a system, class and size are left out ("+
			words.Count(alone, "result")+").")
	}
	d.Sections = append(d.Sections, document.Section{ID: "notes", Title: "Notes", Blocks: []document.Block{notes}})
	return d
}

// Sections returns a section for each series.
func Sections(list []*Series) (sections []document.Section) {
	for i, s := range list {
		alike := slices.DeleteFunc(slices.Clone(list), func(other *Series) bool {
			return other.subject() != s.subject()
		})
		section := s.section(i + 1)
		if f := figure(i+1, alike); f != nil && alike[0] == s { // the first series' picture includes the others
			section.Blocks = slices.Insert(section.Blocks, 1, document.Block(f))
		}
		sections = append(sections, section)
	}
	return sections
}

// subject has the properties that series in one picture share: all but the library.
type subject struct {
	rating.Basis
	figure string
}

func (s *Series) subject() subject {
	p := &s.Points[0]
	return subject{rating.Basis{Class: p.Class, System: p.System.Name, Processes: p.Processes, PerNode: p.PerNode,
		Numbering: p.Numbering, Way: p.Way}, s.Of.Key}
}

const day = "2006-01-02"

// systems returns the names of the systems, or their number.
func systems(list []*Series) string {
	var names []string
	seen := map[string]bool{}
	for _, s := range list {
		if name := s.Points[0].System.Name; !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	if len(names) > 4 {
		return fmt.Sprint(len(names), " systems")
	}
	return words.Joined(names, "and")
}

// name returns the system, size and figure of a series.
func (s *Series) name() string {
	p := &s.Points[0]
	return fmt.Sprintf("%s, %s: %s", p.System.Name, words.Processes(p.Processes), s.Of.Name)
}

// title returns the name with the library.
func (s *Series) title() string {
	if library := s.Points[0].LibraryName; library != "" && s.Points[0].Engine == rating.MPI {
		return s.name() + ", " + library
	}
	return s.name()
}

// Percent formats a change as "−11.8 ± 1.2 %", using the larger side of the interval.
func (c Change) Percent() string {
	text := percent(c.Ratio)
	if c.High > c.Low {
		text = strings.TrimSuffix(text, "%") + "± " + rating.Percent(math.Max(c.High-c.Ratio, c.Ratio-c.Low)) + " %"
	}
	return text
}

// percent formats the distance of a ratio from 1: "−11.8 %".
func percent(ratio float64) string {
	return strings.Replace(fmt.Sprintf("%+.1f %%", 100*(ratio-1)), "-", "−", 1)
}

// stepSection returns the table of all steps.
func stepSection(list []*Series) document.Section {
	t := &document.Table{ID: "steps", Sortable: true, Caption: "Steps are changes of the level by more than chance.",
		Columns: document.Heads("date", "system", "processes []", "figure", "change []", "chance []",
			"what else changed")}
	for _, s := range list {
		for _, x := range s.Steps {
			p := &s.Points[x.At]
			t.Add(p.Date.Format(day), p.System.Name, document.Whole(p.Processes),
				s.Of.Name, document.Cell{Text: x.Percent(), Value: &x.Ratio, Strong: s.Worse(x.Change)},
				document.Number(x.Probability, fmt.Sprintf("%.2g", x.Probability)), x.cause())
		}
	}
	section := document.Section{ID: "all-steps", Title: "Steps", Blocks: []document.Block{t}}
	if len(t.Rows) == 0 {
		section.Blocks = []document.Block{document.Paragraph("No level changes by more than chance.")}
	}
	return section
}

// cause describes the other changes at a step.
func (x *Step) cause() string {
	switch {
	case len(x.Changed) == 0 && x.Unknown:
		return "not recorded: results of older versions name only the library, which is the same"
	case len(x.Changed) == 0:
		return "nothing that is recorded"
	}
	return strings.Join(x.Changed, "; ")
}

// section returns the section of series number i, counted from 1.
func (s *Series) section(i int) document.Section {
	p := &s.Points[0]
	text := document.Paragraph(fmt.Sprintf("Class: %v. %s, %s to %s.%s%s", p.Class,
		words.Count(len(s.Points), "result"),
		p.Date.Format(day), s.Points[len(s.Points)-1].Date.Format(day), s.remark(), s.newest()))
	section := document.Section{ID: fmt.Sprint("series-", i), Title: s.title(), Blocks: []document.Block{text}}
	section.Blocks = append(section.Blocks, s.table(i))
	return section
}

// newest returns the mean of the newest level with the interval between its results, or "" if that isn't known.
func (s *Series) newest() string {
	if len(s.Levels) == 0 {
		return ""
	}
	l := s.Levels[len(s.Levels)-1]
	d := rating.MeanOfRuns(s.estimates(l.From, l.To))
	if l.To-l.From < rating.MinRuns || d.Within == nil {
		return ""
	}
	which := words.Either(len(s.Levels) > 1, "the "+words.Count(d.Runs, "result")+" since the last step", "all")
	return fmt.Sprintf(" Mean of %s: %.4g %s %v (between them).", which, s.Of.Unit.In(d.Value), s.Of.Unit.Shown, d)
}

// remark returns a note on the validity of the results.
func (s *Series) remark() string {
	switch {
	case s.NotValid:
		return fmt.Sprintf(" %s valid for comparison.", words.Either(s.hasValid(), "Only one is", "None is"))
	case s.LeftOut > 0:
		return fmt.Sprintf(" Left out: %s not valid for comparison.", words.Count(s.LeftOut, "result"))
	}
	return ""
}

// hasValid reports whether a point of the series is valid for comparison.
func (s *Series) hasValid() bool {
	return slices.ContainsFunc(s.Points, func(p Point) bool { return p.Status.Counts() })
}

// figure draws the series of one system, size and figure, with a curve for each library. A single series also has its
// levels.
func figure(i int, list []*Series) *document.Figure {
	first := list[0]
	p := chart.Plot{ID: fmt.Sprint("trend-", i), Title: first.Of.Name + " over time", X: chart.Date,
		Y: Quantity(first.Of.Name, first.Of.Unit), Caption: first.name() + " over time",
		Bars: "the intervals of the results"}
	if len(list) > 1 {
		p.Caption += ", a curve for each library."
	} else {
		p.Caption += ", with the level between steps."
		p.Mean = &chart.Series{Name: "level"}
	}
	from, to, label := first.Points[0].Date, first.Points[0].Date, ""
	for _, s := range list {
		p.Series = append(p.Series, s.curve(&p))
		if d := s.Points[0].Date; d.Before(from) {
			from = d
		}
		if d := s.Points[len(s.Points)-1].Date; d.After(to) {
			to = d
		}
		switch {
		case s.NotValid:
			label = parts.NotValid
		case s.Points[0].Engine == rating.Simulated && label == "":
			label = parts.OfModel
		}
	}
	if slices.ContainsFunc(list, (*Series).local) {
		p.X.Label = "date of the run, local time where its zone isn't known"
	}
	f := p.Figure()
	if f != nil {
		f.Label = label
		f.Source = fmt.Sprintf("%s · %s · %v · %s", first.Points[0].System.Name,
			words.Processes(first.Points[0].Processes), first.Points[0].Engine, from.Format(day))
		if last := to.Format(day); last != from.Format(day) {
			f.Source += " to " + last
		}
	}
	return f
}

// local reports whether the zone of a point's date isn't known.
func (s *Series) local() bool {
	return slices.ContainsFunc(s.Points, func(p Point) bool { return !words.HasZone(p.Date) })
}

// Quantity returns the quantity of a figure's axis, in base units for bandwidths and times.
func Quantity(name string, unit rating.Unit) chart.Quantity {
	q := chart.Quantity{Name: strings.TrimSuffix(name+", "+unit.Shown, ", ")}
	switch unit.Base {
	case rating.Bandwidth.Base:
		q = chart.Bandwidth.Named(name)
	case rating.Latency.Base:
		q = chart.Time.Named(name)
	}
	q.Scale = chart.Zoomed
	return q
}

// curve returns the curve of a series, and adds its steps to p. If p has a curve of levels, it adds the levels to that
// one and returns dots.
func (s *Series) curve(p *chart.Plot) chart.Series {
	c := chart.Series{Name: cmp.Or(s.Points[0].LibraryName, "results"), Dots: p.Mean != nil}
	for k, l := range s.Levels {
		if k > 0 {
			gap := chart.Point{X: (chart.Day(s.Points[l.From-1].Date) + chart.Day(s.Points[l.From].Date)) / 2}
			step := chart.Step{X: gap.X, Text: s.Steps[k-1].label()}
			if p.Mean == nil {
				step.Text = c.Name + ": " + step.Text
			} else { // the line is interrupted
				c.Points, p.Mean.Points = append(c.Points, gap), append(p.Mean.Points, gap)
			}
			p.Steps = append(p.Steps, step)
		}
		for i := l.From; i < l.To; i++ {
			v := s.Points[i].Figures[s.Of.Key]
			pt := chart.Point{X: chart.Day(s.Points[i].Date), Y: v.Value}
			if v.Within != nil {
				pt.Low, pt.High = v.Within.Low, v.Within.High
			}
			c.Points = append(c.Points, pt)
			if p.Mean != nil {
				p.Mean.Points = append(p.Mean.Points, chart.Point{X: pt.X, Y: l.Value * v.Value / s.value(i)})
			}
		}
	}
	return c
}

// label returns the text of a step in a picture: its change, and the first other thing that changed.
func (x *Step) label() string {
	text := x.Percent()
	if len(x.Changed) > 0 {
		text += ", " + strings.TrimPrefix(x.Changed[0], "library ")
	}
	if runes := []rune(text); len(runes) > 60 {
		text = string(runes[:59]) + "…"
	}
	return text
}

// within returns the interval of a point's figure, or 0 if it isn't known.
func (s *Series) within(i int) (low, high float64) {
	in := s.Points[i].Figures[s.Of.Key].Within
	if in == nil {
		return 0, 0
	}
	return s.Of.Unit.In(in.Low), s.Of.Unit.In(in.High)
}

// table returns the table of all results of a series.
func (s *Series) table(i int) *document.Table {
	t := &document.Table{ID: fmt.Sprint("results-", i), Sortable: true, Caption: s.name() + ": all results.",
		Columns: document.Heads("date", s.Of.Name+" ["+s.Of.Unit.Shown+"]", "± [%]", "step []", "library", "status",
			"file")}
	for k := range s.Points {
		p := &s.Points[k]
		x, step, part := s.value(k), document.Text(""), math.NaN()
		for _, at := range s.Steps {
			if at.At == k {
				step = document.Cell{Text: at.Percent(), Value: &at.Ratio, Strong: s.Worse(at.Change)}
			}
		}
		if low, high := s.within(k); high > 0 {
			part = math.Max(high/x-1, 1-low/x)
		}
		t.Add(words.Minute(p.Date), parts.Rounded(x, part), parts.HalfWidth(part), step, p.Library,
			p.Status.String(), p.File)
	}
	return t
}

// Table returns all results of all series as one table for programs, with units in a column.
func Table(list []*Series) *document.Table {
	t := &document.Table{ID: "trend", Columns: document.Heads("system", "class", "processes []", "figure", "unit",
		"date", "value []", "low []", "high []", "level []", "step []", "changed", "library", "status", "file")}
	number := func(x float64) document.Cell {
		if x == 0 {
			return document.Text("")
		}
		return document.Number(x, fmt.Sprint(x))
	}
	for _, s := range list {
		for _, l := range s.Levels {
			for k := l.From; k < l.To; k++ {
				p := &s.Points[k]
				low, high := s.within(k)
				step, cause := 0.0, ""
				for _, x := range s.Steps {
					if x.At == k {
						step, cause = x.Ratio, x.cause()
					}
				}
				t.Add(p.System.Name, p.Class.String(), number(float64(p.Processes)), s.Of.Key, s.Of.Unit.Shown,
					words.Timestamp(words.InUTC(p.Date)), number(s.value(k)), number(low), number(high),
					number(l.Value), number(step), cause, p.Library, p.Status.String(), p.File)
			}
		}
	}
	return t
}
