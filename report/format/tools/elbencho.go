package tools

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/foreign"
)

// elbenchoHead is the first line of the file that --csvfile makes.
var elbenchoHead = regexp.MustCompile(`(?m)^ISO date,label,path type,`)

// elbenchoOperations has the operations of its phases.
var elbenchoOperations = map[string]foreign.Operation{"WRITE": foreign.Write, "READ": foreign.Read,
	"RMFILES": foreign.RemoveFiles, "STAT": foreign.StatFiles, "MKDIRS": foreign.CreateDirectory,
	"RMDIRS": foreign.RemoveDirectory, "STATDIRS": foreign.StatDirectory}

// elbenchoColumns are the columns with figures that are kept, where they aren't empty.
var elbenchoColumns = []struct {
	head     string
	quantity foreign.Quantity
	unit     float64
	printed  string
	main     bool
}{
	{"MiB/s [last]", foreign.BytesPerSecond, mebi, "MiB/s", true},
	{"entries/s [last]", foreign.PerSecond, 1, "1/s", true},
	{"IOPS [last]", foreign.PerSecond, 1, "1/s", true}, // of what has no entries
	{"MiB/s [first]", foreign.BytesPerSecond, mebi, "MiB/s", false},
	{"entries/s [first]", foreign.PerSecond, 1, "1/s", false},
	{"IOPS [first]", foreign.PerSecond, 1, "1/s", false},
	{"time ms [last]", foreign.Seconds, milli, "ms", false},
	{"time ms [first]", foreign.Seconds, milli, "ms", false},
	{"Ent lat us [avg]", foreign.Seconds, micro, "us", false},
	{"IO lat us [min]", foreign.Seconds, micro, "us", false},
	{"IO lat us [avg]", foreign.Seconds, micro, "us", false},
	{"IO lat us [max]", foreign.Seconds, micro, "us", false},
}

// elbenchoSettings are the columns with settings that are kept.
var elbenchoSettings = []string{"label", "path type", "paths", "hosts", "threads", "dirs", "files", "file size",
	"block size", "direct IO", "random", "random aligned", "IO depth", "shared paths", "truncate"}

// elbenchoGroup holds the rows of one phase with the same settings, which are its repetitions.
type elbenchoGroup struct {
	table foreign.Table
	each  [][]float64 // of each column
}

// readElbencho reads the CSV of one or several runs. Rows of a phase with the same settings are repetitions.
func readElbencho(t *text, r *foreign.Result) error {
	head := elbenchoHead.FindStringIndex(t.data)
	if head == nil {
		return errors.New("no line with the names of the columns")
	}
	skipped := head[0]
	lines := csv.NewReader(strings.NewReader(t.data[skipped:]))
	lines.FieldsPerRecord = -1
	above := strings.Count(t.data[:skipped], "\n")
	var heads []string
	var groups []*elbenchoGroup
	at := map[string]*elbenchoGroup{}
	for {
		fields, err := lines.Read()
		if err == io.EOF {
			break
		}
		if e := (*csv.ParseError)(nil); errors.As(err, &e) {
			return &lineError{above + e.Line, e.Err}
		} else if err != nil {
			return err
		}
		line, _ := lines.FieldPos(0)
		if fields[0] == "ISO date" {
			heads = fields
			continue
		}
		if !strings.HasSuffix(t.data, "\n") && lines.InputOffset() >= int64(len(t.data)-skipped) {
			r.Complete = false // figures may lack digits
			break
		}
		if len(fields) != len(heads) {
			return &lineError{above + line, fmt.Errorf("%d fields in %d columns", len(fields), len(heads))}
		}
		if err := elbenchoRow(r, heads, fields, at, &groups); err != nil {
			return &lineError{above + line, err}
		}
	}
	for _, g := range groups {
		r.Tables = append(r.Tables, g.whole())
	}
	return nil
}

// elbenchoRow adds a row to the group of its phase and settings.
func elbenchoRow(r *foreign.Result, heads, fields []string, at map[string]*elbenchoGroup,
	groups *[]*elbenchoGroup) error {
	of := func(head string) string {
		if i := slices.Index(heads, head); i >= 0 {
			return strings.TrimSpace(fields[i])
		}
		return ""
	}
	phase := of("operation")
	if phase == "" {
		return errors.New("no operation")
	}
	made := foreign.Table{Test: phase, Operation: elbenchoOperations[phase]}
	if made.Operation != "" {
		made.Way = foreign.SlowestWorker
	}
	for _, name := range elbenchoSettings {
		if value := of(name); value != "" {
			made.Settings = append(made.Settings, foreign.Setting{Name: name, Value: value})
		}
	}
	hosts, threads := max(1, count(of("hosts"))), count(of("threads"))
	made.Processes = hosts * threads
	r.Processes = max(r.Processes, made.Processes)
	if r.Started.IsZero() {
		r.Started = date(of("ISO date"), "2006-01-02T15:04:05.999999999-0700", "2006-01-02T15:04:05.999999999Z07:00",
			"2006-01-02T15:04:05")
	}
	if r.ProgramVersion == "" {
		r.ProgramVersion, r.Command = of("version"), of("command")
	}
	var values []float64
	has := map[foreign.Quantity]bool{}
	for _, c := range elbenchoColumns {
		field := of(c.head)
		if field == "" {
			continue
		}
		x, err := figure(field, c.unit)
		if err != nil {
			return fmt.Errorf("%s: %w", c.head, err)
		}
		head := column(c.head, c.quantity, c.printed)
		head.Main = c.main && !has[c.quantity]
		has[c.quantity] = has[c.quantity] || head.Main
		made.Columns, values = append(made.Columns, head), append(values, x)
	}
	if len(made.Mains()) == 0 {
		return nil // SYNC and the like have no figures
	}
	key := fmt.Sprint(made)
	g := at[key]
	if g == nil {
		if len(*groups) >= foreign.MostTables {
			return fmt.Errorf("more than %d phases with settings of their own", foreign.MostTables)
		}
		g = &elbenchoGroup{table: made, each: make([][]float64, len(values))}
		at[key], *groups = g, append(*groups, g)
	}
	for i, x := range values {
		g.each[i] = append(g.each[i], x)
	}
	return nil
}

// whole returns the table, whose figures are the means of the repetitions.
func (g *elbenchoGroup) whole() foreign.Table {
	row := foreign.Row{Repetitions: int64(len(g.each[0]))}
	for _, list := range g.each {
		row.Values = append(row.Values, (&foreign.Row{Each: list}).Derive())
	}
	if first := g.each[g.table.Mains()[0]]; len(first) > 1 {
		row.Each = first
	}
	g.table.Rows = []foreign.Row{row}
	return g.table
}

// count returns a number of up to a million, 0 for what is none.
func count(field string) int {
	n, err := whole(field)
	if err != nil || n > 1_000_000 {
		return 0
	}
	return int(n)
}
