package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
)

const (
	mega  = 1e6     // of bandwidths
	mebi  = 1 << 20 // of memory and lengths
	micro = 1e-6
)

// Summary writes what users read first: system, the table of release 3.6, averages, warnings, criteria, and Line as the
// last.
func Summary(w io.Writer, r *beff.Result) error {
	b := bufio.NewWriter(w)
	sections(b, r, system, table, averages, func(w io.Writer, r *beff.Result) { warnings(w, r.Warnings) },
		func(w io.Writer, r *beff.Result) { verdict(w, r.Valid, r.Criteria) })
	if err := Line(b, r); err != nil {
		return err
	}
	return b.Flush()
}

// sections writes what each function writes of a result, with an empty line behind; but nothing behind nothing.
func sections[R any](w io.Writer, r R, list ...func(io.Writer, R)) {
	for _, section := range list {
		var text strings.Builder
		section(&text, r)
		if text.Len() > 0 {
			fmt.Fprintln(w, text.String())
		}
	}
}

// system says what was measured, where and by which rules.
func system(w io.Writer, r *beff.Result) {
	row := func(name, format string, args ...any) {
		fmt.Fprintf(w, "%-12s %s\n", name, fmt.Sprintf(format, args...))
	}
	quick := ""
	if r.Quick {
		quick = ", quick"
	}
	row("b_eff", "beff %s, rules %s%s, seed %d", r.Beff, r.Rules, quick, r.Seed)
	row("engine", "%s %s%s", r.Engine.Library, r.Engine.Version,
		map[bool]string{true: ": one machine's memory, no MPI"}[r.Engine.Kind().Embedded])
	row("processes", "%d, %s of memory each, longest message %s", r.Processes, size(r.MemoryPerProcess), size(r.Lmax))
	row("placement", "%s", placement(r.Placement))
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

// placement is short: the first hosts, and how many more.
func placement(list []job.Placement) string {
	const most = 4
	var parts []string
	for i, p := range list {
		if i == most && len(list) > most+1 {
			parts = append(parts, fmt.Sprintf("and %d more hosts", len(list)-most))
			break
		}
		parts = append(parts, fmt.Sprintf("%s: ranks %s", p.Host, shortened(p.Ranks)))
	}
	return strings.Join(parts, "; ")
}

// shortened cuts a list of ranks without any order.
func shortened(ranks string) string {
	const most = 60
	if len(ranks) <= most {
		return ranks
	}
	return ranks[:strings.LastIndex(ranks[:most], ",")+1] + "…"
}

// memory writes bytes of memory in MB, as integers but for less than one.
func memory(bytes int64) string {
	if bytes < mebi {
		return fmt.Sprintf("%.2g", float64(bytes)/mebi)
	}
	return fmt.Sprint(bytes / mebi)
}

// size writes bytes in the largest binary unit that is not above them, with up to 4 digits.
func size(bytes int64) string {
	x, units := float64(bytes), []string{"B", "KiB", "MiB", "GiB", "TiB"}
	for len(units) > 1 && x >= 1024 {
		x, units = x/1024, units[1:]
	}
	return fmt.Sprintf("%.4g %s", x, units[0])
}

// tableLength writes Lmax as the table has it: in MB or kB (2^20, 2^10), rounded.
func tableLength(l int64) string {
	if l < mebi {
		return fmt.Sprintf("%.0f kB", float64(l)/1024)
	}
	return fmt.Sprintf("%.0f MB", float64(l)/mebi)
}

// table is the summary table as of release 3.6.
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
		figure(d.BEff/mega, 0), tableLength(r.Lmax), figure(d.AtLmax/mega, 0), figure(d.RingsAtLmax/mega, 0),
		latency(d.LatencyRingsAndRandoms), latency(d.LatencyRings), latency(d.LatencyPingPong),
		figure(d.PingPongAtLmax/mega, 0))
	fmt.Fprintf(w, "per process |         | %9s |        | %9s | %9s |         |         |         |\n",
		figure(d.BEffPerProcess/mega, 0), figure(d.AtLmaxPerProcess/mega, 0), figure(d.RingsAtLmaxPerProcess/mega, 0))
}

// figure writes a number; a dash stands for what was not measured.
func figure(x float64, decimals int) string {
	if x == 0 {
		return "-"
	}
	return fmt.Sprintf("%.*f", decimals, x)
}

// latency writes seconds in microseconds, with three decimals where the column has room.
func latency(seconds float64) string {
	if seconds >= 1000*micro {
		return figure(seconds/micro, 0)
	}
	return figure(seconds/micro, 3)
}

// averages are the informational averages that users compare, and those of the detail patterns; without b_eff, of all
// patterns.
func averages(w io.Writer, r *beff.Result) {
	d := &r.Derived
	of := func(processes int, name string, x float64) {
		if x > 0 {
			fmt.Fprintf(w, "%-44s %12.3f MB/s = %.3f per process\n", name, x/mega, x/mega/float64(processes))
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
	for i, x := range d.PerPattern {
		if p := r.Patterns[i]; d.BEff == 0 || p.Kind == patterns.KindDetail {
			of(p.Processes, "pattern "+p.Name, x)
		}
	}
}

func warnings(w io.Writer, list []rating.Warning) {
	for _, x := range list {
		fmt.Fprintf(w, "warning: %s\n         remedy: %s\n", x.Text, x.Remedy)
	}
}

// verdict is whether the result may be compared, and by which criteria.
func verdict(w io.Writer, valid bool, criteria []rating.Criterion) {
	text := "valid for comparison"
	if !valid {
		text = "NOT VALID for comparison"
	}
	fmt.Fprintln(w, text)
	for i, c := range criteria {
		reached := "reached"
		if !c.Reached {
			reached = "NOT reached"
		}
		fmt.Fprintf(w, "  criterion %d: %s -- %s\n", i+1, c.Text, reached)
	}
}

// Line writes the one line that scripts look for; what a reader must not miss stands behind the machine's name. Without
// all ring and random patterns there is no b_eff: the line then says so.
func Line(w io.Writer, r *beff.Result) error {
	if r.Derived.BEff == 0 {
		_, err := fmt.Fprintf(w, "b_eff not computed: it needs all ring and random patterns at all lengths\n")
		return err
	}
	h := &r.Host
	_, err := fmt.Fprintf(w, "b_eff = %.3f MB/s = %.3f * %d PEs with %s MB/PE on %s %s %s %s %s%s\n",
		r.Derived.BEff/mega, r.Derived.BEffPerProcess/mega,
		r.Processes, memory(r.MemoryPerProcess), h.System, h.Name, h.Release, h.Version, h.Machine, remarks(r))
	return err
}

func remarks(r *beff.Result) string {
	text := ""
	if r.Engine.Kind().Embedded {
		text += ", embedded engine"
	}
	if !r.Valid {
		text += ", NOT VALID (see above)"
	}
	return text
}
