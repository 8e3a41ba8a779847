package offoreign

import (
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating/journal"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/foreign"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/prove"
)

// Form is the form of result documents, which have a line for each table.
var Form = prove.NewForm("tables", func(r *foreign.Result) *[]foreign.Table { return &r.Tables },
	func(r *foreign.Result) *string { return &r.Digest })

// Report is a result with everything that can be written about it.
type Report struct{ *foreign.Result }

// Header returns the result's identity and machine, for reading and for changes.
func (r Report) Header() parts.Header {
	return parts.Header{Identity: &r.Identity, Machine: &r.Machine, Software: &r.Software, Period: &r.Period,
		Imported: r.Imported, Complete: r.Complete, LocalTime: r.LocalTime, Circumstances: &r.Circumstances,
		Processes: r.Processes, Unproven: unproven}
}

// Sealed writes the result document with its digest.
func (r Report) Sealed(w io.Writer) error { return Form.Seal(w, r.Result) }

// Document returns the whole report, with its figures.
func (r Report) Document() *document.Document { return Document(r.Result) }

// Texts returns the benchmark's own formats.
func (r Report) Texts() []parts.Text { return nil }

// Measured returns the tables.
func (r Report) Measured() any { return r.Result.Tables }

// Bare returns the result itself.
func (r Report) Bare() *foreign.Result { return r.Result }

// Common returns the result in the form that results of several programs share.
func (r Report) Common() *foreign.Result { return r.Result }

// Shape returns the JSON form that result documents must have.
var Shape = sync.OnceValue(func() *prove.Rule {
	names := lists.Each(foreign.Quantities, func(q foreign.Quantity) string { return string(q) })
	return prove.RuleOf[foreign.Result](foreign.Benchmark, foreign.SchemaVersion).Only("tables.columns.quantity",
		names...)
})

// Verify reads a result document and proves as much as possible: that it is whole, and that figures follow from their
// repetitions if there are any.
func Verify(data []byte) (*foreign.Result, error) {
	r, err := prove.Decoded[foreign.Result](data, Shape())
	if err != nil {
		return nil, err
	}
	if err := r.Check(); err != nil {
		return nil, err
	}
	for i, w := range r.Warnings {
		if _, known := unproven[w.Code]; !known {
			return nil, fmt.Errorf("warnings[%d] is %.80q, which isn't known", i, w.Code)
		}
	}
	return r, prove.SameDigest(data, r.Digest, func() (string, error) { return Form.Digest(r) })
}

// unproven maps the codes of warnings to their remedies. Only the file shows whether they are right.
var unproven = map[string]string{
	foreign.Contradiction: "measure again, or ask those who measured which figure is right",
	foreign.Line:          "see these lines in the file: it may have figures that beff didn't read",
}

// Completed returns an error, because no run of beff makes such a result.
func Completed(*journal.Journal) (*foreign.Result, int, error) {
	return nil, 0, errors.New("results of other programs have no journal")
}
