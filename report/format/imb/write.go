package imb

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/probe/suites"
	"github.com/effective-bandwidth/beff/report/format/live"
	"github.com/effective-bandwidth/beff/report/words"
)

// width is the width of each of IMB's columns, in characters.
const width = 13

// Writer writes the text piece by piece, as live.Text has it.
//
// A row without wrong data ends with its last figure, as whole-line patterns want it. There is no column of defects,
// because they are known only when the row comes. A row with wrong data ends with "# N defects", which strict readers
// refuse and others don't see. End writes their sum.
//
// The text of a run that is followed differs in its header from the text that Write makes of its result. Its list of
// kernels is the plan's, and may have kernels that an early end left without a table. Its line "Data check" has no
// number of repetitions, because no row has been measured yet.
type Writer struct {
	w       io.Writer
	r       *probe.Result
	kernels []probe.Selection
	defects int64
	err     error
}

// NewWriter returns the writer of a result, as live.Maker has it.
func NewWriter(w io.Writer, r *probe.Result, kernels []probe.Selection) live.Text {
	return &Writer{w: w, r: r, kernels: kernels}
}

// Write writes a whole result as IMB's text.
func Write(w io.Writer, r *probe.Result) error { return live.Write(w, r, NewWriter) }

// write writes lines at once.
func (t *Writer) write(b *strings.Builder) error {
	if t.err == nil {
		_, t.err = io.WriteString(t.w, b.String())
	}
	return t.err
}

// Block begins a table. Its kernel is one of probe's table.
func (t *Writer) Block(b *measured.Block) error {
	k, found := t.r.Kernel(b)
	if !found {
		return fmt.Errorf("IMB text: unknown kernel %q of %s", b.Kernel, b.Component)
	}
	var s strings.Builder
	if t.pgas(k) {
		t.pgasHead(&s, k, b)
		return t.write(&s)
	}
	var heads strings.Builder
	if outflagOf(&t.r.Settings) > 0 {
		fmt.Fprintf(&heads, "%*s", width, "Group")
	}
	for _, c := range t.columns(k) {
		fmt.Fprintf(&heads, "%*s", width, c.head)
	}
	rule := "#" + strings.Repeat("-", utf8.RuneCountInString(heads.String())-1) + "\n"
	fmt.Fprintf(&s, "\n%s# Benchmarking %s%s %s\n", rule,
		words.Either(len(b.Groups) > 1 && b.Component != kernel.PGAS, "Multi-", ""), k.Name, grid(k.Grid(b.Processes)))
	t.processes(&s, b)
	if b.Pass > 0 {
		fmt.Fprintf(&s, "# pass %d of %d \n", b.Pass, t.r.Settings.Passes)
	}
	s.WriteString(rule)
	mode := b.Mode
	if mode == settings.Plain && t.r.Settings.Method == settings.ByToday && k.OnlyAggregate() {
		mode = settings.Aggregate
	}
	if mode != settings.Plain {
		fmt.Fprintf(&s, "#\n#    MODE: %s \n#\n", strings.ToUpper(string(mode)))
	}
	if list := OneSided(b); len(list) > 0 {
		fmt.Fprintf(&s, "#\n#    %s \n#\n", strings.Join(list, ", "))
	}
	s.WriteString(heads.String() + "\n")
	return t.write(&s)
}

// grid returns the sides of a grid of processes as IMB writes them behind a kernel's name; nothing of a kernel without.
func grid(sides []int) string {
	if sides == nil {
		return ""
	}
	return "(" + strings.Trim(strings.ReplaceAll(fmt.Sprint(sides), " ", " x "), "[]") + ") "
}

// printedColumn is a column of a table: its head, and its text in the row of a group, whose figures are these.
type printedColumn struct {
	head string
	of   func(row *measured.Row, group int, figures *kernel.Times) string
}

// columns returns the columns of a kernel's table, without that of the group.
func (t *Writer) columns(k *kernel.Kernel) (list []printedColumn) {
	whole := func(is bool, head string, of func(*measured.Row) int64) {
		if is {
			list = append(list, printedColumn{head, func(row *measured.Row, _ int, _ *kernel.Times) string {
				return fmt.Sprint(of(row))
			}})
		}
	}
	whole(!k.NoLength(), "#bytes", func(row *measured.Row) int64 { return row.Bytes })
	whole(k.Strided(), "stride", func(row *measured.Row) int64 { return row.Stride })
	whole(true, "#repetitions", func(row *measured.Row) int64 { return row.Repetitions })
	if suites.Way(&t.r.Settings, k).Series {
		return append(list, t.seriesColumns(k)...)
	}
	for _, c := range Columns(k, outflagOf(&t.r.Settings)) {
		unit, decimals := cmp.Or(c.Unit, megabyteOf(&t.r.Settings)), 2
		if c.whole {
			decimals = 0
		}
		list = append(list, printedColumn{c.Head, func(_ *measured.Row, _ int, figures *kernel.Times) string {
			return fmt.Sprintf("%.*f", decimals, *c.Of(figures)/unit)
		}})
	}
	return list
}

// processes writes the processes that take part.
func (t *Writer) processes(s *strings.Builder, b *measured.Block) {
	switch {
	case len(b.Groups) > 1:
		fmt.Fprintf(s, "# ( %d groups of %d processes each running simultaneous ) \n", len(b.Groups), b.Processes)
		for i, ranks := range b.Groups {
			fmt.Fprintf(s, "# Group  %d: %s\n", i, rankLines(ranks))
		}
	case len(b.Groups) == 1 && len(t.r.Settings.Map) == 2 && t.r.Settings.Map[1] > 1: // rows of one are no matrix
		fmt.Fprintf(s, "# #processes = %d; rank order (rowwise): \n", b.Processes)
		for ranks := range slices.Chunk(b.Groups[0], max(t.r.Settings.Map[1], 1)) {
			fmt.Fprintf(s, "# %s\n", rankLines(ranks))
		}
	default:
		fmt.Fprintf(s, "# #processes = %d \n", b.Processes)
	}
	switch b.Waiting {
	case 0:
	case 1:
		s.WriteString("# ( 1 additional process waiting in MPI_Barrier)\n")
	default:
		fmt.Fprintf(s, "# ( %d additional processes waiting in MPI_Barrier)\n", b.Waiting)
	}
}

// rankLines returns ranks, 16 a line; the last line is a comment without any.
func rankLines(ranks []int) string {
	const each = 16
	var s strings.Builder
	for line := range slices.Chunk(ranks, each) {
		for _, rank := range line {
			fmt.Fprintf(&s, " %4d", rank)
		}
		s.WriteString("\n# ")
	}
	return s.String()
}

// Row writes the row of a length: a line, or with outflag 1 a blank line and a line for each group.
func (t *Writer) Row(b *measured.Block, row *measured.Row) error {
	k, found := t.r.Kernel(b)
	if !found {
		return fmt.Errorf("IMB text: unknown kernel %q of %s", b.Kernel, b.Component)
	}
	if row.Missing == "" && len(row.Derived) == 0 {
		return fmt.Errorf("IMB text: %s: %d bytes: no figures, and not said why", b.Kernel, row.Bytes)
	}
	t.defects += row.Defects
	outflag := outflagOf(&t.r.Settings)
	var s strings.Builder
	if outflag < 1 {
		var figures kernel.Times
		if row.Missing == "" {
			figures = overGroups(Columns(k, outflag), row.Derived)
		}
		t.line(&s, b, k, row, 0, &figures)
		for _, text := range append(Verdicts(t.r.Judge(b, row), row), TooFew(row)...) {
			s.WriteString("# " + text + "\n")
		}
		return t.write(&s)
	}
	s.WriteString("\n")
	for group := range max(1, len(b.Groups)) {
		fmt.Fprintf(&s, "%*d", width, group)
		var figures kernel.Times
		if group < len(row.Derived) {
			figures = row.Derived[group]
		}
		t.line(&s, b, k, row, group, &figures)
	}
	return t.write(&s)
}

// line writes a row without its group.
func (t *Writer) line(s *strings.Builder, b *measured.Block, k *kernel.Kernel, row *measured.Row, group int,
	figures *kernel.Times) {
	if row.Missing != "" {
		fmt.Fprintf(s, "%*d %s;", width, row.Bytes, missing[row.Missing])
		if detail := words.OneLine(row.Detail); detail != "" {
			s.WriteString(" " + detail)
		}
		s.WriteString("\n")
		return
	}
	if t.pgas(k) {
		t.pgasLine(s, k, b, row, figures)
		return
	}
	for _, c := range t.columns(k) {
		fmt.Fprintf(s, "%*s", width, c.of(row, group, figures))
	}
	if list := t.r.Remarks(b, row); len(list) > 0 && row.Main(group) != nil {
		s.WriteString(" # " + strings.Join(list, "; "))
	}
	if row.Defects > 0 {
		fmt.Fprintf(s, " # %d defects in %d repetitions", row.Defects, row.Checked)
	}
	s.WriteString("\n")
}

// missing has IMB's words for probe's.
var missing = map[string]string{"out-of-mem.": "out-of-mem.", "int-overflow": "int-overflow",
	"time-out": "time-out.", "error": "error"}

// End writes the last lines. A run that was ended early lacks the line that readers take for its end.
func (t *Writer) End() error {
	var s strings.Builder
	s.WriteString("\n\n")
	if t.defects > 0 {
		fmt.Fprintf(&s, "# WRONG DATA: %d defects in the rows that end with #\n\n", t.defects)
	}
	if t.r.Complete {
		s.WriteString("# All processes entering MPI_Finalize\n\n")
	} else {
		s.WriteString("# Ended early: this is what was measured until then\n\n")
	}
	return t.write(&s)
}

// Header writes the facts that are known before the first table.
func (t *Writer) Header() error {
	r, h := t.r, &t.r.Host
	var s strings.Builder
	line := func(key, value string) {
		s.WriteString(strings.TrimRight(fmt.Sprintf("# %-22s: %s", key, words.OneLine(value)), " ") + "\n")
	}
	const rule = "#----------------------------------------------------------------\n"
	fmt.Fprintf(&s, "%s#    %s: kernels of %s\n%s", rule, words.OneLine("beff probe "+r.Beff), origins(t.kernels), rule)
	for _, x := range r.System.Facts() {
		line("Rated "+x.Name, x.Text)
	}
	line("Date", r.Started.Format(time.ANSIC))
	line("Machine", h.Machine)
	line("System", h.System)
	line("Release", h.Release)
	line("Version", h.Version)
	line("MPI Version", r.Engine.Standard)
	line("MPI Thread Environment", r.ThreadLevel)
	line("Engine", r.Engine.Library+" "+r.Engine.Version+
		words.Either(r.Engine.Kind().Embedded, ": one machine, no MPI", ""))
	if methods := t.methods(); r.Settings.Method != "" || strings.Contains(methods, ", ") {
		line("Method", methods)
	}
	if r.Imported != "" {
		line("Imported from", r.Imported)
	}
	fmt.Fprintf(&s, "\n\n# Calling sequence was: \n\n# %s\n\n", words.OneLine(r.Command))
	t.lengths(&s)
	t.units(&s)
	s.WriteString("#\n\n# List of Benchmarks to run:\n\n")
	for _, k := range t.kernels {
		fmt.Fprintf(&s, "# %s%s\n", words.Either(k.Multi, "(Multi-)", ""), k.Kernel.Name)
	}
	if r.CPU.Flops > 0 {
		fmt.Fprintf(&s, "\n\n# For nonblocking benchmarks:\n\n# Function CPU_Exploit obtains an undisturbed\n"+
			"# performance of %7.2f MFlops\n", r.CPU.Flops/words.Mega)
	}
	return t.write(&s)
}

// methods returns the titles of the methods of the kernels.
func (t *Writer) methods() string {
	var of []kernel.Component
	for _, k := range t.kernels {
		of = append(of, k.Kernel.Component)
	}
	return suites.MethodsOf(&t.r.Settings, of)
}

// origins names the works that kernels are of: of IMB with its components, as it names itself.
func origins(kernels []probe.Selection) string {
	var list, imb []string
	for _, k := range kernels {
		suite := suites.Of(k.Kernel.Component)
		switch {
		case suite.Origin != suites.Of(kernel.MPI1).Origin:
			if !slices.Contains(list, suite.Origin) {
				list = append(list, suite.Origin)
			}
		case !slices.Contains(imb, suite.Part):
			imb = append(imb, suite.Part)
		}
	}
	if len(imb) > 0 || len(list) == 0 {
		list = append([]string{"the Intel(R) MPI Benchmarks, " + strings.Join(imb, ", ") +
			words.Either(len(imb) == 1, " part", " parts")}, list...)
	}
	return strings.Join(list, ", and of ")
}

// lengths writes the shortest and the longest length of the settings. The default lengths are those of messages, or
// those of files if all kernels have files. A kernel may have its own (guide, "Message/I-O Buffer Lengths").
func (t *Writer) lengths(s *strings.Builder) {
	longest := func(c kernel.Component) int64 { return suites.MethodOf(&t.r.Settings, c).Defaults(c).Longest() }
	unit, low, high := "message length", int64(0), longest(kernel.MPI1)
	other := func(k probe.Selection) bool { return !k.Kernel.Component.Files() }
	if len(t.kernels) > 0 && !slices.ContainsFunc(t.kernels, other) {
		unit, high = "io portion", longest(t.kernels[0].Kernel.Component)
	}
	if a := t.r.Settings.Adaptive; a != nil {
		fmt.Fprintf(s, "# %ss were selected by their times\n", strings.ToUpper(unit[:1])+unit[1:])
		low, high = a.Min, a.Max
	}
	if given := t.r.Settings.Lengths; len(given) > 0 {
		fmt.Fprintf(s, "# %ss were user defined\n", strings.ToUpper(unit[:1])+unit[1:])
		low, high = slices.Min(given), slices.Max(given)
	}
	fmt.Fprintf(s, "# Minimum %s in bytes:   %d\n# Maximum %s in bytes:   %d\n#\n", unit, low, unit, high)
}

// units writes the data types and the size of a megabyte.
func (t *Writer) units(s *strings.Builder) {
	megabyte := "10^6 bytes"
	if t.r.Settings.MegaBytesOf2 {
		megabyte = "2^20 bytes"
	}
	data, numbers := t.r.Settings.Types()
	for _, line := range [][2]string{
		{"MPI_Datatype", data}, {"MPI_Datatype for reductions", numbers}, {"MPI_Op", "MPI_SUM"},
		{"Mbyte", megabyte},
	} {
		fmt.Fprintf(s, "# %-31s:   %s\n", line[0], line[1])
	}
	if t.r.Imported == "" {
		fmt.Fprintf(s, "# %-31s:   %s\n", "Data check", t.check())
	}
}

// check returns how data were checked. With the rows it also says in how many repetitions of each length.
func (t *Writer) check() string {
	if t.r.Engine.Kind().Simulated {
		return "none: nothing is moved"
	}
	how := fmt.Sprintf("whole messages, outside the clock, of the last timed repetition and at most %d after it",
		probe.FurtherChecked)
	low, high := int64(0), int64(0)
	for _, b := range t.r.Blocks {
		for _, row := range b.Rows {
			if n := row.Checked; n > 0 {
				if low == 0 {
					low = n
				}
				low, high = min(low, n), max(high, n)
			}
		}
	}
	switch {
	case high == 0:
		return how
	case low == high:
		return fmt.Sprintf("%s: %d of each length", how, high)
	}
	return fmt.Sprintf("%s: %d to %d of each length", how, low, high)
}
