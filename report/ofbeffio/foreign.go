package ofbeffio

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/report/foreign"
	"github.com/effective-bandwidth/beff/report/words"
)

// Common returns the result in the form that the results of all programs share. It has the same tables as an imported
// .sum of release 2.1: for each number of processes, the bandwidth of each access, of its pattern types and of their
// chunk sizes.
func (r Report) Common() *foreign.Result {
	c := &foreign.Result{Identity: r.Identity, Software: r.Software, Program: "b_eff_io",
		ProgramVersion: r.Beff, Processes: r.Processes, Machine: r.Machine, Period: r.Period, Complete: r.Complete,
		Warnings: r.Warnings}
	if x := r.Derived.Release21; x > 0 {
		c.Rating = &foreign.Rating{Name: foreign.BEffIO, Quantity: foreign.BytesPerSecond, Value: x,
			NotValid: !r.Valid}
	}
	settings := []foreign.Setting{{Name: foreign.MemoryPerProcess,
		Value: fmt.Sprintf("%d MiB", r.MemoryPerProcess/words.Mebi)}}
	for n, p := range r.Derived.Partitions {
		add := func(test string, rows func(t *foreign.Table)) {
			t := foreign.BandwidthsOf(test, p.Processes, settings)
			if rows(&t); len(t.Rows) > 0 {
				c.Tables = append(c.Tables, t)
			}
		}
		row := func(t *foreign.Table, bytes int64, label string, x float64) {
			if x > 0 {
				t.Rows = append(t.Rows, foreign.Row{Bytes: bytes, Label: label, Values: []float64{x}})
			}
		}
		for _, a := range p.Accesses {
			add(string(a.Access), func(t *foreign.Table) { row(t, 0, "", a.Bandwidth) })
			add(foreign.ByType(string(a.Access)), func(t *foreign.Table) {
				for _, kind := range beffio.Types() {
					row(t, 0, kind.String(), a.Types[kind])
				}
			})
			for _, kind := range beffio.Types() {
				add(foreign.ByChunk(string(a.Access), kind.String()), func(t *foreign.Table) {
					t.Lengths = true
					for _, x := range r.Patterns {
						if x.Type == kind && x.Units > 0 && !x.IsNumber2() {
							row(t, x.Disk, "", r.Bandwidth(n, a.Access, x.Number))
						}
					}
					slices.SortFunc(t.Rows, func(x, y foreign.Row) int { return cmp.Compare(x.Bytes, y.Bytes) })
				})
			}
		}
		add(foreign.Pattern2, func(t *foreign.Table) {
			for _, a := range beffio.Accesses() {
				for _, x := range r.Patterns {
					if x.IsNumber2() {
						row(t, 0, string(a), r.Bandwidth(n, a, x.Number))
					}
				}
			}
		})
	}
	return c
}
