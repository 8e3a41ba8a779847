package tools

import (
	"encoding/csv"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/report/foreign"
	"github.com/effective-bandwidth/beff/report/words"
)

// elbenchoHead matches the first line of the file that elbencho's --csvfile writes.
var elbenchoHead = words.MustCompile(`ISO date,label,path type,`)

// elbenchoRows matches all lines of that file.
var elbenchoRows = words.MustCompile(`^(?:ISO date,|\d{4}-\d\d-\d\dT)`)

// elbenchoOperations maps elbencho's phases to operations.
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

// elbenchoMost is more columns than elbencho writes. A line with very many columns takes far more memory than its text.
const elbenchoMost = 1000

// elbenchoReader holds the part of a file that was read.
type elbenchoReader struct {
	*run
	heads  []string
	phases repeated
}

// newElbencho returns a reader of the CSV of one or several runs. Rows with the same phase and settings are
// repetitions.
func newElbencho(t *run) reading { return &elbenchoReader{run: t} }

func (x *elbenchoReader) line(line string) error {
	if n := strings.Count(line, ","); n > elbenchoMost {
		return fmt.Errorf("a line of %d columns", n+1)
	} else if !elbenchoRows().MatchString(line) {
		return nil // of another program
	}
	fields, err := csv.NewReader(strings.NewReader(line)).Read()
	switch {
	case err != nil:
		return err
	case fields[0] == "ISO date":
		x.heads = fields
		return nil
	case x.open:
		x.r.Complete = false // figures may lack digits
		return nil
	case len(fields) != len(x.heads):
		return fmt.Errorf("%d fields in %d columns", len(fields), len(x.heads))
	}
	return elbenchoRow(x.r, x.heads, fields, &x.phases)
}

func (x *elbenchoReader) end() error {
	x.r.Tables = x.phases.whole()
	return nil
}

// elbenchoRow adds a row to the repetitions of its phase and settings.
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
		started(r, of("ISO date"), "2006-01-02T15:04:05.999999999-0700", "2006-01-02T15:04:05.999999999Z07:00",
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
