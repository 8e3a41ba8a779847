package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
)

// Side is one of the compared results: its name, where and when it was measured, and its verdicts.
type Side struct {
	Name, Fact string
	Date       time.Time
	Around     rating.Circumstances
	Count      int             // number of runs
	Processes  int             // 0 if not known
	Origin     string          // origin of the figures
	System     []document.Fact // the names are the same for all sides
	// Runs are the side's runs with their verdicts. There are none if no rule defines validity. Probes have no rating.
	Runs []parts.Run
}

// side returns the description of a side.
func (k Kind[R]) side(name string, runs []*R) Side {
	first := k.Header(runs[0])
	model := first.Engine.Kind().Simulated
	s := Side{Name: name, Count: len(runs), Around: *first.Circumstances, Processes: first.Processes,
		Origin: parts.Origin(model, first.Imported != ""), System: parts.SystemFacts(first)}
	for _, r := range runs {
		h := k.Header(r)
		if at := h.Date(); at.After(s.Date) {
			s.Date = at
		}
		if h.Verdict == nil {
			continue
		}
		one := parts.Run{Verdict: *h.Verdict}
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

// joined joins the texts that aren't empty.
func joined(texts []string, separator string) string {
	return strings.Join(slices.DeleteFunc(texts, func(text string) bool { return text == "" }), separator)
}

// words describes a side for readers of its ratio: the rating with its interval, the verdict, then the fact.
func (s Side) words(benchmark string) string {
	return joined([]string{s.rating(benchmark), s.standing(), s.Fact}, "; ")
}

// rating formats the rating of a side with its interval, between runs if there are several, or returns "".
func (s Side) rating(benchmark string) string {
	switch {
	case !s.rated() && s.Count > 1:
		return fmt.Sprintf("mean of %d runs", s.Count)
	case !s.rated():
		return ""
	case len(s.Runs) == 1:
		d := s.Runs[0].Estimate()
		return withEnds(d) + words.Either(math.IsNaN(d.RelativeHalfWidth()), "", " (within the run)")
	}
	runs := parts.RunsOf(benchmark, s.Runs)
	number, unit := words.ValueAndUnit(runs.Estimate())
	return fmt.Sprintf("%s %s %s", number, unit, runs.Interval())
}

// withEnds formats a bandwidth with the ends of its interval, if known, without ±, which readers take for equal sides.
func withEnds(d rating.Estimate) string {
	if in := words.Range(d); in != "" && !d.TooWide() {
		number, unit := words.ValueAndUnit(d)
		return in + " at 95 %, most likely " + number + " " + unit
	}
	return words.WithRange(d)
}

// rated reports whether all runs of a side have a rating.
func (s Side) rated() bool {
	return len(s.Runs) > 0 && !slices.ContainsFunc(s.Runs, func(one parts.Run) bool { return !(one.Rating > 0) })
}

// standing returns the verdict on a side in words, or "" if it has none.
func (s Side) standing() string {
	bad, noisy, slowed := s.in(rating.IsNotValid), s.in(rating.IsNoisy), s.in(rating.IsSlowed)
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
	case slowed > 0 && n > 1:
		return fmt.Sprintf("valid, but %d of %d runs slowed: %s", slowed, n, s.slowedBy().Name)
	case slowed > 0:
		return "valid, slowed: " + s.slowedBy().Name
	case noisy > 0 && n > 1:
		return fmt.Sprintf("valid, but %d of %d runs noisy", noisy, n)
	case noisy > 0:
		return "valid, but noisy"
	}
	return "valid"
}

// slowedBy returns the cause of the first run that is slowed, or nil.
func (s Side) slowedBy() *rating.Cause {
	slowed := func(one parts.Run) bool { return one.Verdict.State() == rating.IsSlowed }
	return lists.First(s.Runs, slowed).Verdict.SlowedBy()
}

// aboutSlowed returns a notice for each side that is slowed by a known cause.
func aboutSlowed(sides []Side) (list []document.Notice) {
	for _, s := range sides {
		if c := s.slowedBy(); c != nil {
			list = append(list, document.Notice{Level: document.Warning, Text: s.Name + " is slowed: " + c.Text,
				Remedy: c.Remedy})
		}
	}
	return list
}

// aboutLimits returns one notice about facts that limit the sides and differ, or none.
func aboutLimits(sides []Side) []document.Notice {
	var names []string
	var around []rating.Circumstances
	for _, s := range sides {
		names, around = append(names, s.Name), append(around, s.Around)
	}
	text := parts.LimitsDiffer(names, around)
	if text == "" {
		return nil
	}
	return []document.Notice{{Level: document.Warning,
		Text:   "the conditions differ, which may explain the difference: " + text,
		Remedy: "measure both under the same conditions"}}
}

// in returns the number of runs in a state.
func (s Side) in(state rating.State) int {
	return lists.Count(s.Runs, func(one parts.Run) bool { return one.Verdict.State() == state })
}

// aboutInvalid returns one notice about the sides that are not valid for comparison, or none. The reason is the one of
// each side's first run that isn't valid.
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
	const most = 2 // reasons that fit into a notice
	if len(reasons) > most {
		names := slices.Concat(lists.Each(reasons, func(why string) []string { return which[why] })...)
		texts, reasons = []string{fmt.Sprintf("%s are NOT VALID for comparison, for reasons that their reports name; "+
			"%s: %s", several(names), which[reasons[0]][0], reasons[0])}, nil
	}
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

// aboutModels returns one notice about the sides that a model computed, or none.
func aboutModels(sides []Side) []document.Notice {
	models := lists.Where(sides, func(s Side) bool { return s.in(rating.IsModel) > 0 })
	names := lists.Each(models, func(s Side) string { return s.Name })
	if len(names) == 0 {
		return nil
	}
	return []document.Notice{{Level: document.Warning, Text: several(names) +
		words.Either(len(names) > 1, " are", " is") + " computed by a model: nothing was measured",
		Remedy: "compare a model with a measured result before relying on it"}}
}

// few reports whether a side has too few runs to estimate the spread between runs.
func few(sides []Side) bool {
	return slices.ContainsFunc(sides, func(s Side) bool { return s.Count < rating.MinRuns })
}

// aboutNoisy returns one notice about the sides that were disturbed, with the likeliest cause in the first, or none.
func aboutNoisy(sides []Side) []document.Notice {
	var names []string
	cause, of, plural := "", "", false // of is the side with the cause
	for _, s := range sides {
		n := 0
		for _, one := range s.Runs {
			noise, _ := rating.AboutSigns(one.Verdict.Warnings, one.Verdict.Signs)
			if one.Verdict.Noisy && !one.Verdict.OfModel() && len(noise) > 0 {
				own := noise[0].WithoutLimit()
				if in := words.Range(one.Estimate()); noise[0].Code == "interval" && in != "" {
					own = "this run leaves " + in + " possible at 95 %"
				}
				n, cause, of = n+1, cmp.Or(cause, own), cmp.Or(of, s.Name)
			}
		}
		switch {
		case n > 0 && len(s.Runs) > 1:
			plural = plural || n > 1
			names = append(names, fmt.Sprintf("%d of %d runs of %s", n, len(s.Runs), s.Name))
		case n > 0:
			names = append(names, s.Name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	plural = plural || len(names) > 1
	if len(names) > 1 {
		cause = strings.Replace(cause, "this run", "the run of "+of, 1)
	}
	who := several(names)
	if len(names) == 2 && slices.Equal(names, []string{sides[0].Name, sides[1].Name}) {
		who = "both"
	}
	text := who + words.Either(plural, " are", " is") + " noisy: " + cause
	remedy := words.Either(few(sides), "measure three runs of each",
		"measure again on a quieter machine, as their reports suggest")
	return []document.Notice{{Level: document.Warning, Text: text, Remedy: remedy}}
}
