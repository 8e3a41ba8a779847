package offoreign

import (
	"fmt"
	"io"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/foreign"
	"github.com/effective-bandwidth/beff/report/parts"
)

// KeyValue writes lines for scripts: the main figures of each row of a test, or in tests over lengths only of the rows
// for the shortest and the longest length. Keys begin with the table's name, the number of processes if it is known,
// and the length or the row's name. Success is 1 if verified is true, and the result is neither doubtful nor not valid.
func (r Report) KeyValue(w io.Writer, verified bool) error {
	n := r.Failed()
	v := rating.Verdict{Warnings: r.Warnings, Valid: r.status().Counts()}
	return parts.KeyValue(w, r.Header(), r.Result, foreign.Figures, v, verified, func(k parts.Keys) {
		k.Text("program", r.Program)
		k.Text("program_version", r.ProgramVersion)
		if x := r.Rating; x != nil {
			k.In(quantities[x.Quantity].unit, parts.KeyName(x.Name), x.Value)
		}
		for i, name := range foreign.Names(r.Result.Tables) {
			tableKeys(k, name, &r.Result.Tables[i])
		}
		k.Text("failed", fmt.Sprint(n))
	})
}

// tableKeys writes the keys of a table.
func tableKeys(k parts.Keys, name string, t *foreign.Table) {
	for i, row := range t.Rows {
		if t.Lengths && i > 0 && i < len(t.Rows)-1 {
			continue
		}
		key := parts.KeyName(name)
		if t.Processes > 0 {
			key += fmt.Sprintf("_%d", t.Processes)
		}
		if t.Lengths {
			key += fmt.Sprintf("_%d", row.Bytes)
		}
		if row.Label != "" {
			key += "_" + parts.KeyName(row.Label)
		}
		for _, c := range t.Mains() {
			k.In(quantities[t.Columns[c].Quantity].unit, key, row.Values[c])
		}
	}
}
