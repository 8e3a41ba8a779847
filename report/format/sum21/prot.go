package sum21

import (
	"fmt"
	"io"
	"slices"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/lists"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/report/words"
)

// Prot writes a result as HLRS release 2.1 writes its .prot file: a line for each pattern in the order in which they
// were measured, and the totals of types, access methods and partitions, with release 2.1's formula. Times are those of
// process 0 there, here the maximum over the processes. An imported result has bandwidths alone; the other figures are
// 0. Further passes of reading have no place in the format: the last lines count them.
func Prot(w io.Writer, r *beffio.Result) error {
	s := newWriter(w, r)
	s.head()
	for _, h := range r.Hints {
		s.line("file_info given, line %d: %s", h.Line, told(h.Hint))
	}
	for _, a := range beffio.Accesses() {
		s.line("%s", protHead)
		for n := range r.Partitions {
			s.access(n, a)
		}
	}
	for _, p := range s.d.Partitions {
		bytes, units, weighted := int64(0), 0.0, 0.0
		for _, m := range p.Accesses {
			bytes += m.Bytes
			u := s.units(m)
			units, weighted = units+u, weighted+u*m.Weighted
		}
		s.line(" total partition: n=%-3d S=%7.3f MB  t=%4.2f bw=%8.3f MB/s, wbw=%8.3f MB/s, b_eff_io=%8.3f MB/s",
			p.Processes, float64(bytes)/words.Mega, p.Seconds, rate(bytes, p.Seconds), over(weighted, units)/words.Mega,
			p.Release21/words.Mega)
	}
	s.line(" total execution time is %7.2f sec", r.WallSeconds)
	if r.PilotSeconds > 0 {
		s.line(" of them in the pilot run: %7.2f sec", r.PilotSeconds)
	}
	if again := s.further(); again > 0 {
		s.line(" further passes of reading, in the result document alone: %d patterns", again)
	}
	s.line("\n b_eff_io := maximum over all bw_partition = %8.3f MB/s\n", s.best()/words.Mega)
	s.rated()
	return s.Flush()
}

// protHead is the head of the columns.
const protHead = `
-----+---+------+----+--------+----------+----------+----------------+-------+-------------+-------+-------+------+-----+-----+-----+-----+----------------
num. acc-| pat- |pat-|scheduled     chunk|     chunk|filename        | repeat|  transferred|  meas-|=sum of|time of meas.calls|last |last | measured       
of   |ess| tern |tern|  time  |      size|      size|                | factor|   MB of this|  ured |   I/O |barr- |bcast|file-| I/O |barr.| bandwidth      
PEs  |   | type |    | [sec]  |   on disk| in memory|                |       |      pattern|  time |       | ier  |     | sync|call |+bcst| of this pattern
-----+---+------+----+--------+----------+----------+----------------+-------+-------------+-------+-------+------+-----+-----+-----+-----+----------------`

// over returns a/b, 0 without b.
func over(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

// rate returns a bandwidth in MB/s.
func rate(bytes int64, seconds float64) float64 { return over(float64(bytes), seconds) / words.Mega }

// units returns the sum of the units of the patterns that an access method has measured.
func (s *writer) units(m beffio.AccessMethod) float64 {
	sum := 0
	for _, p := range s.r.Patterns {
		if m.Types[p.Type] > 0 {
			sum += p.Units
		}
	}
	return float64(sum)
}

// further returns the number of samples of further passes.
func (s *writer) further() (n int) {
	for i := range s.r.Samples {
		if s.r.Samples[i].Pass > 0 {
			n++
		}
	}
	return n
}

// told returns a hint in words.
func told(h mpi.Hint) string { return words.OneLine(h.Key) + " " + words.OneLine(h.Value) }

// access writes an access method of a partition; nothing where nothing of it was measured.
func (s *writer) access(n int, a beffio.Access) {
	if !slices.ContainsFunc(s.r.Samples, func(x beffio.Sample) bool { return x.Partition == n && x.Access == a }) {
		return
	}
	m := s.d.Partitions[n].Access(a)
	for _, t := range beffio.Types() {
		s.inForce(n, a, t)
		total := typeTotal{}
		for x := range lists.Elements(s.r.Samples) {
			row := s.r.Pattern(x.Pattern)
			if x.Partition == n && x.Access == a && x.Pass == 0 && row != nil && row.Type == t {
				s.pattern(x, row)
				total.add(x, row, s.r.Bandwidth(n, a, x.Pattern))
			}
		}
		if total.patterns > 0 {
			s.typeTotal(n, a, t, total)
		}
	}
	if wrong := s.r.WrongChunks(n); wrong > 0 {
		fmt.Fprintf(s, " ----- with %d ERRORS --!--!--!--!--", wrong)
	}
	s.line(" total access method: S=%7.3f MB  t=%4.2f (Tn=%1.0fsec) bw=%8.3f MB/s, wbw=%8.3f MB/s, "+
		"b_eff_io_%s=%8.3f MB/s",
		float64(m.Bytes)/words.Mega, m.Seconds, s.r.Duration/float64(len(s.r.Partitions)), rate(m.Bytes, m.Seconds),
		m.Weighted/words.Mega, a, m.Bandwidth/words.Mega)
}

// pattern writes the line of a pattern, behind its errors.
func (s *writer) pattern(x *beffio.Sample, row *beffio.Pattern) {
	n := s.r.Partitions[x.Partition]
	for _, e := range s.r.Errors {
		if e.Partition == x.Partition && e.Access == x.Access && e.Pattern == x.Pattern {
			s.line("[%d] ERROR in reading: p=%d, r=%d, i=%d, offset=%d, buf=%s != %s", e.Rank, e.Pattern, e.Repetition,
				e.Chunk, e.Offset, words.OneLine(e.Found), words.OneLine(e.Expected))
		}
	}
	chunk, memory := row.Disk, row.Memory
	if chunk == 0 && x.Repetitions > 0 { // it fills up the segment in one call
		chunk = x.Bytes / int64(n) / x.Repetitions
		memory = chunk
	}
	file := fmt.Sprintf("i%02d_%03d_%d", x.Partition, n, row.Type)
	if row.Type == patterns.Separated {
		file += ".000"
	}
	calls := x.Seconds - x.Barrier - x.Broadcast - x.Sync
	fmt.Fprintf(s, "n=%-3d a=%d type=%d p=%2d Tp=%5.2f l=%8d L=%8d %-16s r=%5d S=%8.3f MB t=%5.2f "+
		"=%6.3f+%6.3f+%5.3f+%5.3f %5.3f %5.3f bw=%8.3f MB/s",
		n, slices.Index(beffio.Accesses(), x.Access), row.Type, row.Number, x.Scheduled, chunk, memory, file,
		x.Repetitions, float64(x.Bytes)/words.Mega, x.Seconds, max(calls, 0), x.Barrier, x.Broadcast, x.Sync, x.LastIO,
		x.LastBarrier, s.r.Bandwidth(x.Partition, x.Access, x.Pattern)/words.Mega)
	if x.Errors > 0 {
		fmt.Fprintf(s, " %d ERRORS", x.Errors)
	}
	s.line("")
}

// typeTotal is the sum over the patterns of a type.
type typeTotal struct {
	patterns                  int
	bytes                     int64
	seconds, weighted, weight float64
}

func (t *typeTotal) add(x *beffio.Sample, row *beffio.Pattern, bandwidth float64) {
	t.patterns++
	t.bytes, t.seconds = t.bytes+x.Bytes, t.seconds+x.Seconds
	t.weighted, t.weight = t.weighted+bandwidth*float64(row.Units), t.weight+float64(row.Units)
}

// typeTotal writes the line of a pattern type. Its bytes are those of one process.
func (s *writer) typeTotal(n int, a beffio.Access, t patterns.IOType, total typeTotal) {
	var file beffio.FileSample
	for _, f := range s.r.Files {
		if f.Partition == n && f.Access == a && f.Type == t.String() && f.Pass == 0 {
			file = f
		}
	}
	each := float64(total.bytes) / float64(s.r.Partitions[n])
	fmt.Fprintf(s, " total pattern type:  S=%7.3f MB  t=%4.2f t_op=%4.2f t_cl=%4.2f wbw=%8.3f MB/s "+
		"b_eff_io_%s_%s=%8.3f MB/s",
		each/words.Mega, total.seconds+file.Open+file.Close, file.Open, file.Close,
		over(total.weighted, total.weight)/words.Mega, a, t, s.d.Partitions[n].Access(a).Types[t]/words.Mega)
	if t >= patterns.Segmented {
		fmt.Fprintf(s, " Lseg=%1.0f MBytes", each/words.Mebi)
	}
	s.line("")
}

// inForce writes the hints that the library reported for a type's file.
func (s *writer) inForce(n int, a beffio.Access, t patterns.IOType) {
	for _, h := range s.r.HintsInForce {
		if h.Partition != n || h.Access != a || h.Type != t.String() {
			continue
		}
		fmt.Fprintf(s, "file_info USED ON   : %d %s %s", s.r.Partitions[n], a, t)
		for _, x := range h.Hints {
			fmt.Fprintf(s, " :: %s", told(x))
		}
		s.line("")
	}
}
