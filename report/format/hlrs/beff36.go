package hlrs

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/report/words"
)

// BEff writes a result of b_eff: the machine, the table of the figures, and the last line. There, remarks that readers
// of the rating must not miss follow the machine.
func BEff(w io.Writer, r *beff.Result, remarks string) error {
	s := &beffSum{Writer: bufio.NewWriter(w), Result: r, order: inOrder(r.Patterns)}
	s.all, _ = patterns.BEff(r.Processes, r.Seed) // nil if Check refuses the number of processes
	s.head()
	s.machine()
	s.summary()
	s.line("\nSECTION-BEFF-END\n")
	s.rating(remarks)
	return s.Flush()
}

// beffSum writes one file of b_eff.
type beffSum struct {
	*bufio.Writer
	*beff.Result
	all   []patterns.Pattern // for the result's number of processes
	order []int              // the result's patterns in the original's order
}

// inOrder returns the indices of the patterns in the original's order, which has both acyclic grids before the cyclic
// ones.
func inOrder(list []beff.Pattern) (order []int) {
	late := -1
	for p := range list {
		if list[p].Name == "cart3d-acyclic" {
			late = p
		}
	}
	for p := range list {
		if p == late && slices.Contains(order, p) {
			continue
		}
		order = append(order, p)
		if list[p].Name == "cart2d-acyclic" && late > p {
			order = append(order, late)
		}
	}
	return order
}

// pattern returns the pattern with this name, or nil.
func (s *beffSum) pattern(name string) *patterns.Pattern {
	if i := slices.IndexFunc(s.all, func(x patterns.Pattern) bool { return x.Name == name }); i >= 0 {
		return &s.all[i]
	}
	return nil
}

func (s *beffSum) line(format string, args ...any) { fmt.Fprintf(s, format+"\n", args...) }

// mb returns a bandwidth in MByte/s of 1e6, or 0 if nothing was measured.
func mb(x float64) float64 { return words.Either(math.IsNaN(x) || math.IsInf(x, 0), 0, x/words.Mega) }

// each returns a bandwidth per process in MByte/s.
func (s *beffSum) each(x float64) float64 { return mb(x) / float64(s.Processes) }

// memoryMB returns the memory of a process in whole MBytes of 2^20 bytes, like the original.
func (s *beffSum) memoryMB() int64 { return max(s.MemoryPerProcess/words.Mebi, 1) }

// methodNames are the original's names of the methods.
var methodNames = map[string]string{"sendrecv": "Sndrcv", "alltoallv": "Alltoal", "nonblocking": "non-blk"}

// detailNames are the original's names of the patterns other than rings and randoms.
var detailNames = map[string]string{
	"worst-cycle": "worst-cyc-1dim", "bisection-best": "best  bi-section", "bisection-worst": "worst bi-section",
	"ping-pong": "one PingPong Pair", "cart2d-acyclic": "acyclic-2dim-all", "cart3d-acyclic": "acyclic-3dim-all",
	"cart2d-cyclic-dim0": "cyclic-2dim-x", "cart2d-cyclic-dim1": "cyclic-2dim-y",
	"cart2d-cyclic-all":  "cyclic-2dim-all",
	"cart3d-cyclic-dim0": "cyclic-3dim-x", "cart3d-cyclic-dim1": "cyclic-3dim-y", "cart3d-cyclic-dim2": "cyclic-3dim-z",
	"cart3d-cyclic-all": "cyclic-3dim-all",
}

// name returns the original's name of a pattern.
func (s *beffSum) name(p int) string {
	x := s.Patterns[p]
	switch x.Kind {
	case patterns.KindRing:
		name, _, _ := strings.Cut(x.Name, "#") // the original gives equal rings the same name
		return words.OneLine(name)
	case patterns.KindRandom:
		return "random-cyc-1dim"
	}
	if name, is := detailNames[x.Name]; is {
		return name
	}
	return words.OneLine(x.Name)
}

// head writes the first section.
func (s *beffSum) head() {
	s.line("\nSECTION-HEAD-BEGIN\n")
	s.line("b_eff.c, Revision 3.6 format, written by %s (rules %s)\n", words.OneLine("beff "+s.Beff), s.Rules)
	s.line("MEMORY_PER_PROCESSOR = %d MBytes  [1M = 1024*1024]", s.memoryMB())
	for dimensions := 2; dimensions <= 3; dimensions++ {
		if x := s.pattern(fmt.Sprintf("cart%dd-acyclic", dimensions)); x != nil {
			dims := strings.Trim(fmt.Sprint(x.Topology.Dims), "[]")
			s.line("%d-dim-patterns: size = %s", dimensions, strings.ReplaceAll(dims, " ", " * "))
		}
	}
	s.line("Used message lengths:")
	s.line("msglng= %s", strings.Trim(fmt.Sprint(s.Lengths), "[]"))
	fmt.Fprint(s, "Used methods:")
	for m, name := range s.Methods {
		fmt.Fprintf(s, "  %d=%s", m, methodNames[name])
	}
	fmt.Fprint(s, "\nUsed patterns:")
	for i, p := range s.order {
		if i%4 == 0 && i > 0 {
			fmt.Fprint(s, "\n              ")
		}
		fmt.Fprintf(s, " %2d=%-17s", i, s.name(p))
	}
	s.line("\n")
	s.used(patterns.KindRing, "used for ring pattern average of b_eff")
	s.used(patterns.KindRandom, "used for random pattern average of b_eff")
	s.used(patterns.KindDetail, "only reported, not used for b_eff average")
	s.line("\nSECTION-HEAD-END\n")
}

// used writes the range of the numbers of a kind's patterns, which are consecutive.
func (s *beffSum) used(kind patterns.Kind, text string) {
	of := func(p int) bool { return s.Patterns[p].Kind == kind }
	if n := lists.Count(s.order, of); n > 0 {
		first := slices.IndexFunc(s.order, of)
		s.line("               %-5s %s", fmt.Sprintf("%d-%d", first, first+n-1), text)
	}
}

// machine writes the machine, the date and the duration.
func (s *beffSum) machine() {
	s.line("system parameters  : %d nodes, %d MB/node", s.Processes, s.memoryMB())
	for _, row := range [][2]string{
		{"system name", s.Host.System}, {"hostname", s.Host.Name}, {"OS release", s.Host.Release},
		{"OS version", s.Host.Version}, {"machine", s.Host.Machine},
	} {
		s.line("       %-11s : %s", row[0], words.OneLine(row[1]))
	}
	s.line("\nDate of measurement: %s\n", s.Started.Format(words.DateWithZone))
	s.line("Total execution wall clock time = %5.0f seconds\n", s.WallSeconds)
}

// summaryHead is the heading of the table of the figures.
const summaryHead = `            | number  |   b_eff   |  Lmax  |   b_eff   |   b_eff   | Latency | Latency | Latency | ping-pong  
            | of pro  |           |        |  at Lmax  |  at Lmax  | rings & |  rings  |  ping-  | bandwith   
            | cessors |           |        |  rings &  |   rings   | random  |  only   |  pong   |            
            |         |           |        |  random   |   only    | micro-  | micro-  | micro-  |            
            |         |  MByte/s  |        |  MByte/s  |  MByte/s  |  sec    |  sec    |  sec    |  MByte/s   
--------------------------------------------------------------------------------------------------------------
            |                                                                                                 `

// summary writes the table of the figures.
func (s *beffSum) summary() {
	d := &s.Derived
	s.line("%s", summaryHead)
	s.line("accumulated |  %5d    %9.0f   %3.0f MB  %9.0f    %9.0f    %6.3f    %6.3f    %6.3f    %9.0f%20s",
		s.Processes, mb(d.BEff), float64(s.Lmax)/words.Mebi, mb(d.AtLmax), mb(d.RingsAtLmax),
		d.LatencyRingsAndRandoms/words.Micro, d.LatencyRings/words.Micro, d.LatencyPingPong/words.Micro,
		mb(d.PingPongAtLmax), "")
	s.line("            |%97s", "")
	s.line("per process |           %9.0f           %9.0f    %9.0f%54s\n", s.each(d.BEff), s.each(d.AtLmax),
		s.each(d.RingsAtLmax), "")
}

// rating writes the last line.
func (s *beffSum) rating(remarks string) {
	d, h := &s.Derived, &s.Host
	if d.BEff == 0 {
		s.line("b_eff not computed: it needs all ring and random patterns at all lengths")
		return
	}
	s.line("b_eff = %10.3f MB/s = %7.3f * %3d PEs with %3d MB/PE on %s%s", mb(d.BEff), s.each(d.BEff), s.Processes,
		s.memoryMB(), words.OneLine(strings.Join([]string{h.System, h.Name, h.Release, h.Version, h.Machine}, " ")),
		words.OneLine(remarks))
}
