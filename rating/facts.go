package rating

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/internal/lists"
)

// System describes a machine in its operators' words. None of it is detected, and all of it may be empty. A system.yaml
// has the same names.
type System struct {
	// Name by which results of the same machine are grouped.
	Name string `json:"name,omitempty" yaml:"name"`
	Site string `json:"site,omitempty" yaml:"site"`
	Note string `json:"note,omitempty" yaml:"note"`
	// Maker of the machine.
	Vendor string `json:"vendor,omitempty" yaml:"vendor"`
	// The maker's name of the machine.
	Model string `json:"model,omitempty" yaml:"model"`
	// Year of the installation.
	Year int `json:"year,omitempty" yaml:"year" jsonschema:"minimum=0"`
	// Processors of a node.
	Processor string `json:"processor,omitempty" yaml:"processor"`
	// Nodes of the whole machine.
	Nodes int `json:"nodes,omitempty" yaml:"nodes" jsonschema:"minimum=0"`
	// Processes on a node if the whole machine computes.
	PerNode int `json:"processes_per_node,omitempty" yaml:"processes_per_node" jsonschema:"minimum=0"`
	// Memory of a node in GiB.
	Memory       int    `json:"memory_gib,omitempty" yaml:"memory_gib" jsonschema:"minimum=0"`
	Interconnect string `json:"interconnect,omitempty" yaml:"interconnect"`
	FileSystem   string `json:"file_system,omitempty" yaml:"file_system"`
	// MPI library with its version.
	MPI string `json:"mpi,omitempty" yaml:"mpi"`
	// Rmax of the Linpack benchmark (HPL) on the whole machine, in 10^12 operations per second.
	Rmax float64 `json:"rmax_tflops,omitempty" yaml:"rmax_tflops" jsonschema:"minimum=0"`
}

// Maximum bytes of the names of a system and of its note.
const (
	maxName = 256
	maxNote = 4096
)

// Fact is a statement about a system in its operators' words. Name is "system", "site" or "note".
type Fact struct{ Name, Text string }

// Facts returns the facts that are set. s may be nil.
func (s *System) Facts() []Fact {
	if s == nil {
		return nil
	}
	all := []Fact{{"system", s.Name}, {"site", s.Site}, {"note", s.Note}}
	return lists.Where(all, func(x Fact) bool { return x.Text != "" })
}

// With returns a copy in which one of the facts of Facts is set. s may be nil.
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

// Over returns old with the facts of s that are set in place of its own.
func (s System) Over(old System) System {
	from, to := reflect.ValueOf(s), reflect.ValueOf(&old).Elem()
	for i := range from.NumField() {
		if !from.Field(i).IsZero() {
			to.Field(i).Set(from.Field(i))
		}
	}
	return old
}

// Check returns an error if a text is longer than rankings and reports have room for, or a number is negative or
// infinite.
func (s *System) Check() error {
	v := reflect.ValueOf(*s)
	for i := range v.NumField() {
		name, limit := v.Type().Field(i).Tag.Get("yaml"), maxName
		if name == "note" {
			limit = maxNote
		}
		switch x := v.Field(i); {
		case x.Kind() == reflect.String && x.Len() > limit:
			return fmt.Errorf("the system's %s has %d bytes: at most %d are read", name, x.Len(), limit)
		case x.CanInt() && x.Int() < 0, x.CanFloat() && !(x.Float() >= 0 && x.Float() <= math.MaxFloat64):
			return fmt.Errorf("the system's %s is %v: want a number of at least 0", name, x)
		}
	}
	return nil
}

// Check returns an error if the name is longer than rankings and reports have room for.
func (h *Host) Check() error {
	if len(h.Name) > maxName {
		return fmt.Errorf("the host's name has %d bytes: at most %d are read", len(h.Name), maxName)
	}
	return nil
}

// Host is the machine on which process 0 runs. Facts that could not be found are empty.
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
	// Memory of the node in bytes, or the cgroup's limit if that is less.
	Memory int64 `json:"memory,omitempty"`
	// Active ports of the network adapters, such as "mlx5_0 port 1: InfiniBand, 200 Gb/s, MT4123".
	Interconnect []string `json:"interconnect,omitempty"`
}

// Warning is a fact that readers of the figures should know, with a remedy.
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
	// It isn't known whether the condition is met, which counts as not met. Left out if it is known.
	Unknown bool `json:"unknown,omitempty"`
	// The only class for which the result is valid if the condition isn't met. Left out if all classes need the
	// condition.
	Class string `json:"class,omitempty"`

	// Not is the problem, in plain words, if the condition isn't met; if empty, Text is negated.
	Not string `json:"-"`
	// Remedy is the advice if the condition isn't met, or empty.
	Remedy string `json:"-"`
}

// Names of criteria that are reported before others.
const (
	RightData = "data"     // all data were right; the first criterion of every result
	Complete  = "complete" // the run didn't end early
)

// DataCriterion returns the criterion that all data were right. If they weren't, not has the details, and cause names
// the likely culprit.
func DataCriterion(text string, right bool, not, cause string) Criterion {
	return Criterion{Name: RightData, Text: text, Reached: right, Not: "WRONG DATA: " + not,
		Remedy: cause + " loses data: look there first"}
}

// ErrWrongData is the error of a run that ends because of wrong data. The result's Ended begins with its text.
var ErrWrongData = errors.New("WRONG DATA")

// WrongData reports whether data failed their verification. Outputs show that before anything else.
func (v Verdict) WrongData() bool {
	return slices.ContainsFunc(v.Criteria, func(c Criterion) bool { return c.Name == RightData && !c.Reached })
}

// Unmet returns the criteria that make a result invalid. For a run that ended early these are wrong data, if any, and
// the early end, from which all other missing parts follow.
func Unmet(criteria []Criterion) (list []Criterion) {
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

// Why returns the problem if the criterion isn't met.
func (c Criterion) Why() string {
	switch {
	case c.Unknown:
		return "not known: " + c.Text
	case c.Not != "":
		return c.Not
	}
	return "not met: " + c.Text
}

// Met returns "met", "NOT met" with the class to which the result then belongs, or "NOT KNOWN".
func (c Criterion) Met() string {
	switch {
	case c.Reached:
		return "met"
	case c.Unknown:
		return "NOT KNOWN"
	case c.Class != "":
		return "NOT met: in the class " + c.Class
	}
	return "NOT met"
}

// Valid reports whether all criteria are met, except those that only decide on a class. An unknown one isn't met.
func Valid(criteria []Criterion) bool {
	return !slices.ContainsFunc(criteria, func(c Criterion) bool { return !c.Reached && c.Class == "" })
}

// ClassOf returns the class for which a result is valid by its criteria, or "" for the full class.
func ClassOf(criteria []Criterion) string {
	missed := lists.Where(criteria, func(c Criterion) bool { return !c.Reached && c.Class != "" })
	return strings.Join(lists.Each(missed, func(c Criterion) string { return c.Class }), ", ")
}
