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
	all := columns(s.Class.Benchmark)
	if !slices.ContainsFunc(v.Columns, func(key string) bool { return !strings.HasPrefix(key, "+") }) {
		for _, c := range all {
			usual := !c.chosen || v.Every && c.each
			if slices.Contains(v.Columns, "+"+c.key) || usual && (!c.optional || s.fills(c)) {
				used = append(used, c)
			}
		}
		return s.apart(used, all)
	}
	for _, key := range v.Columns {
		for _, c := range all {
			if c.key == strings.TrimPrefix(key, "+") && (!v.Filled || s.fills(c)) {
				used = append(used, c)
			}
		}
	}
	return used
}

// library is the key of the column that tells a system's rows apart.
const library = "library"

// apart returns columns with the library, which is one of all, behind the system where that tells rows apart.
func (s *Section) apart(used, all []column) []column {
	is := func(key string) func(column) bool { return func(c column) bool { return c.key == key } }
	if !s.byLibrary() || slices.ContainsFunc(used, is(library)) {
		return used
	}
	return slices.Insert(used, slices.IndexFunc(used, is("system"))+1, all[slices.IndexFunc(all, is(library))])
}

// byLibrary reports whether a system has several rows of one size, by several libraries.
func (s *Section) byLibrary() bool {
	type at struct {
		system string
		size
	}
	seen := map[at]string{}
	for i := range s.Rows {
		r := &s.Rows[i]
		k := at{r.System.Name, r.size()}
		if other, again := seen[k]; again && other != r.Library {
			return true
		}
		seen[k] = r.Library
	}
	return false
}

// rows returns the rows of a section in their order, as many as there may be.
func (v View) rows(s *Section) []Row {
	rows := slices.Clone(s.Rows)
	all := columns(s.Class.Benchmark)
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
