package ofior

import (
	"fmt"

	"github.com/effective-bandwidth/beff/foreign"
	"github.com/effective-bandwidth/beff/ior"
	"github.com/effective-bandwidth/beff/report/compare"
	"github.com/effective-bandwidth/beff/report/offoreign"
	"github.com/effective-bandwidth/beff/report/words"
)

// Common returns the result in the form that results of several programs share: a table for each access of each test,
// as the import of IOR's text has them.
func (r Report) Common() *foreign.Result {
	c := &foreign.Result{Identity: r.Identity, Software: r.Software, Program: "IOR", ProgramVersion: r.Beff,
		Processes: r.Processes, Machine: r.Machine, Period: r.Period, Complete: r.Complete, Warnings: r.Warnings}
	for _, p := range r.Derived.Phases {
		s := &r.Tests[p.Test]
		t := foreign.Table{Test: string(p.Access), Operation: foreign.Operation(p.Access), Way: foreign.WholePhase,
			Processes: r.Processes, Settings: commonSettings(s),
			Columns: []foreign.Column{{Name: "bw", Quantity: foreign.BytesPerSecond, Main: true},
				{Name: "IOPS", Quantity: foreign.PerSecond}, {Name: "total(s)", Quantity: foreign.Seconds}}}
		if s.Name != "" {
			t.Test = s.Name
		}
		if s.Stonewall > 0 {
			t.Way = foreign.Stonewalled
		}
		row := foreign.Row{Values: []float64{p.Mean, p.Rate, p.Seconds}}
		list := r.Of(p.Test, p.Access)
		for i := range list {
			row.Each = append(row.Each, list[i].Bandwidth())
			row.Failed = row.Failed || list[i].Wrong > 0
		}
		row.Repetitions = int64(len(list))
		t.Rows = []foreign.Row{row}
		c.Tables = append(c.Tables, t)
	}
	return c
}

// commonSettings are the settings by their names in IOR's text.
func commonSettings(s *ior.Settings) []foreign.Setting {
	return []foreign.Setting{{Name: "api", Value: string(s.API)},
		{Name: "access", Value: words.Either(s.FilePerProcess, "file-per-process", "single-shared-file")},
		{Name: "type", Value: words.Either(s.Collective, "collective", "independent")},
		{Name: "segments", Value: fmt.Sprint(s.Segments)},
		{Name: "ordering in a file", Value: words.Either(s.Random || s.Scattered, "random", "sequential")}}
}

// Compared returns the comparison of sides with the first one, as results of other programs are compared.
func Compared(names []string, sides [][]*ior.Result) (*compare.Comparison, error) {
	list := make([][]*foreign.Result, len(sides))
	for i, runs := range sides {
		for _, r := range runs {
			list[i] = append(list[i], Report{r}.Common())
		}
	}
	return offoreign.Compared(names, list)
}
