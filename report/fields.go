package report

import (
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/report/ranking"
	"github.com/effective-bandwidth/beff/report/tidy"
	"github.com/effective-bandwidth/beff/report/words"
)

// measurements returns the tables of measurements, without their rows: tables of figures first, then tables of samples.
func measurements() []*tidy.Table {
	list := slices.DeleteFunc(AllTables(), func(t *tidy.Table) bool {
		return t.Name == "runs" || t.Name == "figures" || t.Name == "criteria"
	})
	slices.SortStableFunc(list, byRows)
	return list
}

// byRows compares tables of measurements for this order.
func byRows(a, b *tidy.Table) int {
	rows := func(t *tidy.Table) int { return words.Either(strings.HasSuffix(t.Name, "_rows"), 0, 1) }
	return rows(a) - rows(b)
}

// Fields returns the columns with a name that rows of results may have, or all columns for an empty name.
func Fields(name string) (list []tidy.Column) {
	for _, t := range measurements() {
		for _, c := range t.Columns[1:] {
			if name == "" || c.Name == tidy.KeyOf(name) {
				list = append(list, c)
			}
		}
	}
	return append(ranking.Fields(name), list...)
}

// OfResults reports whether a condition uses only columns of rankings, and so selects whole results.
func OfResults(c *tidy.Condition) bool {
	return !slices.ContainsFunc(c.Names(), func(name string) bool { return len(ranking.Fields(name)) == 0 })
}
