package beff36

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/report/words"
)

// block is a block of data of one picture: a curve for each column behind the length.
type block struct {
	title, heading string // of the data, of the picture
	columns        []column
}

type column struct {
	name string
	of   func(l int) float64 // per process
}

// blocks returns the original's ten pictures, in its order: rings and randoms, and the details, by each method and by
// the best one; the methods beside each other; rings beside randoms.
func (s *writer) blocks() (list []block) {
	for m, method := range s.Methods {
		of := func(p, l int) float64 { return s.of(p, l, m) }
		name := methodNames[method]
		list = append(list, s.counted(name, name, of), s.details(name, name, of))
	}
	list = append(list, s.counted("best", "Best method", s.Best), s.details("best", "Best method", s.Best))
	methods := block{title: "compare the methods: ring & random", heading: "Rings & random average by method"}
	for _, kind := range []struct {
		name string
		mean func(func(p int) float64) float64
	}{{"rings", s.rings}, {"random", s.randoms}} {
		for m, method := range s.Methods {
			name := methodNames[method] + " " + kind.name
			methods.columns = append(methods.columns, column{name, func(l int) float64 {
				return kind.mean(func(p int) float64 { return s.of(p, l, m) })
			}})
		}
	}
	both := block{title: "compare ring & random", heading: "Best method: rings & random",
		columns: append(s.range3(patterns.KindRing, "rings", s.Best),
			s.range3(patterns.KindRandom, "random", s.Best)...)}
	both.columns = append(both.columns, column{"rings & random average", func(l int) float64 {
		return s.Both(func(p int) float64 { return s.Best(p, l) })
	}})
	return append(list, methods, both)
}

// curve returns the column of a pattern.
func (s *writer) curve(p int, of func(p, l int) float64) column {
	return column{s.name(p), func(l int) float64 { return of(p, l) }}
}

// counted returns the block of the patterns that b_eff counts: each ring, and the range of the randoms.
func (s *writer) counted(title, heading string, of func(p, l int) float64) block {
	b := block{title: title + ": ring & random", heading: heading + ": ring & random patterns"}
	for _, p := range s.ofKind(patterns.KindRing) {
		b.columns = append(b.columns, s.curve(p, of))
	}
	b.columns = append(b.columns, s.range3(patterns.KindRandom, "random", of)...)
	return b
}

// details returns the block of the other patterns but the ping-pong pair, at most nine.
func (s *writer) details(title, heading string, of func(p, l int) float64) block {
	const most = 9
	b := block{title: title + ": additional", heading: heading + ": additional patterns"}
	for _, p := range s.ofKind(patterns.KindDetail) {
		if s.Patterns[p].Name != "ping-pong" && len(b.columns) < most {
			b.columns = append(b.columns, s.curve(p, of))
		}
	}
	return b
}

// range3 returns the least, the average and the largest bandwidth of the patterns of a kind.
func (s *writer) range3(kind patterns.Kind, name string, of func(p, l int) float64) []column {
	extreme := func(better func(a, b float64) float64, from float64) func(l int) float64 {
		return func(l int) float64 {
			x := from
			for _, p := range s.ofKind(kind) {
				x = better(x, of(p, l))
			}
			return x
		}
	}
	return []column{{"worst " + name, extreme(math.Min, math.Inf(1))},
		{"avg " + name, func(l int) float64 { return s.LogAverage(kind, func(p int) float64 { return of(p, l) }) }},
		{"best " + name, extreme(math.Max, 0)}}
}

// Plot writes the original's .plot: blocks of data that gnuplot reads by their index, with the length in the first
// column and bandwidths per process in MByte/s in the others.
func Plot(w io.Writer, r *beff.Result) error {
	s := newWriter(w, r, "")
	s.data()
	return s.Flush()
}

func (s *writer) data() {
	s.line("# b_eff 3.6 format, written by %s; for gnuplot", words.OneLine("beff "+s.Beff))
	for _, b := range s.blocks() {
		s.line("\n\n# %s", b.title)
		for l, length := range s.Lengths {
			fmt.Fprintf(s, "%10d ", length)
			for _, c := range b.columns {
				fmt.Fprintf(s, "%7.3f ", s.each(c.of(l)))
			}
			s.line("")
		}
	}
}

// Script writes a script for gnuplot 5, with its data, that draws the original's ten pictures, epsfig0.eps to
// epsfig9.eps.
func Script(w io.Writer, r *beff.Result) error {
	s := newWriter(w, r, "")
	s.line("$data << EOD")
	s.data()
	s.line("EOD\nset term postscript eps monochrome 'Times-Roman' 18")
	s.line("set ylabel 'bandwidth [MB/s]'\nset xlabel 'message length per process [Byte]'")
	s.line("set logscale\nset key right bottom noenhanced")
	for i, b := range s.blocks() {
		s.line("\nset output 'epsfig%d.eps'\nset title '%s' noenhanced", i, quoted(b.heading))
		for c, x := range b.columns {
			s.line("%s $data index %d using 1:%d title '%s' with linespoints%s", words.Either(c == 0, "plot", "    "),
				i, c+2, quoted(x.name), words.Either(c < len(b.columns)-1, ", \\", ""))
		}
	}
	return s.Flush()
}

// quoted returns a text for single quotes of gnuplot. Names of patterns are a document's, which a stranger may have
// made.
func quoted(text string) string {
	return words.OneLine(strings.ReplaceAll(text, "'", ""))
}
