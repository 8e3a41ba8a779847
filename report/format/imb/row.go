package imb

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/lazy"
	"github.com/effective-bandwidth/beff/report/words"
)

var (
	// missingRow is a row without figures. Its group may stand before it.
	missingRow = lazy.MustCompile(`^\s*(?:(\d{1,9})\s+)?(\d{1,15})\s+(out-of-mem\.|int-overflow|time-out)\.?;?` +
		`\s*(.*)$`)
	// defectsAt is the end of a row with wrong data.
	defectsAt = lazy.MustCompile(`\s*# (\d{1,15}) defects in (\d{1,15}) repetitions$`)
	// mapOption is the option of a command that numbers the processes along a matrix.
	mapOption = lazy.MustCompile(`(?:^|\s)-map\s+(\d{1,6})x(\d{1,6})`)
)

// count returns the number whose digits a regular expression has found; -1 if they are too many.
func count(text string) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return -1
	}
	return n
}

// ErrNoTable is the error of a text without any table of the Intel MPI Benchmarks.
var ErrNoTable = errors.New("there is no table of the Intel MPI Benchmarks in it that this program knows")

// printedRow holds a line of figures.
type printedRow struct {
	group       int
	bytes       int64
	repetitions int64
	figures     kernel.Times // bandwidth in the text's megabytes
	throughput  float64
	missing     string
	detail      string
	defects     int64
	difference  float64
	checked     int64
}

// readRow takes a line of figures. Outside of a table it is another program's.
func (f *file) readRow(line string) error {
	t := &f.table
	if t.kernel == nil {
		return nil
	}
	row, err := t.parse(line)
	if err != nil {
		return err
	}
	if row.missing == "" {
		if err := f.proven(&row); err != nil {
			return err
		}
	}
	f.defects += row.defects
	return f.add(&row)
}

// parse reads the words of a line by the table's heads.
func (t *table) parse(line string) (row printedRow, err error) {
	if m := missingRow().FindStringSubmatch(line); m != nil {
		row.group, _ = strconv.Atoi(m[1]) // none: group 0
		row.bytes, row.missing, row.detail = count(m[2]), m[3], words.OneLine(m[4])
		return row, nil
	}
	if m := defectsAt().FindStringSubmatch(line); m != nil {
		row.defects, row.checked = count(m[1]), count(m[2])
		line = strings.TrimSuffix(line, m[0])
	}
	words := strings.Fields(line)
	if len(words) != len(t.heads) {
		return row, fmt.Errorf("%d figures in a table of %d columns", len(words), len(t.heads))
	}
	for i, head := range t.heads {
		if err := row.take(t, head, words[i]); err != nil {
			return row, err
		}
	}
	threads := int64(max(t.block.Threads, 1)) // whose bytes are all in one figure
	if row.bytes%threads != 0 {
		return row, fmt.Errorf("%d bytes of %d threads", row.bytes, threads)
	}
	row.bytes /= threads
	return row, nil
}

// mostTime is the largest figure that is taken: a thousand years in microseconds.
const mostTime = 3e16

// take puts the word below a head into its place.
func (row *printedRow) take(t *table, head, word string) error {
	if word == "-" && slices.ContainsFunc(t.columns, func(c Column) bool { return c.Head == head && c.Dash }) {
		return nil
	}
	whole := map[string]*int64{"#bytes": &row.bytes, "#repetitions": &row.repetitions}[head]
	x, err := strconv.ParseFloat(word, 64)
	if head == headDefects && x > mostTime { // of wrong data, which may be no number
		row.difference, row.defects = math.MaxFloat64, max(row.defects, 1)
		return nil
	}
	switch {
	case err != nil || !(x >= 0) || x > mostTime:
		return fmt.Errorf("%s is %q", head, word)
	case (whole != nil || head == "Group") && (x != math.Trunc(x) || x > 1e15):
		return fmt.Errorf("%s is %q, no whole number", head, word)
	case whole != nil:
		*whole = int64(x)
	case head == "Group":
		row.group = int(min(x, math.MaxInt32))
	case head == columnBandwidth.Head:
		row.throughput = x
	case head == headDefects:
		if row.difference = x; row.checked == 0 { // else the end of the row has counted them
			row.defects = int64(math.Ceil(min(x, 1e15)))
		}
	}
	for _, c := range t.columns {
		if c.Head == head && c.Unit > 0 {
			*c.Of(&row.figures) = x * c.Unit
		}
	}
	return nil
}

// printed is half of the last digit, and a little more for the rounding of decimal fractions.
const printed = 0.00501

// proven returns an error if a row's figures can't be of one measurement.
func (f *file) proven(row *printedRow) error {
	t, d := &f.table, &row.figures
	if row.repetitions < 1 {
		return fmt.Errorf("%d repetitions", row.repetitions)
	}
	if slices.Contains(t.heads, columnMin.Head) {
		const digit = 2 * printed * words.Micro
		if d.Min > d.Mean+digit || d.Mean > d.Max+digit {
			return fmt.Errorf("t_min %.2f, t_avg %.2f and t_max %.2f usec are not in this order", d.Min/words.Micro,
				d.Mean/words.Micro, d.Max/words.Micro)
		}
	}
	has := func(head string) bool {
		return slices.ContainsFunc(t.columns, func(c Column) bool { return c.Head == head })
	}
	switch {
	case t.kernel.Class == kernel.Band:
		return f.proveBand(row)
	case has(columnRate.Head):
		return f.proveRate(row)
	case has(columnBandwidth.Head):
		return f.prove(row)
	}
	return nil
}

// prove compares the throughput with the time, for megabytes of 10^6 and of 2^20 bytes. A text must fit one of them in
// all its rows.
func (f *file) prove(row *printedRow) error {
	t := &f.table
	times := row.figures
	moved := t.block.Messages(t.kernel) * float64(row.bytes)
	usec := times.Max / words.Micro
	if moved == 0 || usec < printed {
		return nil
	}
	fits := func(base float64) bool {
		low := moved / (usec + printed) / words.Micro / base
		high := math.Inf(1)
		if usec > printed {
			high = moved / (usec - printed) / words.Micro / base
		}
		return row.throughput >= low-printed && row.throughput <= high+printed
	}
	if unit := f.narrow(fits); unit != "" {
		return fmt.Errorf("%.2f Mbytes/sec: %.2f usec give %.2f to %.2f, and a Mbyte of %s", row.throughput, usec,
			moved/usec/words.Micro/words.Mebi, moved/usec/words.Micro/words.Mega, unit)
	}
	return nil
}

// narrow keeps the sizes of a megabyte that fit a row too. If none is left, it returns in words which ones should have.
func (f *file) narrow(fits func(base float64) bool) (wanted string) {
	bases := [2]bool{fits(words.Mega), fits(words.Mebi)}
	if f.rows == 0 {
		f.bases = [2]bool{true, true}
	}
	f.rows++
	next := [2]bool{f.bases[0] && bases[0], f.bases[1] && bases[1]}
	switch {
	case next != [2]bool{}:
		f.bases = next
		return ""
	case bases == next:
		return "10^6 or 2^20 bytes"
	}
	return map[bool]string{true: "10^6 bytes as above", false: "2^20 bytes as above"}[f.bases[0]]
}

// add puts a line into the last block, as a new row or as a further group of the last row.
func (f *file) add(line *printedRow) error {
	t := &f.table
	b := &f.r.Blocks[len(f.r.Blocks)-1]
	grouped := slices.Contains(t.heads, "Group")
	if line.group > 0 {
		return f.addGroup(b, line)
	}
	if grouped && !f.groupsFull(b) {
		return fmt.Errorf("the row before this one lacks groups")
	}
	if slices.ContainsFunc(b.Rows, func(r measured.Row) bool { return r.Bytes == line.bytes }) {
		return fmt.Errorf("%d bytes are there twice", line.bytes)
	}
	row := measured.Row{Bytes: line.bytes, Missing: line.missing, Detail: line.detail, Defects: line.defects,
		Checked: line.checked, Difference: line.difference}
	if line.missing == "" {
		row.Repetitions = line.repetitions
		row.Samples = []measured.Sample{t.sample(line)}
		// A row that stands for all groups is all that is known of each.
		for !grouped && len(row.Samples) < t.groups {
			row.Samples = append(row.Samples, row.Samples[0])
		}
	}
	b.Rows = append(b.Rows, row)
	return nil
}

// groupsFull reports whether the last row has all groups.
func (f *file) groupsFull(b *measured.Block) bool {
	if len(b.Rows) == 0 {
		return true
	}
	last := &b.Rows[len(b.Rows)-1]
	return last.Missing != "" || len(last.Samples) == max(1, len(b.Groups))
}

// addGroup adds a line of another group to the last row.
func (f *file) addGroup(b *measured.Block, line *printedRow) error {
	if len(b.Rows) == 0 || line.group >= max(1, len(b.Groups)) {
		return fmt.Errorf("group %d of %d is not the one that should follow", line.group, max(1, len(b.Groups)))
	}
	last := &b.Rows[len(b.Rows)-1]
	switch {
	case last.Bytes != line.bytes || last.Missing != line.missing ||
		last.Missing == "" && (last.Repetitions != line.repetitions || line.group != len(last.Samples)):
		return fmt.Errorf("group %d has not the length and repetitions of the groups before it, or one is missing",
			line.group)
	case line.missing == "":
		last.Samples = append(last.Samples, f.table.sample(line))
		last.Defects, last.Difference = max(last.Defects, line.defects), max(last.Difference, line.difference)
	}
	return nil
}

// finish completes and checks the result when all lines are read.
func (f *file) finish() error {
	r := &f.r
	if len(r.Blocks) == 0 {
		return ErrNoTable
	}
	last := &r.Blocks[len(r.Blocks)-1]
	if !f.groupsFull(last) {
		last.Rows, f.ended = last.Rows[:len(last.Rows)-1], false
	}
	r.Settings.MegaBytesOf2 = !f.bases[0] && f.bases[1]
	if m := mapOption().FindStringSubmatch(r.Command); m != nil &&
		count(m[1])*count(m[2]) == int64(r.Processes) {
		r.Settings.Map = []int{int(count(m[1])), int(count(m[2]))}
	}
	if strings.Contains(r.Engine.Library, ": one machine, no MPI") {
		r.Engine.Engine, r.Engine.Library = "local", strings.TrimSuffix(r.Engine.Library, ": one machine, no MPI")
	}
	other := func(b measured.Block) bool { return b.Component != kernel.MT }
	r.Complete = f.ended || !f.cut && !slices.ContainsFunc(r.Blocks, other) // the text of IMB-MT has no last line
	f.remark()
	if err := r.Check(); err != nil {
		return err
	}
	probe.Rederive(r)
	return nil
}

// Remedies are those of the warnings about what a text of IMB doesn't have, by their codes.
var Remedies = map[string]string{
	"imported":  "keep the file",
	"groups":    "measure with -multi 1",
	"megabytes": "",
	"truncated": "import the whole text, or measure again",
	"unknown":   "",
	"defects":   "look for their cause first",
}

// remark adds warnings of the facts that the result has no place for.
func (f *file) remark() {
	add := func(is bool, code, text string) {
		if is {
			f.r.Warnings = append(f.r.Warnings, rating.Warning{Code: code, Text: text, Remedy: Remedies[code]})
		}
	}
	text := "taken from text"
	if f.version != "" {
		text += " of " + f.version
	}
	add(true, "imported", text+": times have two decimals of a microsecond, and bandwidths follow from them; "+
		"overlap is by the guide's formula; which hosts ran what is not known")
	groups := f.r.Settings.Multi != nil && *f.r.Settings.Multi == 0 &&
		slices.ContainsFunc(f.r.Blocks, func(b measured.Block) bool { return len(b.Groups) > 1 })
	add(groups, "groups",
		"the figures of several groups are those over all of them (-multi 0): each group has the same")
	add(f.rows > 0 && f.bases[0] && f.bases[1], "megabytes",
		"no throughput has digits enough to tell megabytes of 10^6 bytes from those of 2^20: said to be of 10^6")
	add(!f.r.Complete, "truncated", "the text ends too early: its last line is missing")
	add(len(f.unknown) > 0, "unknown", "kernels that this program doesn't know are left out: "+words.Some(f.unknown))
	add(f.defects > 0, "defects", fmt.Sprintf("%d defects are in the text: data were wrong", f.defects))
}
