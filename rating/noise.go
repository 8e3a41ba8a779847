package rating

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/internal/lists"
)

// Sign is a figure that grows if something disturbs a run, with the largest value of a quiet machine.
type Sign struct {
	// Stable short name.
	Name string `json:"name"`
	// The figure and its limit in words.
	Text string `json:"text"`
	// A part of 1 if the text has percent, otherwise a number of processors or times.
	Value float64 `json:"value"`
	// Largest value without noise: a part of 1, processors or times.
	Limit float64 `json:"most"`
	Quiet bool    `json:"quiet"`

	// Remedy is the advice in the warning about a sign that isn't quiet.
	Remedy string `json:"-"`
}

// NewSign returns a sign with its value and limit.
func NewSign(name, remedy string, value, most float64, text string) Sign {
	return Sign{Name: name, Text: text, Value: value, Limit: most, Quiet: !(value > most), Remedy: remedy}
}

// PartSign returns a sign whose value is a part of 1. form is a sentence with %s for the value in percent.
func PartSign(name, remedy string, value, most float64, form string) Sign {
	return NewSign(name, remedy, value, most, fmt.Sprintf(form, Percent(value)+" %")+
		fmt.Sprintf(" (quiet: at most %.0f %%)", 100*most))
}

// WithoutLimit returns the text of a sign without its limit, for people.
func (w Warning) WithoutLimit() string {
	text, _, _ := strings.Cut(w.Text, " (quiet: ")
	return text
}

// byCause has the names of signs in their order. Files read from memory come first, then disturbances of the machine,
// then their effects in the samples.
var byCause = []string{InMemory, "load", "steal", "throttled", "frequency", "noise", "counters", "clock",
	"elapsed", "passes", "spread", "outliers", "interval", "within"}

// ordered returns signs with the likeliest cause first.
func ordered(signs []Sign) []Sign {
	list := slices.Clone(signs)
	slices.SortStableFunc(list, func(a, b Sign) int {
		return cmp.Compare(slices.Index(byCause, a.Name), slices.Index(byCause, b.Name))
	})
	return list
}

// maxTick is the largest step of the clock relative to the shortest time measured with it.
const maxTick = 0.01

// ClockSigns returns the sign of a coarse clock for the shortest measured time in seconds, or none if either isn't
// known. what names that time, and remedy advises how to make it longer.
func (m *Machine) ClockSigns(shortest float64, what, remedy string) []Sign {
	if !(m.ClockResolution > 0 && shortest > 0) {
		return nil
	}
	part := m.ClockResolution / shortest
	return []Sign{NewSign("clock", remedy, part, maxTick, fmt.Sprintf("the clock's step of %s is %s %% of the "+
		"shortest %s of %s (quiet: at most %.0f %%)", Time(m.ClockResolution), Rounded(100*part, 3), what,
		Time(shortest), 100*maxTick))}
}

// spreads are the signs that figures of a run differ.
var spreads = []string{"passes", "spread", "interval", "within"}

// explained adds to the sign of noise how much of the largest spread it explains. A call that waits for a process that
// loses a part of its time becomes slower by at least this part, so noise explains a spread up to that size.
func explained(signs []Sign) []Sign {
	at := slices.IndexFunc(signs, func(s Sign) bool { return s.Name == "noise" && !s.Quiet })
	loud := lists.Where(signs, func(s Sign) bool { return slices.Contains(spreads, s.Name) && !s.Quiet })
	largest := lists.Max(loud, func(s Sign) float64 { return s.Value })
	if at < 0 || largest == 0 {
		return signs
	}
	list := slices.Clone(signs)
	n := &list[at]
	why := fmt.Sprintf("; the spread of %s %% is explained by this noise", Percent(largest))
	if largest > n.Value {
		why = fmt.Sprintf("; the spread is %s %%, of which this noise explains no more than %s %%", Percent(largest),
			Percent(n.Value))
	}
	before, limit, _ := strings.Cut(n.Text, " (quiet: ")
	n.Text = before + why + " (quiet: " + limit
	return list
}

// Noisy reports whether a sign isn't quiet.
func Noisy(signs []Sign) bool {
	return slices.ContainsFunc(signs, func(s Sign) bool { return !s.Quiet })
}

// Warnings returns a warning for each sign that isn't quiet, the likeliest cause first.
func Warnings(signs []Sign) []Warning {
	loud := lists.Where(ordered(signs), func(s Sign) bool { return !s.Quiet })
	return lists.Each(loud, func(s Sign) Warning { return Warning{Code: s.Name, Text: s.Text, Remedy: s.Remedy} })
}

// AboutSigns returns the warnings about signs, and the others.
func AboutSigns(warnings []Warning, signs []Sign) (about, others []Warning) {
	for _, w := range warnings {
		if slices.ContainsFunc(signs, func(s Sign) bool { return s.Name == w.Code }) {
			about = append(about, w)
		} else {
			others = append(others, w)
		}
	}
	return about, others
}

// WithoutRemedies returns signs as documents have them: without remedies, which are in the warnings.
func WithoutRemedies(signs []Sign) []Sign {
	stated := ordered(signs)
	for i := range stated {
		stated[i].Remedy = ""
	}
	return stated
}

// State is a verdict in one word. Lower is better.
type State int

// The states of a result.
const (
	IsValid    State = iota // all criteria are met, and nothing disturbed the run
	IsNoisy                 // all criteria are met, but something disturbed the run
	IsSlowed                // all criteria are met, but a known cause made the number too low
	IsModel                 // all criteria are met, but nothing was measured
	IsNotValid              // not all criteria are met
)

// String returns the state as lists show it.
func (s State) String() string {
	return [...]string{"valid", "noisy", "slowed", "model", "NOT VALID"}[s]
}

// OfModel reports whether a model computed the figures.
func (v Verdict) OfModel() bool {
	return slices.ContainsFunc(v.Warnings, Warning.IsModel)
}

// State returns the verdict in one word.
func (v Verdict) State() State {
	switch {
	case !v.Valid:
		return IsNotValid
	case v.OfModel():
		return IsModel
	case v.Slowed != "":
		return IsSlowed
	case v.Noisy:
		return IsNoisy
	}
	return IsValid
}
