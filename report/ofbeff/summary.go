package ofbeff

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
)

// Summary writes the text for users: system, the table of release 3.6, averages, warnings, criteria, and Line as the
// last line.
func Summary(w io.Writer, r *beff.Result) error {
	b := bufio.NewWriter(w)
	parts.Sections(b, r, system, table, averages, func(w io.Writer, r *beff.Result) { parts.Warnings(w, r.Warnings) },
		func(w io.Writer, r *beff.Result) {
			for _, text := range notes(r) {
				fmt.Fprintf(w, "note: %s\n", text)
			}
		},
		func(w io.Writer, r *beff.Result) { parts.Verdict(w, r.Verdict, part(r)) })
	if err := Line(b, r); err != nil {
		return err
	}
	return b.Flush()
}

// system writes the rules, the machine and the processes.
func system(w io.Writer, r *beff.Result) {
	row := func(name, format string, args ...any) {
		fmt.Fprintf(w, "%-12s %s\n", name, words.OneLine(fmt.Sprintf(format, args...)))
	}
	if r.Derived.BEff > 0 {
		number, unit := words.Rated(r.Derived.BEff, part(r))
		row("rating", "b_eff = %s %s %s", number, unit, within(r))
	}
	for _, x := range r.System.Facts() {
		row(x.Name, "%s", words.OneLine(x.Text))
	}
	quick := ""
	if r.Quick {
		quick = ", quick"
	}
	row("b_eff", "beff %s, rules %s%s, seed %d%s", r.Beff, r.Rules, quick, r.Seed, ofPasses(r))
	row("engine", "%s %s%s", r.Engine.Library, r.Engine.Version,
		words.Either(r.Engine.Kind().Embedded, ": one machine's memory, no MPI", ""))
	for _, f := range parts.ModelFacts(r.Model) {
		row(f.Name, "%s", f.Value)
	}
	row("processes", "%d, %s of memory each, longest message %s", r.Processes, rating.Bytes(r.MemoryPerProcess),
		rating.Bytes(r.Lmax))
	row("placement", "%s", parts.Placement(r.Placement))
	row("host", "%s %s %s %s %s", r.Host.System, r.Host.Name, r.Host.Release, r.Host.Version, r.Host.Machine)
	if r.Host.Cores > 0 {
		row("processor", "%s", strings.TrimPrefix(fmt.Sprintf("%s, %d logical cores", r.Host.CPU, r.Host.Cores), ", "))
	}
	for _, port := range r.Host.Interconnect {
		row("network", "%s", port)
	}
	row("measured", "%s, %.1f s", r.Started.Format(time.RFC1123Z), r.WallSeconds)
	row("units", "1 MB/s = 1 MByte/s = 10^6 bytes per second; Lmax and MB/PE count 1 MB = 1 MiB = 2^20 bytes")
}

// tableLength returns Lmax as the table shows it: in MB or kB (2^20, 2^10 bytes), rounded.
func tableLength(l int64) string {
	if l < words.Mebi {
		return fmt.Sprintf("%.0f kB", float64(l)/1024)
	}
	return fmt.Sprintf("%.0f MB", float64(l)/words.Mebi)
}

// table writes release 3.6's summary table.
func table(w io.Writer, r *beff.Result) {
	const heads = `            | number  |   b_eff   |  Lmax  |   b_eff   |   b_eff   | Latency | Latency | Latency | ping-pong
            | of pro- |           |        |  at Lmax  |  at Lmax  | rings & |  rings  |  ping-  | bandwidth
            | cessors |           |        |  rings &  |   rings   | random  |  only   |  pong   |
            |         |           |        |  random   |   only    | micro-  | micro-  | micro-  |
            |         |  MByte/s  |        |  MByte/s  |  MByte/s  |  sec    |  sec    |  sec    |  MByte/s
`
	d := &r.Derived
	fmt.Fprint(w, heads, strings.Repeat("-", 107), "\n")
	fmt.Fprintf(w, "accumulated | %7d | %9s | %6s | %9s | %9s | %7s | %7s | %7s | %9s\n", r.Processes,
		words.Figure(d.BEff/words.Mega, 0), tableLength(r.Lmax), words.Figure(d.AtLmax/words.Mega, 0),
		words.Figure(d.RingsAtLmax/words.Mega, 0),
		latency(d.LatencyRingsAndRandoms), latency(d.LatencyRings), latency(d.LatencyPingPong),
		words.Figure(d.PingPongAtLmax/words.Mega, 0))
	fmt.Fprintf(w, "per process |         | %9s |        | %9s | %9s |         |         |         |\n",
		words.Figure(d.BEffPerProcess/words.Mega, 0), words.Figure(d.AtLmaxPerProcess/words.Mega, 0),
		words.Figure(d.RingsAtLmaxPerProcess/words.Mega, 0))
}

// latency returns seconds in microseconds, with three decimals where the column has room.
func latency(seconds float64) string {
	if seconds >= 1000*words.Micro {
		return words.Figure(seconds/words.Micro, 0)
	}
	return words.Figure(seconds/words.Micro, 3)
}

// averages writes the averages that are for information only, and those of the detail patterns; without b_eff, those of
// all patterns.
func averages(w io.Writer, r *beff.Result) {
	d := &r.Derived
	of := func(processes int, name string, x float64) {
		if x > 0 {
			fmt.Fprintf(w, "%-44s %12.3f MB/s = %.3f per process\n", words.OneLine(name), x/words.Mega,
				x/words.Mega/float64(processes))
		}
	}
	row := func(name string, x float64) { of(r.Processes, name, x) }
	row("rings, logarithmic average", d.Rings)
	row("randoms, logarithmic average", d.Randoms)
	for i, x := range d.PerMethod {
		row("method "+r.Methods[i]+" alone", x)
	}
	row("best method chosen after averaging", d.BestMethod)
	for i, x := range d.PerRepetition {
		row(fmt.Sprintf("repetition %d alone", i+1), x)
	}
	if len(d.PerRepetition) > 1 || r.ByRounds() && d.BEff > 0 {
		fmt.Fprintf(w, "%s\n", whyAbove(r))
	}
	writePasses(w, r)
	for i, x := range d.PerPattern {
		if p := r.Patterns[i]; d.BEff == 0 || p.Kind == patterns.KindDetail {
			of(p.Processes, "pattern "+p.Name, x)
		}
	}
}

// whyAbove returns the reason why b_eff is above each repetition.
func whyAbove(r *beff.Result) string {
	if r.ByRounds() {
		return fmt.Sprintf("b_eff is the expected best of three of %d rounds, which measured some of the patterns and "+
			"methods each.", r.Repetitions)
	}
	return fmt.Sprintf("b_eff takes the best of the %d repetitions of each measurement, so it is above "+
		"each repetition.", r.Repetitions)
}

// Line writes the line that scripts look for. Remarks that a reader must not miss follow the machine's name. Without
// all ring and random patterns there is no b_eff, and the line says so.
func Line(w io.Writer, r *beff.Result) error {
	if r.Derived.BEff == 0 {
		_, err := fmt.Fprintf(w, "b_eff not computed: it needs all ring and random patterns at all lengths\n")
		return err
	}
	h := &r.Host
	host := words.Line(strings.Join([]string{h.System, h.Name, h.Release, h.Version, h.Machine}, " "), ' ')
	_, err := fmt.Fprintf(w, "b_eff = %.3f MB/s = %.3f * %d PEs with %s MB/PE on %s%s\n", r.Derived.BEff/words.Mega,
		r.Derived.BEffPerProcess/words.Mega, r.Processes, words.Memory(r.MemoryPerProcess), host, remarks(r))
	return err
}

func remarks(r *beff.Result) string {
	text := parts.OfSystem(r.System)
	if r.Engine.Kind().Embedded {
		text += ", embedded engine"
	}
	return text + parts.Doubt(r.Verdict, part(r))
}
