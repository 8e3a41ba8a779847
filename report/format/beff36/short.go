package beff36

import (
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/report/words"
)

// Short writes the averages by other rules than b_eff's, each with its own section, the figures, and the last line.
func Short(w io.Writer, r *beff.Result, remarks string) error {
	s := newWriter(w, r, remarks)
	s.head()
	s.section("ELAPSED", s.elapsed)
	s.section("PATTERN", s.parameters)
	s.line("\nBandwidths are per process, in MByte/s of 1e6 bytes; the last column has them accumulated.")
	s.section("BY-METHODS", s.byMethods)
	s.section("BY-REPETITIONS", s.byRepetitions)
	s.section("BY-MTHD-MSGLNG", s.byMethodAndLength)
	s.section("BY-MSGLNG", s.byLength)
	s.section("BY-PATTERN-MSGLNG", s.byPatternAndLength)
	s.line("\nSECTION-BEFF-BEGIN\n")
	s.figures()
	s.end()
	return s.Flush()
}

// of returns the bandwidth of a method at a length, 0 if it can't do the pattern.
func (s *writer) of(p, l, m int) float64 {
	for i := range s.Lengths {
		if !math.IsNaN(s.BestOf(p, i, m)) {
			return s.OfMethod(p, l, m)
		}
	}
	return 0
}

// overLengths returns the mean over the lengths.
func (s *writer) overLengths(f func(l int) float64) float64 { return beff.Mean(0, len(s.Lengths), f) }

// largest returns the largest of n numbers.
func largest(n int, f func(i int) float64) float64 {
	x := 0.0
	for i := range n {
		x = max(x, number(f(i)))
	}
	return x
}

// caution is written where the rules leave out methods of the longest messages.
func (s *writer) caution() {
	if s.shortened() {
		s.line("\n CAUTION! Of the two longest messages the best method alone was measured, and stands for all.")
	}
}

// shortened reports whether a method that measured a pattern was left out at the longest message.
func (s *writer) shortened() bool {
	last := len(s.Lengths) - 1
	return slices.ContainsFunc(s.Samples, func(x beff.Sample) bool {
		return x.Length < last && math.IsNaN(s.BestOf(x.Pattern, last, x.Method)) &&
			!math.IsNaN(s.Best(x.Pattern, last))
	})
}

// elapsed writes how the time of the run and those of its loops differ.
func (s *writer) elapsed() {
	fastest := map[[3]int]float64{}
	counts := map[[3]int]float64{}
	for _, x := range s.Samples {
		at := [3]int{x.Pattern, x.Length, x.Method}
		if t, is := fastest[at]; !is || x.Seconds < t {
			fastest[at] = x.Seconds
		}
		counts[at]++
	}
	sum := 0.0
	for at, t := range fastest {
		sum += t * counts[at]
	}
	all := s.WallSeconds
	difference := func(of float64) {
		part := 0.0
		if all > 0 {
			part = 100 * math.Abs(all-of) / all
		}
		s.line("  difference to elapsed time                = %7.3f sec = %3.1f%%", all-of, part)
	}
	s.line("measurment loop: elapsed time               = %7.3f sec\n", all)
	s.line("  sum of max elapsed time per entries above = %7.3f sec", s.LoopSeconds)
	difference(s.LoopSeconds)
	s.line("\n  sum based on fastest repetition           = %7.3f sec", sum)
	difference(sum)
	most := max(math.Abs(all-s.LoopSeconds), math.Abs(all-sum))
	s.line("\n  %s", words.Either(most > 0.05*all, "CAUTION: a difference is more than 5 %: the processors may have "+
		"had other work", "The differences are less than 5 %"))
}

// parameters writes what each pattern does in one loop.
func (s *writer) parameters() {
	s.line("\nPattern parameters: sendrecv  total number  messages/  messages/  unused  best method")
	s.line("                       calls   of messages  used node  node&call   nodes  per repetition")
	s.line("---- ----------------- -----  ------------  ---------  ---------  ------  --------------")
	for i, p := range s.order {
		x := s.Patterns[p]
		each := float64(x.Messages) / float64(x.Processes)
		fmt.Fprintf(s, " p%02d %-17s %5d  %12d  %9.2f  %9.2f  %6d  (", i, s.name(p), s.calls[p], x.Messages, each,
			each/float64(s.calls[p]), s.Processes-x.Processes)
		for i := range s.Repetitions {
			fmt.Fprintf(s, " %2d", s.chosen(p, i))
		}
		s.line(" )")
	}
}

// chosen returns the method that alone measured the longest message of a repetition; -1: several did.
func (s *writer) chosen(p, repetition int) int {
	if !s.shortened() {
		return -1
	}
	only := -1
	for m := range s.Methods {
		if !math.IsNaN(s.Each(p, len(s.Lengths)-1, m)[repetition]) {
			if only >= 0 {
				return -1
			}
			only = m
		}
	}
	return only
}

// table writes the rows of all patterns by n columns, and their averages. of returns a bandwidth, best that of the
// column behind them.
func (s *writer) table(n int, of func(p, i int) float64, best func(p int) float64) {
	for at, p := range s.order {
		s.besides(p)
		fmt.Fprintf(s, " p%02d %-17s :", at, s.name(p))
		for i := range n {
			fmt.Fprintf(s, " %7.3f", s.each(of(p, i)))
		}
		s.line(" -> %7.3f -> %10.3f MByte/s", s.each(best(p)), mb(best(p)))
	}
	rings := func(i int) float64 { return s.having(patterns.KindRing, func(p int) float64 { return of(p, i) }) }
	randoms := func(i int) float64 { return s.having(patterns.KindRandom, func(p int) float64 { return of(p, i) }) }
	both := func(i int) float64 { return math.Sqrt(rings(i) * randoms(i)) }
	row := func(name string, mean func(func(p int) float64) float64, column func(i int) float64, open, behind string) {
		fmt.Fprint(s, name)
		for i := range n {
			fmt.Fprintf(s, " %7.3f", s.each(column(i)))
		}
		x := mean(best)
		s.line(" ||%s%7.3f -> %10.3f%sMByte/s", open, s.each(x), mb(x), behind)
	}
	row("\n log_avg of all rings  :", s.rings, rings, " ", " ")
	row(" log_avg of all random :", s.randoms, randoms, " ", " ")
	row(" log_avg(ring,random)  :", s.Both, both, "(", ")")
	fmt.Fprint(s, "  * size ->\n accumulated on all pr.:")
	for i := range n {
		fmt.Fprintf(s, " %7.3f", mb(both(i)))
	}
	s.line(" ||(%7.3f)MByte/s", mb(s.Both(best)))
}

// besides writes a line before the first pattern that isn't used to compute b_eff.
func (s *writer) besides(p int) {
	if details := s.ofKind(patterns.KindDetail); len(details) > 0 && details[0] == p {
		s.line(" -- additional patterns that are not used to compute b_eff:")
	}
}

// having returns the geometric mean of f over the patterns of a kind of which it is a number.
func (s *writer) having(kind patterns.Kind, f func(p int) float64) float64 {
	list := beff.Having(s.OfKind(kind), f)
	return math.Exp(beff.Mean(0, len(list), func(i int) float64 { return math.Log(f(list[i])) }))
}

func (s *writer) rings(f func(p int) float64) float64   { return s.LogAverage(patterns.KindRing, f) }
func (s *writer) randoms(f func(p int) float64) float64 { return s.LogAverage(patterns.KindRandom, f) }

// byMethods writes the averages of each method, and of the best method after averaging over the lengths.
func (s *writer) byMethods() {
	s.line("\n2nd analysis path, only as information, last row:")
	s.line("for all mthd: logavg_pat ( avg_L ( max_rep ( b(L) ) ) )")
	s.line("|| logavg_pat ( max_mthd ( avg_L ( max_rep ( b(L) ) ) ) )")
	fmt.Fprint(s, "\n pattern   /    methods:")
	for _, name := range s.Methods {
		fmt.Fprintf(s, " %7s", methodNames[name])
	}
	s.line(" -> best method -> accumulated\n")
	of := func(p, m int) float64 { return s.overLengths(func(l int) float64 { return s.of(p, l, m) }) }
	s.table(len(s.Methods), of, func(p int) float64 {
		return largest(len(s.Methods), func(m int) float64 { return of(p, m) })
	})
	s.caution()
}

// byRepetitions writes the averages of each repetition.
func (s *writer) byRepetitions() {
	s.line("\n3rd analysis path, only as information, last row:")
	s.line("for all rep.:logavg_pat ( avg_L ( max_mthd ( b(L) ) ) )")
	s.line("|| logavg_pat ( max_rep ( avg_L ( max_mthd ( b(L) ) ) ) )")
	fmt.Fprint(s, "\n pattern  /  repetition:")
	for i := range s.Repetitions {
		fmt.Fprintf(s, "   rep.%d", i)
	}
	s.line(" -> best repetition -> accumulated\n")
	of := func(p, i int) float64 { return s.overLengths(func(l int) float64 { return s.InRepetition(p, l, i) }) }
	s.table(s.Repetitions, of, func(p int) float64 {
		return largest(s.Repetitions, func(i int) float64 { return of(p, i) })
	})
}

// shownLengths returns every fourth length, as the original's tables over lengths have them.
func (s *writer) shownLengths() (list []int) {
	for l := 0; l < len(s.Lengths); l += 4 {
		list = append(list, l)
	}
	return list
}

// overHead writes the head of a table over lengths.
func (s *writer) overHead(text string) {
	fmt.Fprintf(s, "\n %-32s", text)
	for _, l := range s.shownLengths() {
		fmt.Fprintf(s, " %7d", s.Lengths[l])
	}
	s.line(" -> average -> accumulated")
	s.line("%24s(latency of one exchange, or what stands for it, in microsec)", "")
}

// latency returns the time of one exchange of a process at the shortest message, by the accumulated bandwidth there.
func (s *writer) latency(p int, bandwidth float64) string {
	if !(bandwidth > 0) {
		return "(-------)"
	}
	seconds := float64(s.Patterns[p].Messages*s.Lengths[0]) / bandwidth / float64(s.calls[p])
	return fmt.Sprintf("(%7.3f)", seconds/words.Micro)
}

// over writes the columns of a row over lengths.
func (s *writer) over(sign string, of func(l int) float64) {
	for _, l := range s.shownLengths() {
		fmt.Fprintf(s, " %7.3f", s.each(of(l)))
	}
	x := s.overLengths(of)
	s.line(" %s %7.3f -> %10.3f MByte/s", sign, s.each(x), mb(x))
}

// averaged writes the columns of an average over patterns: the last one is the average of their means over the lengths.
func (s *writer) averaged(mean func(func(p int) float64) float64, of func(p, l int) float64) {
	for _, l := range s.shownLengths() {
		fmt.Fprintf(s, " %7.3f", s.each(mean(func(p int) float64 { return of(p, l) })))
	}
	x := mean(func(p int) float64 { return s.overLengths(func(l int) float64 { return of(p, l) }) })
	s.line(" || %7.3f -> %10.3f MByte/s", s.each(x), mb(x))
}

// accumulated writes the columns of the last row: not per process.
func (s *writer) accumulated(of func(p, l int) float64) {
	for _, l := range s.shownLengths() {
		fmt.Fprintf(s, " %7.3f", mb(s.Both(func(p int) float64 { return of(p, l) })))
	}
	s.line(" || %7.3f MByte/s", mb(s.Both(func(p int) float64 {
		return s.overLengths(func(l int) float64 { return of(p, l) })
	})))
}

// byMethodAndLength writes each method of each pattern over the lengths.
func (s *writer) byMethodAndLength() {
	s.line("\n4th analysis path, only as information, last 3 rows:")
	s.line("for all methods and some msglng L: logavg_pat ( max_rep ( b(L) ) )")
	s.line("for all methods: logavg_pat ( avg_L ( max_rep ( b(L) ) ) )")
	s.overHead("pattern & method / msg:")
	for at, p := range s.order {
		s.besides(p)
		s.line(" p%02d %-17s", at, s.name(p))
		for m, method := range s.Methods {
			fmt.Fprintf(s, " p%02d method %d =%-7s :%s", at, m, methodNames[method], s.latency(p, s.of(p, 0, m)))
			s.over("->", func(l int) float64 { return s.of(p, l, m) })
		}
	}
	ofMethod := func(m int) func(p, l int) float64 { return func(p, l int) float64 { return s.of(p, l, m) } }
	for _, x := range []struct {
		title, row string
		mean       func(func(p int) float64) float64
	}{
		{"\n log_avg of all rings  ", " - ring,      method %d = %-7s:", s.rings},
		{" log_avg of all random ", " - random,    method %d = %-7s:", s.randoms},
		{" log_avg(ring,random)  ", " - average,   method %d = %-7s:", s.Both},
	} {
		s.line("%s", x.title)
		for m, method := range s.Methods {
			fmt.Fprintf(s, x.row, m, methodNames[method])
			s.averaged(x.mean, ofMethod(m))
		}
	}
	s.line("  * size ->\n accumulated on all processes:")
	for m, method := range s.Methods {
		fmt.Fprintf(s, " - accumulated, mthd %d = %-7s:", m, methodNames[method])
		s.accumulated(ofMethod(m))
	}
	s.caution()
}

// byLength writes a row for each length.
func (s *writer) byLength() {
	s.line("\n5th analysis path only as information:")
	s.line("logavg_pat ( max_mthd ( max_rep ( b(L) ) ) )")
	s.line("and for all methods: logavg_pat ( max_rep ( b(L) ) )")
	s.line("\nmsg length|accumulated| effective bandwidth per process:")
	fmt.Fprint(s, "          |  effective| average    rings   random")
	for m := range s.Methods {
		fmt.Fprintf(s, " method_%d", m)
	}
	fmt.Fprint(s, "\n          |  bandwidth| crt,rnd     only     only")
	for _, name := range s.Methods {
		fmt.Fprintf(s, "  %7s", methodNames[name])
	}
	s.line("")
	for l, length := range s.Lengths {
		best := func(p int) float64 { return s.Best(p, l) }
		fmt.Fprintf(s, " %9d  %10.3f", length, mb(s.Both(best)))
		for _, x := range []float64{s.Both(best), s.rings(best), s.randoms(best)} {
			fmt.Fprintf(s, " %8.3f", s.each(x))
		}
		for m := range s.Methods {
			fmt.Fprintf(s, " %8.3f", s.each(s.Both(func(p int) float64 { return s.of(p, l, m) })))
		}
		s.line("")
	}
	s.caution()
}

// byPatternAndLength writes what b_eff is made of.
func (s *writer) byPatternAndLength() {
	s.line("\nofficial (1st) analysis path -- see last column:")
	s.line("logavg_pat ( avg_L ( max_mthd ( max_rep ( b(L) ) ) ) )")
	s.overHead("pattern  /  msg-length:")
	for at, p := range s.order {
		s.besides(p)
		fmt.Fprintf(s, " p%02d %-17s :%s", at, s.name(p), s.latency(p, s.Best(p, 0)))
		s.over("->", func(l int) float64 { return s.Best(p, l) })
	}
	for _, x := range []struct {
		row  string
		mean func(func(p int) float64) float64
	}{
		{"\n log_avg of all rings  :         ", s.rings}, {" log_avg of all random :         ", s.randoms},
		{" log_avg(ring,random)  :         ", s.Both},
	} {
		fmt.Fprint(s, x.row)
		s.averaged(x.mean, s.Best)
	}
	fmt.Fprint(s, "  * size ->\n accumulated on all pr.:         ")
	s.accumulated(s.Best)
}

// figures writes the figures, one below the other.
func (s *writer) figures() {
	d, n := &s.Derived, s.Processes
	lmax := float64(s.Lmax) / words.Mebi
	s.line("\nThe effective bandwidth is b_eff = %10.3f MByte/s on %d processes", mb(d.BEff), n)
	s.line("                               ( = %10.3f MByte/s  * %d processes)", s.each(d.BEff), n)
	s.line("Latency: %8.3f microsec\n", d.LatencyRingsAndRandoms/words.Micro)
	s.line("Lmax: %5.0f MB", lmax)
	s.line("b_eff at Lmax: %10.3f MByte/s on %d processes", mb(d.AtLmax), n)
	s.line("           ( : %10.3f MByte/s * %d processes)\n", s.each(d.AtLmax), n)
	s.line("b_eff at Lmax (ring pattern):  %10.3f MByte/s on %d processes", mb(d.RingsAtLmax), n)
	s.line("                          ( :  %10.3f MByte/s * %d processes)", s.each(d.RingsAtLmax), n)
	s.line("Latency ring pattern:           %8.3f microsec", d.LatencyRings/words.Micro/float64(n))
	if d.LatencyPingPong > 0 {
		s.line("Ping-pong latency:            %8.3f microsec", d.LatencyPingPong/words.Micro)
	}
	if d.PingPongAtLmax > 0 {
		s.line("Ping-pong bandwidth at Lmax: %10.3f MByte/s at Lmax= %6.1f MB\n\n"+
			" (MByte/s=1e6 Byte/s)  (MB=2**20 Byte)", mb(d.PingPongAtLmax), lmax)
	}
	s.line("")
}
