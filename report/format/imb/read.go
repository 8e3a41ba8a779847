package imb

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/probe/suites"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/lazy"
	"github.com/effective-bandwidth/beff/report/words"
)

// Read reads the text that IMB prints, of versions 3.2 to 2021 and all components, or the text of Write. The result
// names its source by name. Samples are the printed times, in seconds, so that Write prints the same times again.
// Bandwidths follow from them and have as many digits. A text that contradicts itself by more than its two decimals
// explain is refused. An error names the line, not the file; ErrNoTable is the error of a text without any table. A
// text that ends early leaves the result incomplete, with a warning. Kernels that this program doesn't know are left
// out, with a warning.
func Read(rd io.Reader, name string) (*probe.Result, error) {
	f := &file{r: probe.Result{
		Identity: rating.Identity{Benchmark: probe.Benchmark, SchemaVersion: probe.SchemaVersion},
		Imported: cmp.Or(name, "IMB's text"), Settings: settings.Settings{Policy: settings.Dynamic},
		Machine: rating.Machine{Placement: []job.Placement{}}, Blocks: []measured.Block{}, Warnings: []rating.Warning{},
	}}
	lines := bufio.NewScanner(rd)
	lines.Buffer(nil, 1<<20)
	lines.Split(f.split)
	for lines.Scan() {
		f.line++
		if f.cut && dataRow().MatchString(lines.Text()) {
			break // its last figure may lack digits
		}
		if err := f.read(strings.TrimRight(lines.Text(), "\r")); err != nil {
			return nil, fmt.Errorf("line %d: %w", f.line, err)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("line %d: %w", f.line+1, err)
	}
	if err := f.finish(); err != nil {
		return nil, err
	}
	return &f.r, nil
}

// split splits at the ends of lines, and notes whether the last line has none.
func (f *file) split(data []byte, atEOF bool) (int, []byte, error) {
	f.cut = atEOF && len(data) > 0 && bytes.IndexByte(data, '\n') < 0
	return bufio.ScanLines(data, atEOF)
}

// file holds the part of a text that was read.
type file struct {
	r          probe.Result
	line       int
	components []kernel.Component
	version    string
	calling    bool // the command goes on in the next line
	ended      bool
	cut        bool // the last line has no end
	rows       int
	defects    int64

	table   table
	unknown []string // kernels
	bases   [2]bool  // whether a megabyte of 10^6, and of 2^20, explains all throughputs
}

// table is the table that is being read.
type table struct {
	name    string // empty: there is no table
	multi   bool
	block   measured.Block
	ranks   int // ranks of a group that are still to come, in further lines
	groups  int
	kernel  *kernel.Kernel // nil before the heads, and for an unknown kernel
	heads   []string
	columns []Column
}

// comment is a form of comment that is read.
type comment struct {
	form lazy.Regexp
	read func(f *file, m []string) error
}

const number = `(\d{1,9})`

// comments are the comments that matter.
var comments = []comment{
	{lazy.MustCompile(`^#\s+(.*Benchmark.*(?:parts?|partn|preview)\b.*)$`), (*file).readVersion},
	{lazy.MustCompile(`^# Benchmarking\s+(Multi-)?(\S+)\s*(?:\([\d x]+\)\s*)?$`), (*file).readName},
	{lazy.MustCompile(`^#\s*\(?\s*#?\s*processes\s*=\s*` + number + `(.*)$`), (*file).readProcesses},
	{lazy.MustCompile(`^#\s*\(\s*` + number + ` groups of ` + number + ` processes`), (*file).readGroups},
	{lazy.MustCompile(`^#\s*Group\s+` + number + `\s*:\s*((?:\d{1,9}\s*)*)$`), (*file).readGroup},
	{lazy.MustCompile(`^#\s*\(\s*` + number + ` additional process`), (*file).readWaiting},
	{lazy.MustCompile(`^#\s*window_size\s*=\s*` + number + `$`), (*file).readWindow},
	{lazy.MustCompile(`^#\s+MODE:\s+(\S+)`), (*file).readMode},
	{lazy.MustCompile(`^#\s+((?:\d{1,9}\s*)+)$`), (*file).readRanks},
	{lazy.MustCompile(`^#\s*Calling sequence was`),
		func(f *file, _ []string) error { f.calling = true; return nil }},
	{lazy.MustCompile(`^#\s*All processes entering MPI`),
		func(f *file, _ []string) error { f.ended = true; return nil }},
	{lazy.MustCompile(`^#\s+(Date|Machine|System|Release|Version|MPI Version|MPI Thread Environment|Engine|Method|` +
		`Mbyte|Rated system|Rated site|Rated note)\s*:\s*(.*)$`), (*file).readHead},
}

var (
	headRow = lazy.MustCompile(`^\s*(Group\s+)?#\s?(bytes|repetitions)\s.*(\[[uµμ]?sec\]|[Mm][Bb]ytes/sec)`)
	// today matches the versions that measure by the rules of today's IMB: those of a year, from 2018 on.
	today = lazy.MustCompile(`Benchmarks 20(1[89]|[2-9]\d)`)

	threadsOf = lazy.MustCompile(`\(threads:\s*` + number + `\)`)

	dataRow = lazy.MustCompile(`^\s*\d+(\s|$)`)

	// behindCommand is the beginning of the comments that may follow the command at once.
	behindCommand = lazy.MustCompile(`^(Minimum|Maximum|Message|IO|M?PI_)`)
)

// partForms find the components in the line that names IMB's parts, which has "MPI1" or "MPI-1".
var partForms = sync.OnceValue(func() map[kernel.Component]*regexp.Regexp {
	forms := map[kernel.Component]*regexp.Regexp{}
	for _, c := range append(suites.Components(), kernel.USER) {
		form := `\b` + strings.Replace(suites.Of(c).Part, "-", "-?", 1) + `\b`
		if c == kernel.RMA {
			form += `|\bRMA part`
		}
		forms[c] = regexp.MustCompile(form)
	}
	return forms
})

// read takes a line. A line that is neither a comment nor figures is another program's, such as a warning of the MPI
// library.
func (f *file) read(line string) error {
	t := &f.table
	switch {
	case strings.TrimSpace(line) == "":
		return nil
	case t.name != "" && headRow().MatchString(line):
		f.calling = false
		return f.readHeads(line)
	case dataRow().MatchString(line):
		return f.readRow(line)
	case !strings.HasPrefix(line, "#"):
		return nil
	}
	for _, l := range comments {
		if m := l.form().FindStringSubmatch(line); m != nil {
			if f.calling && f.r.Command != "" {
				f.calling = false
			}
			return l.read(f, m)
		}
	}
	f.readCommand(line)
	return nil
}

// readCommand takes the lines behind "Calling sequence was:", up to the next comment that is known or empty.
func (f *file) readCommand(line string) {
	text := words.OneLine(strings.TrimPrefix(line, "#"))
	switch {
	case !f.calling || text == "" && f.r.Command == "":
	case text == "" || behindCommand().MatchString(text):
		f.calling = false
	default:
		f.r.Command = strings.TrimSpace(f.r.Command + " " + text)
	}
}

// readVersion finds the components that the text is of.
func (f *file) readVersion(m []string) error {
	if f.ended {
		return fmt.Errorf("another run begins: import each by itself")
	}
	f.version = words.OneLine(strings.TrimRight(m[1], "#-")) // IMB-IO forgets the end of the line
	if today().MatchString(f.version) {
		f.r.Settings.Method = settings.ByToday
	}
	for _, c := range suites.Components() {
		if partForms()[c].MatchString(f.version) {
			f.components = append(f.components, c)
		}
	}
	return nil
}

func (f *file) readHead(m []string) error {
	h, value := &f.r.Host, words.OneLine(m[2])
	fields := map[string]*string{"Machine": &h.Machine, "System": &h.System, "Release": &h.Release,
		"Version": &h.Version, "MPI Version": &f.r.Engine.Standard,
		"MPI Thread Environment": &f.r.ThreadLevel, "Engine": &f.r.Engine.Library}
	if field, ok := fields[m[1]]; ok {
		*field = value
		return nil
	}
	for _, by := range suites.Methods() {
		if m[1] == "Method" && value == by.Title {
			f.r.Settings.Method = by.Name
		}
	}
	if of, rated := strings.CutPrefix(m[1], "Rated "); rated {
		f.r.System = f.r.System.With(of, value)
	}
	if m[1] == "Date" {
		// The text does not give the zone of its local time, which is taken for UTC. A date of another form is none.
		if at, err := time.ParseInLocation(time.ANSIC, value, time.UTC); err == nil {
			f.r.Started = at
		}
	}
	return nil
}

func (f *file) readName(m []string) error {
	f.table = table{name: m[2], multi: m[1] != ""}
	f.table.block = measured.Block{Multi: m[1] != "", Rows: []measured.Row{}}
	return nil
}

func (f *file) readProcesses(m []string) error {
	if n, err := strconv.Atoi(m[1]); f.table.name != "" && f.table.kernel == nil {
		f.table.block.Processes = n
		if of := threadsOf().FindStringSubmatch(m[2]); of != nil {
			f.table.block.Threads = int(count(of[1]))
		}
		if strings.Contains(m[2], "rank order") {
			f.table.block.Groups, f.table.ranks = [][]int{{}}, n
		}
		return err
	}
	return nil
}

func (f *file) readGroups(m []string) (err error) {
	t := &f.table
	if t.name == "" {
		return nil
	}
	if t.groups, err = strconv.Atoi(m[1]); err != nil {
		return err
	}
	t.block.Processes, err = strconv.Atoi(m[2])
	return err
}

func (f *file) readGroup(m []string) error {
	t := &f.table
	if t.name == "" {
		return nil
	}
	if m[1] != strconv.Itoa(len(t.block.Groups)) || t.ranks != 0 || len(t.block.Groups) >= t.groups {
		return fmt.Errorf("group %s of %d is not the one that should follow", m[1], t.groups)
	}
	t.block.Groups, t.ranks = append(t.block.Groups, []int{}), t.block.Processes
	return f.addRanks(m[2])
}

func (f *file) readRanks(m []string) error {
	if f.table.ranks > 0 {
		return f.addRanks(m[1])
	}
	f.readCommand("# " + m[1])
	return nil
}

// addRanks appends ranks to the last group.
func (f *file) addRanks(text string) error {
	t := &f.table
	last := len(t.block.Groups) - 1
	for _, word := range strings.Fields(text) {
		rank, err := strconv.Atoi(word)
		if err != nil {
			return err
		}
		t.block.Groups[last] = append(t.block.Groups[last], rank)
		if t.ranks--; t.ranks < 0 {
			return fmt.Errorf("a group of %d processes with more ranks", t.block.Processes)
		}
	}
	return nil
}

func (f *file) readWaiting(m []string) (err error) {
	f.table.block.Waiting, err = strconv.Atoi(m[1])
	return err
}

func (f *file) readWindow(m []string) (err error) {
	f.table.block.WindowSize, err = strconv.Atoi(m[1])
	return err
}

func (f *file) readMode(m []string) error {
	mode := settings.Mode(strings.ToLower(m[1]))
	if mode != settings.Aggregate && mode != settings.NonAggregate {
		return fmt.Errorf("mode %q: want AGGREGATE or NON-AGGREGATE", words.OneLine(m[1]))
	}
	f.table.block.Mode = mode
	return nil
}

// oldHeads has today's head for each head of older versions.
var oldHeads = map[string]string{"#rep.s": "#repetitions", "t_min": "t_min[usec]", "t_max": "t_max[usec]",
	"t_avg": "t_avg[usec]", "Mb/sec": "Mbytes/sec", "MB/sec": "Mbytes/sec"}

// readHeads begins the rows of a table.
func (f *file) readHeads(line string) error {
	t := &f.table
	line = strings.NewReplacer("# bytes", "#bytes", "µ", "u", "μ", "u").Replace(line)
	t.heads = nil
	for _, word := range strings.Fields(line) {
		t.heads = append(t.heads, cmp.Or(oldHeads[word], word))
	}
	if t.block.Processes < 1 || t.ranks > 0 || len(t.block.Groups) != t.groups && t.groups > 0 {
		return fmt.Errorf("the head of %s does not say all of its processes", words.OneLine(t.name))
	}
	t.kernel = f.kernel()
	if t.kernel == nil {
		if !slices.Contains(f.unknown, t.name) {
			f.unknown = append(f.unknown, t.name)
		}
		return nil
	}
	outflag := -1
	switch {
	case slices.Contains(t.heads, "Group"):
		outflag = 1
	case t.multi, t.kernel.Class == kernel.Single && slices.Contains(t.heads, columnMin.Head):
		outflag = 0
	}
	if outflag >= 0 {
		if other := f.r.Settings.Multi; other != nil && *other != outflag {
			return fmt.Errorf("a table with outflag %d behind one with %d", outflag, *other)
		}
		f.r.Settings.Multi = &outflag
	}
	t.columns = Columns(t.kernel, outflag)
	t.block.Kernel, t.block.Component = t.kernel.Name, t.kernel.Component
	if t.kernel.Windows() {
		t.block.WindowSize = cmp.Or(t.block.WindowSize, f.windowOf())
	}
	if len(t.kernel.Modes) == 0 {
		t.block.Mode = settings.Plain // today's IMB says which one it is
	}
	f.r.Processes = max(f.r.Processes, t.block.Processes*max(1, t.groups)+t.block.Waiting)
	f.r.Blocks = append(f.r.Blocks, t.block)
	return nil
}

// kernel returns the kernel of the table. It is one of the text's components, and has the table's columns, if possible
// all of them; nil if there is none.
func (f *file) kernel() *kernel.Kernel {
	var best *kernel.Kernel
	for _, k := range suites.Kernels() {
		if !strings.EqualFold(k.Name, f.table.name) ||
			len(f.components) > 0 && !slices.Contains(f.components, k.Component) || !f.hasColumns(k) {
			continue
		}
		if best == nil || k.Name == f.table.name && best.Name != f.table.name ||
			k.Name == best.Name && len(Columns(k, -1)) > len(Columns(best, -1)) {
			best = k
		}
	}
	return best
}

// hasColumns reports whether the heads include all columns of a kernel.
func (f *file) hasColumns(k *kernel.Kernel) bool {
	have := func(c Column) bool { return slices.Contains(f.table.heads, c.Head) }
	all := func(outflag int) bool {
		return !slices.ContainsFunc(Columns(k, outflag), func(c Column) bool { return !have(c) })
	}
	return slices.Contains(f.table.heads, "#repetitions") &&
		slices.Contains(f.table.heads, "#bytes") != k.NoLength() && (all(-1) || all(0))
}
