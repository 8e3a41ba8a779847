package tools

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/report/foreign"
	"github.com/effective-bandwidth/beff/report/words"
)

// imbFirst matches a line of the header, or one that each table of IMB's text has, and no other program's.
var imbFirst = words.MustCompile(`#\s*Benchmarking\s|#\s+(?:\S.*)?(?:Intel ?\(R\)|Pallas) MPI Benchmark|` +
	`#bytes\s+#repetitions|#    beff probe `)

// imbReader holds the part of a text that was read.
type imbReader struct {
	*run
	calling  bool // the command continues in the next line
	ended    bool
	threaded bool // all parts are IMB-MT, whose text has no last line

	next   foreign.Table // table whose heading is being read; without a name there is none
	groups int
	multi  bool
	heads  []string // of the table that is being read, or nil
	rows   map[imbRow]bool
	bases  [2]bool // whether a megabyte of 10^6, and of 2^20, explains all throughputs
}

// imbRow identifies a row of a table.
type imbRow struct {
	bytes int64
	group string
}

// newIMB returns a reader of the text that all components of IMB's versions 3.2 to 2021 print, or of beff's text in the
// same form. Figures that contradict each other by more than the two decimals explain are doubtful.
func newIMB(t *run) reading { return &imbReader{run: t, bases: [2]bool{true, true}} }

func (x *imbReader) end() error {
	x.r.Complete = x.ended || x.threaded && !x.open
	x.scale()
	return nil
}

// imbComments are the comments that are read.
var imbComments = []form[*imbReader]{
	{words.MustCompile(`^#(?: {4}(beff probe .*)|\s+(.*Benchmark.*(?:parts?|partn|preview)\b.*))$`),
		(*imbReader).version},
	{words.MustCompile(`^# Benchmarking\s+(Multi-)?(\S+)\s*(?:\([\d x]+\)\s*)?$`), (*imbReader).name},
	{words.MustCompile(`^#\s*\(?\s*#?\s*processes\s*=\s*(\d{1,9})(?:\s*\(threads:\s*(\d{1,9})\))?`),
		(*imbReader).processes},
	{words.MustCompile(`^#\s*\(\s*(\d{1,9}) groups of (\d{1,9}) processes`), (*imbReader).inGroups},
	{words.MustCompile(`^#\s*\(\s*(\d{1,9}) additional process`), (*imbReader).waiting},
	{words.MustCompile(`^#\s*window_size\s*=\s*(\d{1,9})$`),
		func(x *imbReader, m []string) error { x.next.Window = count(m[1]); return nil }},
	{words.MustCompile(`^#\s+MODE:\s+(\S+)`),
		func(x *imbReader, m []string) error { x.set("mode", strings.ToLower(m[1])); return nil }},
	{words.MustCompile(`^#\s*Calling sequence was`),
		func(x *imbReader, _ []string) error { x.calling = true; return nil }},
	{words.MustCompile(`^#\s*All processes entering MPI`),
		func(x *imbReader, _ []string) error { x.ended = true; return io.EOF }},
	{words.MustCompile(`^#\s+(Date|Machine|System|Release|Version|MPI Version|MPI Thread Environment|Engine|` +
		`Mbyte|Rated \w+)\s*:\s*(.*)$`), (*imbReader).fact},
}

var (
	imbHeads = words.MustCompile(`^\s*(Group\s+)?#\s?(bytes|repetitions)\s.*(\[[uµμ]?sec\]|[Mm][Bb]ytes/sec)`)
	imbData  = words.MustCompile(`^\s*\d+(\s|$)`)
	imbTail  = words.MustCompile(`^\[ *(\d[\d.]*,.*?),? *\]$`) // printed by -show_tail below each row
	// imbMissing matches a row without figures, perhaps with a group before it.
	imbMissing = words.MustCompile(`^\s*(?:\d{1,9}\s+)?(\d{1,15})\s+(out-of-mem\.|int-overflow|time-out)`)
	// imbDefects matches the end of a row with wrong data.
	imbDefects = words.MustCompile(`\s*# (\d{1,15}) defects in \d{1,15} repetitions$`)
	// imbAfterCommand matches the beginning of comments that may directly follow the command.
	imbAfterCommand = words.MustCompile(`^(Minimum|Maximum|Message|IO|M?PI_)`)
	imbWindow       = words.MustCompile(`(?:^|\s)--?window[_-]size[ =](\d{1,6})`)
)

// line reads a line. A line that is neither a comment nor has figures doesn't come from IMB. It may be a warning of the
// MPI library.
func (x *imbReader) line(line string) error {
	switch {
	case strings.TrimSpace(line) == "":
		x.calling = x.calling && x.r.Command == ""
		return nil
	case x.next.Test != "" && imbHeads().MatchString(line):
		x.calling = false
		return x.begin(line)
	case imbData().MatchString(line):
		return x.row(line)
	case x.heads != nil && imbTail().MatchString(line):
		return x.tail(strings.Split(imbTail().FindStringSubmatch(line)[1], ","))
	case !strings.HasPrefix(line, "#"):
		return nil
	}
	if is, err := readForm(imbComments, x, line); is {
		x.calling = x.calling && x.r.Command == ""
		return err
	}
	text := words.OneLine(strings.TrimPrefix(line, "#"))
	switch {
	case !x.calling || text == "" && x.r.Command == "":
	case text == "" || imbAfterCommand().MatchString(text):
		x.calling = false
	default:
		x.r.Command = strings.TrimSpace(x.r.Command + " " + text)
	}
	return nil
}

// version records the program, which may be beff, and its version.
func (x *imbReader) version(m []string) error {
	if x.ended || x.r.ProgramVersion != "" || len(x.r.Tables) > 0 {
		return errAnother
	}
	version := words.OneLine(strings.TrimRight(m[2], "#-")) // IMB-IO lacks the end of the line
	if m[1] != "" {
		x.r.Program, version = foreign.ProbeProgram, words.OneLine(strings.TrimPrefix(m[1], foreign.ProbeProgram))
	}
	part := strings.Contains(version, " MT part")
	x.threaded = part && (x.threaded || x.r.ProgramVersion == "")
	x.r.ProgramVersion = version
	return nil
}

func (x *imbReader) fact(m []string) error {
	h, value := &x.r.Host, words.OneLine(m[2])
	fields := map[string]*string{"Machine": &h.Machine, "System": &h.System, "Release": &h.Release,
		"Version": &h.Version, "MPI Version": &x.r.Engine.Standard, "Engine": &x.r.Engine.Library}
	if field, ok := fields[m[1]]; ok {
		*field = value
	}
	if of, rated := strings.CutPrefix(m[1], "Rated "); rated {
		x.r.System = x.r.System.With(of, value)
	}
	switch m[1] {
	case "Date":
		started(x.r, value, iorDate, zonedDate)
	case "Mbyte": // in beff's own text
		x.bases = [2]bool{value != "2^20 bytes", value == "2^20 bytes"}
	}
	return nil
}

// name begins a table.
func (x *imbReader) name(m []string) error {
	x.multi, x.groups, x.heads = m[1] != "", 1, nil
	x.next = foreign.Table{Test: m[1] + m[2], Rows: []foreign.Row{}}
	x.next.Operation, x.next.Way = foreign.OfIMB(m[2], x.multi)
	return nil
}

func (x *imbReader) set(name, value string) {
	if len(x.next.Settings) < mostSettings {
		x.next.Settings = append(x.next.Settings, foreign.Setting{Name: name, Value: value})
	}
}

func (x *imbReader) processes(m []string) error {
	if x.next.Test != "" && x.heads == nil {
		if x.next.Processes = count(m[1]); m[2] != "" {
			x.set("threads", m[2])
		}
	}
	return nil
}

func (x *imbReader) inGroups(m []string) error {
	x.groups, x.next.Processes = count(m[1]), count(m[2])
	x.set("groups", m[1])
	return nil
}

func (x *imbReader) waiting(m []string) error {
	x.r.Processes = max(x.r.Processes, x.next.Processes*x.groups+count(m[1]))
	return nil
}

// imbOld replaces headings of older versions by today's, and turns beff's headings into single words.
var imbOld = strings.NewReplacer("# bytes", "#bytes", "µ", "u", "μ", "u", "#rep.s", "#repetitions", "[usec]", "",
	"Mb/sec", "Mbytes/sec", "MB/sec", "Mbytes/sec", "mean step", "mean_step", "best step", "best_step", "both ways",
	"both_ways")

// begin begins the rows of a table.
func (x *imbReader) begin(line string) error {
	if x.next.Processes < 1 {
		return fmt.Errorf("the heading of %s lacks the number of processes", words.OneLine(x.next.Test))
	}
	t := x.next
	x.heads, x.rows = strings.Fields(imbOld.Replace(line)), map[imbRow]bool{}
	t.Lengths = slices.Contains(x.heads, "#bytes")
	for _, head := range x.heads {
		if c := imbColumn(head); c.Quantity != "" {
			t.Columns = append(t.Columns, c.Column)
		}
	}
	for _, q := range []foreign.Quantity{foreign.Seconds, foreign.BytesPerSecond, foreign.PerSecond} {
		at := slices.IndexFunc(t.Columns, func(c foreign.Column) bool { return c.Name == "t_max" && q == c.Quantity })
		if at < 0 {
			at = slices.IndexFunc(t.Columns, func(c foreign.Column) bool { return q == c.Quantity })
		}
		if at >= 0 {
			t.Columns[at].Main = true
		}
	}
	if t.Way == foreign.Window && t.Window == 0 {
		if t.Window = imbWindowSize; imbWindow().MatchString(x.r.Command) {
			t.Window = count(imbWindow().FindStringSubmatch(x.r.Command)[1])
		}
	}
	x.r.Processes = max(x.r.Processes, t.Processes*x.groups)
	if t.Operation == foreign.SeveralPairs {
		t.Processes *= x.groups
	}
	if err := x.add(t); err != nil {
		x.heads = nil
		return err
	}
	return nil
}

// imbWindowSize is the number of messages in a window unless the command sets it (guide, "-window_size").
const imbWindowSize = 64

// imbColumn returns the column of a heading, without a quantity if it has no figures.
func imbColumn(head string) printed {
	switch {
	case slices.Contains([]string{"Group", "#bytes", "#repetitions", "defects"}, head):
		return printed{}
	case slices.Contains([]string{"Mbytes/sec", "slowest", "fastest", "together", "perceived", "mean_step",
		"best_step", "both_ways"}, head):
		return printed{column(head, foreign.BytesPerSecond, "Mbytes/sec"), mega}
	case strings.HasSuffix(head, "/sec"):
		return printed{column(head, foreign.PerSecond, head), 1}
	case strings.HasSuffix(head, "[%]"):
		return printed{column(strings.TrimSuffix(head, "[%]"), foreign.Fraction, "%"), 0.01}
	case head == "starts" || head == "ratio[1]":
		return printed{column(strings.TrimSuffix(head, "[1]"), foreign.Count, ""), 1}
	}
	return printed{column(head, foreign.Seconds, "usec"), micro}
}

// row reads a line of figures. Outside of a table the line comes from another program.
func (x *imbReader) row(line string) error {
	if x.heads == nil {
		return nil
	}
	t := &x.r.Tables[len(x.r.Tables)-1]
	if m := imbMissing().FindStringSubmatch(line); m != nil {
		if len(t.Settings) < mostSettings {
			t.Settings = append(t.Settings, foreign.Setting{Name: m[1] + " bytes",
				Value: strings.TrimSuffix(m[2], ".")})
		}
		return nil
	}
	if x.open {
		return nil // the last figure may lack digits
	}
	row, group := foreign.Row{}, ""
	if m := imbDefects().FindStringSubmatch(line); m != nil {
		row.Failed, line = true, strings.TrimSuffix(line, m[0])
	}
	fields := strings.Fields(line)
	if len(fields) != len(x.heads) {
		return fmt.Errorf("%d figures in a table of %d columns", len(fields), len(x.heads))
	}
	for i, head := range x.heads {
		var err error
		switch c := imbColumn(head); {
		case head == "Group":
			group = "group " + fields[i]
		case head == "#bytes":
			row.Bytes, err = whole(fields[i])
		case head == "#repetitions":
			if row.Repetitions, err = whole(fields[i]); row.Repetitions == 0 && err == nil {
				err = errors.New("0 repetitions")
			}
		case head == "defects": // size of a difference, which may not be a number
			row.Failed = row.Failed || strings.Trim(fields[i], "0.") != ""
		case fields[i] == "-":
			row.Values = append(row.Values, 0)
		default:
			var v float64
			v, err = figure(fields[i], c.unit)
			row.Values = append(row.Values, v)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", head, err)
		}
	}
	if x.rows[imbRow{row.Bytes, group}] {
		return fmt.Errorf("%d bytes occur twice", row.Bytes)
	}
	x.rows[imbRow{row.Bytes, group}] = true
	row.Label = group
	x.prove(t, &row)
	row.Values = append(row.Values, make([]float64, len(t.Columns)-len(row.Values))...) // columns of a tail
	t.Rows = append(t.Rows, row)
	return nil
}

// tail stores the tail of the last row's times, in columns that are 0 for rows without one. IMB doesn't name them.
func (x *imbReader) tail(fields []string) error {
	t := &x.r.Tables[len(x.r.Tables)-1]
	var tail []float64
	for _, field := range fields {
		v, err := figure(strings.TrimSpace(field), micro)
		if err != nil {
			return err
		}
		tail = append(tail, v)
	}
	first := len(lists.Where(t.Columns, func(c foreign.Column) bool { return !strings.HasPrefix(c.Name, "tail ") }))
	switch {
	case len(t.Rows) == 0 || first+len(tail) > foreign.MostColumns:
		return fmt.Errorf("%d figures of a tail after %d rows", len(tail), len(t.Rows))
	case first == len(t.Columns):
		for i := range tail {
			t.Columns = append(t.Columns, column(fmt.Sprintf("tail %d of %d", i+1, len(tail)), foreign.Seconds, "usec"))
		}
		for i := range t.Rows {
			t.Rows[i].Values = append(t.Rows[i].Values, make([]float64, len(tail))...)
		}
	case len(tail) != len(t.Columns)-first:
		return fmt.Errorf("a tail of %d figures below one of %d", len(tail), len(t.Columns)-first)
	}
	copy(t.Rows[len(t.Rows)-1].Values[first:], tail)
	return nil
}

// imbHalf is half a unit of the last printed digit, and a little more for the rounding of decimal fractions.
const imbHalf = 0.00501

// prove records a doubt if a row's figures can't belong to one measurement: if its times are out of order, or its
// throughput doesn't fit a whole number of messages in one of its times. All rows of a text must fit megabytes of 10^6
// bytes, or all must fit megabytes of 2^20.
func (x *imbReader) prove(t *foreign.Table, row *foreign.Row) {
	at := map[string]float64{}
	columns := t.Columns[:len(row.Values)]
	for i, c := range columns {
		at[c.Name] = row.Values[i]
	}
	const digit = 2 * imbHalf * micro
	least, is := at["t_min"]
	if is && (least > at["t_avg"]+digit || at["t_avg"] > at["t_max"]+digit) {
		x.doubt("t_min %.2f, t_avg %.2f and t_max %.2f usec are not in this order", least/micro,
			at["t_avg"]/micro, at["t_max"]/micro)
	}
	throughput, rated := at["Mbytes/sec"]
	if throughput /= mega; !rated || row.Bytes == 0 || slices.ContainsFunc(columns, func(c foreign.Column) bool {
		return !slices.Contains([]string{"t", "t_min", "t_max", "t_avg", "Mbytes/sec"}, c.Name)
	}) {
		return
	}
	fits := func(base float64) bool {
		for _, name := range []string{"t", "t_max", "t_avg"} {
			usec, is := at[name]
			usec /= micro
			low := max(0, throughput-imbHalf) * max(0, usec-imbHalf) * base / mega / float64(row.Bytes)
			high := (throughput + imbHalf) * (usec + imbHalf) * base / mega / float64(row.Bytes)
			if is && math.Floor(high) >= max(1, math.Ceil(low)) {
				return true
			}
		}
		return false
	}
	now := [2]bool{fits(mega), fits(mebi)}
	next := [2]bool{x.bases[0] && now[0], x.bases[1] && now[1]}
	if next == [2]bool{} {
		x.doubt("%.2f Mbytes/sec: %d bytes in %.2f usec are %.2f to %.2f of a message, and a Mbyte of %s",
			throughput, row.Bytes, cmp.Or(at["t"], at["t_max"])/micro,
			float64(row.Bytes)/cmp.Or(at["t"], at["t_max"])/mebi, float64(row.Bytes)/cmp.Or(at["t"], at["t_max"])/mega,
			words.Either(now == next, "10^6 or 2^20 bytes",
				words.Either(x.bases[0], "10^6 bytes as above", "2^20 bytes as above")))
		return
	}
	x.bases = next
}

// scale converts the throughputs, whose megabyte is 10^6 bytes unless the figures imply 2^20.
func (x *imbReader) scale() {
	if x.bases[0] {
		return
	}
	for _, t := range x.r.Tables {
		for i, c := range t.Columns {
			if c.Quantity != foreign.BytesPerSecond {
				continue
			}
			for _, row := range t.Rows {
				row.Values[i] *= float64(mebi) / mega
			}
		}
	}
}
