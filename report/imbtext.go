package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/effective-bandwidth/beff/probe"
)

// imbWidth is the width of each of IMB's columns, in characters.
const imbWidth = 13

// IMBText writes a result as IMB does, for the scripts that read it: Header, then Block and its Rows for each table,
// then End. Each call is one write, so that a run can be followed while it is measured. Rows are as probe derives them.
//
// Figures that are right end their line, as whole-line patterns want it. Where data were wrong it is known only when
// the row comes, so there is no column of defects: the row ends with "# N defects", which strict readers refuse and
// others don't see, and End tells their sum.
type IMBText struct {
	w       io.Writer
	r       *probe.Result
	kernels []probe.Selection
	defects int64
	err     error
}

// NewIMBText writes about a result whose blocks need not be there yet; kernels are those that are to run. Of the
// result, Header needs all but the blocks, End whether it is complete.
func NewIMBText(w io.Writer, r *probe.Result, kernels []probe.Selection) *IMBText {
	return &IMBText{w: w, r: r, kernels: kernels}
}

// IMB writes a whole result as IMB's text.
func IMB(w io.Writer, r *probe.Result) error {
	t := NewIMBText(w, r, selectionsOf(r))
	err := t.Header()
	for i := range r.Blocks {
		b := &r.Blocks[i]
		if err == nil {
			err = t.Block(b)
		}
		for j := range b.Rows {
			if err == nil {
				err = t.Row(b, &b.Rows[j])
			}
		}
	}
	if err != nil {
		return err
	}
	return t.End()
}

// selectionsOf are the kernels that a result has, each once.
func selectionsOf(r *probe.Result) []probe.Selection {
	var list []probe.Selection
	for _, b := range r.Blocks {
		k, _, found := probe.FindIn(b.Component, b.Kernel)
		if s := (probe.Selection{Kernel: k, Multi: r.Settings.Multi != nil}); found && !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return list
}

// write writes lines at once.
func (t *IMBText) write(b *strings.Builder) error {
	if t.err == nil {
		_, t.err = io.WriteString(t.w, b.String())
	}
	return t.err
}

// Block begins a table. Its kernel is one of probe's table.
func (t *IMBText) Block(b *probe.Block) error {
	k, _, found := probe.FindIn(b.Component, b.Kernel)
	if !found {
		return fmt.Errorf("IMB text: unknown kernel %q of %s", b.Kernel, b.Component)
	}
	heads := t.heads(k)
	rule := "#" + strings.Repeat("-", imbWidth*len(heads)-1) + "\n"
	var s strings.Builder
	fmt.Fprintf(&s, "\n%s# Benchmarking %s%s \n", rule, map[bool]string{true: "Multi-"}[len(b.Groups) > 1], k.Name)
	t.processes(&s, b)
	s.WriteString(rule)
	if b.Mode != probe.Plain {
		fmt.Fprintf(&s, "#\n#    MODE: %s \n#\n", strings.ToUpper(string(b.Mode)))
	}
	for _, head := range heads {
		fmt.Fprintf(&s, "%*s", imbWidth, head)
	}
	s.WriteString("\n")
	return t.write(&s)
}

// heads of all columns.
func (t *IMBText) heads(k *probe.Kernel) []string {
	var list []string
	outflag := outflagOf(&t.r.Settings)
	if outflag > 0 {
		list = append(list, "Group")
	}
	if !withoutLength(k) {
		list = append(list, "#bytes")
	}
	list = append(list, "#repetitions")
	for _, c := range imbColumns(k, outflag) {
		list = append(list, c.head)
	}
	return list
}

// processes says who takes part.
func (t *IMBText) processes(s *strings.Builder, b *probe.Block) {
	switch {
	case len(b.Groups) > 1:
		fmt.Fprintf(s, "# ( %d groups of %d processes each running simultaneous ) \n", len(b.Groups), b.Processes)
		for i, ranks := range b.Groups {
			fmt.Fprintf(s, "# Group  %d: %s\n", i, rankLines(ranks))
		}
	case len(b.Groups) == 1 && len(t.r.Settings.Map) == 2:
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

// rankLines are ranks, 16 a line; the last line is a comment without any.
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

// Row writes a length: a line, or with outflag 1 a blank line and one for each group.
func (t *IMBText) Row(b *probe.Block, row *probe.Row) error {
	k, _, found := probe.FindIn(b.Component, b.Kernel)
	if !found {
		return fmt.Errorf("IMB text: unknown kernel %q of %s", b.Kernel, b.Component)
	}
	if row.Missing == "" && len(row.Derived) == 0 {
		return fmt.Errorf("IMB text: %s: %d bytes: no figures, and not said why", b.Kernel, row.Bytes)
	}
	t.defects += row.Defects
	outflag := outflagOf(&t.r.Settings)
	columns := imbColumns(k, outflag)
	var s strings.Builder
	if outflag < 1 {
		var figures probe.Times
		if row.Missing == "" {
			figures = overGroups(columns, row.Derived)
		}
		t.line(&s, k, row, columns, &figures)
		return t.write(&s)
	}
	s.WriteString("\n")
	for group := range max(1, len(b.Groups)) {
		fmt.Fprintf(&s, "%*d", imbWidth, group)
		var figures probe.Times
		if group < len(row.Derived) {
			figures = row.Derived[group]
		}
		t.line(&s, k, row, columns, &figures)
	}
	return t.write(&s)
}

// line is a row without its group.
func (t *IMBText) line(s *strings.Builder, k *probe.Kernel, row *probe.Row, columns []imbFigure, figures *probe.Times) {
	if row.Missing != "" {
		fmt.Fprintf(s, "%*d %s;", imbWidth, row.Bytes, imbMissing[row.Missing])
		if detail := oneLine(row.Detail); detail != "" {
			s.WriteString(" " + detail)
		}
		s.WriteString("\n")
		return
	}
	if !withoutLength(k) {
		fmt.Fprintf(s, "%*d", imbWidth, row.Bytes)
	}
	fmt.Fprintf(s, "%*d", imbWidth, row.Repetitions)
	for _, c := range columns {
		unit := c.unit
		if unit == 0 {
			unit = megabyteOf(&t.r.Settings)
		}
		fmt.Fprintf(s, "%*.2f", imbWidth, *c.of(figures)/unit)
	}
	if row.Defects > 0 {
		fmt.Fprintf(s, " # %d defects in %d repetitions", row.Defects, row.Checked)
	}
	s.WriteString("\n")
}

// imbMissing is what IMB writes for probe's words.
var imbMissing = map[string]string{"out-of-mem.": "out-of-mem.", "int-overflow": "int-overflow",
	"time-out": "time-out."}

// End writes the last lines. Of a run that was ended early the line is missing that readers take for its end.
func (t *IMBText) End() error {
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

// Header writes what is known before the first table.
func (t *IMBText) Header() error {
	r, h := t.r, &t.r.Host
	var s strings.Builder
	line := func(key, value string) {
		s.WriteString(strings.TrimRight(fmt.Sprintf("# %-22s: %s", key, oneLine(value)), " ") + "\n")
	}
	const rule = "#----------------------------------------------------------------\n"
	fmt.Fprintf(&s, "%s#    %s: kernels of the Intel(R) MPI Benchmarks, %s\n%s", rule, oneLine("beff probe "+r.Beff),
		parts(t.kernels), rule)
	line("Date", r.Started.Format(time.ANSIC))
	line("Machine", h.Machine)
	line("System", h.System)
	line("Release", h.Release)
	line("Version", h.Version)
	line("MPI Version", r.Engine.Standard)
	line("MPI Thread Environment", r.ThreadLevel)
	line("Engine", r.Engine.Library+" "+r.Engine.Version+map[bool]string{true: ": one machine, no MPI"}[r.Engine.Kind().Embedded])
	if r.Imported != "" {
		line("Imported from", r.Imported)
	}
	fmt.Fprintf(&s, "\n\n# Calling sequence was: \n\n# %s\n\n", oneLine(r.Command))
	t.lengths(&s)
	t.units(&s)
	s.WriteString("#\n\n# List of Benchmarks to run:\n\n")
	for _, k := range t.kernels {
		fmt.Fprintf(&s, "# %s%s\n", map[bool]string{true: "(Multi-)"}[k.Multi], k.Kernel.Name)
	}
	if r.CPU.Flops > 0 {
		fmt.Fprintf(&s, "\n\n# For nonblocking benchmarks:\n\n# computing alone performs %.2f MFlops\n",
			r.CPU.Flops/mega)
	}
	return t.write(&s)
}

// imbParts are IMB's names of the components.
var imbParts = map[probe.Component]string{probe.MPI1: "MPI-1", probe.EXT: "MPI-2", probe.IO: "MPI-IO",
	probe.NBC: "MPI-NBC", probe.RMA: "MPI-RMA"}

// parts names the components.
func parts(kernels []probe.Selection) string {
	var list []string
	for _, k := range kernels {
		if name := imbParts[k.Kernel.Component]; !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return strings.Join(list, ", ") + map[bool]string{true: " part", false: " parts"}[len(list) == 1]
}

// lengths are the shortest and the longest that are asked for, unless a kernel has its own: the defaults of
// messages, or of files if there are only such kernels (guide, "Message/I-O Buffer Lengths").
func (t *IMBText) lengths(s *strings.Builder) {
	unit, low, high := "message length", int64(0), probe.MPI1.Defaults().Longest()
	if len(t.kernels) > 0 && !slices.ContainsFunc(t.kernels,
		func(k probe.Selection) bool { return k.Kernel.Component != probe.IO }) {
		unit, high = "io portion", probe.IO.Defaults().Longest()
	}
	if given := t.r.Settings.Lengths; len(given) > 0 {
		fmt.Fprintf(s, "# %ss were user defined\n", strings.ToUpper(unit[:1])+unit[1:])
		low, high = slices.Min(given), slices.Max(given)
	}
	fmt.Fprintf(s, "# Minimum %s in bytes:   %d\n# Maximum %s in bytes:   %d\n#\n", unit, low, unit, high)
}

func (t *IMBText) units(s *strings.Builder) {
	megabyte := "10^6 bytes"
	if t.r.Settings.MegaBytesOf2 {
		megabyte = "2^20 bytes"
	}
	for _, line := range [][2]string{
		{"MPI_Datatype", "MPI_BYTE"}, {"MPI_Datatype for reductions", "MPI_FLOAT"}, {"MPI_Op", "MPI_SUM"},
		{"Mbyte", megabyte},
	} {
		fmt.Fprintf(s, "# %-31s:   %s\n", line[0], line[1])
	}
	if t.r.Imported == "" {
		fmt.Fprintf(s, "# %-31s:   %s\n", "Data check", t.check())
	}
}

// check says on how many repetitions the data were checked: before the first row in words, then as it was.
func (t *IMBText) check() string {
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
