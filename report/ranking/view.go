package ranking

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
)

// View is a choice of what a list shows of its sections.
type View struct {
	Every   bool     // each result has a row of its own, which says when it was measured, and in which file
	Columns []string // keys of columns in their order, or names of several; those with + come beside the usual ones
	Filled  bool     // of the chosen columns only those with something in them
	Sort    string   // key of the column that rows are ordered by; empty: by rank
	Falling bool     // the order is from the highest to the lowest
	Limit   int      // rows of a table; 0: all
	Own     string   // the reader's own system, which is marked; empty: none
	Pages   bool     // readers can't ask beff for other rows: its flags are not named
}

// everything is the name of all columns that have something in them.
const everything = "all"

// Choices returns the names of several columns.
func Choices() []string { return append(slices.Sorted(maps.Keys(names))[1:], everything) }

// Check returns an error if there is no column of a key.
func (v View) Check() error {
	for i, key := range append(slices.Clone(v.Columns), v.Sort) {
		known := Columns()
		if i < len(v.Columns) {
			known = append(known, Choices()...)
		}
		if key = strings.TrimPrefix(key, "+"); key != "" && !slices.Contains(known, key) {
			return unknownColumn(key, known)
		}
	}
	return nil
}

// unknownColumn returns the error of a key that no column has.
func unknownColumn(key string, known []string) error {
	return fmt.Errorf("unknown column %q%s", key, cmp.Or(words.Meant(key, known), ": want "+strings.Join(known, ", ")))
}

// Columns returns the keys of all columns.
func Columns() []string { return keys(func(column) bool { return true }) }

// keys returns the keys of the columns of all benchmarks that are taken, each once.
func keys(take func(column) bool) (keys []string) {
	for _, benchmark := range order {
		for _, c := range columns(benchmark) {
			if take(c) && !slices.Contains(keys, c.key) {
				keys = append(keys, c.key)
			}
		}
	}
	return keys
}

// columns returns the columns of a section.
func (v View) columns(s *Section) (used []column) {
	all, filled := columns(s.Benchmark), v.Filled
	var keys []string
	asked := slices.ContainsFunc(v.Columns, func(key string) bool { return !strings.HasPrefix(key, "+") })
	if !asked {
		keys, filled = slices.Clone(names[usual][s.Benchmark]), filled || s.Benchmark == others
		for _, c := range all { // those beside the usual ones stand before the status, which is last
			more := slices.Contains(v.Columns, "+"+c.key) || v.Every && (c.key == "date" || c.key == "file")
			if more && !slices.Contains(keys, c.key) {
				keys = slices.Insert(keys, len(keys)-1, c.key)
			}
		}
	}
	for _, key := range v.Columns {
		switch of, named := names[key][s.Benchmark]; {
		case key == everything:
			for _, c := range all {
				if !c.optional || s.fills(c) {
					keys = append(keys, c.key)
				}
			}
		case named:
			keys = append(keys, of...)
		case !strings.HasPrefix(key, "+"):
			keys = append(keys, key)
		}
	}
	for _, key := range keys {
		i := slices.IndexFunc(all, func(c column) bool { return c.key == key })
		if i < 0 || filled && !s.fills(all[i]) {
			continue
		}
		if used = append(used, all[i]); key == latency && !asked {
			used[len(used)-1] = all[i].headed("latency")
		}
	}
	return used
}

// rows returns the rows of a section in their order, as many as there may be.
func (v View) rows(s *Section) []Row {
	rows := slices.Clone(s.Rows)
	all := columns(s.Benchmark)
	i := slices.IndexFunc(all, func(c column) bool { return c.key == v.Sort })
	if v.Sort != "" && i >= 0 {
		slices.SortStableFunc(rows, func(a, b Row) int {
			order, missing := compareCells(all[i].cell(&a), all[i].cell(&b))
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
