package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/words"
)

// ImportSum reads a .sum file of HLRS release 2.1, or one that Sum wrote, into a result that says where it comes from:
// name. It has the bandwidths of the table, with the chunk sizes that are there; bytes, calls and times are not known.
// A file that contradicts itself by more than its three decimals explain is refused; an error names the line, not the
// file. What is not there leaves the result incomplete, and is named in a warning.
func ImportSum(rd io.Reader, name string) (*beffio.Result, error) {
	f := &sumFile{byProcesses: map[int]*sumPart{}}
	fail := func(err error) (*beffio.Result, error) {
		if f.line == 0 {
			return nil, err
		}
		return nil, fmt.Errorf("line %d: %w", f.line, err)
	}
	lines := bufio.NewScanner(rd)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		f.line++
		if err := f.read(strings.TrimRight(lines.Text(), "\r")); err != nil {
			return fail(err)
		}
	}
	if err := lines.Err(); err != nil {
		f.line++ // the one that could not be read
		return fail(err)
	}
	for _, check := range []func() error{f.checkHead, f.result, f.checkPrinted} {
		if err := check(); err != nil {
			return fail(err)
		}
	}
	f.remark(name)
	if err := f.r.Check(); err != nil {
		return nil, err
	}
	return &f.r, nil
}

// sumFile is what was read of a file.
type sumFile struct {
	r           beffio.Result
	line        int
	chunk       figureAt // MBytes
	options     string
	lineOptions int
	amounts     []string
	parts       []*sumPart
	byProcesses map[int]*sumPart
	behind      bool // the partitions: what follows is the maximum
	best        *sumRating
	unrated     int      // the line that says so instead of the best rating
	reasons     [4]bool  // by their index
	holes       []string // what other rows show to be missing
}

// sumPart is one partition.
type sumPart struct {
	index     int
	processes int
	line      int
	rows      []sumRow
	totals    map[beffio.Access]sumRow
	pattern2  *sumRow // by access method instead of type
	means     map[beffio.Access]figureAt
	amount    figureAt
	rating    *sumRating
	unrated   int // the line that says so instead
	paper     figureAt
	said      string // VALID or NOT VALID
	saidLine  int
	reached   [4]bool // by a criterion's number
	told      [4]int  // its line
	errors    int64
}

// sumRow is one line of figures, in MB/s.
type sumRow struct {
	line   int
	access beffio.Access
	chunk  int64
	cells  [5]cell
}

// cell is a figure, a dash or the mark of a pattern with errors.
type cell struct {
	value float64
	there bool
	wrong bool
}

type figureAt struct {
	value float64
	line  int // 0: not there
}

type sumRating struct {
	figureAt
	processes int
	minutes   float64
}

// sumLine is a line that is read: what says that it is one, and how it must look then.
type sumLine struct {
	key, form *regexp.Regexp
	read      func(f *sumFile, m []string) error
}

func lineOf(key, form string, read func(f *sumFile, m []string) error) sumLine {
	return sumLine{regexp.MustCompile(key), regexp.MustCompile(form), read}
}

// The words of the table.
const (
	wordFigure = `(-?\d{1,9}\.\d{3}|-)`
	wordCount  = `(\d{1,9})`
	wordTenths = `(\d{1,9}\.\d)`
	wordAccess = `(write|rewrite|read)`
)

var (
	fiveFigures = strings.Repeat(`\s+`+wordFigure, 5) + `\s*$`
	withMemory  = ` MB/s on ` + wordCount + ` processes with\s+` + wordCount + ` MByte/PE`
)

// sumLines are all lines that matter; others are for gnuplot and for people.
var sumLines = []sumLine{
	lineOf(`^b_eff_io\.c`, `^b_eff_io\.c, Revision 2\.1 (?:from .*|format, .*)$`,
		func(f *sumFile, m []string) error { return nil }),
	lineOf(`^MEMORY_PER_PROCESSOR`, `^MEMORY_PER_PROCESSOR =\s+`+wordCount+` MBytes`, (*sumFile).readMemory),
	lineOf(`^Maximum chunk size`, `^Maximum chunk size\s+=\s+(\d{1,9}\.\d{3}) MBytes`,
		func(f *sumFile, m []string) error {
			f.chunk = figureAt{decimal(m[1]), f.line}
			return nil
		}),
	lineOf(`^-N `, `^-N\s+(\d{1,9}(?:\s*,\s*\d{1,9})*)\s+T=(\d{1,9}(?:\.\d{1,9})?), MT=`+wordCount+` MBytes(.*)$`,
		(*sumFile).readOptions),
	lineOf(`^PATH=`, `^PATH=(.*), PREFIX=(.*)$`, func(f *sumFile, m []string) error { f.r.FileSystem.Directory = words.OneLine(m[1]); return nil }),
	lineOf(`^ {7}(system name|hostname|OS release|OS version|machine) *:`, `^\s+(.*?)\s*: ?(.*)$`, (*sumFile).readHost),
	lineOf(`^Date of measurement:`, `^Date of measurement: (.*)$`, (*sumFile).readDate),
	lineOf(`^Summary of file I/O`, `^Summary of file I/O bandwidth accumulated on\s+`+wordCount+` processes with\s+`+wordCount+` MByte/PE`, (*sumFile).readPart),
	lineOf(`^\s*\d+ PEs\s+total-`, `^\s*`+wordCount+` PEs\s+total-`+wordAccess+fiveFigures, (*sumFile).readTotal),
	lineOf(`^\s*\d+ PEs`, `^\s*`+wordCount+` PEs\s+`+wordCount+`\s+(\d{1,12})\s+`+wordAccess+fiveFigures,
		(*sumFile).readRow),
	lineOf(`bw_pat2=`, `^\s*bw_pat2=\s*`+wordFigure+` MB/s write,\s*`+wordFigure+` MB/s rewrite,\s*`+wordFigure+` MB/s read\s*$`, (*sumFile).readPattern2),
	lineOf(`^weighted average bandwidth`, `^weighted average bandwidth for `+wordAccess+`\s*:\s+(\d{1,9}\.\d{3}) MB/s on `+wordCount+` processes`, (*sumFile).readMean),
	lineOf(`^Total amount`, `^Total amount of data written/read with each access method:\s*(\d{1,12}\.\d{3}) MBytes`,
		(*sumFile).readAmount),
	lineOf(`percent of the total memory`, `^\s*=\s*(\d{1,9}\.\d) percent of the total memory \(`+wordCount+` MBytes(?:: not known)?\)`, (*sumFile).readPercent),
	lineOf(`^b_eff_io of these measurements not computed`, ``, (*sumFile).readUnrated),
	lineOf(`^b_eff_io of these`, `^b_eff_io of these measurements =\s*(\d{1,9}\.\d{3})`+withMemory+` and scheduled time=`+wordTenths+` min`, (*sumFile).readRating),
	lineOf(`^\(by the paper's formula`, `: *(\d{1,9}\.\d{3}) MB/s\)$`, (*sumFile).readPaper),
	lineOf(`^(NOT )?VALID for comparison`, `^((?:NOT )?VALID) for comparison`, (*sumFile).readValid),
	lineOf(`^\s*criterion`, `^\s*criterion ([123]): (.*) -- ((?:NOT )?reached)\s*$`, (*sumFile).readCriterion),
	lineOf(`^`+besides, `^`+besides+`(.*)$`, (*sumFile).readReason),
	lineOf(`^Maximum over all`, ``, func(f *sumFile, m []string) error { f.behind = true; return nil }),
	lineOf(`^\s*b_eff_io not computed: `, ``, (*sumFile).readNoBest),
	lineOf(`^\s*b_eff_io = `, `^\s*b_eff_io =\s+(\d{1,9}\.\d{3})`+withMemory+`, scheduled time=`+wordTenths+` Min`,
		(*sumFile).readBest),
}

// decimal is the number that a regular expression has found.
func decimal(text string) float64 {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return math.NaN()
	}
	return x
}

func count(text string) int64 { return int64(decimal(text)) }

func (f *sumFile) read(line string) error {
	if f.line == 1 && !sumLines[0].form.MatchString(line) {
		return fmt.Errorf("this is no .sum file of b_eff_io release 2.1: want b_eff_io.c, Revision 2.1")
	}
	for _, l := range sumLines {
		if !l.key.MatchString(line) {
			continue
		}
		m := l.form.FindStringSubmatch(line)
		if m == nil {
			return fmt.Errorf("%q is not as release 2.1 writes it", words.OneLine(line))
		}
		return l.read(f, m)
	}
	return nil
}

// once is an error if a line that is there once was there before.
func once(before int) error {
	if before != 0 {
		return fmt.Errorf("the same as line %d again", before)
	}
	return nil
}

func (f *sumFile) readMemory(m []string) error {
	if f.r.MemoryPerProcess != 0 {
		return fmt.Errorf("the memory per process is there twice")
	}
	f.r.MemoryPerProcess = count(m[1]) * words.Mebi
	return nil
}

func (f *sumFile) readOptions(m []string) error {
	if err := once(f.lineOptions); err != nil {
		return err
	}
	f.lineOptions, f.options = f.line, words.OneLine(m[4])
	for _, n := range strings.Split(m[1], ",") {
		processes := int(count(strings.TrimSpace(n)))
		if slices.Contains(f.r.Partitions, processes) {
			return fmt.Errorf("the partition of %d processes is there twice", processes)
		}
		f.r.Partitions = append(f.r.Partitions, processes)
		f.r.Processes = max(f.r.Processes, processes)
	}
	f.r.Duration, f.r.TotalMemory = decimal(m[2]), count(m[3])*words.Mebi
	for option, flag := range map[string]*bool{"noshared": &f.r.NoShared, "nounique": &f.r.NoUnique,
		"rewrite": &f.r.RewriteAll, "keep": &f.r.Keep} {
		*flag = regexp.MustCompile(`(^|[\s,])-` + option + `([\s,]|$)`).MatchString(f.options)
	}
	return nil
}

func (f *sumFile) readHost(m []string) error {
	h := &f.r.Host
	fields := map[string]*string{"system name": &h.System, "hostname": &h.Name, "OS release": &h.Release,
		"OS version": &h.Version, "machine": &h.Machine}
	if field, ok := fields[m[1]]; ok {
		*field = words.OneLine(m[2])
	}
	return nil
}

// readDate takes the local time of a zone that isn't told for UTC.
func (f *sumFile) readDate(m []string) (err error) {
	text := strings.TrimSpace(m[1])
	if f.r.Started, err = time.ParseInLocation(time.ANSIC, text, time.UTC); err != nil {
		return fmt.Errorf("date %q: want %q", words.OneLine(text), "Tue Nov 23 18:30:30 2004")
	}
	return nil
}

func (f *sumFile) readPart(m []string) error {
	if f.r.Duration == 0 || f.r.MemoryPerProcess == 0 {
		return fmt.Errorf("a summary before the lines MEMORY_PER_PROCESSOR and -N, or these are 0")
	}
	p := &sumPart{processes: int(count(m[1])), line: f.line, totals: map[beffio.Access]sumRow{},
		means: map[beffio.Access]figureAt{}}
	if other := f.byProcesses[p.processes]; other != nil {
		return once(other.line)
	}
	if p.index = slices.Index(f.r.Partitions, p.processes); p.index < 0 {
		return fmt.Errorf("a summary of %d processes, but line %d has no such partition", p.processes, f.lineOptions)
	}
	f.parts, f.byProcesses[p.processes] = append(f.parts, p), p
	return f.sameMemory(m[2])
}

func (f *sumFile) sameMemory(text string) error {
	if count(text) != f.r.MemoryPerProcess/words.Mebi {
		return fmt.Errorf("%s MByte/PE, but MEMORY_PER_PROCESSOR is %d", text, f.r.MemoryPerProcess/words.Mebi)
	}
	return nil
}

// part is the partition that the current line is in; its number of processes may be in the line.
func (f *sumFile) part(processes string) (*sumPart, error) {
	if len(f.parts) == 0 || f.behind {
		return nil, fmt.Errorf("outside of a partition's summary")
	}
	p := f.parts[len(f.parts)-1]
	if processes != "" && int(count(processes)) != p.processes {
		return nil, fmt.Errorf("%s processes in the summary of %d", processes, p.processes)
	}
	return p, nil
}

func (f *sumFile) cells(words []string) (list [5]cell, err error) {
	for i, word := range words {
		c := &list[i]
		if word == "-" {
			continue
		}
		c.there, c.value = true, decimal(word)
		if c.value < 0 {
			if c.value != wrongData {
				return list, fmt.Errorf("%s MB/s", word)
			}
			c.wrong, c.value = true, 0
		}
	}
	return list, nil
}

func (f *sumFile) readRow(m []string) error {
	p, err := f.part(m[1])
	if err != nil {
		return err
	}
	row := sumRow{line: f.line, access: beffio.Access(m[4]), chunk: count(m[3])}
	if row.cells, err = f.cells(m[5:]); err != nil {
		return err
	}
	for _, other := range p.rows {
		if other.access == row.access && other.chunk == row.chunk {
			return once(other.line)
		}
	}
	if row.chunk < 1 {
		return fmt.Errorf("chunks of %d bytes", row.chunk)
	}
	p.rows = append(p.rows, row)
	return f.fits(row)
}

func (f *sumFile) readTotal(m []string) error {
	p, err := f.part(m[1])
	if err != nil {
		return err
	}
	row := sumRow{line: f.line, access: beffio.Access(m[2])}
	if row.cells, err = f.cells(m[3:]); err != nil {
		return err
	}
	for _, c := range row.cells {
		if c.there && c.value == 0 {
			return fmt.Errorf("no bandwidth of a pattern type")
		}
	}
	if err := once(p.totals[row.access].line); err != nil {
		return err
	}
	p.totals[row.access] = row
	return f.fits(row)
}

// fits refuses figures of what is not measured.
func (f *sumFile) fits(row sumRow) error {
	for i, c := range row.cells {
		if c.there && i > 0 && row.access == beffio.Rewrite && !f.r.RewriteAll {
			return fmt.Errorf("type %d is rewritten, but line %d doesn't have -rewrite", i, f.lineOptions)
		}
	}
	return nil
}

func (f *sumFile) readPattern2(m []string) error {
	p, err := f.part("")
	if err != nil {
		return err
	}
	if p.pattern2 != nil {
		return once(p.pattern2.line)
	}
	p.pattern2 = &sumRow{line: f.line}
	p.pattern2.cells, err = f.cells(m[1:])
	return err
}

func (f *sumFile) readMean(m []string) error {
	p, err := f.part(m[3])
	if err != nil {
		return err
	}
	a := beffio.Access(m[1])
	if err := once(p.means[a].line); err != nil {
		return err
	}
	p.means[a] = figureAt{decimal(m[2]), f.line}
	return nil
}

func (f *sumFile) readAmount(m []string) error {
	p, err := f.part("")
	if err != nil {
		return err
	}
	if err := once(p.amount.line); err != nil {
		return err
	}
	p.amount = figureAt{decimal(m[1]), f.line}
	f.amounts = append(f.amounts, fmt.Sprintf("%s MBytes on %d processes", m[1], p.processes))
	return nil
}

func (f *sumFile) readPercent(m []string) error {
	p, err := f.part("")
	if err != nil {
		return err
	}
	total := decimal(m[2])
	if total != float64(f.r.TotalMemory/words.Mebi) {
		return fmt.Errorf("total memory of %s MBytes, but line %d has MT=%d", m[2], f.lineOptions, f.r.TotalMemory/words.Mebi)
	}
	// One decimal of the percentage, three of the amount.
	if want := 100 * p.amount.value / total; p.amount.line > 0 && total > 0 &&
		!near(decimal(m[1]), want, 0.05+0.05/total) {
		return fmt.Errorf("%s percent of %s MBytes: line %d gives %.1f", m[1], m[2], p.amount.line, want)
	}
	return nil
}

// rating reads figure, processes, memory and minutes.
func (f *sumFile) rating(m []string) (*sumRating, error) {
	r := &sumRating{figureAt{decimal(m[1]), f.line}, int(count(m[2])), decimal(m[4])}
	if minutes := f.minutes(); !near(r.minutes, minutes, 0.05) {
		return nil, fmt.Errorf("scheduled time of %s minutes: T of line %d gives %.1f", m[4], f.lineOptions, minutes)
	}
	return r, f.sameMemory(m[3])
}

func (f *sumFile) minutes() float64 { return f.r.Duration / float64(len(f.r.Partitions)) / 60 }

func (f *sumFile) readRating(m []string) error {
	p, err := f.part(m[2])
	if err != nil {
		return err
	}
	if err := p.onceRated(); err != nil {
		return err
	}
	p.rating, err = f.rating(m)
	return err
}

// readUnrated reads what Sum writes without a rating.
func (f *sumFile) readUnrated([]string) error {
	p, err := f.part("")
	if err != nil {
		return err
	}
	if err := p.onceRated(); err != nil {
		return err
	}
	p.unrated = f.line
	return nil
}

func (p *sumPart) onceRated() error {
	if p.rating != nil {
		return once(p.rating.line)
	}
	return once(p.unrated)
}

func (f *sumFile) readPaper(m []string) error {
	p, err := f.part("")
	if err == nil {
		p.paper = figureAt{decimal(m[1]), f.line}
	}
	return err
}

func (f *sumFile) readNoBest([]string) error {
	if f.best != nil {
		return once(f.best.line)
	}
	if err := once(f.unrated); err != nil {
		return err
	}
	f.unrated = f.line
	return nil
}

func (f *sumFile) readBest(m []string) error {
	if f.best != nil {
		return once(f.best.line)
	}
	if err := once(f.unrated); err != nil {
		return err
	}
	if f.byProcesses[int(count(m[2]))] == nil {
		return fmt.Errorf("the maximum is said to be on %s processes, of which there is no summary", m[2])
	}
	var err error
	f.best, err = f.rating(m)
	return err
}

func (f *sumFile) readValid(m []string) error {
	p, err := f.part("")
	if err != nil {
		return err
	}
	if err := once(p.saidLine); err != nil {
		return err
	}
	p.said, p.saidLine = m[1], f.line
	return nil
}

var errorCount = regexp.MustCompile(`^error count \((\d{1,15})\) == 0$`)

func (f *sumFile) readCriterion(m []string) error {
	p, err := f.part("")
	if err != nil {
		return err
	}
	number, reached := count(m[1]), m[3] == "reached"
	if err := once(p.told[number]); err != nil {
		return err
	}
	p.told[number], p.reached[number] = f.line, reached
	want := reached
	switch number {
	case 1:
		// with the limit itself, the other program may have rounded
		if minutes := f.minutes(); !near(minutes, sumMinutes, 1e-6) {
			want = minutes > sumMinutes
		}
	case 2:
		want = !f.r.NoShared
	case 3:
		found := errorCount.FindStringSubmatch(m[2])
		if found == nil {
			return fmt.Errorf("%q is no count of errors", m[2])
		}
		p.errors = count(found[1])
		want = p.errors == 0
	}
	if reached != want {
		return fmt.Errorf("criterion %d is said to be %s, against the options and figures above", number, m[3])
	}
	return nil
}

func (f *sumFile) readReason(m []string) error {
	for i, x := range reasons {
		if x.text == m[1] {
			f.reasons[i] = true
			return nil
		}
	}
	return fmt.Errorf("unknown reason %q", words.OneLine(m[1]))
}

// near says whether two figures differ by no more than so much.
func near(a, b, most float64) bool {
	const digits = 1e-9
	return math.Abs(a-b) <= most+digits*math.Abs(b)
}

// checkHead looks for what must be there.
func (f *sumFile) checkHead() error {
	switch {
	case f.line == 0:
		return fmt.Errorf("the file is empty")
	case len(f.parts) == 0:
		return fmt.Errorf("the file ends without a summary of any partition")
	}
	return nil
}

// result makes samples of the rows.
func (f *sumFile) result() error {
	r := &f.r
	r.Benchmark, r.SchemaVersion, r.Rules = beffio.Benchmark, beffio.SchemaVersion, beffio.Rules21
	r.Engine = mpi.Library{Library: "not known"}
	r.Hints, r.HintsInForce, r.Errors, r.Placement = []beffio.HintRule{}, []beffio.HintsInForce{}, []beffio.DataError{},
		[]job.Placement{}
	r.Files, r.Samples = []beffio.FileSample{}, []beffio.Sample{}
	if err := f.patterns(); err != nil {
		return err
	}
	for _, p := range f.parts {
		if err := f.samples(p); err != nil {
			return err
		}
	}
	rank := map[beffio.Access]int{}
	for i, a := range beffio.Accesses() {
		rank[a] = i
	}
	slices.SortFunc(r.Samples, func(a, b beffio.Sample) int {
		return cmp.Or(cmp.Compare(rank[a.Access], rank[b.Access]), cmp.Compare(a.Partition, b.Partition),
			cmp.Compare(a.Pattern, b.Pattern))
	})
	slices.SortFunc(r.Files, func(a, b beffio.FileSample) int {
		return cmp.Or(cmp.Compare(rank[a.Access], rank[b.Access]), cmp.Compare(a.Partition, b.Partition),
			cmp.Compare(typeIndex(a.Type), typeIndex(b.Type)))
	})
	f.r.Derived = beffio.Derive(r)
	f.holes = f.findHoles()
	f.verdict()
	return nil
}

func typeIndex(name string) int {
	return slices.IndexFunc(beffio.Types(), func(t patterns.IOType) bool { return t.String() == name })
}

// patterns are those of the paper's table with a chunk size that the file has. For any other chunk size each type gets
// a pattern behind the paper's, without units of time, as these are not told.
func (f *sumFile) patterns() error {
	r := &f.r
	var chunks []int64
	two := false
	for _, p := range f.parts {
		for _, row := range p.rows {
			chunks = append(chunks, row.chunk)
		}
		two = two || p.pattern2 != nil && slices.ContainsFunc(p.pattern2.cells[:], func(c cell) bool { return c.there })
	}
	slices.Sort(chunks)
	if chunks = slices.Compact(chunks); len(chunks) == 0 {
		f.line = f.parts[0].line
		return fmt.Errorf("the summary has no rows")
	}
	// A table of one page at most: five patterns for each chunk size.
	if most := 15; len(chunks) > most {
		return fmt.Errorf("%d chunk sizes are more than %d", len(chunks), most)
	}
	r.MPart = patterns.MPart(r.MemoryPerProcess)
	if last := chunks[len(chunks)-1]; last >= 2*words.Mebi {
		r.MPart = last
	}
	if size := float64(r.MPart) / words.Mebi; f.chunk.line > 0 && !near(f.chunk.value, size, 0.0005) {
		f.line = f.chunk.line
		return fmt.Errorf("maximum chunk size of %.3f MBytes: the rows give %.3f", f.chunk.value, size)
	}
	next := firstOwn
	table := patterns.IO(r.MPart)
	for _, row := range table {
		p := beffio.Pattern{Number: row.Number, Type: row.Type, Disk: row.Disk, Memory: row.Memory, Units: row.Units}
		if row.Units > 0 && (isPattern2(p) && two || inTable(p) && slices.Contains(chunks, p.Disk)) {
			r.Patterns = append(r.Patterns, p)
		}
	}
	for _, chunk := range chunks {
		if slices.ContainsFunc(table, func(row patterns.IORow) bool { return row.Disk == chunk }) {
			continue
		}
		for _, t := range beffio.Types() {
			r.Patterns = append(r.Patterns, beffio.Pattern{Number: next, Type: t, Disk: chunk, Memory: chunk})
			next++
		}
	}
	return nil
}

// samples of one partition. What the criterion counts of errors is spread over the patterns that have some; without
// any, they were in what the table lacks, such as the first warm-up call.
func (f *sumFile) samples(p *sumPart) error {
	r := &f.r
	first := len(r.Samples)
	add := func(a beffio.Access, pattern int, c cell) {
		if !c.there {
			return
		}
		s := beffio.Sample{Partition: p.index, Access: a, Pattern: pattern, Bandwidth: c.value * words.Mega}
		if c.wrong {
			s.Errors = 1
		}
		r.Samples = append(r.Samples, s)
	}
	for _, row := range p.rows {
		for i, t := range beffio.Types() {
			add(row.access, tablePattern(r, t, row.chunk), row.cells[i])
		}
	}
	if p.pattern2 != nil {
		for i, a := range beffio.Accesses() {
			add(a, 2, p.pattern2.cells[i])
		}
	}
	for a, row := range p.totals {
		for i, t := range beffio.Types() {
			if c := row.cells[i]; c.there {
				r.Files = append(r.Files, beffio.FileSample{Partition: p.index, Access: a, Type: t.String(),
					Bandwidth: c.value * words.Mega})
			}
		}
	}
	return f.spread(p, r.Samples[first:])
}

func (f *sumFile) spread(p *sumPart, samples []beffio.Sample) error {
	wrong, with := int64(0), -1
	for i, s := range samples {
		if wrong += s.Errors; s.Errors > 0 && with < 0 {
			with = i
		}
	}
	switch {
	case p.told[3] > 0 && p.errors < wrong:
		f.line = p.told[3]
		return fmt.Errorf("%d patterns on %d processes have errors, but the criterion counts %d", wrong, p.processes,
			p.errors)
	case with >= 0 && p.told[3] > 0:
		samples[with].Errors += p.errors - wrong
	case p.errors > 0:
		warmUp := beffio.Pattern{Number: 0, Type: patterns.Scatter, Disk: words.Mebi, Memory: words.Mebi}
		if f.r.Pattern(0) == nil {
			f.r.Patterns = slices.Insert(f.r.Patterns, 0, warmUp)
		}
		f.r.Samples = append(f.r.Samples, beffio.Sample{Partition: p.index, Access: beffio.Write, Pattern: 0,
			Errors: p.errors})
	}
	return nil
}

// findHoles names what is missing in the table: the figures of a pattern that has one elsewhere, but not for an access
// method that its type has been measured with; and a type's total.
func (f *sumFile) findHoles() []string {
	elsewhere := map[int]bool{}
	for _, s := range f.r.Samples {
		elsewhere[s.Pattern] = true
	}
	var holes []string
	for _, p := range f.parts {
		for _, a := range beffio.Accesses() {
			holes = append(holes, f.accessHoles(p, a, elsewhere)...)
		}
	}
	return holes
}

// accessHoles are those of an access method of a partition. Of a type without any figure nothing is missing.
func (f *sumFile) accessHoles(p *sumPart, a beffio.Access, elsewhere map[int]bool) []string {
	there := func(number int) bool { return findSample(&f.r, p.index, a, number) != nil }
	measured := map[patterns.IOType]bool{}
	total, hasTotal := p.totals[a]
	for _, t := range beffio.Types() {
		measured[t] = total.cells[t].there
	}
	for _, pattern := range f.r.Patterns {
		if inTable(pattern) && there(pattern.Number) {
			measured[pattern.Type] = true
		}
	}
	var holes []string
	named := map[int64][]string{} // the types by the chunk
	for _, pattern := range f.r.Patterns {
		switch {
		case !measured[pattern.Type] || there(pattern.Number) || !elsewhere[pattern.Number]:
		case inTable(pattern):
			named[pattern.Disk] = append(named[pattern.Disk], strconv.Itoa(int(pattern.Type)))
		case isPattern2(pattern) && p.pattern2 == nil:
			if a == beffio.Write { // once
				holes = append(holes, "pattern 2 on "+words.Processes(p.processes))
			}
		case isPattern2(pattern):
			holes = append(holes, fmt.Sprintf("pattern 2 of %s on %s", a, words.Processes(p.processes)))
		}
	}
	for _, chunk := range tableChunks(&f.r) {
		if types := named[chunk]; len(types) > 0 {
			holes = append(holes, fmt.Sprintf("%s of %d bytes on %s, type %s", a, chunk, words.Processes(p.processes),
				strings.Join(types, ", ")))
		}
	}
	for _, t := range beffio.Types() {
		if hasTotal && measured[t] && !total.cells[t].there {
			holes = append(holes, fmt.Sprintf("total-%s on %s, type %d", a, words.Processes(p.processes), t))
		}
	}
	return holes
}

// missing names the lines that should be there.
func (f *sumFile) missing() []string {
	var list []string
	for _, n := range f.r.Partitions {
		p := f.byProcesses[n]
		if p == nil {
			list = append(list, "the summary of "+words.Processes(n))
			continue
		}
		for _, a := range beffio.Accesses() {
			if p.totals[a].line == 0 {
				list = append(list, fmt.Sprintf("total-%s on %s", a, words.Processes(n)))
			}
		}
		if p.rating == nil && p.unrated == 0 {
			list = append(list, "b_eff_io of these measurements on "+words.Processes(n))
		}
	}
	if !f.behind {
		list = append(list, `"Maximum over all number of PEs"`)
	}
	if f.best == nil && f.unrated == 0 {
		list = append(list, "the line b_eff_io at the end")
	}
	return list
}

// complete says whether every type's bandwidth and every partition's last lines are there.
func (f *sumFile) complete() bool {
	if f.reasons[reasonStopped] || len(f.holes)+len(f.missing()) > 0 || len(f.parts) != len(f.r.Partitions) ||
		f.best == nil {
		return false
	}
	for i, p := range f.r.Derived.Partitions {
		if p.Release21 == 0 || f.byProcesses[f.r.Partitions[i]].rating == nil {
			return false
		}
	}
	return true
}

// verdict gives the result release 2.1's criteria, and what else is told.
func (f *sumFile) verdict() {
	r := &f.r
	r.Complete, r.Quick = f.complete(), f.reasons[reasonQuick]
	if f.reasons[reasonEmbedded] {
		r.Engine = mpi.Library{Engine: "local", Library: "beff embedded engine"}
	}
	errors := r.WrongChunks(-1)
	// The limit of 30 minutes itself is reached or not as the file says.
	long := f.minutes() >= sumMinutes && !r.Quick
	for _, p := range f.parts {
		long = long && (p.told[1] == 0 || p.reached[1])
	}
	r.Criteria = []rating.Criterion{
		{Name: "complete", Text: "all figures of all partitions are in the file", Reached: r.Complete},
		{Name: "time", Text: fmt.Sprintf("scheduled time %.1f min of a partition >= %d min", f.minutes(), sumMinutes),
			Reached: long},
		{Name: "shared", Text: "shared file pointers must be used for pattern type 1", Reached: !r.NoShared},
		{Name: "errors", Text: fmt.Sprintf("error count (%d) == 0", errors), Reached: errors == 0},
	}
	if f.reasons[reasonBytes] {
		r.Criteria = append(r.Criteria, rating.Criterion{Name: "bytes", Text: reasons[reasonBytes].text, Reached: false})
	}
	r.Valid = rating.Valid(r.Criteria)
}

// remark says what the result can't hold.
func (f *sumFile) remark(name string) {
	if f.r.Imported = name; name == "" {
		f.r.Imported = "a .sum file"
	}
	text := "taken from a .sum file: there are no bytes, calls and times"
	if len(f.amounts) > 0 {
		text += "; moved with each access method (1 MByte = 2^20 bytes): " + strings.Join(f.amounts, ", ")
	}
	if f.options != "" {
		text += "; options: " + f.options
	}
	f.r.Warnings = []rating.Warning{{Code: "imported", Text: text, Remedy: "keep the file; measure again for more than " +
		"its figures"}}
	if list := f.missing(); len(list) > 0 {
		text := "the file has a gap"
		if f.best == nil && f.unrated == 0 {
			text = "the file ends too early"
		}
		f.r.Warnings = append(f.r.Warnings, rating.Warning{Code: "truncated", Text: text + ": missing are " + some(list),
			Remedy: "import the whole file, or measure again"})
	}
	if len(f.holes) > 0 && !f.reasons[reasonStopped] { // which says why
		f.r.Warnings = append(f.r.Warnings, rating.Warning{Code: "rows", Text: "figures of the table are missing that " +
			"other rows have: " + some(f.holes), Remedy: "import the whole file, or measure again"})
	}
}

// some joins the first ones of a list.
func some(list []string) string {
	const most = 8
	if len(list) > most+1 {
		list = append(slices.Clone(list[:most]), fmt.Sprintf("and %d more", len(list)-most))
	}
	return strings.Join(list, "; ")
}

// checkPrinted compares what follows from the table with what the file says.
func (f *sumFile) checkPrinted() error {
	best := 0.0
	for _, p := range f.parts {
		if err := f.checkPart(p); err != nil {
			return err
		}
		if p.rating != nil {
			best = max(best, p.rating.value)
		}
	}
	if f.unrated > 0 && best > 0 {
		f.line = f.unrated
		return fmt.Errorf("b_eff_io is said to be not computed, but a summary above has %.3f MB/s", best)
	}
	if f.best == nil {
		return nil
	}
	f.line = f.best.line
	if own := f.byProcesses[f.best.processes].rating; own == nil || !near(own.value, f.best.value, 0.0005) {
		return fmt.Errorf("b_eff_io = %.3f MB/s on %d processes: their summary gives another one", f.best.value,
			f.best.processes)
	}
	if !near(best, f.best.value, 0.0005) {
		return fmt.Errorf("b_eff_io = %.3f MB/s is not the maximum: a summary above has %.3f", f.best.value, best)
	}
	return nil
}

// half is how far a figure may be from what was printed with three decimals.
const half = 0.0005

func (f *sumFile) checkPart(p *sumPart) error {
	d := f.r.Derived.Partitions[p.index]
	mean := map[beffio.Access]float64{}
	for _, m := range d.Accesses {
		mean[m.Access] = m.Bandwidth / words.Mega
	}
	for _, a := range beffio.Accesses() {
		// A mean of figures that are each within half a digit is so itself; its own last digit is the second half.
		printed := p.means[a]
		if printed.line > 0 && !near(printed.value, mean[a], 2*half) {
			f.line = printed.line
			return fmt.Errorf("weighted average of %s on %d processes is %.3f MB/s: the row total-%s gives %.3f", a,
				p.processes, printed.value, a, mean[a])
		}
	}
	if printed := p.paper; printed.line > 0 && !near(printed.value, d.Paper/words.Mega, 2*half) {
		f.line = printed.line
		return fmt.Errorf("%.3f MB/s by the paper's formula on %d processes: the rows total-… give %.3f", printed.value,
			p.processes, d.Paper/words.Mega)
	}
	if p.rating != nil && !rates(p.rating.value, d.Release21/words.Mega, mean[beffio.Read]) {
		f.line = p.rating.line
		return fmt.Errorf("b_eff_io of %d processes is %.3f MB/s: the rows total-… give %.3f", p.processes,
			p.rating.value, d.Release21/words.Mega)
	}
	if p.unrated > 0 && d.Release21 > 0 {
		f.line = p.unrated
		return fmt.Errorf("b_eff_io of %s is said to be not computed: the rows total-… give %.3f MB/s",
			words.Processes(p.processes), d.Release21/words.Mega)
	}
	return f.checkSaid(p)
}

// rates says whether the printed rating is sqrt(S·R) of a sum S and a mean of reading R, of which each is known to half
// a digit.
func rates(printed, rating, read float64) bool {
	if rating == 0 || read == 0 {
		return printed == 0
	}
	written := rating * rating / read
	low := math.Sqrt(max(written-half, 0) * max(read-half, 0))
	high := math.Sqrt((written + half) * (read + half))
	const digits = 1e-9
	return printed >= low*(1-digits)-half && printed <= high*(1+digits)+half
}

// checkSaid compares the verdict with the criteria.
func (f *sumFile) checkSaid(p *sumPart) error {
	if p.saidLine == 0 {
		return nil
	}
	valid := true
	for i := 1; i < len(p.told); i++ {
		valid = valid && (p.told[i] == 0 || p.reached[i])
	}
	for _, found := range f.reasons {
		valid = valid && !found
	}
	if valid != (p.said == "VALID") {
		f.line = p.saidLine
		return fmt.Errorf("said to be %s on %d processes, against the criteria", p.said, p.processes)
	}
	return nil
}
