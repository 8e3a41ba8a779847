package ofbeffio

import (
	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/foreign"
)

// operations are those of the accesses.
var operations = map[beffio.Access]foreign.Operation{beffio.Write: foreign.Write, beffio.Rewrite: foreign.Rewrite,
	beffio.Read: foreign.Read}

// Common returns the result in the form that results of several programs share: the bandwidth of each access, on each
// number of processes.
func (r Report) Common() *foreign.Result {
	c := &foreign.Result{Identity: r.Identity, Software: r.Software, Imported: r.Imported, Program: "b_eff_io",
		ProgramVersion: r.Beff, Processes: r.Processes, Machine: r.Machine, Period: r.Period, Complete: r.Complete,
		Warnings: r.Warnings}
	for _, p := range r.Derived.Partitions {
		for _, a := range p.Accesses {
			if x := a.Bandwidth; x > 0 {
				c.Tables = append(c.Tables, foreign.Table{Test: string(a.Access), Operation: operations[a.Access],
					Way: foreign.WeightedTypes, Processes: p.Processes,
					Columns: []foreign.Column{{Name: "bandwidth", Quantity: foreign.BytesPerSecond, Main: true}},
					Rows:    []foreign.Row{{Values: []float64{x}}}})
			}
		}
	}
	return c
}
