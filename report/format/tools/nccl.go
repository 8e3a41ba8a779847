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

// ncclForms are the lines of nccl-tests and rccl-tests (common.cu, from version 2.17 on util.cu).
var ncclForms = []form[*ncclReader]{
	{words.MustCompile(`^# nccl-tests version (\S+)(?:.* nccl-library=(\d{5})$)?`), (*ncclReader).version},
	{words.MustCompile(`^# Collective test starting: (\S+)`),
		func(n *ncclReader, m []string) error { n.test.Test = m[1]; return nil }},
	{words.MustCompile(`^# nThread .*`), (*ncclReader).settings},
	{words.MustCompile(`^#  +Rank +(\d{1,7}) .*Pid +\d+ on +(\S+) device `), (*ncclReader).rank},
	{words.MustCompile(`^#  .*?(out-of-place|in-place)(?:.*(in-place))?`),
		func(n *ncclReader, m []string) error { n.groups = m[1:]; return nil }},
	{words.MustCompile(`^# +size +count +type( .*)$`), (*ncclReader).heads},
	{words.MustCompile(`^ *(\d+ +\d+ +[a-z]\w+ .*?)(?: +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)?\s*$`), (*ncclReader).row},
	{words.MustCompile(`^# Avg bus bandwidth +: (\S+)`), (*ncclReader).summary},
}

var (
	ncclFirst = words.MustCompile(`# (nccl-tests version|Collective test starting:|nThread) \S`)
	// ncclCommand matches the command line. Versions before 2.16 print the name of the test nowhere else.
	ncclCommand = words.MustCompile(`^[^#]*?\b([a-z_]+_perf)\w* +-{1,2}\w`)
	ncclSetting = words.MustCompile(`(nThread|nGpus|(?:agg |warmup )?iters|graph|unalign):? (\d{1,12})\b`)
)

// ncclUnits has the units of the columns of figures in all versions.
var ncclUnits = map[string]string{"time": "us", "cputime": "us", "algbw": "GB/s", "busbw": "GB/s", "i_cv%": "i_cv%",
	"i_min": "us", "i_max": "us", "i_p99": "us", "#wrong": "", "error": ""}

// ncclReader holds the part of a text that was read.
type ncclReader struct {
	tabular
	headers string // kinds of the lines before the table
	hosts   map[string]bool
	groups  []string // of columns: out-of-place or in-place
	kind    string   // type, operation and root of the table's rows
}

// newNCCL returns a reader of the text of all_reduce_perf and the other tests.
func newNCCL(t *run) reading {
	t.r.Complete = false
	n := &ncclReader{tabular: tabular{run: t}, hosts: map[string]bool{}}
	n.test = foreign.Table{Test: "a test whose name isn't printed", Lengths: true,
		Settings: []foreign.Setting{{Name: foreign.Buffers, Value: "device"}}}
	if m := ncclCommand().FindStringSubmatch(t.lead); m != nil {
		n.test.Test, t.r.Command = m[1], strings.TrimSpace(t.lead)
	}
	return n
}

func (n *ncclReader) line(line string) error {
	if m := ncclFirst().FindStringSubmatch(line); m != nil {
		if n.fields != nil || strings.Contains(n.headers, m[1]) {
			return errAnother
		}
		n.headers += m[1]
	}
	_, err := readForm(ncclForms, n, line)
	return err
}

func (n *ncclReader) version(m []string) error {
	n.r.ProgramVersion = m[1]
	if code, err := strconv.Atoi(m[2]); err == nil {
		n.r.Engine.Library = fmt.Sprintf("NCCL %d.%d.%d", code/10000, code/100%100, code%100)
	}
	return nil
}

func (n *ncclReader) settings(m []string) error {
	for _, m := range ncclSetting().FindAllStringSubmatch(m[0], -1) {
		n.test.Settings = append(n.test.Settings, foreign.Setting{Name: m[1], Value: m[2]})
	}
	return nil
}

func (n *ncclReader) rank(m []string) error {
	rank, _ := strconv.Atoi(m[1])
	n.test.Processes, n.hosts[m[2]] = max(n.test.Processes, rank+1), true
	n.r.Host.Name, n.r.Nodes = cmp.Or(n.r.Host.Name, m[2]), len(n.hosts)
	return nil
}

func (n *ncclReader) heads(m []string) error {
	group := -1
	n.fields, n.table = []printed{{Column: foreign.Column{Name: "size"}}}, nil
	for _, name := range strings.Fields(m[1]) {
		unit, known := ncclUnits[name]
		if strings.HasSuffix(name, "time") {
			group++
		}
		if known {
			c := units[unit]
			c.Name, c.Main = name, name == "busbw" || strings.HasSuffix(name, "time")
			if group >= 0 && group < len(n.groups) {
				c.Name = strings.TrimSpace(n.groups[group] + " " + name)
			}
			n.fields = append(n.fields, c)
		}
	}
	return nil
}

// row adds a row. The test rounds lengths, so several rows may have the same length.
func (n *ncclReader) row(m []string) error {
	fields := strings.Fields(m[1])
	kinds := len(fields) - len(n.fields) + 1 // fields before the figures
	switch {
	case n.open:
		return nil
	case n.fields == nil || kinds < 3:
		return fmt.Errorf("%d fields below these heads", len(fields))
	}
	if kind := strings.Join(fields[2:kinds], " "); n.table == nil || kind != n.kind {
		t := n.test
		t.Settings = append(slices.Clip(t.Settings), foreign.Setting{Name: "type, operation, root", Value: kind})
		if err := n.begin(t); err != nil {
			return err
		}
		n.kind = kind
	}
	return addRow(n.table, n.fields, append(fields[:1:1], fields[kinds:]...))
}

// summary reads the mean of the bus bandwidths, which ends the table.
func (n *ncclReader) summary(m []string) error {
	x, err := figure(m[1], giga)
	if err != nil {
		return err
	}
	n.r.Rating = &foreign.Rating{Name: "Avg bus bandwidth", Quantity: foreign.BytesPerSecond, Value: x,
		NotValid: n.r.Failed() > 0}
	n.r.Complete = true
	return io.EOF
}
