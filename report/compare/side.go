package compare

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
)

// Side is one of the results that are compared: its name, what was measured where, and when.
type Side struct {
	Name, Fact string
	Date       time.Time
	Around     rating.Circumstances
	Count      int    // of runs
	Processes  int    // 0: not known
	Origin     string // of the figures
	// Runs are those of the side, with their verdicts; none if no rule says what is valid. Those of probes have no
	// rating.
	Runs []parts.Rated
}

// side returns what the first lines say of a side.
func (k Kind[R]) side(name string, runs []*R) Side {
	first := k.Head(runs[0])
	model := first.Engine.Kind().Simulated
	s := Side{Name: name, Count: len(runs), Around: *first.Circumstances, Processes: first.Processes,
		Origin: parts.Origin(model, first.Imported != "")}
	for _, r := range runs {
		h := k.Head(r)
		if at := h.Date(); at.After(s.Date) {
			s.Date = at
		}
		if h.Verdict == nil {
			continue
		}
		one := parts.Rated{Verdict: *h.Verdict}
		if len(k.Figures) > 0 && k.Figures[0].Rated {
			v := k.Figures[0].Of(r)
			one.Rating, one.Within = v.Value, v.Within
		}
		s.Runs = append(s.Runs, one)
	}
	known := []string{parts.NameOf(first.System, first.Host)}
	if first.Processes > 0 {
		known = append(known, words.Processes(first.Processes))
	}
	known = append(known, strings.TrimSpace(first.Engine.Library+" "+first.Engine.Version), k.Fact(runs[0]))
	if !s.Date.IsZero() {
		known = append(known, s.Date.Format("2006-01-02"))
	}
	if first.Imported != "" {
		known = append(known, "imported from "+words.OneLine(first.Imported))
	}
	s.Fact = joined(known, ", ")
	return s
}

// joined returns the texts that aren't empty with a separator between them.
func joined(texts []string, separator string) string {
	return strings.Join(slices.DeleteFunc(texts, func(text string) bool { return text == "" }), separator)
}

// words returns what a reader must know of a side before its ratio: its rating with the interval, the verdict, then
// the fact.
func (s Side) words(benchmark string) string {
	return joined([]string{s.rating(benchmark), s.standing(), s.Fact}, "; ")
}

// rating returns the rating of a side with its interval, of several runs the one between them; empty if it has none.
func (s Side) rating(benchmark string) string {
	unrated := len(s.Runs) == 0 || slices.ContainsFunc(s.Runs, func(one parts.Rated) bool { return !(one.Rating > 0) })
	switch {
	case unrated && s.Count > 1:
		return fmt.Sprintf("mean of %d runs", s.Count)
	case unrated:
		return ""
	case len(s.Runs) == 1:
		d := s.Runs[0].Doubt()
		number, unit := words.Rated(d)
		switch d.Kind() {
		case rating.OfModel:
			return number + " " + unit
		case rating.NotKnown:
			return fmt.Sprintf("%s %s %v", number, unit, d)
		}
		return fmt.Sprintf("%s %s %v (within the run)", number, unit, d)
	}
	runs := parts.RunsOf(benchmark, s.Runs)
	number, unit := words.Rated(runs.Doubt())
	return fmt.Sprintf("%s %s %s", number, unit, runs.Interval())
}

// standing returns the verdict of a side in words; empty if it has none.
func (s Side) standing() string {
	bad, noisy := s.in(rating.IsNotValid), s.in(rating.IsNoisy)
	n := len(s.Runs)
	switch {
	case n == 0:
		return ""
	case bad == n:
		return "NOT VALID"
	case bad > 0:
		return fmt.Sprintf("%d of %d runs NOT VALID", bad, n)
	case s.in(rating.IsModel) > 0:
		return "computed by a model"
	case noisy > 0 && n > 1:
		return fmt.Sprintf("valid, but %d of %d runs noisy", noisy, n)
	case noisy > 0:
		return "valid, but noisy"
	}
	return "valid"
}

// in returns the number of runs in a state.
func (s Side) in(state rating.State) (n int) {
	for _, one := range s.Runs {
		if one.Verdict.State() == state {
			n++
		}
	}
	return n
}

// aboutInvalid returns one notice about the sides that are not valid for comparison, with the reasons; none if all are.
// Of several runs the first one that isn't valid has the reason.
func aboutInvalid(sides []Side) []document.Notice {
	var reasons []string
	which := map[string][]string{}
	for _, s := range sides {
		for _, one := range s.Runs {
			if one.Verdict.State() != rating.IsNotValid {
				continue
			}
			why := parts.NotMet(one.Verdict.Criteria)
			if which[why] == nil {
				reasons = append(reasons, why)
			}
			which[why] = append(which[why], s.Name)
			break
		}
	}
	var texts []string
	for _, why := range reasons {
		text := words.Joined(which[why], "and") + words.Either(len(which[why]) > 1, " are", " is") +
			" NOT VALID for comparison: " + why
		texts = append(texts, strings.TrimSuffix(text, ": "))
	}
	if len(texts) == 0 {
		return nil
	}
	return []document.Notice{{Level: document.Bad, Text: strings.Join(texts, "; ")}}
}

// aboutModels returns one notice about the sides that a model computed; none if all were measured.
func aboutModels(sides []Side) []document.Notice {
	var names []string
	for _, s := range sides {
		if s.in(rating.IsModel) > 0 {
			names = append(names, s.Name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	return []document.Notice{{Level: document.Warning, Text: words.Joined(names, "and") +
		words.Either(len(names) > 1, " are", " is") + " computed by a model: nothing was measured",
		Remedy: "compare a model with a measured result before relying on it"}}
}

// aboutNoisy returns one notice about the sides that something disturbed, with the signs; none if nothing did.
func aboutNoisy(sides []Side) []document.Notice {
	var texts []string
	for _, s := range sides {
		n := s.in(rating.IsNoisy)
		if n == 0 {
			continue
		}
		text := s.Name + " is noisy"
		if len(s.Runs) > 1 {
			text = fmt.Sprintf("%d of %d runs of %s are noisy", n, len(s.Runs), s.Name)
		}
		texts = append(texts, fmt.Sprintf("%s (%s)", text, strings.Join(s.signs(), ", ")))
	}
	if len(texts) == 0 {
		return nil
	}
	return []document.Notice{{Level: document.Warning, Text: strings.Join(texts, "; "),
		Remedy: "a difference may be what disturbed the run, significant or not: beff report says what it was; " +
			"measure again on a quiet machine"}}
}

// signs returns the names of the signs by which runs of a side are noisy, each once.
func (s Side) signs() (names []string) {
	known := map[string]bool{}
	for _, one := range s.Runs {
		for _, sign := range one.Verdict.Signs {
			if !sign.Quiet && one.Verdict.Valid && !known[sign.Name] {
				known[sign.Name] = true
				names = append(names, sign.Name)
			}
		}
	}
	return names
}
