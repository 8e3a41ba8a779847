package tools

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/effective-bandwidth/beff/report/foreign"
	"github.com/effective-bandwidth/beff/report/words"
)

// Lines of nccl-tests and rccl-tests (common.cu, from version 2.17 on util.cu). Versions before 2.16 don't print the
// name of the test. Then it is in the command line, if the log has that.
var (
	ncclFirst = words.MustCompile(`# (?:nccl-tests version|Collective test starting:|nThread) \S|^[^#\s]` +
		`.*?\b([a-z_]+_perf)\w* +-{1,2}\w`)
	ncclHeader = words.MustCompile(`^# (nccl-tests version|Collective test starting:|nThread) (\S+)` +
		`(?:.* nccl-library=(\d{5})$)?`)
	ncclSetting = words.MustCompile(`(nThread|nGpus|(?:agg |warmup )?iters|graph|unalign):? (\d{1,12})\b`)
	ncclRank    = words.MustCompile(`^#  +Rank +(\d{1,7}) .*Pid +\d+ on +(\S+) device `)
	ncclPlace   = words.MustCompile(`in-place|out-of-place`)
	ncclHeads   = words.MustCompile(`^# +size +count +type( .*)$`)
	ncclRow     = words.MustCompile(`^ *\d+ +\d+ +[a-z]\w+ .*?( +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)?\s*$`)
	ncclSum     = words.MustCompile(`^# Avg bus bandwidth +: (\S+)`)
)

// ncclColumns has the columns of figures, in the units of all versions whose heads begin with size.
var ncclColumns = map[string]printed{
	"time": {mainColumn("", foreign.Seconds, "us"), micro}, "cputime": {mainColumn("", foreign.Seconds, "us"), micro},
	"algbw": {column("", foreign.BytesPerSecond, "GB/s"), giga}, "#wrong": {}, "error": {},
	"busbw": {mainColumn("", foreign.BytesPerSecond, "GB/s"), giga}, "i_cv%": {column("", foreign.Fraction, "%"), 0.01},
	"i_min": {column("", foreign.Seconds, "us"), micro}, "i_max": {column("", foreign.Seconds, "us"), micro},
	"i_p99": {column("", foreign.Seconds, "us"), micro},
}

// ncclReader holds the part of a text that was read.
type ncclReader struct {
	*run
	headers string        // kinds of the lines before the table
	test    foreign.Table // without columns and rows
	hosts   map[string]bool
	places  []string  // in-place or not, in the heads
	fields  []printed // length and figures of a row
	kind    string    // type, operation and root of the table's rows
	table   *foreign.Table
}

// newNCCL returns a reader of the text of all_reduce_perf and the others.
func newNCCL(t *run) reading {
	t.r.Complete = false
	return &ncclReader{run: t, hosts: map[string]bool{}, test: foreign.Table{Test: "a test whose name isn't printed",
		Lengths: true, Settings: []foreign.Setting{{Name: "buffers", Value: "device"}}}}
}

func (n *ncclReader) line(line string) error {
	if m := ncclRank().FindStringSubmatch(line); m != nil {
		rank, _ := strconv.Atoi(m[1])
		n.test.Processes, n.hosts[m[2]] = max(n.test.Processes, rank+1), true
		n.r.Host.Name = cmp.Or(n.r.Host.Name, m[2])
	} else if m := ncclSum().FindStringSubmatch(line); m != nil {
		return n.summary(m[1])
	} else if m := ncclRow().FindStringSubmatch(line); m != nil && !n.open {
		return n.row(strings.Fields(strings.TrimSuffix(line, m[1])))
	} else if m := ncclHeads().FindStringSubmatch(line); m != nil {
		n.heads(strings.Fields(m[1]))
	} else if m := ncclHeader().FindStringSubmatch(line); m != nil {
		return n.header(m, line)
	} else if n.first && n.headers != "" {
		return errAnother
	} else if n.first { // a command line
		n.test.Test, n.r.Command = ncclFirst().FindStringSubmatch(line)[1], strings.TrimSpace(line)
	} else if strings.HasPrefix(line, "#  ") {
		n.places = ncclPlace().FindAllString(line, -1)
	}
	return nil
}

// header reads a line before the table.
func (n *ncclReader) header(m []string, line string) error {
	if n.fields != nil || strings.Contains(n.headers, m[1]) {
		return errAnother
	}
	n.headers += m[1]
	for _, m := range ncclSetting().FindAllStringSubmatch(line, -1) {
		n.test.Settings = append(n.test.Settings, foreign.Setting{Name: m[1], Value: m[2]})
	}
	switch code, err := strconv.Atoi(m[3]); {
	case m[1] == "Collective test starting:":
		n.test.Test = m[2]
	case m[1] != "nThread":
		n.r.ProgramVersion = m[2]
		if err == nil {
			n.r.Engine.Library = fmt.Sprintf("NCCL %d.%d.%d", code/10000, code/100%100, code%100)
		}
	}
	return nil
}

func (n *ncclReader) heads(names []string) {
	group := -1
	n.fields, n.table = []printed{{Column: foreign.Column{Name: "size"}}}, nil
	for _, name := range names {
		c, known := ncclColumns[name]
		if strings.HasSuffix(name, "time") {
			group++
		}
		if c.Name = name; group >= 0 && group < len(n.places) {
			c.Name = n.places[group] + " " + name
		}
		if known {
			n.fields = append(n.fields, c)
		}
	}
}

// row adds a row. Lengths are rounded to what the test can send, so that some are the same.
func (n *ncclReader) row(fields []string) error {
	kinds := len(fields) - len(n.fields) + 1 // fields before the figures
	if n.fields == nil || kinds < 3 {
		return fmt.Errorf("%d fields below these heads", len(fields))
	}
	if kind := strings.Join(fields[2:kinds], " "); n.table == nil || kind != n.kind {
		t := n.test
		t.Settings = append(slices.Clip(t.Settings), foreign.Setting{Name: "type, operation, root", Value: kind},
			foreign.Setting{Name: "nodes", Value: strconv.Itoa(len(n.hosts))})
		t.Columns, n.kind = columnsOf(n.fields), kind
		if err := n.add(t); err != nil {
			return err
		}
		n.table = &n.r.Tables[len(n.r.Tables)-1]
	}
	return addRow(n.table, n.fields, append(fields[:1:1], fields[kinds:]...))
}

// summary reads the mean of the bus bandwidths, which ends the table.
func (n *ncclReader) summary(field string) error {
	x, err := figure(field, giga)
	if err != nil {
		return err
	}
	n.r.Rating = &foreign.Rating{Name: "Avg bus bandwidth", Quantity: foreign.BytesPerSecond, Value: x,
		NotValid: n.r.Failed() > 0}
	n.r.Complete = true
	return io.EOF
}

func (n *ncclReader) end() error {
	if n.headers == "" {
		return errForeign
	}
	return nil
}
