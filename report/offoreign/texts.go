package offoreign

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/effective-bandwidth/beff/foreign"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
)

// CSV writes a line for each figure: seconds, bytes per second and so on, with the unit that was printed beside it.
// The figures of single repetitions have lines of their own, with their number from 1 on.
func CSV(w io.Writer, r *foreign.Result) error {
	out := csv.NewWriter(w)
	lines := [][]string{{"program", "version", "test", "operation", "way", "processes", "bytes", "label", "repetitions",
		"repetition", "column", "quantity", "value", "printed_in"}}
	exact := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	for i := range r.Tables {
		t := &r.Tables[i]
		main := t.Mains()[0]
		for _, row := range t.Rows {
			bytes := ""
			if t.Lengths {
				bytes = fmt.Sprint(row.Bytes)
			}
			line := func(k int, repetition string, x float64) {
				c := t.Columns[k]
				lines = append(lines, []string{r.Program, words.OneLine(r.ProgramVersion), words.OneLine(t.Test),
					string(t.Operation), string(t.Way), fmt.Sprint(t.Processes), bytes, words.OneLine(row.Label),
					fmt.Sprint(row.Repetitions), repetition, words.OneLine(c.Name), string(c.Quantity), exact(x),
					words.OneLine(c.Printed)})
			}
			for k, x := range row.Values {
				line(k, "", x)
			}
			for n, x := range row.Each {
				line(main, fmt.Sprint(n+1), x)
			}
		}
	}
	return out.WriteAll(lines)
}

// KeyValue writes lines for scripts: of each test the main figures of its rows, of those over lengths at the shortest
// and the longest length. Keys begin with the test, the number of processes if it is known, and the length or the
// row's name. Success is 1 if the file was whole and the program found no wrong data.
func KeyValue(w io.Writer, r *foreign.Result, verified bool) error {
	k := parts.NewKeys(w)
	started := ""
	if !r.Started.IsZero() {
		started = r.Started.UTC().Format(time.RFC3339)
	}
	for _, line := range [][2]string{
		{"benchmark", r.Benchmark}, {"schema_version", fmt.Sprint(r.SchemaVersion)}, {"program", r.Program},
		{"program_version", r.ProgramVersion}, {"system", parts.NameOf(r.System, r.Host)}, {"host", r.Host.Name},
		{"library", r.Engine.Library}, {"library_version", r.Engine.Version}, {"imported", r.Imported},
		{"started", started},
	} {
		k.Text(line[0], line[1])
	}
	k.Stated(r.System)
	k.Plain("processes", float64(r.Processes))
	if x := r.Rating; x != nil {
		figureKey(k, parts.KeyName(x.Name), x.Quantity, x.Value)
	}
	for i := range r.Tables {
		tableKeys(k, &r.Tables[i])
	}
	n := r.Failed()
	k.Text("failed", fmt.Sprint(n))
	k.Text("warnings", fmt.Sprint(len(r.Warnings)))
	k.Text("verified", parts.Flag(verified))
	k.Text("Success", parts.Flag(verified && r.Complete && n == 0 && (r.Rating == nil || !r.Rating.NotValid)))
	return k.Flush()
}

// tableKeys writes the keys of a table.
func tableKeys(k parts.Keys, t *foreign.Table) {
	for i, row := range t.Rows {
		if t.Lengths && i > 0 && i < len(t.Rows)-1 {
			continue
		}
		key := parts.KeyName(t.Test)
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
			figureKey(k, key, t.Columns[c].Quantity, row.Values[c])
		}
	}
}

// figureKey writes a figure with the unit in its key.
func figureKey(k parts.Keys, key string, q foreign.Quantity, x float64) {
	switch q {
	case foreign.Seconds:
		k.Us(key, x)
	case foreign.BytesPerSecond:
		k.Mbps(key, x)
	case foreign.PerSecond:
		k.Plain(key+"_per_s", x)
	default:
		k.Plain(key, x)
	}
}
