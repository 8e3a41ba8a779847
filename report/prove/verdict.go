package prove

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/rating"
)

// Rules define how strictly a document is checked.
type Rules struct {
	Words bool // compare texts, too, because this program, built from the same commit, wrote the document

	// Free maps the codes of warnings that can't be derived from the document to their remedies. The document may have
	// such warnings or not, with any texts.
	Free map[string]string
}

// RulesOf returns the rules for a document that this software wrote in an environment. free becomes Rules.Free.
func RulesOf(by rating.Software, in *rating.Environment, free map[string]string) Rules {
	return Rules{Words: by.Beff == rating.Release && in.BuiltOf(rating.BuiltFrom().Commit()), Free: free}
}

// SameVerdict compares a document's verdict with the one that follows from its samples and facts.
func (r Rules) SameVerdict(have, want rating.Verdict) error {
	return cmp.Or(r.sameCriteria(have, want), r.sameSigns(have, want), r.sameCauses(have, want),
		r.sameWarnings(have, want))
}

// Shown returns the verdict to show to readers: the derived one, in this version's words, with the free warnings of the
// document's verdict.
func (r Rules) Shown(have, want rating.Verdict) rating.Verdict {
	shown := want
	for _, w := range have.Warnings {
		if remedy, free := r.Free[w.Code]; free {
			shown.Warnings = append(shown.Warnings[:len(shown.Warnings):len(shown.Warnings)],
				rating.Warning{Code: w.Code, Text: w.Text, Remedy: remedy})
		}
	}
	return shown
}

// sameCriteria compares criteria and validity.
func (r Rules) sameCriteria(have, want rating.Verdict) error {
	list := want.Criteria
	for i, c := range list {
		if i >= len(have.Criteria) {
			return fmt.Errorf("criteria lacks %q, the samples give reached %t", c.Name, c.Reached)
		}
		h := have.Criteria[i]
		switch {
		case h.Name != c.Name:
			return fmt.Errorf("criteria[%d] is %q, the benchmark's is %q", i, h.Name, c.Name)
		case h.Reached != c.Reached:
			return fmt.Errorf("criterion %q: reached is %t, the samples give %t", c.Name, h.Reached, c.Reached)
		case h.Unknown != c.Unknown:
			return fmt.Errorf("criterion %q: unknown is %t, the document gives %t", c.Name, h.Unknown, c.Unknown)
		case h.Class != c.Class:
			return fmt.Errorf("criterion %q: class is %q, the samples give %q", c.Name, h.Class, c.Class)
		case r.Words && h.Text != c.Text:
			return fmt.Errorf("criterion %q: text is %.80q, the samples give %q", c.Name, h.Text, c.Text)
		}
	}
	if len(have.Criteria) > len(list) {
		return fmt.Errorf("criteria has %q, which the benchmark doesn't have", have.Criteria[len(list)].Name)
	}
	if valid := len(list) > 0 && rating.Valid(list); have.Valid != valid {
		return fmt.Errorf("valid is %t, by the criteria it is %t", have.Valid, valid)
	}
	return nil
}

// sameSigns compares the signs of noise by name, and whether the result is noisy.
func (r Rules) sameSigns(have, want rating.Verdict) error {
	for i, s := range have.Signs {
		at := slices.IndexFunc(want.Signs, func(w rating.Sign) bool { return w.Name == s.Name })
		if at < 0 || slices.ContainsFunc(have.Signs[:i], func(x rating.Sign) bool { return x.Name == s.Name }) {
			return fmt.Errorf("signs[%d] is %q, which the samples don't give", i, s.Name)
		}
		w := want.Signs[at]
		const rounded = 1e-12 // rounding errors are smaller if a sign is 0
		switch {
		case !rating.Near(s.Value, w.Value) && math.Abs(s.Value-w.Value) > rounded:
			return fmt.Errorf("sign %q: value is %v, the samples give %v", s.Name, s.Value, w.Value)
		case s.Limit != w.Limit || s.Quiet != w.Quiet:
			return fmt.Errorf("sign %q: most is %v and quiet %t, the benchmark gives %v and %t", s.Name, s.Limit,
				s.Quiet, w.Limit, w.Quiet)
		case r.Words && s.Text != w.Text:
			return fmt.Errorf("sign %q: text is %.80q, the samples give %q", s.Name, s.Text, w.Text)
		}
	}
	for _, w := range want.Signs {
		if !slices.ContainsFunc(have.Signs, func(s rating.Sign) bool { return s.Name == w.Name }) {
			return fmt.Errorf("signs lacks %q, the samples give quiet %t", w.Name, w.Quiet)
		}
	}
	if noisy := rating.Noisy(have.Signs); have.Noisy != noisy {
		return fmt.Errorf("noisy is %t, by the signs it is %t", have.Noisy, noisy)
	}
	return nil
}

// sameCauses compares the causes of a low number, in their order.
func (r Rules) sameCauses(have, want rating.Verdict) error {
	for i, w := range want.Causes {
		if i >= len(have.Causes) {
			return fmt.Errorf("causes lacks %q, which the document gives", w.Code)
		}
		switch h := have.Causes[i]; {
		case h.Code != w.Code:
			return fmt.Errorf("causes[%d] is %q, the document gives %q", i, h.Code, w.Code)
		case !rating.Near(h.Effect, w.Effect):
			return fmt.Errorf("cause %q: effect is %v, the document gives %v", h.Code, h.Effect, w.Effect)
		case h.Spoils != w.Spoils || h.Variable != w.Variable:
			return fmt.Errorf("cause %q: spoils is %t and variable %q, the document gives %t and %q", h.Code, h.Spoils,
				h.Variable, w.Spoils, w.Variable)
		case r.Words && (h.Text != w.Text || h.Name != w.Name):
			return fmt.Errorf("cause %q: text is %.80q, the document gives %q", h.Code, h.Text, w.Text)
		}
	}
	if n := len(want.Causes); len(have.Causes) > n {
		return fmt.Errorf("causes has %q, which the document doesn't give", have.Causes[n].Code)
	}
	if have.Slowed != want.Slowed {
		return fmt.Errorf("slowed is %q, by the causes it is %q", have.Slowed, want.Slowed)
	}
	return nil
}

// sameWarnings compares the warnings of a document, except free ones, with the warnings that follow. Their order
// matters only within a code.
func (r Rules) sameWarnings(have, want rating.Verdict) error {
	due := slices.Clone(want.Warnings)
	for i, h := range have.Warnings {
		if remedy, free := r.Free[h.Code]; free {
			if r.Words && h.Remedy != remedy {
				return fmt.Errorf("warning %q: remedy is %.80q, beff gives %q", h.Code, h.Remedy, remedy)
			}
			continue
		}
		next := slices.IndexFunc(due, func(w rating.Warning) bool { return w.Code == h.Code })
		if next < 0 {
			return fmt.Errorf("warnings[%d] is %.80q, which the document doesn't give", i, h.Code)
		}
		switch w := due[next]; {
		case r.Words && h.Text != w.Text:
			return fmt.Errorf("warning %q: text is %.80q, the document gives %q", h.Code, h.Text, w.Text)
		case r.Words && h.Remedy != w.Remedy:
			return fmt.Errorf("warning %q: remedy is %.80q, beff gives %q", h.Code, h.Remedy, w.Remedy)
		}
		due = slices.Delete(due, next, next+1)
	}
	if len(due) > 0 {
		return fmt.Errorf("warnings lacks %q, which the document gives", due[0].Code)
	}
	return nil
}
