package ofprobe

import (
	"errors"
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/rating/journal"
	"github.com/effective-bandwidth/beff/report/prove"
	"github.com/effective-bandwidth/beff/report/schema"
	"github.com/effective-bandwidth/beff/report/words"
)

var probe1 = prove.Compiled(func() string { return schema.Of(probe.Benchmark, probe.SchemaVersion) })

// Verify reads a probe's result document and proves it, with results as ofbeff.Verify has them: each row's figures and
// the verdict follow from its samples.
func Verify(data []byte) (*probe.Result, error) {
	r, err := read(data)
	if err != nil {
		return nil, err
	}
	if err := r.Check(); err != nil {
		return nil, err
	}
	stated := copied(r)
	probe.Rederive(r)
	if err := sameRows(stated, r); err != nil {
		return r, err
	}
	if len(r.Criteria) > 0 { // versions of before had no verdict
		judged := r.JudgeRun()
		if err := errors.Join(prove.SameCriteria(stated.Verdict(), judged.Criteria, stated.SchemaVersion),
			prove.SameSigns(stated.Verdict(), judged.Signs)); err != nil {
			return r, err
		}
	}
	return r, prove.SameDigest(data, stated.Digest, func() (string, error) { return Form.Digest(stated) })
}

// read returns the result in a document of the schema's shape.
func read(data []byte) (*probe.Result, error) {
	decoded := func(text []byte) (*probe.Result, error) {
		return prove.Decoded[probe.Result](text, probe1)
	}
	return Form.Read(data, nil, decoded)
}

// Completed returns the result of a run that has not ended, as ofbeff.Completed does.
func Completed(left *journal.Journal) (r *probe.Result, unread int, err error) {
	if r, err = read(left.Head.Document); err != nil {
		return nil, 0, err
	}
	m, unread := journal.Replay(left.Records, (*probe.Measured).Add)
	r.CPU, r.Factors, r.Clock, r.WallSeconds, r.Digest = m.CPU, m.Factors, m.Clock, m.WallSeconds, ""
	r.Waits = left.Waits
	if m.Blocks != nil {
		r.Blocks = m.Blocks
	}
	if err := r.Check(); err != nil {
		return nil, unread, err
	}
	probe.Rederive(r)
	if w, ok := rating.WaitWarning(r.Waits); ok {
		r.Warnings = append(slices.DeleteFunc(r.Warnings, func(x rating.Warning) bool { return x.Code == w.Code }), w)
	}
	return r, unread, nil
}

// copied returns a copy of a result with rows of its own.
func copied(r *probe.Result) *probe.Result {
	c := *r
	c.Blocks = slices.Clone(r.Blocks)
	for i := range c.Blocks {
		c.Blocks[i].Rows = slices.Clone(r.Blocks[i].Rows)
	}
	return &c
}

// sameRows returns an error if the figures of a row are not those that its samples give.
func sameRows(have, want *probe.Result) error {
	for i, b := range have.Blocks {
		for j, row := range b.Rows {
			again := &want.Blocks[i].Rows[j]
			name := fmt.Sprintf("%s of %s, %d bytes: ", b.Kernel, words.Processes(b.Processes), row.Bytes)
			if err := have.CheckEndings(&b, &row); err != nil {
				return fmt.Errorf("%s%w", name, err)
			}
			for _, x := range []struct {
				figures    string
				have, want any
			}{
				{"derived", row.Derived, again.Derived}, {"statistics", row.Statistics, again.Statistics},
				{"verdicts", row.Verdicts, again.Verdicts},
			} {
				if err := rating.Follows(name+x.figures, x.have, x.want); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
