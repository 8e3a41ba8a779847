package imb

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/probe/suites"
	"github.com/effective-bandwidth/beff/report/findings"
	"github.com/effective-bandwidth/beff/report/format/live"
	"github.com/effective-bandwidth/beff/report/words"
)

// width is the width of each of IMB's columns, in characters.
const width = 13

// Writer writes the text piece by piece (see live.Text).
//
// A row without wrong data ends with its last figure, as scripts that match whole lines expect. There is no column of
// defects unless the user asks for it, because defects are known only after the heading is written. A row with wrong
// data ends with "# N defects", which strict readers refuse and others ignore. End writes the sum of the defects.
//
// The text written during a run differs in its header from the text that Write makes from the result. Its list of
// kernels is the planned one, and may have kernels for which an early end left no table. Its line "Data check" has no
// number of repetitions, because no row has been measured yet.
type Writer struct {
	r       *probe.Result
	kernels []probe.Selection
	refused []probe.Refused // kernels without a line so far
	defects int64
}

// NewWriter returns the writer of a result (see live.Maker).
func NewWriter(r *probe.Result, kernels []probe.Selection) live.Text {
	return &Writer{r: r, kernels: kernels, refused: slices.Clone(r.Refused)}
}

// Write writes a whole result as IMB's text.
func Write(w io.Writer, r *probe.Result) error { return live.Write(w, r, NewWriter) }

// Block begins a table. Its kernel is one of probe's table.
func (t *Writer) Block(s *strings.Builder, k *kernel.Kernel, b *measured.Block) {
	t.invalid(s, b.Kernel)
	if t.pgas(k) {
		t.pgasHead(s, k, b)
		return
	}
	var heads strings.Builder
	if outflagOf(&t.r.Settings) > 0 {
		fmt.Fprintf(&heads, "%*s", width, "Group")
	}
	for _, c := range t.columns(k) {
		fmt.Fprintf(&heads, "%*s", width, c.head)
	}
	if b.Component == kernel.MT {
		threadsHead(s, k, b)
		s.WriteString(heads.String() + "\n")
		return
	}
	rule := "#" + strings.Repeat("-", utf8.RuneCountInString(heads.String())-1) + "\n"
	fmt.Fprintf(s, "\n%s# Benchmarking %s%s%s\n", rule,
		words.Either(len(b.Groups) > 1 && b.Component != kernel.PGAS, "Multi-", ""), k.Name,
		words.Either(b.Component == kernel.P2P, grid(k.Grid(b.Processes)), " "))
	t.processes(s, b)
	if b.Pass > 0 {
		fmt.Fprintf(s, "# pass %d of %d \n", b.Pass, t.r.Settings.Passes)
	}
	s.WriteString(rule)
	mode := b.Mode
	if mode == settings.Plain && t.r.Settings.Method == settings.ByIMB2021 && k.OnlyAggregate() {
		mode = settings.Aggregate
	}
	if mode != settings.Plain {
		fmt.Fprintf(s, "#\n#    MODE: %s \n#\n", strings.ToUpper(string(mode)))
	}
	if list := Properties(b); len(list) > 0 {
		fmt.Fprintf(s, "#\n#    %s \n#\n", strings.Join(list, ", "))
	}
	s.WriteString(heads.String() + "\n")
}

// grid formats the sides of a grid of processes, which IMB prints after a kernel's name. It returns "" without a grid.
func grid(sides []int) string {
	if sides == nil {
		return ""
	}
	return " (" + strings.Trim(strings.ReplaceAll(fmt.Sprint(sides), " ", " x "), "[]") + ")"
}

// invalid writes IMB's lines about kernels that can't run and come before the kernel named before in the list. At the
// end of the list, before is "".
func (t *Writer) invalid(s *strings.Builder, before string) {
	t.refused = slices.DeleteFunc(t.refused, func(x probe.Refused) bool {
		if x.Before != before {
			return false
		}
		if x.Component == kernel.MT {
			fmt.Fprintf(s, "\n%[1]s# Benchmarking %[2]s\n# NO SUCCESSFUL EXECUTIONS\n%[1]s\n", threadsRule, x.Kernel)
			return true
		}
		is, process, end := "", "processes", " \n\n"
		if x.Component == kernel.P2P {
			is, end = words.Either(x.Kernel == "Unirandom", "", "is "), "\n"
			process = words.Either(x.Kernel == "SendRecv_Replace", "process", process)
		}
		fmt.Fprintf(s, "\n# !! Benchmark %s %sinvalid for %d %s !!%s", x.Kernel, is, t.r.Processes, process, end)
		return true
	})
}

// printedColumn is a column of a table: its heading, and the function that formats a group's figures in a row.
type printedColumn struct {
	head string
	of   func(row *measured.Row, group int, figures *kernel.Times) string
}

// maxFixed is the least difference that is printed in scientific notation. NaN and infinity are recorded as the largest
// number.
const maxFixed = 1e6

// columns returns the columns of a kernel's table, without the column of the group.
func (t *Writer) columns(k *kernel.Kernel) (list []printedColumn) {
	whole := func(is bool, head string, of func(*measured.Row) int64) {
		if is {
			list = append(list, printedColumn{head, func(row *measured.Row, _ int, _ *kernel.Times) string {
				return fmt.Sprint(of(row))
			}})
		}
	}
	whole(!k.NoLength(), "#bytes", func(row *measured.Row) int64 { return row.Bytes })
	if axis := k.Axis(); axis != nil {
		whole(true, axis.Name, (*measured.Row).AxisValue)
	}
	whole(true, "#repetitions", func(row *measured.Row) int64 { return row.Repetitions })
	if suites.Way(&t.r.Settings, k).Series {
		return append(list, t.seriesColumns(k)...)
	}
	for _, c := range Columns(k, outflagOf(&t.r.Settings)) {
		unit, decimals := cmp.Or(c.Unit, words.Either(t.r.Settings.MegaBytesOf2, float64(words.Mebi), words.Mega)), 2
		if c.whole {
			decimals = 0
		}
		list = append(list, printedColumn{c.Head, func(_ *measured.Row, _ int, figures *kernel.Times) string {
			if c.Dash && *c.Of(figures) == 0 {
				return "-"
			}
			if c.cut {
				return fmt.Sprintf("%.0f", math.Floor(*c.Of(figures)/unit))
			}
			return fmt.Sprintf("%.*f", decimals, *c.Of(figures)/unit)
		}})
	}
	if t.r.Settings.DefectsColumn && !k.NoLength() && !k.Builder.Access.MakesWindow { // like IMB with -DCHECK
		list = append(list, printedColumn{headDefects, func(row *measured.Row, _ int, _ *kernel.Times) string {
			if row.Difference >= maxFixed {
				return fmt.Sprintf("%.2g", row.Difference)
			}
			return fmt.Sprintf("%.2f", row.Difference)
		}})
	}
	return list
}

// processes writes which processes take part.
func (t *Writer) processes(s *strings.Builder, b *measured.Block) {
	switch {
	case len(b.Groups) > 1:
		fmt.Fprintf(s, "# ( %d groups of %d processes each running simultaneous ) \n", len(b.Groups), b.Processes)
		for i, ranks := range b.Groups {
			fmt.Fprintf(s, "# Group  %d: %s\n", i, rankLines(ranks))
		}
	case len(b.Groups) == 1 && len(t.r.Settings.Who.Map) == 2 && slices.Min(t.r.Settings.Who.Map) > 1: // else no matrix
		fmt.Fprintf(s, "# #processes = %d; rank order (rowwise): \n", b.Processes)
		for _, ranks := range t.matrix(b.Groups[0]) {
			fmt.Fprintf(s, "# %s\n", rankLines(ranks))
		}
	default:
		fmt.Fprintf(s, "# #processes = %d%s\n", b.Processes, words.Either(b.Component == kernel.P2P, "", " "))
	}
	if b.Cut != nil {
		fmt.Fprintf(s, "# cut: %s\n", findings.CutOf(b))
	}
	switch b.Waiting {
	case 0:
	case 1:
		s.WriteString("# ( 1 additional process waiting in MPI_Barrier)\n")
	default:
		fmt.Fprintf(s, "# ( %d additional processes waiting in MPI_Barrier)\n", b.Waiting)
	}
}

// matrix arranges ranks in the rows of -map PxQ: P rows, as equal as the job's processes allow. The last rows may be
// shorter or missing.
func (t *Writer) matrix(ranks []int) (rows [][]int) {
	p := t.r.Settings.Who.Map[0]
	for i := 0; i < p && len(ranks) > 0; i++ {
		n := t.r.Processes / p
		if i < t.r.Processes%p {
			n++
		}
		n = min(n, len(ranks))
		rows, ranks = append(rows, ranks[:n]), ranks[n:]
	}
	return rows
}

// rankLines formats ranks, 16 per line. The last line is an empty comment.
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

// Row writes the row of a length: a line, or with outflag 1, a blank line and a line for each group.
func (t *Writer) Row(s *strings.Builder, k *kernel.Kernel, b *measured.Block, row *measured.Row) error {
	if row.Missing == "" && len(row.Derived) == 0 {
		return live.ErrNoFigures
	}
	t.defects += row.Defects
	outflag := outflagOf(&t.r.Settings)
	if outflag < 1 {
		var figures kernel.Times
		if row.Missing == "" {
			figures = overGroups(Columns(k, outflag), row.Derived)
		}
		t.line(s, b, k, row, 0, &figures)
		for _, text := range slices.Concat(findings.Pairs(t.r.Judge(b, row), row),
			findings.Across(t.r.JudgeCut(b, row)), TooFew(row)) {
			s.WriteString("# " + text + "\n")
		}
		return nil
	}
	s.WriteString("\n")
	for group := range max(1, len(b.Groups)) {
		fmt.Fprintf(s, "%*d", width, group)
		var figures kernel.Times
		if group < len(row.Derived) {
			figures = row.Derived[group]
		}
		t.line(s, b, k, row, group, &figures)
	}
	return nil
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
	if b.Component == kernel.MT { // bytes of all threads
		all := *row
		all.Bytes *= int64(max(b.Threads, 1))
		row = &all
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

// missing maps probe's words to IMB's.
var missing = map[string]string{"out-of-mem.": "out-of-mem.", "int-overflow": "int-overflow",
	"time-out": "time-out.", "error": "error"}

// End writes the last lines. A run that ended early lacks the line that readers take for the end.
func (t *Writer) End(s *strings.Builder) {
	t.invalid(s, "")
	s.WriteString(words.Either(t.component() == kernel.MT, "\n", "\n\n"))
	if t.defects > 0 {
		fmt.Fprintf(s, "# WRONG DATA: %d defects in the rows that end with #\n\n", t.defects)
	}
	switch {
	case t.r.Complete && t.component() == kernel.MT:
	case t.r.Complete:
		s.WriteString("# All processes entering MPI_Finalize\n\n")
	default:
		s.WriteString("# Ended early: this is what was measured until then\n\n")
	}
}

// threadsRule is the line above and below the heading of a table of IMB-MT.
var threadsRule = "#" + strings.Repeat("-", 77) + "\n"

// threadsHead begins a table of IMB-MT.
func threadsHead(s *strings.Builder, k *kernel.Kernel, b *measured.Block) {
	fmt.Fprintf(s, "\n%s# Benchmarking %s\n# #processes = %d (threads: %d)\n", threadsRule, k.Name, b.Processes,
		max(b.Threads, 1))
	if k.MessageWindows() {
		fmt.Fprintf(s, "# window_size = %d\n", b.WindowSize)
	}
	s.WriteString(threadsRule)
}
