package tools

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/report/foreign"
	"github.com/effective-bandwidth/beff/report/words"
)

// mdtestTitle matches mdtest's title.
var mdtestTitle = words.MustCompile(`^mdtest-(\S+) was launched with (\d{1,9}) total task\(?s?\)? on (\d{1,9})?`)

// mdtestFirst matches the first line of a run.
var mdtestFirst = words.MustCompile(`-- started at |mdtest-\S+ was launched with `)

// mdtestSummary matches the title of a summary.
var mdtestSummary = words.MustCompile(`^SUMMARY(?: (rate|time)[^:]*)?:(?:.*\(of (\d{1,9}) iterations\))?`)

// mdtestHeads matches the headings in the line above the rows: columns over the iterations, which some versions put
// after columns over the ranks, with or without a standard deviation.
var mdtestHeads = words.MustCompile(`per Rank:|per Iteration:|Max|Min|Mean|Std Dev`)

// mdtestRow matches a row: an operation with its figures.
var mdtestRow = words.MustCompile(`^\s{3}((?:File|Directory|Tree) (?:creation|stat|read|rename|removal))\s*:?\s(.*)$`)

// mdtestOperations maps the names of rows to operations.
var mdtestOperations = map[string]foreign.Operation{"Directory creation": foreign.CreateDirectory,
	"Directory stat": foreign.StatDirectory, "Directory rename": foreign.RenameDirectory,
	"Directory removal": foreign.RemoveDirectory, "File creation": foreign.CreateFiles,
	"File stat": foreign.StatFiles, "File read": foreign.ReadFiles, "File removal": foreign.RemoveFiles}

// mdtestItems matches the line with the number of things that each summary is about.
var mdtestItems = words.MustCompile(`^(\d{1,9}) tasks, (\d+ [a-z/]+)\s*$`)

// mdtestReader holds the part of a text that was read.
type mdtestReader struct {
	*run
	started, begun, times bool
	repetitions           int64
	items                 string
	processes             int
	heads                 []string // of a summary's columns; headings over the ranks begin with per Rank
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
		x.begun, x.r.ProgramVersion, x.r.Processes, x.processes, x.r.Nodes = true, m[1], int(n), int(n), count(m[3])
		return nil
	}
	if text, is := strings.CutPrefix(line, "-- started at "); is {
		if x.started || x.begun {
			return errAnother
		}
		x.started = true
		started(x.r, strings.TrimSuffix(text, " --"), "01/02/2006 15:04:05")
	}
	if text, is := strings.CutPrefix(line, "Command line used: "); is {
		x.r.Command = text
	}
	if strings.HasPrefix(line, "-- finished at ") {
		x.r.Complete = true
		return io.EOF
	}
	if m := mdtestItems().FindStringSubmatch(line); m != nil {
		x.processes, x.items = count(m[1]), m[2]
	}
	if m := mdtestSummary().FindStringSubmatch(line); m != nil {
		x.heads, x.times, x.repetitions = nil, m[1] == "time", int64(count(m[2]))
		return nil
	}
	if strings.HasPrefix(line, "   Operation ") {
		group := ""
		x.heads = nil
		for _, word := range mdtestHeads().FindAllString(line, -1) {
			if strings.HasPrefix(word, "per ") {
				group = words.Either(word == mdtestRanks, word+" ", "")
				continue
			}
			x.heads = append(x.heads, group+word)
		}
		return nil
	}
	if m := mdtestRow().FindStringSubmatch(line); m != nil && x.heads != nil && !x.open {
		return x.table(m[1], strings.Fields(m[2]))
	}
	return nil
}

const mdtestRanks = "per Rank:"

// table adds the table of an operation.
func (x *mdtestReader) table(name string, fields []string) error {
	if len(fields) != len(x.heads) {
		return fmt.Errorf("%d figures after %s, below %d headings", len(fields), name, len(x.heads))
	}
	c := printed{column("", foreign.PerSecond, "ops/sec"), 1}
	t := foreign.Table{Test: name, Operation: mdtestOperations[name], Processes: x.processes,
		Rows: []foreign.Row{{Repetitions: x.repetitions}}}
	if t.Operation != "" {
		t.Way = foreign.Timed
	}
	if x.items != "" {
		t.Settings = []foreign.Setting{{Name: "items", Value: x.items}}
	}
	if x.times {
		// The heading is ms/op even in versions 4.0 and 4.1, which print the time of the phase in seconds.
		c = printed{column("", foreign.Seconds, "s"), 1}
		t.Settings = append(t.Settings, foreign.Setting{Name: "summary", Value: "time"})
	}
	for _, group := range []string{"", mdtestRanks + " "} {
		var order []float64
		for _, word := range []string{"Mean", "Max", "Min", "Std Dev"} {
			i := slices.Index(x.heads, group+word)
			if i < 0 || word == "Std Dev" && strings.Contains(fields[i], "nan") { // there is only one iteration
				continue
			}
			c.Name, c.Main = x.heads[i], x.heads[i] == "Mean"
			if err := c.put(&t, fields[i]); err != nil {
				return err
			}
			order = append(order, t.Rows[0].Values[len(t.Columns)-1])
		}
		if len(order) > 2 {
			x.ordered(name+": "+group, order[2], order[0], order[1])
		}
	}
	if len(t.Mains()) == 0 {
		return fmt.Errorf("%s has no Mean", name)
	}
	return x.add(t)
}
