package tools

import (
	"fmt"
	"strings"

	"github.com/effective-bandwidth/beff/report/foreign"
	"github.com/effective-bandwidth/beff/report/words"
)

// mdtestTitle matches the line that mdtest begins with.
var mdtestTitle = words.MustCompile(`(?m)^mdtest-(\S+) was launched with (\d{1,9}) total task\(?s?\)? on `)

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

// readMDTest reads the rates in the summaries of mdtest's text.
func readMDTest(t *text, r *foreign.Result) error {
	begun, ended, inside, times := false, false, false, false
	repetitions, items := int64(0), ""
	err := t.each(func(line string) error {
		if m := mdtestTitle().FindStringSubmatch(line); m != nil {
			if begun {
				return fmt.Errorf("a second run: import each file separately")
			}
			n, _ := whole(m[2])
			begun, r.ProgramVersion, r.Processes = true, m[1], int(n)
			return nil
		}
		if text, is := strings.CutPrefix(line, "-- started at "); is {
			r.Started = date(strings.TrimSuffix(text, " --"), "01/02/2006 15:04:05")
		}
		if text, is := strings.CutPrefix(line, "Command line used: "); is {
			r.Command = text
		}
		ended = ended || strings.HasPrefix(line, "-- finished at ")
		if m := mdtestItems().FindStringSubmatch(line); m != nil {
			items = m[2]
		}
		if m := mdtestSummary().FindStringSubmatch(line); m != nil {
			inside, times, repetitions = true, m[1] == "time", 0
			if m[2] != "" {
				repetitions, _ = whole(m[2])
			}
			return nil
		}
		if m := mdtestRow().FindStringSubmatch(line); m != nil && inside {
			return mdtestTable(r, m[1], strings.Fields(m[2]), items, repetitions, times)
		}
		if _, known := mdtestOperations[strings.TrimSpace(line[:min(len(line), 22)])]; known && inside {
			return fmt.Errorf("want four figures after %s", strings.TrimSpace(line[:min(len(line), 22)]))
		}
		return nil
	})
	r.Complete = ended
	return err
}

// mdtestTable adds the table of an operation. The last four fields are maximum, minimum, mean and deviation.
func mdtestTable(r *foreign.Result, name string, fields []string, items string, repetitions int64, times bool) error {
	c := printed{column("", foreign.PerSecond, "ops/sec"), 1}
	if times {
		// The heading is ms/op even in versions 4.0 and 4.1, which print the time of the phase in seconds.
		c = printed{column("", foreign.Seconds, "s"), 1}
	}
	t := foreign.Table{Test: name, Operation: mdtestOperations[name], Processes: r.Processes,
		Rows: []foreign.Row{{Repetitions: repetitions}}}
	if t.Operation != "" {
		t.Way = foreign.Timed
	}
	if items != "" {
		t.Settings = []foreign.Setting{{Name: "items", Value: items}}
	}
	fields = fields[len(fields)-4:]
	for _, i := range []int{2, 0, 1, 3} {
		c.Name, c.Main = []string{"Max", "Min", "Mean", "Std Dev"}[i], i == 2
		if err := c.put(&t, fields[i]); err != nil {
			return err
		}
	}
	return add(r, t)
}
