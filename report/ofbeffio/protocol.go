package ofbeffio

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/words"
)

// protocolHeads has the heads of the columns of protocolRow.
const protocolHeads = `One line for each pattern, in the order in which they were measured:
  no        number of the pattern (paper, Table 2)
  disk, mem bytes of a contiguous chunk on disk, and of what one call moves; "fill" fills up the segment in one call
  U         units of time
  share: for time-driven patterns the seconds that the pattern was given; for others the most that it might take
  used      seconds that it took, from the barrier before MPI_File_set_view to that after MPI_File_sync
  calls     of process 0
  MB        moved by all processes, 10^6 bytes
  I/O, barrier, bcast, sync   seconds of the MPI-IO calls, of barriers, of the broadcasts of process 0's decision, of MPI_File_sync;
            like those that follow, the maximum over the processes
  last I/O, last b+b          seconds of the last call, and of the last barrier and broadcast
  MB/s      MB by used; no figure: not measured, or wrong data
  errors    chunks that were not what had been written
  ?         b: ended when its share of --max-bytes was used; t: ended by its time before it had repeated what the initial write did; e: wrong data
`

const (
	protocolHead = "%3s %-9s %10s %10s %2s %9s %9s %9s %12s %9s %8s %8s %8s %9s %9s %10s %6s %s"
	noFigure     = "-"
)

// Protocol writes all measurements, pattern by pattern.
func Protocol(w io.Writer, r *beffio.Result) error {
	p := &protocol{bufio.NewWriter(w), r, beffio.Derive(r)}
	p.head()
	for _, a := range beffio.Accesses() {
		for n := range r.Partitions {
			p.access(n, a)
		}
	}
	p.partitions()
	p.hints()
	p.errors()
	p.line("total: %s s scheduled%s", words.Seconds(r.Duration),
		p.known(", %.1f s used%s", r.WallSeconds, pilot(r)))
	return p.Flush()
}

type protocol struct {
	*bufio.Writer
	r *beffio.Result
	d beffio.Derived
}

func (p *protocol) line(format string, args ...any) { fmt.Fprintf(p, format+"\n", args...) }

// known returns a text about bytes and times; nothing for an imported result, which has none.
func (p *protocol) known(format string, args ...any) string {
	if p.r.Imported != "" {
		return ""
	}
	return fmt.Sprintf(format, args...)
}

// rate returns a bandwidth in words.
func rate(x float64) string {
	if x == 0 {
		return "not computed"
	}
	return fmt.Sprintf("%.3f MB/s", x/words.Mega)
}

func (p *protocol) head() {
	r, h := p.r, &p.r.Host
	p.line("Protocol of b_eff_io, %s, rules %s", words.OneLine("beff "+r.Beff), r.Rules) // a .sum file has no version
	p.line("%s on %s", words.OneLine(r.Engine.Library+" "+r.Engine.Version),
		words.OneLine(strings.Join([]string{h.System, h.Name, h.Release, h.Version, h.Machine}, " ")))
	p.line("%s, partitions of %s, T = %s s, %s per process, M_PART = %d bytes", r.Started.Format(time.RFC1123Z),
		partitionsOf(r.Partitions), words.Seconds(r.Duration), rating.Bytes(r.MemoryPerProcess), r.MPart)
	p.line("files in %s", words.OneLine(r.FileSystem.Directory))
	for _, x := range r.System.Facts() {
		p.line("%s: %s", x.Name, words.OneLine(x.Text))
	}
	if r.Imported != "" {
		p.line("imported from %s: bandwidths alone are known", words.OneLine(r.Imported))
	}
	p.line("\n%s", protocolHeads)
}

// partitionsOf returns the numbers of processes of the partitions, in words.
func partitionsOf(list []int) string {
	if len(list) == 1 {
		return words.Processes(list[0])
	}
	return words.Numbers(list) + " processes"
}

// access writes an access method of a partition.
func (p *protocol) access(n int, a beffio.Access) {
	m := p.d.Partitions[n].Access(a)
	p.line("--- %s, %s ---", a, words.Processes(p.r.Partitions[n]))
	if !slices.ContainsFunc(p.r.Samples, func(s beffio.Sample) bool { return s.Partition == n && s.Access == a }) {
		p.line("not measured\n")
		return
	}
	p.line(protocolHead, "no", "type", "disk", "mem", "U", "share[s]", "used[s]", "calls", "MB", "I/O[s]", "barrier",
		"bcast", "sync", "last I/O", "last b+b", "MB/s", "errors", "?")
	for _, t := range beffio.Types() {
		p.patterns(n, a, t)
		p.file(n, a, t, m.Types[t])
	}
	p.line("%s, %s: mean over the types %s (type 0 counted twice); over the patterns by their units %s%s\n",
		a, words.Processes(p.r.Partitions[n]), rate(m.Bandwidth), rate(m.Weighted),
		p.known("; %.3f MB in %.3f s", float64(m.Bytes)/words.Mega, m.Seconds))
}

func (p *protocol) patterns(n int, a beffio.Access, t patterns.IOType) {
	for _, s := range p.r.Samples {
		if row := p.r.Pattern(s.Pattern); s.Partition == n && s.Access == a && row != nil && row.Type == t {
			p.row(s, *row)
		}
	}
}

func (p *protocol) row(s beffio.Sample, row beffio.Pattern) {
	chunk := func(bytes int64) string {
		if bytes == 0 {
			return "fill"
		}
		return fmt.Sprint(bytes)
	}
	of := func(x float64, decimals int) string {
		if p.r.Imported != "" {
			return noFigure
		}
		return fmt.Sprintf("%.*f", decimals, x)
	}
	flags := ""
	for _, f := range []struct {
		set  bool
		name string
	}{{s.OutOfBytes, "b"}, {s.OutOfTime, "t"}, {s.Errors > 0, "e"}} {
		if f.set {
			flags += f.name
		}
	}
	text := fmt.Sprintf(protocolHead, fmt.Sprint(row.Number), row.Type, chunk(row.Disk), chunk(row.Memory),
		fmt.Sprint(row.Units), of(s.Scheduled, 3), of(s.Seconds, 3), of(float64(s.Repetitions), 0),
		of(float64(s.Bytes)/words.Mega, 3), of(s.IO, 3), of(s.Barrier, 3), of(s.Broadcast, 3), of(s.Sync, 3),
		of(s.LastIO, 6),
		of(s.LastBarrier, 6),
		words.Figure(p.r.Bandwidth(s.Partition, s.Access, s.Pattern)/words.Mega, 3), fmt.Sprint(s.Errors), flags)
	p.line("%s", strings.TrimRight(text, " "))
}

// file writes the line of opening and closing.
func (p *protocol) file(n int, a beffio.Access, t patterns.IOType, bandwidth float64) {
	for _, f := range p.r.Files {
		if f.Partition != n || f.Access != a || f.Type != t.String() {
			continue
		}
		p.line("    %-9s %sfrom open to close %s", t, p.known("open %.6f s, close %.6f s; ", f.Open, f.Close),
			rate(bandwidth))
	}
}

func (p *protocol) partitions() {
	for _, d := range p.d.Partitions {
		p.line("partition of %s: b_eff_io %s by the paper's formula, %s by release 2.1's%s",
			words.Processes(d.Processes),
			rate(d.Paper), rate(d.Release21),
			p.known("; %s in its files, %.1f s", rating.Bytes(d.Bytes), d.Seconds))
	}
	p.line("")
}

func (p *protocol) hints() {
	for _, h := range p.r.Hints {
		processes, access, t := "all", "all", "all"
		if h.Processes != 0 {
			processes = fmt.Sprint(h.Processes)
		}
		if h.Access != "" {
			access = string(h.Access)
		}
		if h.Type != nil {
			t = h.Type.String()
		}
		p.line("hint given, line %d: %s %s %s %s %s", h.Line, processes, access, t, words.OneLine(h.Chunk),
			hint(h.Hint))
	}
	for _, h := range p.r.HintsInForce {
		var list []string
		for _, x := range h.Hints {
			list = append(list, hint(x))
		}
		p.line("hints in force since %s of %s on %s:%s", h.Access, h.Type, words.Processes(p.r.Partitions[h.Partition]),
			wrapped(list))
	}
	if len(p.r.Hints)+len(p.r.HintsInForce) > 0 {
		p.line("")
	}
}

func hint(h mpi.Hint) string { return words.OneLine(h.Key) + "=" + words.OneLine(h.Value) }

// wrapped returns words as lines.
func wrapped(words []string) string {
	const width, indent = 150, "\n    "
	text, column := "", width
	for _, word := range words {
		if column += 1 + len(word); column > width {
			text, column = text+indent, len(indent)+len(word)
		} else {
			text += " "
		}
		text += word
	}
	return text
}

func (p *protocol) errors() {
	for _, e := range p.r.PilotErrors {
		p.line("wrong data in the pilot run: %s", dataError(p.r, e))
	}
	for _, e := range p.r.Errors {
		p.line("wrong data: %s", dataError(p.r, e))
	}
	if n := p.r.WrongChunks(-1); n > 0 {
		p.line("%d chunks were not what had been written\n", n)
	}
}

// dataError returns the place of a wrong chunk, in words.
func dataError(r *beffio.Result, e beffio.DataError) string {
	return fmt.Sprintf("%s on %s, pattern %d, rank %d, repetition %d, chunk %d, offset %d: expected %s, found %s",
		e.Access, words.Processes(r.Partitions[e.Partition]), e.Pattern, e.Rank, e.Repetition, e.Chunk, e.Offset,
		e.Expected,
		e.Found)
}
