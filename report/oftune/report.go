package oftune

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/effective-bandwidth/beff/foreign"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/rating/journal"
	"github.com/effective-bandwidth/beff/report/compare"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/format/resultfile"
	"github.com/effective-bandwidth/beff/report/offoreign"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/prove"
	"github.com/effective-bandwidth/beff/report/ranking"
	"github.com/effective-bandwidth/beff/report/words"
	"github.com/effective-bandwidth/beff/tune"
)

// Form is the form of result documents, whose samples have a line each.
var Form = resultfile.NewForm("samples", func(r *tune.Result) *[]tune.Sample { return &r.Samples },
	func(r *tune.Result) *string { return &r.Digest })

// Shape returns the rule of result documents.
var Shape = sync.OnceValue(func() *prove.Rule {
	return prove.RuleOf[tune.Result](tune.Benchmark, tune.SchemaVersion)
})

// Report is a result with everything that can be written of it.
type Report struct{ *tune.Result }

// Head returns the result's identity and machine, to be read and to be overridden.
func (r Report) Head() parts.Head {
	return parts.Head{Identity: &r.Identity, Machine: &r.Machine, Software: &r.Software, Period: &r.Period,
		Complete: true, Circumstances: &r.Circumstances, Processes: slices.Max(r.Processes), Sizes: r.Processes}
}

// Sealed writes the result document with its digest.
func (r Report) Sealed(w io.Writer) error { return Form.Seal(w, r.Result) }

// Document returns the whole report.
func (r Report) Document() *document.Document { return Document(r.Result) }

// Texts returns the benchmark's own formats: none.
func (r Report) Texts() []parts.Text { return nil }

// Measured returns the samples.
func (r Report) Measured() any { return r.Samples }

// Bare returns the result alone.
func (r Report) Bare() *tune.Result { return r.Result }

// Entry returns the result as an entry of a list, without the system's name. It has no rating.
func (r Report) Entry() ranking.Entry {
	return ranking.Entry{Class: rating.Class{Benchmark: tune.Benchmark, Engine: rating.EngineOf(r.Engine.Kind())},
		Processes: slices.Max(r.Processes), PerNode: r.PerNode(), Date: r.Started,
		Figures: tune.Figures.Values(r.Result), Kernels: words.First(3, r.Collectives, ", ", "")}
}

// KeyValue writes the result's lines for scripts. The keys of a collective on some processes begin with both; behind a
// rule's stands its first length. Success is 1 for a verified result.
func (r Report) KeyValue(w io.Writer, verified bool) error {
	v := rating.Verdict{Valid: true}
	return parts.KeyValue(w, r.Head(), r.Result, tune.Figures, v, verified, func(k parts.Keys) {
		for _, collective := range r.Collectives {
			for _, n := range r.Processes {
				prefix := fmt.Sprintf("%s_%d_", collective, n)
				s := Standing(r.Result, collective, n)
				k.Plain(prefix+"gain", s.Ratio)
				k.Plain(prefix+"gain_low", s.Low)
				k.Plain(prefix+"gain_high", s.High)
				for _, rule := range tune.Of(r.Derived.Rules, collective, n) {
					k.Text(fmt.Sprintf("%srule_%d", prefix, rule.From), rule.Algorithm.Name)
				}
			}
		}
		k.Text("use", strings.Join(r.Use, " "))
	})
}

// Verify reads a result document and proves it: the choice, the rules and the gains follow from its samples.
func Verify(data []byte) (*tune.Result, error) {
	r, err := prove.Decoded[tune.Result](data, Shape())
	if err != nil {
		return nil, err
	}
	if err := r.Check(); err != nil {
		return nil, err
	}
	stated := *r
	r.Derived = r.Derive()
	if err := rating.Follows("derived", stated.Derived, r.Derived, true); err != nil {
		return r, err
	}
	if kept := len(Kept(r)) > 0; kept != (len(r.Use) > 0) {
		return r, fmt.Errorf("use has %s, and by the samples something is gained: %t",
			words.Count(len(r.Use), "variable"), kept)
	}
	by := prove.Rules{Schema: r.SchemaVersion, Whole: true} // the first version has digests already
	return r, by.SameDigest(data, r.Digest, func() (string, error) { return Form.Digest(&stated) })
}

// Completed returns an error: a campaign's jobs have journals, and itself has none.
func Completed(*journal.Journal) (*tune.Result, int, error) {
	return nil, 0, errors.New("campaigns over algorithms have no journal")
}

// Compared returns the comparison of sides with the first one: the times of calls by default, by each algorithm and
// with the file of rules, as results of other programs are compared.
func Compared(names []string, sides [][]*tune.Result) (*compare.Comparison, error) {
	list := make([][]*foreign.Result, len(sides))
	for i, runs := range sides {
		for _, r := range runs {
			list[i] = append(list[i], common(r))
		}
	}
	return offoreign.Compared(names, list)
}

// common returns the result in the form that results of several programs share: a table for each setting of each
// collective on as many processes.
func common(r *tune.Result) *foreign.Result {
	c := &foreign.Result{Identity: r.Identity, Software: r.Software, Program: "beff tune", ProgramVersion: r.Beff,
		Processes: slices.Max(r.Processes), Machine: r.Machine, Period: r.Period, Complete: true}
	for i := range r.Samples {
		s := &r.Samples[i]
		name := s.Collective + ", " + s.Setting
		at := slices.IndexFunc(c.Tables, func(t foreign.Table) bool {
			return t.Test == name && t.Processes == s.Processes
		})
		if at < 0 {
			at = len(c.Tables)
			c.Tables = append(c.Tables, foreign.Table{Test: name, Processes: s.Processes, Lengths: true,
				Columns: []foreign.Column{{Name: "time", Quantity: foreign.Seconds, Main: true}}})
			for _, bytes := range r.LengthsOf(s.Collective) {
				c.Tables[at].Rows = append(c.Tables[at].Rows, foreign.Row{Bytes: bytes, Values: []float64{0}})
			}
		}
		for k, seconds := range s.Seconds {
			if row := &c.Tables[at].Rows[k]; seconds > 0 {
				row.Each = append(row.Each, seconds)
				row.Values[0], row.Repetitions = row.Derive(), row.Repetitions+1
			}
		}
	}
	return c
}
