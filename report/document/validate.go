package document

import (
	"errors"
	"fmt"

	"github.com/effective-bandwidth/beff/report/words"
)

// An ID becomes the name of a file, the target of a link, and a part of #sort=ID:1:desc.
var idForm = words.MustCompile(`^[a-z0-9][a-z0-9_-]*$`)

// Validate returns an error if an ID is used twice or can't be a file name, a row does not fit its table, or a block or
// a drawing is missing. Every writer calls it first. NaN and infinities are not errors: their cells are written empty.
func (d *Document) Validate() error {
	ids := ids{}
	for i := range d.Notices {
		if _, ok := levelWords[d.Notices[i].Level]; !ok {
			return fmt.Errorf("document: notice %d has the unknown level %d", i+1, d.Notices[i].Level)
		}
	}
	if f := d.Lead.Figure; f != nil {
		if err := validateBlock(ids, f); err != nil {
			return fmt.Errorf("document: first page: %w", err)
		}
	}
	for i := range d.Sections {
		s := &d.Sections[i]
		if err := ids.add("section", s.ID); err != nil {
			return fmt.Errorf("document: %w", err)
		}
		for k, b := range s.Blocks {
			if err := validateBlock(ids, b); err != nil {
				return fmt.Errorf("document: section %s, block %d: %w", s.ID, k+1, err)
			}
		}
	}
	return nil
}

// ids holds the IDs seen so far, each with the kind of its part.
type ids map[string]string

func (seen ids) add(kind, id string) error {
	if !idForm().MatchString(id) {
		return fmt.Errorf("%s has the ID %q: want lower case letters, digits and dashes", kind, id)
	}
	if other, ok := seen[id]; ok {
		return fmt.Errorf("the ID %s is used twice, by a %s and by a %s", id, other, kind)
	}
	seen[id] = kind
	return nil
}

func validateBlock(seen ids, b Block) error {
	switch b := b.(type) {
	case Paragraph, List:
		return nil
	case *Table:
		if b == nil {
			return errors.New("the table is missing")
		}
		return errors.Join(seen.add("table", b.ID), b.validate())
	case *Figure:
		if b == nil {
			return errors.New("the figure is missing")
		}
		return errors.Join(seen.add("figure", b.ID), b.validate())
	}
	return fmt.Errorf("no writer knows a block of type %T", b)
}

func (t *Table) validate() error {
	if len(t.Columns) == 0 {
		return fmt.Errorf("table %s has no columns", t.ID)
	}
	for i, row := range t.Rows {
		if len(row) != len(t.Columns) {
			return fmt.Errorf("table %s has %d columns, its row %d has %d cells", t.ID, len(t.Columns), i+1, len(row))
		}
	}
	if t.Footer != nil && len(t.Footer) != len(t.Columns) {
		return fmt.Errorf("table %s has %d columns, its footer has %d cells", t.ID, len(t.Columns), len(t.Footer))
	}
	return nil
}

func (f *Figure) validate() error {
	if f.Drawing == nil {
		return fmt.Errorf("figure %s has no drawing", f.ID)
	}
	// Beyond these limits a figure is a line, and the memory of its PNG has no bound.
	if a := f.Aspect(); !(a >= 0.01 && a <= 100) {
		return fmt.Errorf("figure %s is %v times as high as wide: want 0.01 to 100", f.ID, a)
	}
	return nil
}
