package beff36

import (
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/lists"
	"github.com/effective-bandwidth/beff/report/words"
)

// Prot writes every measurement: the lengths of the loops, and the bandwidths per process of each repetition by the
// slowest process, the mean of all, and the quickest. The mean is that of the times.
func Prot(w io.Writer, r *beff.Result, remarks string) error {
	s := newWriter(w, r, remarks)
	ring := fmt.Sprintf("1-dim-paterns: size = %d", s.Processes)
	s.head(ring, ring)
	measurements := s.measurements()
	s.section("LOOP", func() { s.line("measurment loop: %7.3f sec\n", s.WallSeconds) })
	s.section("LOOPLNGS", func() { s.loops(measurements) })
	s.section("VALUES", func() { s.values(measurements) })
	s.rating()
	return s.Flush()
}

// place is the place of a measurement.
type place struct{ pattern, length, method, repetition int }

// measurements returns the samples by their places. Those of further passes follow the first one's repetitions.
func (s *writer) measurements() map[place]*beff.Sample {
	all := make(map[place]*beff.Sample, len(s.Samples))
	for x := range lists.Elements(s.Samples) {
		all[place{x.Pattern, x.Length, x.Method, x.Pass*s.Result.Repetitions + x.Repetition}] = x
	}
	return all
}

// loops writes a table for each method: loops, the sum of the patterns' times, the least and the largest.
func (s *writer) loops(all map[place]*beff.Sample) {
	columns := func(begin, column string) {
		fmt.Fprint(s, begin)
		for range s.Repetitions {
			fmt.Fprint(s, column)
		}
	}
	for m, name := range s.Methods {
		fmt.Fprintf(s, "\nmethod=%d  |", m)
		for i := range s.Repetitions {
			fmt.Fprintf(s, " ------- repetition %d ---------", i)
		}
		s.line(" [sec]")
		columns(fmt.Sprintf("(=%7s)|", methodNames[name]), " loop   total per pattrn&mthd  ")
		columns("\nmsg length|", "  lng    time minimum maximum  ")
		columns("\n----------|", " ---- ------- ------- ---------")
		s.line("")
		for l, length := range s.Lengths {
			fmt.Fprintf(s, " %9d ", length)
			for i := range s.Repetitions {
				fmt.Fprintf(s, " %s  ", s.loop(all, l, m, i))
			}
			s.line("")
		}
		s.line("\n\n")
	}
}

// loop returns the most loops of a pattern and the times of all.
func (s *writer) loop(all map[place]*beff.Sample, l, m, i int) string {
	loops, sum, least, most := int64(0), 0.0, math.Inf(1), 0.0
	for p := range s.Patterns {
		if x := all[place{p, l, m, i}]; x != nil {
			loops, sum = max(loops, x.Loops), sum+x.Seconds
			least, most = min(least, x.Seconds), max(most, x.Seconds)
		}
	}
	return fmt.Sprintf("%4d %7.1e %7.1e %7.1e", loops, sum, number(least), most)
}

// warmUps is the number of lengths, from the shortest on, that have one exchange before each loop (release 3.6).
const warmUps = 18

// values writes three rows for each measurement.
func (s *writer) values(all map[place]*beff.Sample) {
	s.line("Minimum / Average / Maximum of the bandwidth per node and on all nodes,")
	s.line("printed for all %d repetition (MB/s = 1e6 Bytes/s):", s.Repetitions)
	s.line("(mthd0=Sendrecv or Send or Recv, mthd1=Alltoallv, mthd2=Irecv+Isend, pattern see next table)\n")
	columns := func(begin, column, end string) {
		fmt.Fprint(s, begin)
		for range s.Repetitions {
			fmt.Fprint(s, column)
		}
		s.line("%s", end)
	}
	columns(" msg length|methd|pat|    ", " MByte/s", " -> maximum bandw. on all repetitions")
	columns("           |     |   |    ", "        ", " -> (elapsed time)")
	for l, length := range s.Lengths {
		for m := range s.Methods {
			for i, p := range s.order {
				first := fmt.Sprintf("%17s", "")
				if i == 0 && m == 0 {
					first = fmt.Sprintf(" %10d mthd%d", length, m)
				} else if i == 0 {
					first = fmt.Sprintf("%11s mthd%d", "", m)
				}
				fmt.Fprintf(s, "%s p%02d min=", first, i)
				s.value(all, p, l, m)
			}
		}
	}
}

// value writes the rows of a measurement behind its place.
func (s *writer) value(all map[place]*beff.Sample, p, l, m int) {
	rows := []struct {
		seconds func(*beff.Sample) float64
		none    string
	}{
		{func(x *beff.Sample) float64 { return x.Seconds }, "  ------"},
		{func(x *beff.Sample) float64 { return x.Mean }, "   ---- "},
		{func(x *beff.Sample) float64 { return x.Min }, "    --  "},
	}
	var figures []float64
	seconds := 0.0
	for i, row := range rows {
		if i > 0 {
			fmt.Fprintf(s, "%22s%s=", "", words.Either(i == 1, "avg", "max"))
		}
		for repetition := range s.Repetitions {
			x := all[place{p, l, m, repetition}]
			if x == nil || !(row.seconds(x) > 0) {
				fmt.Fprint(s, row.none)
				continue
			}
			figure := mb(float64(s.Lengths[l]*x.Loops*int64(s.calls[p])) / row.seconds(x))
			fmt.Fprintf(s, " %7.3f", figure)
			if i == 0 {
				loops := float64(x.Loops)
				figures = append(figures, figure)
				seconds += x.Seconds / loops * (loops + words.Either(l < warmUps, 1.0, 0))
			}
		}
		switch {
		case i > 0:
			s.line("")
		case len(figures) > 0:
			s.line(" -> %7.3f (%5.3f s)", slices.Max(figures), seconds)
		default:
			s.line(" ->  ------ (----- s)")
		}
	}
}
