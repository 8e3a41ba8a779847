package parts

import (
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/report/document"
)

// Table defines a table with rows of type R by its columns and the cell that each column has in a row. Its zero value
// is ready to use.
type Table[R any] struct {
	columns []document.Column
	cells   []func(R) document.Cell
}

// If returns t if is is true. Otherwise it returns an unused table, so that columns added to it are dropped.
func (t *Table[R]) If(is bool) *Table[R] {
	if is {
		return t
	}
	return new(Table[R])
}

// Add adds a column.
func (t *Table[R]) Add(column document.Column, cell func(R) document.Cell) {
	t.columns, t.cells = append(t.columns, column), append(t.cells, cell)
}

// Text adds a column of texts.
func (t *Table[R]) Text(name string, text func(R) string) {
	t.Add(document.Column{Name: name}, func(r R) document.Cell { return document.Text(text(r)) })
}

// Number adds a column of numbers in a unit.
func (t *Table[R]) Number(name, unit string, cell func(R) document.Cell) {
	t.Add(document.Column{Name: name, Unit: unit, Numbers: true}, cell)
}

// Row returns the cells of a row.
func (t *Table[R]) Row(r R) []document.Cell {
	return lists.Each(t.cells, func(cell func(R) document.Cell) document.Cell { return cell(r) })
}

// Of adds the columns and rows to the document's table d, and returns it.
func (t *Table[R]) Of(d *document.Table, rows []R) *document.Table {
	d.Columns = t.columns
	for _, r := range rows {
		d.Rows = append(d.Rows, t.Row(r))
	}
	return d
}
