package tidy

// Where returns the table with the rows for which a condition holds, which may ask for columns of their result.
func (t *Table) Where(c *Condition, of Row) *Table {
	made, joined := *t, t.Join(of)
	made.Rows = func(yield func([]any) bool) {
		for row := range t.Rows {
			if c.Holds(joined(row)) && !yield(row) {
				return
			}
		}
	}
	return &made
}

// With returns a table with a further first column, which has the same value in all rows.
func (t *Table) With(c Column, value any) *Table {
	made := *t
	made.Columns = append([]Column{c}, t.Columns...)
	made.Rows = func(yield func([]any) bool) {
		whole := make([]any, len(made.Columns))
		whole[0] = value
		for row := range t.Rows {
			copy(whole[1:], row)
			if !yield(whole) {
				return
			}
		}
	}
	return &made
}
