package ranking

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
)

// View is a choice of what a list shows of its sections.
type View struct {
	Every   bool     // each result has a row of its own, which says when, with which library, and in which file
	Columns []string // keys of the columns in their order; those that begin with + come beside the usual ones
	Filled  bool     // of the chosen columns only those with something in them
	Sort    string   // key of the column that rows are ordered by; empty: by rank
	Falling bool     // the order is from the highest to the lowest
	Limit   int      // rows of a section; 0: all
}

// Check returns an error if there is no column of a key.
func (v View) Check() error {
	for _, key := range append(slices.Clone(v.Columns), v.Sort) {
		if key = strings.TrimPrefix(key, "+"); key != "" && !slices.Contains(Columns(), key) {
			return unknownColumn(key, Columns())
		}
	}
	return nil
}

// unknownColumn returns the error of a key that no column has.
func unknownColumn(key string, known []string) error {
	if near := words.Nearest(key, known); near != "" {
		return fmt.Errorf("unknown column %q: did you mean %s?", key, near)
	}
	return fmt.Errorf("unknown column %q: want %s", key, strings.Join(known, ", "))
}

// Columns returns the keys of all columns.
func Columns() (keys []string) {
	for _, c := range list {
		if !slices.Contains(keys, c.key()) {
			keys = append(keys, c.key())
		}
	}
	return keys
}

// key returns the column's name as users write it: per-node, within-the-run.
func (c *column) key() string {
	return strings.ReplaceAll(strings.TrimPrefix(c.Name, "± "), " ", "-")
}

// has reports whether the column can be in sections of a benchmark.
func (c *column) has(benchmark string) bool {
	return c.of == benchmark || c.of == "" && !(c.ofRatings && unrated(benchmark))
}

// columns returns the columns of a section.
func (v View) columns(s *Section) (used []column) {
	plain := !slices.ContainsFunc(v.Columns, func(key string) bool { return !strings.HasPrefix(key, "+") })
	for _, c := range list {
		usual := !c.chosen || v.Every && c.each
		if plain && c.has(s.Class.Benchmark) && (slices.Contains(v.Columns, "+"+c.key()) ||
			usual && (!c.optional || s.fills(c))) {
			used = append(used, c)
		}
	}
	if plain {
		return used
	}
	for _, key := range v.Columns {
		for _, c := range list {
			if c.key() == strings.TrimPrefix(key, "+") && c.has(s.Class.Benchmark) && (!v.Filled || s.fills(c)) {
				used = append(used, c)
			}
		}
	}
	return used
}

// rows returns the rows of a section in their order, as many as there may be.
func (v View) rows(s *Section) []Row {
	rows := slices.Clone(s.Rows)
	i := slices.IndexFunc(list, func(c column) bool { return c.key() == v.Sort && c.has(s.Class.Benchmark) })
	if v.Sort != "" && i >= 0 {
		slices.SortStableFunc(rows, func(a, b Row) int {
			order, missing := compareCells(list[i].cell(&a), list[i].cell(&b))
			if v.Falling && !missing {
				return -order
			}
			return order
		})
	}
	if v.Limit > 0 {
		rows = rows[:min(v.Limit, len(rows))]
	}
	return rows
}

// compareCells returns the order of two cells: numbers by their value, texts by their letters, what is missing last.
func compareCells(a, b document.Cell) (order int, missing bool) {
	if none := compareBool(isEmpty(b), isEmpty(a)); none != 0 {
		return none, true
	}
	if a.Value != nil && b.Value != nil {
		return cmp.Compare(*a.Value, *b.Value), false
	}
	return strings.Compare(strings.ToLower(a.Text), strings.ToLower(b.Text)), false
}

// isEmpty reports whether a cell has nothing in it.
func isEmpty(c document.Cell) bool { return c.Text == "" || c.Text == "-" }
