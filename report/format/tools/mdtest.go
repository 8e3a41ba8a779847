package tools

import (
	"fmt"
	"io"
	"strings"

	"github.com/effective-bandwidth/beff/report/foreign"
	"github.com/effective-bandwidth/beff/report/words"
)

// mdtestTitle matches the line that mdtest begins with.
var mdtestTitle = words.MustCompile(`^mdtest-(\S+) was launched with (\d{1,9}) total task\(?s?\)? on `)

// mdtestFirst matches the line that a run begins with.
var mdtestFirst = words.MustCompile(`-- started at |mdtest-\S+ was launched with `)

// mdtestSummary matches the heading of its tables.
var mdtestSummary = words.MustCompile(`^SUMMARY(?: (rate|time)[^:]*)?:(?:.*\(of (\d{1,9}) iterations\))?`)

// mdtestRow matches a row: an operation with maximum, minimum, mean and standard deviation over the iterations, in some
// versions preceded by those over the ranks.
var mdtestRow = words.MustCompile(`^\s{3}([A-Z][a-z]+ [a-z]+)\s*:?((?:\s+[\d.]+){4}|(?:\s+[\d.]+){7})\s*$`)

// mdtestOperations maps its rows to operations.
var mdtestOperations = map[string]foreign.Operation{"Directory creation": foreign.CreateDirectory,
	"Directory stat": foreign.StatDirectory, "Directory rename": foreign.RenameDirectory,
	"Directory removal": foreign.RemoveDirectory, "File creation": foreign.CreateFiles,
	"File stat": foreign.StatFiles, "File read": foreign.ReadFiles, "File removal": foreign.RemoveFiles}

// mdtestItems matches the line with the number of things that each summary is about.
var mdtestItems = words.MustCompile(`^(\d{1,9}) tasks, (\d+ [a-z/]+)\s*$`)

// mdtestReader holds the part of a text that was read.
type mdtestReader struct {
	*run
	started, begun, inside, times bool
	repetitions                   int64
	items                         string
}

// newMDTest returns a reader of the rates in the summaries of mdtest's text.
func newMDTest(t *run) reading {
	t.r.Complete = false
	return &mdtestReader{run: t}
}

func (x *mdtestReader) line(line string) error {
	if m := mdtestTitle().FindStringSubmatch(line); m != nil {
		if x.begun {
			return errAnother
		}
		n, _ := whole(m[2])
		x.begun, x.r.ProgramVersion, x.r.Processes = true, m[1], int(n)
		return nil
	}
	if text, is := strings.CutPrefix(line, "-- started at "); is {
		if x.started || x.begun {
			return errAnother
		}
		x.started, x.r.Started = true, date(strings.TrimSuffix(text, " --"), "01/02/2006 15:04:05")
	}
	if text, is := strings.CutPrefix(line, "Command line used: "); is {
		x.r.Command = text
	}
	if strings.HasPrefix(line, "-- finished at ") {
		x.r.Complete = true
		return io.EOF
	}
	if m := mdtestItems().FindStringSubmatch(line); m != nil {
		x.items = m[2]
	}
	if m := mdtestSummary().FindStringSubmatch(line); m != nil {
		x.inside, x.times, x.repetitions = true, m[1] == "time", 0
		if m[2] != "" {
			x.repetitions, _ = whole(m[2])
		}
		return nil
	}
	if m := mdtestRow().FindStringSubmatch(line); m != nil && x.inside && !x.open {
		return x.table(m[1], strings.Fields(m[2]))
	}
	if _, known := mdtestOperations[strings.TrimSpace(line[:min(len(line), 22)])]; known && x.inside {
		return fmt.Errorf("want four figures after %s", strings.TrimSpace(line[:min(len(line), 22)]))
	}
	return nil
}

func (x *mdtestReader) end() error { return nil }

// table adds the table of an operation. The last four fields are maximum, minimum, mean and deviation.
func (x *mdtestReader) table(name string, fields []string) error {
	c := printed{column("", foreign.PerSecond, "ops/sec"), 1}
	if x.times {
		// The heading is ms/op even in versions 4.0 and 4.1, which print the time of the phase in seconds.
		c = printed{column("", foreign.Seconds, "s"), 1}
	}
	t := foreign.Table{Test: name, Operation: mdtestOperations[name], Processes: x.r.Processes,
		Rows: []foreign.Row{{Repetitions: x.repetitions}}}
	if t.Operation != "" {
		t.Way = foreign.Timed
	}
	if x.items != "" {
		t.Settings = []foreign.Setting{{Name: "items", Value: x.items}}
	}
	fields = fields[len(fields)-4:]
	for _, i := range []int{2, 0, 1, 3} {
		c.Name, c.Main = []string{"Max", "Min", "Mean", "Std Dev"}[i], i == 2
		if err := c.put(&t, fields[i]); err != nil {
			return err
		}
	}
	return x.add(t)
}
