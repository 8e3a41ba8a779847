package ofprobe

import (
	"fmt"
	"slices"
	"sync"

	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/method"
	"github.com/effective-bandwidth/beff/probe/suites"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/rating/journal"
	"github.com/effective-bandwidth/beff/report/prove"
	"github.com/effective-bandwidth/beff/report/words"
)

// Shape returns the JSON form that result documents must have.
var Shape = sync.OnceValue(func() *prove.Rule {
	components, methods := suites.Words()
	return prove.RuleOf[probe.Result](probe.Benchmark, probe.SchemaVersion).Only("blocks.component", components...).
		Only("settings.method", methods...)
})

// Verify reads a probe's result document and proves it: each row's figures must follow from the row's samples, and the
// verdict from the result. If only these differ, it returns the result computed again, not valid, and the error.
func Verify(data []byte) (*probe.Result, error) {
	r, err := read(data)
	if err != nil {
		return nil, err
	}
	if err := r.Check(); err != nil {
		return nil, err
	}
	stated := copied(r)
	rules := prove.RulesOf(r.Software, r.Environment, measured.Unproven)
	probe.Rederive(r)
	if err = sameRows(stated, r); err == nil {
		err = r.CheckLengths()
	}
	have, made := stated.Verdict(), judged(r)
	if err == nil {
		err = rules.SameVerdict(have, made)
	}
	r.SetVerdict(rules.Shown(have, made))
	r.Valid = r.Valid && err == nil
	if err == nil {
		err = prove.SameDigest(data, stated.Digest, func() (string, error) { return Form.Digest(stated) })
	}
	return r, err
}

// judged returns the verdict that follows from a result.
func judged(r *probe.Result) rating.Verdict {
	made := *r
	if made.Ended = ""; !r.Complete {
		made.Ended = r.EndError(false).Error()
	}
	made.Conclude(nil)
	return made.Verdict()
}

// read returns the result in a document of the schema's shape.
func read(data []byte) (*probe.Result, error) {
	return prove.Decoded[probe.Result](data, Shape())
}

// Completed returns the result of a run that has not ended, and the number of unreadable records of its journal.
func Completed(left *journal.Journal) (*probe.Result, int, error) {
	return prove.Completed(left, read, (*measured.Outcome).Add, func(r *probe.Result, m *measured.Outcome) error {
		r.CPU, r.Factors, r.Clock, r.WallSeconds, r.Digest = m.CPU, m.Factors, m.Clock, m.WallSeconds, ""
		r.Waits, r.Complete, r.Ended = left.Waits, false, rating.ErrUnderWay.Error()
		if m.Blocks != nil {
			r.Blocks = m.Blocks
		}
		if err := r.Check(); err != nil {
			return err
		}
		probe.Rederive(r)
		r.Conclude(slices.DeleteFunc(r.Warnings, func(w rating.Warning) bool {
			return measured.Unproven[w.Code] == ""
		}))
		return nil
	})
}

// copied returns a copy of a result. The copy has its own rows.
func copied(r *probe.Result) *probe.Result {
	c := *r
	c.Blocks = slices.Clone(r.Blocks)
	for i := range c.Blocks {
		c.Blocks[i].Rows = slices.Clone(r.Blocks[i].Rows)
	}
	return &c
}

// sameRows returns an error if the figures of a row don't follow from its samples.
func sameRows(have, want *probe.Result) error {
	for i, b := range have.Blocks {
		k, _ := have.Kernel(&b) // it is known: the result was checked
		for j, row := range b.Rows {
			again := &want.Blocks[i].Rows[j]
			name := fmt.Sprintf("%s of %s, %d bytes: ", b.Kernel, words.Processes(b.Processes), row.Bytes)
			if err := method.CheckEndings(&have.Settings, k, &row); err != nil {
				return fmt.Errorf("%s%w", name, err)
			}
			for _, x := range []struct {
				figures    string
				have, want any
			}{
				{"derived", row.Derived, again.Derived}, {"statistics", row.Statistics, again.Statistics},
				{"verdicts", row.Verdicts, again.Verdicts}, {"judgement", row.Judgement, again.Judgement},
				{"across", row.Across, again.Across},
			} {
				if err := rating.Follows(name+x.figures, x.have, x.want); err != nil {
					return err
				}
			}
		}
	}
	return rating.Follows("impacts", have.Impacts, want.Impacts)
}
