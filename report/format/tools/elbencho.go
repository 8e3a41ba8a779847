package tools

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/report/foreign"
	"github.com/effective-bandwidth/beff/report/words"
)

// elbenchoHead matches the first line of the file that --csvfile makes.
var elbenchoHead = words.MustCompile(`(?m)^ISO date,label,path type,`)

// elbenchoOperations maps its phases to operations.
var elbenchoOperations = map[string]foreign.Operation{"WRITE": foreign.Write, "READ": foreign.Read,
	"RMFILES": foreign.RemoveFiles, "STAT": foreign.StatFiles, "MKDIRS": foreign.CreateDirectory,
	"RMDIRS": foreign.RemoveDirectory, "STATDIRS": foreign.StatDirectory}

// elbenchoColumns are the columns with figures that are kept unless they are empty.
var elbenchoColumns = []printed{
	{mainColumn("MiB/s [last]", foreign.BytesPerSecond, "MiB/s"), mebi},
	{mainColumn("entries/s [last]", foreign.PerSecond, "1/s"), 1},
	{mainColumn("IOPS [last]", foreign.PerSecond, "1/s"), 1}, // for phases without entries
	{column("MiB/s [first]", foreign.BytesPerSecond, "MiB/s"), mebi},
	{column("entries/s [first]", foreign.PerSecond, "1/s"), 1},
	{column("IOPS [first]", foreign.PerSecond, "1/s"), 1},
	{column("time ms [last]", foreign.Seconds, "ms"), milli},
	{column("time ms [first]", foreign.Seconds, "ms"), milli},
	{column("Ent lat us [avg]", foreign.Seconds, "us"), micro},
	{column("IO lat us [min]", foreign.Seconds, "us"), micro},
	{column("IO lat us [avg]", foreign.Seconds, "us"), micro},
	{column("IO lat us [max]", foreign.Seconds, "us"), micro},
}

// elbenchoSettings are the columns with settings that are kept.
var elbenchoSettings = []string{"label", "path type", "paths", "hosts", "threads", "dirs", "files", "file size",
	"block size", "direct IO", "random", "random aligned", "IO depth", "shared paths", "truncate"}

// elbenchoMost is more than the number of columns. A line with very many takes far more memory than its text.
const elbenchoMost = 1000

// readElbencho reads the CSV of one or several runs. Rows of a phase with the same settings are repetitions.
func readElbencho(t *text, r *foreign.Result) error {
	head := elbenchoHead().FindStringIndex(t.data)
	if head == nil {
		return errors.New("no line with the names of the columns")
	}
	skipped := head[0]
	for line := range strings.Lines(t.data[skipped:]) {
		if n := strings.Count(line, ","); n > elbenchoMost {
			return fmt.Errorf("a line of %d columns", n+1)
		}
	}
	lines := csv.NewReader(strings.NewReader(t.data[skipped:]))
	lines.FieldsPerRecord = -1
	above := strings.Count(t.data[:skipped], "\n")
	var heads []string
	var phases repeated
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
		if err := elbenchoRow(r, heads, fields, &phases); err != nil {
			return &lineError{above + line, err}
		}
	}
	r.Tables = phases.whole()
	return nil
}

// elbenchoRow adds a row to those of its phase and settings.
func elbenchoRow(r *foreign.Result, heads, fields []string, phases *repeated) error {
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
	key := fmt.Sprint(made)
	for _, c := range elbenchoColumns {
		if field := of(c.Name); field != "" {
			if err := c.put(&made, field); err != nil {
				return err
			}
			key += "," + c.Name
		}
	}
	if len(made.Mains()) == 0 {
		return nil // SYNC and the like have no figures
	}
	return phases.add(key, made)
}

// count parses a number of up to a million. It returns 0 for any other text.
func count(field string) int {
	n, err := whole(field)
	if err != nil || n > 1_000_000 {
		return 0
	}
	return int(n)
}
