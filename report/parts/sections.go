package parts

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
)

// NameOf returns the name of a system, or the name of its host if the system has none.
func NameOf(s *rating.System, host rating.Host) string {
	if s != nil && s.Name != "" {
		return s.Name
	}
	return cmp.Or(host.Name, "an unnamed system")
}

// Notices returns the verdict on a rating and its warnings. The rating's error is left to the headline.
func Notices(v rating.Verdict, d rating.Estimate) []document.Notice {
	text := strings.TrimSuffix(strings.TrimSuffix(VerdictLine(v, d), d.String()), ": ")
	first := document.Notice{Level: document.Good, Text: Sentence(text) + allowed(v, d), Bare: true}
	switch v.State() {
	case rating.IsNoisy, rating.IsSlowed, rating.IsModel:
		first.Level = document.Warning
	case rating.IsNotValid:
		first.Level = document.Bad
		first.Text = strings.TrimSuffix(first.Text+": "+NotMet(v.Criteria), ": ")
		if lacking := rating.Unmet(v.Criteria); v.WrongData() {
			first.Text, first.Remedy = NotMet(v.Criteria)+". NOT VALID for comparison", lacking[0].Remedy
		}
	}
	list := []document.Notice{first}
	causes, noise, others := reasons(v)
	for _, w := range causes {
		list = append(list, document.Notice{Level: document.Warning, Text: w.Text, Remedy: w.Remedy})
	}
	if len(noise) > 0 {
		at := words.Either(noiseFirst(v), 1, len(list))
		list = slices.Insert(list, at, noiseNotice(noise))
	}
	for _, w := range others {
		if w.IsModel() && v.State() == rating.IsModel { // the verdict contains it
			list[0].Remedy = w.Remedy
			continue
		}
		list = append(list, document.Notice{Level: document.Warning, Text: w.Text, Remedy: w.Remedy})
	}
	return list
}

// Sentence returns text with a capital first letter, unless it begins with a name such as b_eff.
func Sentence(text string) string {
	if word, _, _ := strings.Cut(text, " "); strings.Contains(word, "_") {
		return text
	}
	first := min(1, len(text))
	return strings.ToUpper(text[:first]) + text[first:]
}

// Section returns a section with blocks, without tables that have no rows.
func Section(id, title string, blocks ...document.Block) document.Section {
	return document.Section{ID: id, Title: title, Blocks: slices.DeleteFunc(blocks, func(b document.Block) bool {
		t, is := b.(*document.Table)
		return is && len(t.Rows) == 0
	})}
}

// Sections returns the sections that have blocks.
func Sections(list ...document.Section) []document.Section {
	return slices.DeleteFunc(list, func(s document.Section) bool { return len(s.Blocks) == 0 })
}

// Chapter returns a section with the blocks of another document's sections, whose IDs now begin with the chapter's.
func Chapter(title string, sections []document.Section) document.Section {
	s := document.Section{ID: "on-" + strings.ToLower(KeyName(title)), Title: title}
	s.Blocks = lists.Flat(sections, func(own document.Section) []document.Block { return own.Blocks })
	for _, b := range s.Blocks {
		switch b := b.(type) {
		case *document.Table:
			b.ID = s.ID + "-" + b.ID
		case *document.Figure:
			b.ID = s.ID + "-" + b.ID
		}
	}
	return s
}

// FiguresSection returns a section with figures.
func FiguresSection(figures []*document.Figure) document.Section {
	return Section("figures", "Figures", FiguresWithPrefix(figures, "")...)
}

// FiguresWithPrefix returns the figures whose IDs have a prefix.
func FiguresWithPrefix(figures []*document.Figure, begin string) (blocks []document.Block) {
	for _, f := range figures {
		if strings.HasPrefix(f.ID, begin) {
			blocks = append(blocks, f)
		}
	}
	return blocks
}

// VerdictSection returns a section with criteria, signs of noise and warnings.
func VerdictSection(v rating.Verdict) document.Section {
	criteria := &document.Table{ID: "criteria",
		Caption: "A rating is valid for comparison if all criteria are met. If only criteria of a class are " +
			"not met, it is valid in that class.",
		Columns: document.Heads("criterion", "text", "met")}
	for _, c := range v.Criteria {
		met := document.Text("yes")
		switch {
		case !c.Reached && c.Class != "":
			met = Strong(document.Text("no: in the class " + c.Class))
		case c.Unknown:
			met = Strong(document.Text("NOT KNOWN"))
		case !c.Reached:
			met = Strong(document.Text("NO"))
		}
		criteria.Add(c.Name, c.Text, met)
	}
	warnings := &document.Table{ID: "warnings", Caption: "Warnings.",
		Columns: document.Heads("warning", "text", "remedy")}
	for _, w := range v.Warnings {
		warnings.Add(w.Code, w.Text, w.Remedy)
	}
	section := Section("validity", "Criteria and warnings", causesTable(v.Causes), signsTable(signsOf(v)), warnings)
	section.Blocks = slices.Insert(section.Blocks, 0, document.Block(criteria))
	if len(v.Warnings) == 0 {
		section.Blocks = append(section.Blocks, document.Paragraph("No warnings."))
	}
	return section
}

// causesTable returns a table of causes of a low number.
func causesTable(causes []rating.Cause) *document.Table {
	t := &document.Table{ID: "causes", Caption: "Conditions that explain why the number is low, starting with the " +
		"one that explains most. A valid rating is called slowed if one of them spoils it.",
		Columns: document.Heads("cause", "text", "effect", "spoils")}
	for _, c := range causes {
		effect := document.Text("not known")
		if c.Effect > 0 {
			effect = document.Text(rating.Percent(c.Effect) + " %")
		}
		t.Add(c.Code, c.Text, effect, words.Either(c.Spoils, "yes", "no"))
	}
	return t
}

// signsTable returns a table of signs of noise.
func signsTable(signs []rating.Sign) *document.Table {
	t := &document.Table{ID: "signs", Caption: "A valid rating is called noisy if one of these exceeds its limit " +
		"for a quiet machine.",
		Columns: document.Heads("sign", "text", "quiet")}
	for _, s := range signs {
		quiet := document.Text("yes")
		if !s.Quiet {
			quiet = Strong(document.Text("NO"))
		}
		t.Add(s.Name, s.Text, quiet)
	}
	return t
}

// NotMet lists the reasons why a result isn't valid, or returns "" if it is valid.
func NotMet(criteria []rating.Criterion) string {
	return strings.Join(lists.Each(rating.Unmet(criteria), rating.Criterion.Why), "; ")
}

// PlacementTable returns a table of the ranks on each host, or nothing if they aren't known.
func PlacementTable(list []job.Placement) []document.Block {
	t := &document.Table{ID: "placement", Caption: "The ranks on each host.",
		Columns: document.Heads("host", "ranks", "processes []", "processors []")}
	units := len(list) > 0 && len(list[0].Units) > 0
	if units {
		t.Columns = append(t.Columns, document.Heads("units")...)
	}
	const most = 1000
	if list = job.Fold(list); len(list) > most {
		t.Caption += fmt.Sprintf(" The first %d of %d groups of hosts; the result has all.", most, len(list))
	}
	for _, p := range list[:min(len(list), most)] {
		ranks := shortened(p.Ranks)
		if p.Hosts > 0 {
			ranks += fmt.Sprintf(", on each further host %d higher", p.Shift)
		}
		cells := []any{p.Names(), ranks, Number(float64(p.Processes), 0), Number(float64(p.Processors), 0)}
		if units {
			cells = append(cells, words.OneLine(strings.Join(p.Units, ", ")))
		}
		t.Add(cells...)
	}
	if len(t.Rows) == 0 {
		return nil
	}
	return []document.Block{t}
}
