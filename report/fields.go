package report

import (
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/report/ranking"
	"github.com/effective-bandwidth/beff/report/tidy"
	"github.com/effective-bandwidth/beff/report/words"
)

// measurements returns the tables of measurements without rows: those of figures of rows first, then those of samples.
func measurements() []*tidy.Table {
	list := slices.DeleteFunc(AllTables(), func(t *tidy.Table) bool {
		return t.Name == "runs" || t.Name == "figures" || t.Name == "criteria"
	})
	slices.SortStableFunc(list, byRows)
	return list
}

// byRows is the order of measurements.
func byRows(a, b *tidy.Table) int {
	rows := func(t *tidy.Table) int { return words.Either(strings.HasSuffix(t.Name, "_rows"), 0, 1) }
	return rows(a) - rows(b)
}

// Fields returns the columns of a name in all rows that results have; of an empty name all.
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

// OfResults reports whether rankings have all names of a condition, so that it chooses results.
func OfResults(c *tidy.Condition) bool {
	return !slices.ContainsFunc(c.Names(), func(name string) bool { return len(ranking.Fields(name)) == 0 })
}
