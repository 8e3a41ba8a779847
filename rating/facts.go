package rating

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// System describes a machine in its operators' words. Nothing of it is detected, and all of it may be empty.
type System struct {
	// Results of the same machine are grouped by it.
	Name string `json:"name,omitempty" yaml:"name"`
	Site string `json:"site,omitempty" yaml:"site"`
	Note string `json:"note,omitempty" yaml:"note"`
}

// The most bytes of the names of a system and of its note.
const (
	mostName = 256
	mostNote = 4096
)

// Fact is a fact of a system in its operators' words. Name is "system", "site" or "note".
type Fact struct{ Name, Text string }

// Facts returns the facts that are given. s may be nil.
func (s *System) Facts() (list []Fact) {
	if s == nil {
		return nil
	}
	for _, x := range []Fact{{"system", s.Name}, {"site", s.Site}, {"note", s.Note}} {
		if x.Text != "" {
			list = append(list, x)
		}
	}
	return list
}

// With returns a copy with a fact that Facts names. s may be nil.
func (s *System) With(fact, text string) *System {
	var changed System
	if s != nil {
		changed = *s
	}
	places := map[string]*string{"system": &changed.Name, "site": &changed.Site, "note": &changed.Note}
	if place := places[fact]; place != nil {
		*place = text
	}
	return &changed
}

// Check returns an error if a text is longer than rankings and reports have room for.
func (s *System) Check() error {
	for _, x := range []struct {
		of, text string
		most     int
	}{{"name", s.Name, mostName}, {"site", s.Site, mostName}, {"note", s.Note, mostNote}} {
		if len(x.text) > x.most {
			return fmt.Errorf("the system's %s has %d bytes: at most %d are read", x.of, len(x.text), x.most)
		}
	}
	return nil
}

// Check returns an error if the name is longer than rankings and reports have room for.
func (h *Host) Check() error {
	if len(h.Name) > mostName {
		return fmt.Errorf("the host's name has %d bytes: at most %d are read", len(h.Name), mostName)
	}
	return nil
}

// Host is the machine that process 0 runs on. Facts that could not be found are empty.
type Host struct {
	// Operating system (uname -s).
	System string `json:"system"`
	// Host name (uname -n).
	Name string `json:"name"`
	// Release of the operating system (uname -r).
	Release string `json:"release"`
	// Version of the operating system (uname -v).
	Version string `json:"version"`
	// Type of the hardware (uname -m).
	Machine string `json:"machine"`
	// Model name of the first processor.
	CPU string `json:"cpu,omitempty"`
	// Logical processors of the node.
	Cores int `json:"cores,omitempty"`
	// Bytes: the node's memory, or the cgroup's limit if that is less.
	Memory int64 `json:"memory,omitempty"`
	// Active ports of the network adapters, such as "mlx5_0 port 1: InfiniBand, 200 Gb/s, MT4123".
	Interconnect []string `json:"interconnect,omitempty"`
}

// Warning is a fact that a reader of the figures should know, with a remedy.
type Warning struct {
	// Stable short name.
	Code   string `json:"code"`
	Text   string `json:"text"`
	Remedy string `json:"remedy"`
}

// Criterion is one condition of a valid rating.
type Criterion struct {
	// Stable short name.
	Name    string `json:"name"`
	Text    string `json:"text"`
	Reached bool   `json:"reached"`
	// It isn't known whether the condition is met: it then isn't reached. Left out if it is known.
	Unknown bool `json:"unknown,omitempty"`
	// The class that the result is of if the condition isn't met: it then is valid for that class alone. Left out:
	// the condition is needed in all classes.
	Class string `json:"class,omitempty"`

	// Not says what is the case if it isn't met, as a person says it; empty: that the text isn't so.
	Not string `json:"-"`
	// Remedy is the advice where it isn't met; empty: none.
	Remedy string `json:"-"`
}

// The names of criteria that are said before others.
const (
	RightData = "data"     // no data were wrong: it is the first one of all results
	Complete  = "complete" // the run wasn't ended early
)

// DataCriterion returns the criterion that no data were wrong. It says what is the case if they were, and what may be
// the cause.
func DataCriterion(text string, right bool, not, cause string) Criterion {
	return Criterion{Name: RightData, Text: text, Reached: right, Not: "WRONG DATA: " + not,
		Remedy: cause + " loses data: look there first"}
}

// ErrWrongData is the error of a run that ends because data aren't what was sent. Ended begins with its text then.
var ErrWrongData = errors.New("WRONG DATA")

// WrongData reports whether data failed their verification: whatever shows the result says so first.
func (v Verdict) WrongData() bool {
	return slices.ContainsFunc(v.Criteria, func(c Criterion) bool { return c.Name == RightData && !c.Reached })
}

// Lacking returns the criteria that make a result not valid. Of a run that was ended early it is that alone, behind
// wrong data: what else is missing follows.
func Lacking(criteria []Criterion) (list []Criterion) {
	for _, c := range criteria {
		switch {
		case c.Reached || c.Class != "":
		case c.Name == Complete:
			return append(slices.DeleteFunc(list, func(c Criterion) bool { return c.Name != RightData }), c)
		default:
			list = append(list, c)
		}
	}
	return list
}

// Why returns what is the case where the criterion isn't met.
func (c Criterion) Why() string {
	switch {
	case c.Unknown:
		return "not known: " + c.Text
	case c.Not != "":
		return c.Not
	}
	return "not met: " + c.Text
}

// Met returns whether a criterion is met in a word: "met", "NOT met" with the class that the result then is of, or "NOT
// KNOWN".
func (c Criterion) Met() string {
	switch {
	case c.Reached:
		return "met"
	case c.Unknown:
		return "NOT KNOWN"
	case c.Class != "":
		return "NOT met: of the class " + c.Class
	}
	return "NOT met"
}

// Valid reports whether all criteria are met but those of a class. One that isn't known isn't met.
func Valid(criteria []Criterion) bool {
	return !slices.ContainsFunc(criteria, func(c Criterion) bool { return !c.Reached && c.Class == "" })
}

// ClassOf returns the class that a result is valid for by its criteria; empty: the full one.
func ClassOf(criteria []Criterion) string {
	var classes []string
	for _, c := range criteria {
		if !c.Reached && c.Class != "" {
			classes = append(classes, c.Class)
		}
	}
	return strings.Join(classes, ", ")
}
