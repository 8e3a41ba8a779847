package tools

import (
	"fmt"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/report/foreign"
	"github.com/effective-bandwidth/beff/report/words"
)

// osuTitle matches the first line of each OSU benchmark (osu_util.h, HEADER).
var osuTitle = words.MustCompile(`^# OSU (MPI|OpenSHMEM|UPC\+\+|UPC|NCCL|RCCL|XCCL)(\S*?)(?:-(CUDA|ROCM|OPENACC|` +
	`MANAGED|SYCL))?\s(.*?\S)(?:\s+v(\S+))?\s*$`)

// osuTest describes what a benchmark measures. Keys of osuTests are titles in lower case, without OSU MPI, Test and
// Persistent.
type osuTest struct {
	name      string
	operation foreign.Operation
	way       foreign.Way
	processes int
	window    bool
}

var osuTests = map[string]osuTest{
	"latency":                           {"osu_latency", foreign.Message, foreign.HalfRoundTrip, 2, false},
	"bandwidth":                         {"osu_bw", foreign.Message, foreign.Window, 2, true},
	"bi-directional bandwidth":          {"osu_bibw", foreign.BothWays, foreign.Window, 2, true},
	"multiple bandwidth / message rate": {"osu_mbw_mr", foreign.SeveralPairs, foreign.Window, 0, true},
	"multi latency":                     {"osu_multi_lat", foreign.SeveralPairs, foreign.HalfRoundTrip, 0, false},
	"multi-threaded latency":            {"osu_latency_mt", "", "", 2, false},
	"multi-process latency":             {"osu_latency_mp", "", "", 2, false},
	"bandwidth fan-in":                  {"osu_bw_fan_in", foreign.FanIn, foreign.Window, 0, true},
	"bandwidth fan-out":                 {"osu_bw_fan_out", foreign.FanOut, foreign.Window, 0, true},
	"init":                              {"osu_init", foreign.Init, foreign.Timed, 0, false},
	"put latency":                       {"osu_put_latency", foreign.Put, foreign.Epoch, 2, false},
	"put bandwidth":                     {"osu_put_bw", foreign.Put, foreign.Window, 2, true},
	"put bi-directional bandwidth":      {"osu_put_bibw", foreign.PutBothWays, foreign.Window, 2, true},
	"get latency":                       {"osu_get_latency", foreign.Get, foreign.Epoch, 2, false},
	"get bandwidth":                     {"osu_get_bw", foreign.Get, foreign.Window, 2, true},
	"accumulate latency":                {"osu_acc_latency", foreign.Accumulate, foreign.Epoch, 2, false},
	"get_accumulate latency":            {"osu_get_acc_latency", foreign.GetAccumulate, foreign.Epoch, 2, false},
	"fetch_and_op latency":              {"osu_fop_latency", foreign.FetchAndOp, foreign.Epoch, 2, false},
	"compare_and_swap latency":          {"osu_cas_latency", foreign.CompareAndSwap, foreign.Epoch, 2, false},
}

// osuNames has the MPI calls of those collective benchmarks whose titles don't name the call.
var osuNames = map[string]string{"all-to-all personalized exchange": "alltoall", "broadcast": "bcast",
	"all-to-allv personalized exchange": "alltoallv", "all-to-allw personalized exchange": "alltoallw",
	"all-to-all": "alltoall", "all-to-allv": "alltoallv", "all-to-allw": "alltoallw"}

// osuKnown returns the test for a title without its first words. A persistent test has a name but no operation.
func osuKnown(title string) osuTest {
	key := strings.ToLower(strings.TrimPrefix(strings.TrimSuffix(title, " Test"), "_"))
	short := strings.Replace(key, " persistent", "", 1)
	persistent := short != key
	test, known := osuTests[short]
	if call, is := strings.CutSuffix(short, " latency"); !known && is {
		overlapped := false
		for _, begin := range []string{"non-blocking ", "non-blocking neighborhood "} {
			if rest, ok := strings.CutPrefix(call, begin); ok && !strings.HasPrefix(rest, "neighborhood ") {
				call, overlapped = strings.TrimPrefix(begin, "non-blocking ")+rest, true
				break
			}
		}
		near := strings.HasPrefix(call, "neighborhood ")
		call = strings.TrimPrefix(call, "neighborhood ")
		if name := osuNames[call]; name != "" {
			call = name
		}
		if near {
			call = "neighbor_" + call
		}
		test = osuTest{name: call, way: foreign.ByBarrier}
		if overlapped {
			test = osuTest{name: "i" + call, way: foreign.Overlapped}
		}
		if test.operation, known = foreign.Collective(test.name), foreign.Collective(test.name) != ""; known {
			test.name = "osu_" + test.name
		}
	}
	switch {
	case !known:
		return osuTest{name: title}
	case persistent: // the calls differ
		return osuTest{name: test.name + "_persistent", processes: test.processes}
	}
	return test
}

// osuHead is the heading of a column.
type osuHead struct {
	form words.Regexp
	printed
}

// osuHeads has the headings; the first match counts. Columns without a quantity aren't kept as figures.
var osuHeads = []osuHead{
	{form: osuForm(`Size`)},
	{form: osuForm(`Validation`)},
	{form: osuForm(`Iterations`)},
	{osuForm(`Transmit Size`), printed{column("", foreign.Bytes, "B"), 1}},
	{osuForm(`Bandwidth ?\(MB/s\)`), printed{mainColumn("", foreign.BytesPerSecond, "MB/s"), mega}},
	{osuForm(`MB/s`), printed{mainColumn("", foreign.BytesPerSecond, "MB/s"), mega}},
	{osuForm(`Messages/s`), printed{mainColumn("", foreign.PerSecond, "1/s"), 1}},
	{osuForm(`P\d{1,2} Tail BW ?\(MB/s\)`), printed{column("", foreign.BytesPerSecond, "MB/s"), mega}},
	{osuForm(`P\d{1,2} Tail Lat ?\(us\)`), printed{column("", foreign.Seconds, "us"), micro}},
	{osuForm(`(?:Avg )?(?:Lat\.|Latency) ?\(us\)`), printed{mainColumn("", foreign.Seconds, "us"), micro}},
	{osuForm(`(?:Min|Max) Latency ?\(us\)`), printed{column("", foreign.Seconds, "us"), micro}},
	{osuForm(`Overall ?\(us\)`), printed{mainColumn("", foreign.Seconds, "us"), micro}},
	{osuForm(`(?:Compute|Coll\. Init|MPI_Test|MPI_Wait|Pure Comm\.|Min Comm\.|Max Comm\.|Init|CPU) ?\(us\)`),
		printed{column("", foreign.Seconds, "us"), micro}},
	{osuForm(`Overlap ?\(%\)`), printed{mainColumn("", foreign.Fraction, "%"), 0.01}},
}

func osuForm(head string) words.Regexp { return words.MustCompile(`^\s*(` + head + `)(?:\s|$)`) }

// osuReader holds the part of a text that was read.
type osuReader struct {
	*run
	table    *foreign.Table // nil before the first heading, and after a heading that begins no table
	test     osuTest
	fields   []osuHead // of each field of a row
	runs     int       // since the title
	settings []foreign.Setting
	near     bool // a grid of neighbours precedes the title, which MPI_Neighbor_alltoallw's title doesn't mention
}

// newOSU returns a reader of the text of a benchmark, which has neither date nor machine.
func newOSU(t *run) reading { return &osuReader{run: t} }

// osuFirst matches the first line of a run.
var osuFirst = words.MustCompile(`# OSU (?:MPI|OpenSHMEM|UPC|NCCL|RCCL|XCCL)|` + osuGrids)

// osuGrids matches a line before the title of a neighbourhood test.
const osuGrids = `Dimensions size = |Time took to create topology graph`

func (o *osuReader) line(line string) error {
	switch {
	case o.first && o.test.name != "":
		return errAnother
	case o.first:
		if m := osuTitle().FindStringSubmatch(line); m != nil {
			o.title(m)
		} else {
			o.near = true // osuGrids
		}
		return nil
	case o.test.name == "":
		return nil // from launchers
	case strings.HasPrefix(line, "#"):
		return o.comment(line)
	case o.test.operation == foreign.Init:
		return o.initLine(line)
	}
	if strings.Contains(line, "(us)") || strings.Contains(line, "MB/s") { // as osu_ibarrier before version 7
		if fields, names := osuHeadsOf(line); len(fields) > 0 {
			return o.heads(fields, names)
		}
	}
	if o.table != nil {
		return o.row(line)
	}
	return nil
}

// title begins a benchmark.
func (o *osuReader) title(m []string) {
	of, title := m[1], m[2]+" "+m[4]
	o.test = osuKnown(strings.TrimSpace(title))
	if o.near && o.test.name == "osu_alltoallw" {
		o.test = osuKnown("Neighborhood All-to-Allw Latency Test")
	}
	if of != "MPI" {
		o.test = osuTest{name: of + " " + strings.TrimSpace(title), processes: o.test.processes}
	}
	if m[3] != "" {
		o.set("devices", m[3])
		o.set(foreign.Buffers, m[3])
	}
	if o.test.window {
		o.set(foreign.WindowSize, "not printed, by default 64")
	}
	o.r.ProgramVersion = m[5]
}

// osuSettings matches comments with settings.
var osuSettings = words.MustCompile(`^# (Window creation|Synchronization|Datatype|Number of [^:]*?|` +
	`Rank 0 Memory on .*?)(?:\s*:\s*(.*?))?\.?\s*$`)

// osuBuffers matches the memory of the messages: H is the host's, D a device's, M managed memory.
var osuBuffers = words.MustCompile(`^# Send Buffer on \w+ \((\w)\) and Receive Buffer on \w+ \((\w)\)`)

var osuPairs = words.MustCompile(`^# \[ pairs: (\d{1,9}) \] \[ window size: (\w+) \]`)

func (o *osuReader) comment(line string) error {
	if m := osuPairs().FindStringSubmatch(line); m != nil {
		pairs, _ := whole(m[1])
		o.test.processes = int(2 * pairs)
		o.set("window size", m[2])
		return nil
	}
	if m := osuBuffers().FindStringSubmatch(line); m != nil {
		o.set(foreign.Buffers, m[1]+" "+m[2])
		return nil
	}
	if m := osuSettings().FindStringSubmatch(line); m != nil {
		o.set(m[1], m[2])
		return nil
	}
	if fields, names := osuHeadsOf(line[1:]); len(fields) > 0 {
		return o.heads(fields, names)
	}
	return nil
}

// osuHeadsOf returns the headings in a text, or none if the text has other words, too.
func osuHeadsOf(text string) (fields []osuHead, names []string) {
	for strings.TrimSpace(text) != "" {
		head, name, length := osuHeadOf(text)
		if length == 0 {
			return nil, nil
		}
		fields, names, text = append(fields, head), append(names, name), text[length:]
	}
	return fields, names
}

// osuHeadOf returns the first heading of a text, and the length of the text that it takes, or 0 if there is none.
func osuHeadOf(text string) (h osuHead, name string, length int) {
	for _, h := range osuHeads {
		if m := h.form().FindStringSubmatchIndex(text); m != nil {
			return h, text[m[2]:m[3]], m[3]
		}
	}
	return h, "", 0
}

func (o *osuReader) set(name, value string) {
	for i := range o.settings {
		if o.settings[i].Name == name {
			o.settings[i].Value = value
			return
		}
	}
	if len(o.settings) < mostSettings {
		o.settings = append(o.settings, foreign.Setting{Name: name, Value: value})
	}
}

// mostSettings is more settings than any of OSU's benchmarks prints.
const mostSettings = 20

// heads begins a table.
func (o *osuReader) heads(fields []osuHead, names []string) error {
	if o.table = nil; o.test.name == "osu_bw" {
		o.fan(fields, names)
	}
	t := foreign.Table{Test: o.test.name, Operation: o.test.operation, Way: o.test.way, Processes: o.test.processes,
		Settings: slices.Clone(o.settings), Rows: []foreign.Row{}}
	for i, h := range fields {
		if h.Quantity == "" {
			t.Lengths = t.Lengths || names[i] == "Size"
			continue
		}
		h.Name, h.Main = names[i], h.Main && !hasMain(t.Columns, h.Quantity)
		t.Columns = append(t.Columns, h.Column)
	}
	for _, s := range t.Settings {
		if s.Name == "window size" {
			if n, err := whole(s.Value); err == nil && n < 1<<30 {
				t.Window = int(n)
			}
		}
	}
	if err := o.add(t); err != nil {
		return err
	}
	o.table, o.fields, o.runs = &o.r.Tables[len(o.r.Tables)-1], fields, 1
	return nil
}

var fanHeads = strings.NewReplacer("Avg Latency(us)", "Bandwidth (MB/s)", "Lat(us)", "BW(MB/s)")

// fan recognises the fan tests of OSU 7.4, which have osu_bw's title. Their headings call bandwidths latencies, and the
// output of fan-in and fan-out is the same.
func (o *osuReader) fan(fields []osuHead, names []string) {
	for i, h := range fields {
		if h.Quantity == foreign.Seconds {
			o.test = osuTest{name: "osu_bw_fan"}
			fields[i], _, _ = osuHeadOf(words.Either(h.Main, "MB/s", "P0 Tail BW(MB/s)"))
			names[i] = fanHeads.Replace(names[i])
		}
	}
}

// row reads a row of figures. Lines that don't begin with a digit come from launchers and libraries.
func (o *osuReader) row(line string) error {
	fields := strings.Fields(line)
	if len(fields) == 0 || fields[0][0] < '0' || fields[0][0] > '9' {
		return nil
	}
	if o.open {
		o.r.Complete = false
		return nil
	}
	if len(fields) != len(o.fields) {
		return fmt.Errorf("%d figures in the %d columns of %s", len(fields), len(o.fields), o.test.name)
	}
	var row foreign.Row
	for i, h := range o.fields {
		if err := o.field(&row, h, fields[i]); err != nil {
			return err
		}
	}
	if n := len(o.table.Rows); n > 0 && (!o.table.Lengths || row.Bytes <= o.table.Rows[n-1].Bytes) {
		if err := o.again(); err != nil {
			return err
		}
	}
	o.table.Rows = append(o.table.Rows, row)
	return nil
}

// again begins a table for another run of the test, which has no title.
func (o *osuReader) again() error {
	t := *o.table
	o.runs++
	t.Rows, t.Settings = nil, append(slices.Clip(o.settings), foreign.Setting{Name: "run", Value: fmt.Sprint(o.runs)})
	if err := o.add(t); err != nil {
		return err
	}
	o.table = &o.r.Tables[len(o.r.Tables)-1]
	o.warn(foreign.Line, fmt.Sprintf("another run of %s begins without a title", o.test.name))
	return nil
}

// field reads a field of a row.
func (o *osuReader) field(row *foreign.Row, h osuHead, field string) (err error) {
	switch {
	case h.Quantity != "":
		var x float64
		if x, err = figure(field, h.unit); err == nil {
			row.Values = append(row.Values, x)
		}
	case strings.Contains(h.form().String(), "Size"):
		row.Bytes, err = whole(field)
	case strings.Contains(h.form().String(), "Iterations"):
		row.Repetitions, err = whole(field)
	case field == "Pass" || field == "passed":
	case field == "Fail" || field == "failed":
		row.Failed = true
	default:
		err = fmt.Errorf("%.40q is neither Pass nor Fail", field)
	}
	return err
}

var osuInit = words.MustCompile(`^nprocs: (\d{1,9}), min: (\d{1,12}) ms, max: (\d{1,12}) ms, avg: (\d{1,12}) ms`)

// initLine reads the line with the figures of osu_init.
func (o *osuReader) initLine(line string) error {
	m := osuInit().FindStringSubmatch(line)
	if m == nil {
		return nil
	}
	n, _ := whole(m[1])
	row := foreign.Row{}
	for _, field := range m[2:] {
		x, err := figure(field, milli)
		if err != nil {
			return err
		}
		row.Values = append(row.Values, x)
	}
	return o.add(foreign.Table{Test: o.test.name, Operation: o.test.operation, Way: o.test.way,
		Processes: int(n), Columns: []foreign.Column{column("min", foreign.Seconds, "ms"),
			mainColumn("max", foreign.Seconds, "ms"), column("avg", foreign.Seconds, "ms")}, Rows: []foreign.Row{row}})
}
