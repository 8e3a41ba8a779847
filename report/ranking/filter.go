package ranking

import (
	"slices"

	"github.com/effective-bandwidth/beff/report/tidy"
	"github.com/effective-bandwidth/beff/report/words"
)

// states are the columns of results with the values 1 and 0.
var states = []struct {
	name string
	of   func(*Entry) bool
}{
	{"valid", func(e *Entry) bool { return e.Status.Valid() }},
	{"noisy", func(e *Entry) bool { return e.Status == Noisy }},
	{"slowed", func(e *Entry) bool { return e.Status == Slowed }},
	{"verified", func(e *Entry) bool { return e.Status != Unverified }},
}

// tidy describes the column for a table whose rows are results.
func (c column) tidy() tidy.Column {
	made := tidy.Column{Name: tidy.KeyOf(c.key), Unit: c.base, About: c.Name}
	if c.Numbers {
		made.Kind = tidy.Real
	}
	return made
}

// Fields returns the columns with a name, or all columns for an empty name, in tables whose rows are results: the
// columns of lists, and states.
func Fields(name string) (list []tidy.Column) {
	add := func(c tidy.Column) {
		if (name == "" || c.Name == tidy.KeyOf(name)) && !slices.Contains(list, c) {
			list = append(list, c)
		}
	}
	for _, benchmark := range order {
		for _, c := range columns(benchmark) {
			if !c.ofRow {
				add(c.tidy())
			}
		}
	}
	for _, s := range states {
		add(tidy.Column{Name: s.name, Kind: tidy.Integer, Unit: tidy.YesNo})
	}
	return list
}

// Row returns the entry as a row of such a table.
func (e *Entry) Row() tidy.Row {
	all := columns(e.Benchmark)
	return func(name string) (tidy.Column, any, bool) {
		name = tidy.KeyOf(name)
		for _, s := range states {
			if s.name == name {
				x := words.Either(s.of(e), 1, int64(0))
				return tidy.Column{Name: name, Kind: tidy.Integer, Unit: tidy.YesNo}, x, true
			}
		}
		i := slices.IndexFunc(all, func(c column) bool { return !c.ofRow && tidy.KeyOf(c.key) == name })
		if i < 0 {
			return tidy.Column{}, nil, false
		}
		made, cell := all[i].tidy(), all[i].cell(&Row{Entry: e, Runs: 1})
		switch {
		case isEmpty(cell), made.Kind != tidy.Text && cell.Value == nil:
			return made, nil, true
		case made.Kind == tidy.Text:
			return made, cell.Text, true
		}
		return made, *cell.Value * all[i].scale, true
	}
}
