package ofior

import (
	"cmp"
	"fmt"

	"github.com/effective-bandwidth/beff/foreign"
	"github.com/effective-bandwidth/beff/ior"
	"github.com/effective-bandwidth/beff/report/compare"
	iortext "github.com/effective-bandwidth/beff/report/format/ior"
	"github.com/effective-bandwidth/beff/report/offoreign"
	"github.com/effective-bandwidth/beff/report/words"
)

// Common returns the result in the form that results of several programs share: a table for each access of each test,
// as the import of IOR's text has them.
func (r Report) Common() *foreign.Result {
	c := &foreign.Result{Identity: r.Identity, Software: r.Software, Program: "IOR", ProgramVersion: r.Beff,
		Processes: r.Processes, Machine: r.Machine, Period: r.Period, Complete: r.Complete, Warnings: r.Warnings}
	if r.Set() {
		c.Program = "IO500-like set"
	}
	if s := r.Derived.Score; s != nil && s.Total > 0 {
		c.Rating = &foreign.Rating{Name: "IO500-like score", Quantity: foreign.Score, Value: s.Total,
			NotValid: !r.Valid}
	}
	for _, p := range r.Derived.Phases {
		s := &r.Tests[p.Test]
		t := foreign.Table{Test: cmp.Or(s.Name, string(p.Access)), Operation: foreign.Operation(p.Access),
			Way: foreign.WholePhase, Processes: r.Processes, Settings: commonSettings(s),
			Columns: []foreign.Column{{Name: "bw", Quantity: foreign.BytesPerSecond, Main: true},
				{Name: "IOPS", Quantity: foreign.PerSecond}, {Name: "total(s)", Quantity: foreign.Seconds}}}
		row := foreign.Row{Values: []float64{p.Mean, p.Rate, p.Seconds}}
		each := (*ior.Sample).Bandwidth
		if s.Metadata != nil {
			t.Operation, t.Way, each = operations[p.Access], foreign.Timed, (*ior.Sample).Rate
			t.Columns, row.Values = []foreign.Column{{Name: "rate", Quantity: foreign.PerSecond, Main: true},
				{Name: "time", Quantity: foreign.Seconds}}, []float64{p.Rate, p.Seconds}
		}
		if s.Stonewall > 0 {
			t.Way = foreign.Stonewalled
		}
		list := r.Of(p.Test, p.Access)
		for i := range list {
			row.Each = append(row.Each, each(&list[i]))
			row.Failed = row.Failed || list[i].Wrong > 0
		}
		row.Repetitions = int64(len(list))
		t.Rows = []foreign.Row{row}
		c.Tables = append(c.Tables, t)
	}
	return c
}

// operations are those of phases of metadata.
var operations = map[ior.Access]foreign.Operation{ior.Write: foreign.CreateFiles, ior.Stat: foreign.StatFiles,
	ior.Read: foreign.ReadFiles, ior.Delete: foreign.RemoveFiles, ior.Find: foreign.FindFiles}

// commonSettings are the settings by their names in IOR's text, and those that it doesn't have by ours: all that change
// what is measured.
func commonSettings(s *ior.Settings) (list []foreign.Setting) {
	add := func(name, value string) { list = append(list, foreign.Setting{Name: name, Value: value}) }
	either := func(name string, is bool, yes, no string) { add(name, words.Either(is, yes, no)) }
	if m := s.Metadata; m != nil {
		add("bytes of a file", fmt.Sprint(m.Bytes))
		either("directories", m.Own, "one of each process", "one of all")
	} else {
		add("api", string(s.API))
		either("access", s.FilePerProcess, "file-per-process", "single-shared-file")
		either("type", s.Collective, "collective", "independent")
		add("segments", fmt.Sprint(s.Segments))
		either("ordering in a file", s.Random || s.Scattered, "random", "sequential")
		either("ordering inter file", s.ShiftNodes > 0, "constant task offset", "no tasks offsets")
		if s.ShiftNodes > 0 {
			add("task offset", fmt.Sprint(s.ShiftNodes))
		}
		add("xfersize", iortext.Size(s.Transfer))
		add("blocksize", iortext.Size(s.Block))
		either("random over all", s.Scattered, "yes", "no")
		either("fsync of each transfer", s.SyncEach, "yes", "no")
		either("barriers", s.Barriers, "yes", "no")
		either("dropped from memory", s.Cold, "yes", "no")
		add("memory filled", fmt.Sprint(s.Filled))
	}
	either("fsync", s.Sync, "yes", "no")
	either("stonewallingTime", s.Stonewall > 0, fmt.Sprintf("%.0f", s.Stonewall), "none")
	either("stoneWallingWearOut", s.WearOut, "1", "0")
	return list
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
