package tidy

import "slices"

// Fact is a column of a result with its value.
type Fact struct {
	Column
	Value any
}

// Join returns a function that makes a Row of a row's values: it looks up the table's columns first, then the result's.
func (t *Table) Join(of Row) func(values []any) Row {
	at := map[string]int{}
	for i, c := range t.Columns {
		at[c.Name] = i
	}
	known := map[string]Fact{} // the result's columns are the same in all rows
	return func(values []any) Row {
		return func(name string) (Column, any, bool) {
			name = KeyOf(name)
			if i, own := at[name]; own {
				return t.Columns[i], values[i], true
			}
			f, seen := known[name]
			if !seen {
				if c, x, has := of(name); has {
					f = Fact{c, x}
				}
				known[name] = f
			}
			return f.Column, f.Value, f.Name != ""
		}
	}
}

// Has reports whether the table has a column of that name.
func (t *Table) Has(name string) bool {
	return slices.ContainsFunc(t.Columns, func(c Column) bool { return c.Name == KeyOf(name) })
}

// Where returns the table with only the rows that meet c, which may also refer to columns of their result.
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

// With returns the table with an additional first column, which has the same value in all rows.
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
