package ranking

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
)

// View selects the columns and rows of a list.
type View struct {
	Every   bool     // a row for each result, with its date and file
	Columns []string // keys of columns in order, or names of selections; a key with + adds to the default columns
	Filled  bool     // leave out chosen columns that are empty
	Sort    string   // key of the column to sort by; empty for the rank
	Falling bool     // sort from the highest to the lowest
	Limit   int      // most rows of a table; 0 for all
	Own     string   // the reader's own system, which is marked; may be empty
	Pages   bool     // for readers who can't call beff, so its flags are not mentioned
}

// everything is the name of the selection of all columns that aren't empty.
const everything = "all"

// Choices returns the names of selections of columns.
func Choices() []string { return append(slices.Sorted(maps.Keys(names))[1:], everything) }

// Check returns an error if some key has no column.
func (v View) Check() error {
	for i, key := range append(slices.Clone(v.Columns), v.Sort) {
		known := Columns()
		if i < len(v.Columns) {
			known = append(known, Choices()...)
		}
		if key = strings.TrimPrefix(key, "+"); key != "" && !slices.Contains(known, key) {
			return fmt.Errorf("unknown column %q%s", key,
				cmp.Or(words.DidYouMean(key, known), ": want "+strings.Join(known, ", ")))
		}
	}
	return nil
}

// Columns returns the keys of all columns.
func Columns() []string { return keys(func(column) bool { return true }) }

// keys returns the distinct keys of the columns of all benchmarks for which take is true.
func keys(take func(column) bool) []string {
	taken := lists.Where(lists.Flat(order, columns), take)
	return lists.Unique(lists.Each(taken, func(c column) string { return c.key }))
}

// columns returns the columns to show for a section.
func (v View) columns(s *Section) (used []column) {
	all, filled := columns(s.Benchmark), v.Filled
	var keys []string
	asked := slices.ContainsFunc(v.Columns, func(key string) bool { return !strings.HasPrefix(key, "+") })
	if !asked {
		keys, filled = slices.Clone(names[usual][s.Benchmark]), filled || s.Benchmark == others
		if s.Sizes("") != nil { // the picture over the sizes shows the bandwidth of a process
			at := slices.Index(keys, interval) + 1
			keys = slices.Insert(keys, at, lists.Where([]string{perProcess}, func(key string) bool {
				return slices.ContainsFunc(all, func(c column) bool { return c.key == key })
			})...)
		}
		for _, c := range all { // added columns precede the status, which is last
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
		used = append(used, all[i])
		if short := map[string]string{latency: "latency", perProcess: "per proc"}[key]; short != "" && !asked {
			used[len(used)-1] = all[i].headed(short)
		}
	}
	return append(used, s.marks(all, used)...)
}

// marks returns the columns of the status that are missing beside figures which must not be read without them.
func (s *Section) marks(all, used []column) (list []column) {
	has := func(is func(column) bool) bool { return slices.ContainsFunc(used, is) }
	for _, c := range all {
		of := func(r *Row) *Entry { return r.Entry }
		if c.key == statusIO {
			of = func(r *Row) *Entry { return r.IO }
		} else if c.key != status {
			continue
		}
		bad := slices.ContainsFunc(s.Rows, func(r Row) bool {
			e := of(&r)
			return e != nil && (e.Status > Published || e.UnderWay)
		})
		if bad && has(func(u column) bool { return u.isFigure && u.isIO == (c.key == statusIO) }) &&
			!has(func(u column) bool { return u.key == c.key }) {
			list = append(list, c)
		}
	}
	return list
}

// rows returns the rows of a section, sorted and limited.
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

// compareCells compares two cells: numbers by value, texts by letters, with empty cells last.
func compareCells(a, b document.Cell) (order int, missing bool) {
	if none := compareBool(isEmpty(b), isEmpty(a)); none != 0 {
		return none, true
	}
	if a.Value != nil && b.Value != nil {
		return cmp.Compare(*a.Value, *b.Value), false
	}
	return strings.Compare(strings.ToLower(a.Text), strings.ToLower(b.Text)), false
}

// isEmpty reports whether a cell is empty.
func isEmpty(c document.Cell) bool { return c.Text == "" || c.Text == "-" }
