package prove

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/rating"
)

// Rules define how strictly a document is checked.
type Rules struct {
	Words bool // compare texts, too: this program, built from the same commit, wrote it

	// Free maps the codes of warnings that can't be derived from the document to their remedies. Such warnings may be
	// present or not; their texts are taken as stated.
	Free map[string]string
}

// RulesOf returns the rules for a document; free is Rules.Free.
func RulesOf(by rating.Software, in *rating.Environment, free map[string]string) Rules {
	return Rules{Words: by.Beff == rating.Release && in.BuiltOf(rating.BuiltFrom().Commit()), Free: free}
}

// SameVerdict compares a document's verdict with the one that follows from its samples and facts.
func (by Rules) SameVerdict(have, want rating.Verdict) error {
	for _, same := range []func(have, want rating.Verdict) error{by.sameCriteria, by.sameSigns, by.sameWarnings} {
		if err := same(have, want); err != nil {
			return err
		}
	}
	return nil
}

// Shown returns the verdict to show to readers: the derived one, in this version's words, with the free warnings of the
// document.
func (by Rules) Shown(have, made rating.Verdict) rating.Verdict {
	shown := made
	for _, w := range have.Warnings {
		if remedy, free := by.Free[w.Code]; free {
			shown.Warnings = append(shown.Warnings[:len(shown.Warnings):len(shown.Warnings)],
				rating.Warning{Code: w.Code, Text: w.Text, Remedy: remedy})
		}
	}
	return shown
}

// sameCriteria compares criteria and validity.
func (by Rules) sameCriteria(have, want rating.Verdict) error {
	list := want.Criteria
	for i, c := range list {
		if i >= len(have.Criteria) {
			return fmt.Errorf("criteria lacks %q, which is met: %t", c.Name, c.Reached)
		}
		h := have.Criteria[i]
		switch {
		case h.Name != c.Name:
			return fmt.Errorf("criteria[%d] is %q, the benchmark's is %q", i, h.Name, c.Name)
		case h.Reached != c.Reached:
			return fmt.Errorf("criterion %q is met: %t, by the samples: %t", c.Name, h.Reached, c.Reached)
		case h.Unknown != c.Unknown:
			return fmt.Errorf("criterion %q is not known: %t, by the document: %t", c.Name, h.Unknown, c.Unknown)
		case h.Class != c.Class:
			return fmt.Errorf("criterion %q is of the class %q, by the samples of %q", c.Name, h.Class, c.Class)
		case by.Words && h.Text != c.Text:
			return fmt.Errorf("criterion %q says %.80q, by the samples it is %q", c.Name, h.Text, c.Text)
		}
	}
	if len(have.Criteria) > len(list) {
		return fmt.Errorf("criteria has %q, which the benchmark does not know", have.Criteria[len(list)].Name)
	}
	if valid := len(list) > 0 && rating.Valid(list); have.Valid != valid {
		return fmt.Errorf("valid is %t, by the criteria it is %t", have.Valid, valid)
	}
	return nil
}

// sameSigns compares the signs of noise by name, and whether the result is noisy.
func (by Rules) sameSigns(have, want rating.Verdict) error {
	for i, s := range have.Signs {
		at := slices.IndexFunc(want.Signs, func(w rating.Sign) bool { return w.Name == s.Name })
		if at < 0 || slices.ContainsFunc(have.Signs[:i], func(x rating.Sign) bool { return x.Name == s.Name }) {
			return fmt.Errorf("signs[%d] is %q, which the samples don't give", i, s.Name)
		}
		w := want.Signs[at]
		const rounded = 1e-12 // rounding errors are smaller if a sign is 0
		switch {
		case !rating.Near(s.Value, w.Value) && math.Abs(s.Value-w.Value) > rounded:
			return fmt.Errorf("sign %q is %v, the samples give %v", s.Name, s.Value, w.Value)
		case s.Most != w.Most || s.Quiet != w.Quiet:
			return fmt.Errorf("sign %q is quiet up to %v: %t, the benchmark's limit is %v: %t", s.Name, s.Most, s.Quiet,
				w.Most, w.Quiet)
		case by.Words && s.Text != w.Text:
			return fmt.Errorf("sign %q says %.80q, by the samples it is %q", s.Name, s.Text, w.Text)
		}
	}
	for _, w := range want.Signs {
		if !slices.ContainsFunc(have.Signs, func(s rating.Sign) bool { return s.Name == w.Name }) {
			return fmt.Errorf("signs lacks %q, which is quiet: %t", w.Name, w.Quiet)
		}
	}
	if noisy := rating.Noisy(have.Signs); have.Noisy != noisy {
		return fmt.Errorf("noisy is %t, by the signs it is %t", have.Noisy, noisy)
	}
	return nil
}

// sameWarnings compares the warnings of a document, except free ones, with the warnings that follow. Their order
// matters only within a code.
func (by Rules) sameWarnings(have, want rating.Verdict) error {
	due := slices.Clone(want.Warnings)
	for i, h := range have.Warnings {
		if remedy, free := by.Free[h.Code]; free {
			if by.Words && h.Remedy != remedy {
				return fmt.Errorf("warnings[%d] has the remedy %.80q, that of %q is %q", i, h.Remedy, h.Code, remedy)
			}
			continue
		}
		next := slices.IndexFunc(due, func(w rating.Warning) bool { return w.Code == h.Code })
		if next < 0 {
			return fmt.Errorf("warnings[%d] is %.80q, which the document doesn't give", i, h.Code)
		}
		switch w := due[next]; {
		case by.Words && h.Text != w.Text:
			return fmt.Errorf("warning %q says %.80q, by the document it is %q", h.Code, h.Text, w.Text)
		case by.Words && h.Remedy != w.Remedy:
			return fmt.Errorf("warning %q has the remedy %.80q, ours is %q", h.Code, h.Remedy, w.Remedy)
		}
		due = slices.Delete(due, next, next+1)
	}
	if len(due) > 0 {
		return fmt.Errorf("warnings lacks one: by the document there is %q", due[0].Code)
	}
	return nil
}

// Reason returns the error that ended a run according to its document, or nil if the run is complete.
func Reason(p rating.Period, complete bool) error {
	switch {
	case complete:
		return nil
	case p.Ended == "":
		return rating.ErrStopped
	}
	return errors.New(p.Ended)
}
