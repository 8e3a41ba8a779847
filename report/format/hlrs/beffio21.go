package hlrs

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/words"
)

// BEffIO writes a result in the form of the .sum file of HLRS release 2.1. The rating follows release 2.1's formula,
// whatever the result's rules. The verdict follows release 2.1's criteria and beff's further reasons. The table lacks
// the warm-up calls, the patterns that fill up segments, and pattern 2, which has its own line.
func BEffIO(w io.Writer, r *beffio.Result) error {
	first := r.Rounds()[0] // release 2.1 has no rounds
	s := &beffioSum{Writer: bufio.NewWriter(w), whole: r, r: first, d: beffio.Derive(first), chunks: tableChunks(first)}
	s.head()
	for n := range s.r.Partitions {
		s.partition(n)
	}
	s.maximum()
	return s.Flush()
}

// beffioSum writes one file of b_eff_io.
type beffioSum struct {
	*bufio.Writer
	whole  *beffio.Result
	r      *beffio.Result
	d      beffio.Derived
	chunks []int64
}

func (s *beffioSum) line(format string, args ...any) { fmt.Fprintf(s, format+"\n", args...) }

// machine returns the five words of uname.
func (s *beffioSum) machine() string {
	h := &s.r.Host
	return words.OneLine(strings.Join([]string{h.System, h.Name, h.Release, h.Version, h.Machine}, " "))
}

// memoryMB returns the memory of a process in whole MBytes of 2^20 bytes, at least 1, like a .sum file.
func (s *beffioSum) memoryMB() int64 { return max(s.r.MemoryPerProcess/words.Mebi, 1) }

func (s *beffioSum) head() {
	r := s.r
	s.line("b_eff_io.c, Revision 2.1 format, written by %s (rules %s)", words.OneLine("beff "+r.Beff), r.Rules)
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
	for _, x := range r.System.Facts() {
		s.line("       %-11s : %s", "rated "+x.Name, words.OneLine(x.Text))
	}
	s.line("")
	s.line("Date of measurement: %s", r.Started.Format(words.DateWithZone))
	s.line("")
}

// options returns the line with the options of the run.
func (s *beffioSum) options() string {
	r := s.r
	numbers := lists.Each(r.Partitions, strconv.Itoa)
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

// partition writes everything about one partition.
func (s *beffioSum) partition(n int) {
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

func (s *beffioSum) table(n int, a beffio.Access) {
	processes := s.r.Partitions[n]
	for i, chunk := range s.chunks {
		fmt.Fprintf(s, "%4d PEs %d %8d %-7s", processes, i+1, chunk, a)
		for _, t := range beffio.Types() {
			fmt.Fprintf(s, " %8s", s.cell(n, a, tablePattern(s.r, t, chunk)))
		}
		s.line("")
	}
	fmt.Fprintf(s, "%4d PEs      total-%-7s", processes, a)
	m := s.d.Partitions[n].Access(a)
	for _, t := range beffio.Types() {
		fmt.Fprintf(s, " %8s", words.Figure(m.Types[t]/words.Mega, 3))
	}
	s.line("\n")
}

// cell formats a pattern's bandwidth, or returns a dash if it was not measured.
func (s *beffioSum) cell(n int, a beffio.Access, pattern int) string {
	if findSample(s.r, n, a, pattern) == nil {
		return "-"
	}
	for _, x := range s.r.Samples { // in any pass
		if x.Partition == n && x.Access == a && x.Pattern == pattern && x.Errors > 0 {
			return fmt.Sprintf("%.3f", wrongData)
		}
	}
	return fmt.Sprintf("%.3f", s.r.Bandwidth(n, a, pattern)/words.Mega)
}

func (s *beffioSum) pattern2(n int) {
	number := -1
	for _, p := range s.r.Patterns {
		if p.IsNumber2() {
			number = p.Number
		}
	}
	s.line("This table shows all results, except pattern 2 (scatter, l=1MBytes, L=2MBytes): ")
	s.line("  bw_pat2= %8s MB/s write, %8s MB/s rewrite, %8s MB/s read\n",
		s.cell(n, beffio.Write, number), s.cell(n, beffio.Rewrite, number), s.cell(n, beffio.Read, number))
}

// plot writes lines that users paste into gnuplot.
func (s *beffioSum) plot(n int) {
	s.line("(For gnuplot:)")
	s.line("  set xtics ( '1k' 1, '+8' 2, '32k' 4, '+8' 5, '1M' 7, '+8' 8, '%.0fM' 10)", float64(s.r.MPart)/words.Mebi)
	s.line("  set title '%s' -4", strings.ReplaceAll(s.machine(), "'", ""))
	s.line("  set label 1 'b_eff_io'  at 10,50000 right")
	s.line("  set label 2 'rel. 2.1'  at 10,25000 right")
	s.line("  set label 3 'T=%3.1fmin' at 10,12500 right", minutes(s.r))
	s.line("  set label 4 'n=%d'     at 10,6250  right", s.r.Partitions[n])
	if s.r.NoShared {
		s.line("  set label 5 'workaround for type 1:'  at 10,0.50 right")
		s.line("  set label 6 'individual file pointer' at 10,0.25 right")
	}
	s.line("")
}

func (s *beffioSum) averages(n int) {
	p := s.d.Partitions[n]
	for _, a := range beffio.Accesses() {
		s.line("weighted average bandwidth for %-7s : %8.3f MB/s on %d processes", a, p.Access(a).Bandwidth/words.Mega,
			s.r.Partitions[n])
	}
	s.line("(type=0 is weighted double)\n")
	amount, percent, total, unknown := float64(p.Bytes)/words.Mebi, 0.0, s.r.TotalMemory/words.Mebi, ": not known"
	if total > 0 {
		percent, unknown = 100*amount/float64(total), ""
	}
	s.line("Total amount of data written/read with each access method: %8.3f MBytes", amount)
	s.line("  = %5.1f percent of the total memory (%d MBytes%s)\n", percent, total, unknown)
	wrong := errorText(s.r.WrongChunks(n))
	if p.Release21 == 0 {
		s.line("b_eff_io of these measurements not computed: %s%s\n", beffio.Needed, wrong)
		return
	}
	s.line("b_eff_io of these measurements = %8.3f MB/s on %d processes with %3d MByte/PE and scheduled "+
		"time=%3.1f min%s",
		p.Release21/words.Mega, s.r.Partitions[n], s.memoryMB(), minutes(s.r), wrong)
	s.line("(by the paper's formula, 0.25 write + 0.25 rewrite + 0.50 read: %8.3f MB/s)\n", p.Paper/words.Mega)
}

// minutes returns the scheduled time of a partition in minutes.
func minutes(r *beffio.Result) float64 { return r.Duration / float64(len(r.Partitions)) / 60 }

func errorText(n int64) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", with %d ERRORS --!--!--!--", n)
}

// criteria returns release 2.1's criteria.
func (s *beffioSum) criteria(errors int64) []rating.Criterion {
	const rounding = 1e-9
	return []rating.Criterion{
		{Text: fmt.Sprintf("scheduled time %3.1f min >= %d min", minutes(s.r), minMinutes),
			Reached: minutes(s.r) >= minMinutes-rounding},
		{Text: "shared file pointers must be used for pattern type 1", Reached: !s.r.NoShared},
		{Text: fmt.Sprintf("error count (%d) == 0", errors), Reached: errors == 0},
	}
}

// valid reports whether all criteria are met and no further reason applies.
func (s *beffioSum) valid(errors int64) bool {
	for _, x := range reasons {
		if x.has(s.r) {
			return false
		}
	}
	return rating.Valid(s.criteria(errors))
}

// verdict writes release 2.1's three criteria and the further reasons.
func (s *beffioSum) verdict(n int) {
	errors := s.r.WrongChunks(n)
	s.line("%sVALID for comparison of different systems", words.Either(s.valid(errors), "", "NOT "))
	for i, c := range s.criteria(errors) {
		s.line("  criterion %d: %s -- %sreached", i+1, c.Text, words.Either(c.Reached, "", "NOT "))
	}
	for _, x := range reasons {
		if x.has(s.r) {
			s.line("%s%s", besides, x.text)
		}
	}
}

// maximum writes the last line, with the rating by release 2.1's formula, after a remark if the result's own rules
// differ.
func (s *beffioSum) maximum() {
	s.line("\nMaximum over all number of PEs\n------------------------------\n\n")
	errors := s.r.WrongChunks(-1)
	best := lists.Max(s.d.Partitions, func(p beffio.Partition) float64 { return p.Release21 })
	n := slices.IndexFunc(s.d.Partitions, func(p beffio.Partition) bool { return p.Release21 == best })
	if best == 0 {
		s.line(" b_eff_io not computed: %s%s", s.r.NotComputed(), errorText(errors))
		return
	}
	if s.whole.Within > 0 {
		s.line("(This file has the first of %d rounds. Over all rounds, b_eff_io is %.3f MB/s.)",
			len(s.whole.Rounds()), s.whole.Derived.BEffIO/words.Mega)
	}
	if s.r.Rules == beffio.RulesPaper {
		s.line("(The rating of this file is by release 2.1's formula. This run's rules are the paper's: by its "+
			"formula, b_eff_io is %.3f MB/s on %s.)",
			s.d.BEffIO/words.Mega, words.Processes(s.d.Processes))
	}
	s.line(" b_eff_io = %8.3f MB/s on %d processes with %d MByte/PE, scheduled time=%3.1f Min, on %s%s%s%s",
		best/words.Mega, s.r.Partitions[n], s.memoryMB(), minutes(s.r), s.machine(),
		words.Either(!s.r.Engine.Kind().Embedded, "", ", embedded engine"), errorText(errors),
		words.Either(s.valid(errors), "", ", NOT VALID (see above)"))
}
