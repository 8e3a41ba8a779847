package tidy

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
