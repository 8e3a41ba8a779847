package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/report/words"
)

const (
	// wrongData stands for the bandwidth of a pattern with errors.
	wrongData = -999.999
	// sumMinutes is how long a partition must be scheduled to be valid by release 2.1.
	sumMinutes = 30
	// firstOwn is the number of the first pattern that the paper doesn't have: an importer gives it to a chunk size of
	// a modified table.
	firstOwn = 43
)

// reasons are what keeps a result from being valid beside release 2.1's criteria, each with the line that says so in a
// .sum file.
var reasons = []struct {
	text string
	has  func(r *beffio.Result) bool
}{
	{"this was a quick look at the file system", func(r *beffio.Result) bool { return r.Quick }},
	{"the measurement was not finished", func(r *beffio.Result) bool { return !r.Complete }},
	{"measured by the embedded engine, not by an MPI-IO",
		func(r *beffio.Result) bool { return r.Engine.Kind().Embedded }},
	{"time-driven patterns were ended by the limit of bytes", endedByBytes},
}

// The reasons by their index.
const (
	reasonQuick = iota
	reasonStopped
	reasonEmbedded
	reasonBytes
)

// endedByBytes says so of a pattern, or of an imported result as a whole.
func endedByBytes(r *beffio.Result) bool {
	for _, c := range r.Criteria {
		if c.Name == "bytes" && !c.Reached {
			return true
		}
	}
	return slices.ContainsFunc(r.Samples, func(s beffio.Sample) bool { return s.OutOfBytes })
}

// besides begins the line of a reason.
const besides = "  besides: "

// Sum writes what HLRS release 2.1 writes into its .sum file, as existing readers take it. Its rating is by release
// 2.1's formula, whatever the result's rules; what is valid is said by release 2.1's criteria, and by what it didn't
// know of. Its table lacks the warm-up calls, what fills up segments, and pattern 2, which has a line of its own.
func Sum(w io.Writer, r *beffio.Result) error {
	s := &sum{Writer: bufio.NewWriter(w), r: r, d: beffio.Derive(r), chunks: tableChunks(r)}
	s.head()
	for n := range r.Partitions {
		s.partition(n)
	}
	s.maximum()
	return s.Flush()
}

// sum writes one file.
type sum struct {
	*bufio.Writer
	r      *beffio.Result
	d      beffio.Derived
	chunks []int64
}

func (s *sum) line(format string, args ...any) { fmt.Fprintf(s, format+"\n", args...) }

// isPattern2 says whether it is the one of type 0 that has 1 MB on disk and 2 MB in memory.
func isPattern2(p beffio.Pattern) bool {
	return p.Type == patterns.Scatter && p.Disk == words.Mebi && p.Memory == 2*words.Mebi
}

// inTable says whether a pattern has a place in the table.
func inTable(p beffio.Pattern) bool {
	return p.Disk > 0 && !isPattern2(p) && (p.Units > 0 || p.Number >= firstOwn)
}

// tableChunks are the chunk sizes of the table's rows.
func tableChunks(r *beffio.Result) []int64 {
	var list []int64
	for _, p := range r.Patterns {
		if inTable(p) {
			list = append(list, p.Disk)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// tablePattern is the pattern of a place in the table; -1 if there is none.
func tablePattern(r *beffio.Result, t patterns.IOType, chunk int64) int {
	for _, p := range r.Patterns {
		if inTable(p) && p.Type == t && p.Disk == chunk {
			return p.Number
		}
	}
	return -1
}

func findSample(r *beffio.Result, partition int, a beffio.Access, pattern int) *beffio.Sample {
	for i := range r.Samples {
		if s := &r.Samples[i]; s.Partition == partition && s.Access == a && s.Pattern == pattern {
			return s
		}
	}
	return nil
}

// machine are the five words of uname.
func (s *sum) machine() string {
	h := &s.r.Host
	return words.OneLine(strings.Join([]string{h.System, h.Name, h.Release, h.Version, h.Machine}, " "))
}

// memoryMB is the memory of a process in whole MBytes, as IOLine has it; at least 1, as a .sum file knows no less.
func (s *sum) memoryMB() int64 { return max(s.r.MemoryPerProcess/words.Mebi, 1) }

func (s *sum) minutes() float64 { return s.r.Duration / float64(len(s.r.Partitions)) / 60 }

func (s *sum) head() {
	r := s.r
	from := ""
	if r.Imported != "" {
		from = ", imported from " + words.OneLine(r.Imported)
	}
	s.line("b_eff_io.c, Revision 2.1 format, written by %s (rules %s)%s", words.OneLine("beff "+r.Beff), r.Rules, from)
	s.line("")
	s.line("MEMORY_PER_PROCESSOR = %4d MBytes  [1MBytes = 1024*1024 bytes, 1MB = 1e6 bytes]", s.memoryMB())
	s.line("Maximum chunk size   = %8.3f MBytes", float64(r.MPart)/words.Mebi)
	s.line("")
	s.line("%s", s.options())
	s.line("PATH=%s, PREFIX=data", words.OneLine(r.FileSystem.Directory))
	for _, row := range [][2]string{
		{"system name", r.Host.System}, {"hostname", r.Host.Name}, {"OS release", r.Host.Release},
		{"OS version", r.Host.Version}, {"machine", r.Host.Machine},
	} {
		s.line("       %-11s : %s", row[0], words.OneLine(row[1]))
	}
	s.line("")
	s.line("Date of measurement: %s", r.Started.Format(time.ANSIC))
	s.line("")
}

// options is the line of the options that were in force.
func (s *sum) options() string {
	r := s.r
	var numbers []string
	for _, n := range r.Partitions {
		numbers = append(numbers, strconv.Itoa(n))
	}
	text := fmt.Sprintf("-N  %s T=%s, MT=%d MBytes", strings.Join(numbers, ","),
		strconv.FormatFloat(r.Duration, 'f', -1, 64), r.TotalMemory/words.Mebi)
	for _, o := range []struct {
		given bool
		text  string
	}{
		{len(r.Hints) > 0, " -i hints"}, {r.NoShared, ", -noshared"}, {r.NoUnique, ", -nounique"},
		{r.RewriteAll, ", -rewrite"}, {r.Keep, ", -keep"},
	} {
		if o.given {
			text += o.text
		}
	}
	return text
}

// partition writes all of one partition.
func (s *sum) partition(n int) {
	processes := s.r.Partitions[n]
	title := fmt.Sprintf("Summary of file I/O bandwidth accumulated on %3d processes with %4d MByte/PE", processes,
		s.memoryMB())
	s.line("\n\n%s\n%s\n", title, strings.Repeat("-", len(title)))
	s.line(" number pos chunk-   access   type=0   type=1   type=2   type=3   type=4")
	s.line(" of PEs     size (l) methode scatter  shared  separate segmened seg-coll")
	s.line("            [bytes]  methode  [MB/s]   [MB/s]   [MB/s]   [MB/s]   [MB/s]")
	s.line(" -----------------------------------------------------------------------\n")
	for _, a := range beffio.Accesses() {
		s.table(n, a)
	}
	s.pattern2(n)
	s.plot(n)
	s.averages(n)
	s.verdict(n)
}

func (s *sum) table(n int, a beffio.Access) {
	processes := s.r.Partitions[n]
	for i, chunk := range s.chunks {
		fmt.Fprintf(s, "%4d PEs %d %8d %-7s", processes, i+1, chunk, a)
		for _, t := range beffio.Types() {
			fmt.Fprintf(s, " %8s", s.cell(n, a, tablePattern(s.r, t, chunk)))
		}
		s.line("")
	}
	fmt.Fprintf(s, "%4d PEs      total-%-7s", processes, a)
	m := s.access(n, a)
	for _, t := range beffio.Types() {
		fmt.Fprintf(s, " %8s", words.Figure(s.total(m, n, t)/words.Mega, 3))
	}
	s.line("\n")
}

// total is a type's bandwidth. Of an imported access method without a mean nothing follows, and yet it may be known.
func (s *sum) total(m beffio.AccessMethod, n int, t patterns.IOType) float64 {
	for _, f := range s.r.Files {
		if f.Partition == n && f.Access == m.Access && f.Type == t.String() && f.Bandwidth > 0 {
			return f.Bandwidth
		}
	}
	return m.Types[t]
}

// cell is a pattern's bandwidth; a dash stands for what was not measured.
func (s *sum) cell(n int, a beffio.Access, pattern int) string {
	if findSample(s.r, n, a, pattern) == nil {
		return "-"
	}
	for _, x := range s.r.Samples { // of any pass
		if x.Partition == n && x.Access == a && x.Pattern == pattern && x.Errors > 0 {
			return fmt.Sprintf("%.3f", wrongData)
		}
	}
	return fmt.Sprintf("%.3f", s.r.Bandwidth(n, a, pattern)/words.Mega)
}

// access is what follows for an access method; without a figure if it was not measured.
func (s *sum) access(n int, a beffio.Access) beffio.AccessMethod {
	for _, m := range s.d.Partitions[n].Accesses {
		if m.Access == a {
			return m
		}
	}
	return beffio.AccessMethod{Access: a, Types: make([]float64, len(beffio.Types()))}
}

func (s *sum) pattern2(n int) {
	number := -1
	for _, p := range s.r.Patterns {
		if isPattern2(p) {
			number = p.Number
		}
	}
	s.line("This table shows all results, except pattern 2 (scatter, l=1MBytes, L=2MBytes): ")
	s.line("  bw_pat2= %8s MB/s write, %8s MB/s rewrite, %8s MB/s read\n",
		s.cell(n, beffio.Write, number), s.cell(n, beffio.Rewrite, number), s.cell(n, beffio.Read, number))
}

// plot are lines that users paste into gnuplot.
func (s *sum) plot(n int) {
	s.line("(For gnuplot:)")
	s.line("  set xtics ( '1k' 1, '+8' 2, '32k' 4, '+8' 5, '1M' 7, '+8' 8, '%.0fM' 10)", float64(s.r.MPart)/words.Mebi)
	s.line("  set title '%s' -4", strings.ReplaceAll(s.machine(), "'", ""))
	s.line("  set label 1 'b_eff_io'  at 10,50000 right")
	s.line("  set label 2 'rel. 2.1'  at 10,25000 right")
	s.line("  set label 3 'T=%3.1fmin' at 10,12500 right", s.minutes())
	s.line("  set label 4 'n=%d'     at 10,6250  right", s.r.Partitions[n])
	if s.r.NoShared {
		s.line("  set label 5 'workaround for type 1:'  at 10,0.50 right")
		s.line("  set label 6 'individual file pointer' at 10,0.25 right")
	}
	s.line("")
}

func (s *sum) averages(n int) {
	p := s.d.Partitions[n]
	for _, a := range beffio.Accesses() {
		s.line("weighted average bandwidth for %-7s : %8.3f MB/s on %d processes", a, s.access(n, a).Bandwidth/words.Mega,
			s.r.Partitions[n])
	}
	s.line("(type=0 is weighted double)\n")
	amount, percent, total, unknown := float64(p.Bytes)/words.Mebi, 0.0, s.r.TotalMemory/words.Mebi, ": not known"
	if total > 0 {
		percent, unknown = 100*amount/float64(total), ""
	}
	if s.r.Imported != "" {
		s.line("(The total amount of data is not known of an imported result.)\n")
	} else {
		s.line("Total amount of data written/read with each access method: %8.3f MBytes", amount)
		s.line("  = %5.1f percent of the total memory (%d MBytes%s)\n", percent, total, unknown)
	}
	wrong := errorText(s.r.WrongChunks(n))
	if p.Release21 == 0 {
		s.line("b_eff_io of these measurements not computed: %s%s\n", beffio.Needed, wrong)
		return
	}
	s.line("b_eff_io of these measurements = %8.3f MB/s on %d processes with %3d MByte/PE and scheduled "+
		"time=%3.1f min%s",
		p.Release21/words.Mega, s.r.Partitions[n], s.memoryMB(), s.minutes(), wrong)
	s.line("(by the paper's formula, 0.25 write + 0.25 rewrite + 0.50 read: %8.3f MB/s)\n", p.Paper/words.Mega)
}

func errorText(n int64) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", with %d ERRORS --!--!--!--", n)
}

// verdict is by release 2.1's three criteria, and by what it didn't know of.
func (s *sum) verdict(n int) {
	list := s.criteria(s.r.WrongChunks(n))
	not, found := "", ""
	for _, x := range reasons {
		if x.has(s.r) {
			not, found = "NOT ", found+besides+x.text+"\n"
		}
	}
	for i, c := range list {
		reached := "reached"
		if !c.reached {
			not, reached = "NOT ", "NOT reached"
		}
		list[i].text = fmt.Sprintf("  criterion %d: %s -- %s\n", i+1, c.text, reached)
	}
	s.line("%sVALID for comparison of different systems", not)
	for _, c := range list {
		s.WriteString(c.text)
	}
	s.WriteString(found)
}

type sumCriterion struct {
	text    string
	reached bool
}

func (s *sum) criteria(errors int64) []sumCriterion {
	const rounding = 1e-9
	return []sumCriterion{
		{fmt.Sprintf("scheduled time %3.1f min >= %d min", s.minutes(), sumMinutes),
			s.minutes() >= sumMinutes-rounding},
		{"shared file pointers must be used for pattern type 1", !s.r.NoShared},
		{fmt.Sprintf("error count (%d) == 0", errors), errors == 0},
	}
}

// maximum is the last line. It is by release 2.1's formula, and says so where the result's own rating is another one.
func (s *sum) maximum() {
	s.line("\nMaximum over all number of PEs\n------------------------------\n\n")
	best, errors := 0, s.r.WrongChunks(-1)
	for n, p := range s.d.Partitions {
		if p.Release21 > s.d.Partitions[best].Release21 {
			best = n
		}
	}
	valid := ""
	for _, x := range reasons {
		if x.has(s.r) {
			valid = ", NOT VALID (see above)"
		}
	}
	for _, c := range s.criteria(errors) {
		if !c.reached {
			valid = ", NOT VALID (see above)"
		}
	}
	if len(s.d.Partitions) == 0 || s.d.Partitions[best].Release21 == 0 {
		s.line(" b_eff_io not computed: %s%s", s.r.NotComputed(), errorText(errors))
		return
	}
	if s.r.Rules == beffio.RulesPaper {
		s.line("(The rating of this file is by release 2.1's formula. This run's rules are the paper's: by its "+
			"formula, b_eff_io is %.3f MB/s on %s.)",
			s.d.BEffIO/words.Mega, words.Processes(s.d.Processes))
	}
	embedded := ""
	if s.r.Engine.Kind().Embedded {
		embedded = ", embedded engine"
	}
	s.line(" b_eff_io = %8.3f MB/s on %d processes with %d MByte/PE, scheduled time=%3.1f Min, on %s%s%s%s",
		s.d.Partitions[best].Release21/words.Mega, s.r.Partitions[best], s.memoryMB(), s.minutes(), s.machine(), embedded,
		errorText(errors), valid)
}
