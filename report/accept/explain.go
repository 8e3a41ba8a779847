package accept

import (
	"fmt"
	"math"
	"strings"

	"github.com/effective-bandwidth/beff/lists"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
	"github.com/effective-bandwidth/beff/stats"
)

// Explained returns the sheet in words.
func (s *Sheet) Explained() *document.Document {
	d := &document.Document{Title: s.Title, Subtitle: s.Version}
	for _, f := range []document.Fact{{Name: "source", Value: s.Source}, {Name: "system", Value: s.System},
		{Name: "digest", Value: s.digest}} {
		if f.Value != "" {
			d.Facts = append(d.Facts, f)
		}
	}
	for i, r := range s.Requirements {
		d.Sections = append(d.Sections, document.Section{ID: fmt.Sprint("requirement-", i+1), Title: r.ID,
			Blocks: []document.Block{r.explained(s)}})
	}
	d.Sections = append(d.Sections, document.Section{ID: "rule", Title: "How verdicts are found",
		Blocks: []document.Block{document.List{
			fmt.Sprintf("Each verdict is right with a probability of %g %%, over all requirements together.",
				100*s.Confidence),
			words.Either(s.Unit == Day, "The runs of a day count as one value.", "Each run counts as one value.") +
				fmt.Sprintf(" Looks are planned at up to %d values.", s.Most)}}})
	return d
}

// explained returns a requirement in sentences.
func (r *Requirement) explained(s *Sheet) (list document.List) {
	add := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	what := words.Either(r.Title == r.Name, "The", r.Title+": the")
	at := words.Either(r.size() == "", "", " at "+r.size())
	add("%s %s of %s%s %s.", what, r.Statistic, r.Name, at, r.wants())
	if r.Per != "" {
		add("One process per %s%s.", r.Per, words.Either(r.Odd, ", an odd number of them: one fewer if it is even", ""))
	}
	if r.Bytes < 0 && r.kernelHasLengths() {
		add("No bytes are given: runs count that have one length alone.")
	}
	if r.lacks != "" {
		add("Not known: %s. Give --set system.%s=N.", r.lacks, strings.Fields(r.lacks)[0])
	}
	count := []string{words.Either(r.Valid, "valid", "valid or not"), r.engineWords()}
	if r.Age > 0 {
		count = append(count, fmt.Sprintf("at most %.0f days old", r.Age.Hours()/24))
	}
	if names := append(r.where.Names(), r.rows.Names()...); len(names) > 0 {
		count = append(count, "as where wants them ("+strings.Join(names, ", ")+")")
	}
	add("Results count that are %s.", words.Joined(count, "and"))
	facts := lists.Each(r.filled, func(c condition) string { return c.text })
	if len(r.SameRun) > 0 {
		facts = append(facts, "the same run has what counts for "+words.Joined(r.SameRun, "and"))
	}
	if len(facts) > 0 {
		add("They must say that %s.", words.Joined(facts, "and"))
	}
	if r.Least > 1 {
		add("At least %s.", words.Count(r.Least, "run"))
	}
	if r.Spread > 0 {
		add("Values are said to have a standard deviation of at most %.3g %%.", 100*r.Spread)
	} else {
		add("How much values spread isn't said: a verdict needs %d of them.", stats.LeastFound)
	}
	for _, text := range r.Attest {
		add("Who signs states: %s.", text)
	}
	if r.Measure == nil {
		add("It is measured by %s: beff import reads its output.", r.Program())
	} else {
		add("It is measured by: beff %s.", strings.Join(r.Measure, " "))
	}
	return list
}

// engineWords says over what results must be measured.
func (r *Requirement) engineWords() string {
	return map[string]string{OverMPI: "measured over an MPI", Simulated: "computed by a model",
		Embedded: "of the embedded engine", Imported: "imported from another program"}[r.Engine]
}

// wants says what the value must be.
func (r *Requirement) wants() string {
	t := r.Threshold
	switch {
	case !t.Given():
		return "is reported: there is no threshold"
	case math.IsInf(t.High, 1):
		return "must be at least " + r.Shown(t.Low)
	case math.IsInf(t.Low, -1):
		return "must be at most " + r.Shown(t.High)
	}
	return "must be between " + r.Shown(t.Low) + " and " + r.Shown(t.High)
}
