package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/effective-bandwidth/beff/beff"
)

const (
	mega  = 1e6     // of bandwidths
	mebi  = 1 << 20 // of memory and lengths
	micro = 1e-6
)

// Summary writes what users read first: system, the table of release 3.6, averages, warnings, criteria, and Line as the last.
func Summary(w io.Writer, r *beff.Result) error {
	b := bufio.NewWriter(w)
	for _, section := range []func(io.Writer, *beff.Result){system, table, averages, notes} {
		section(b, r)
		fmt.Fprintln(b)
	}
	if err := Line(b, r); err != nil {
		return err
	}
	return b.Flush()
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
	row("engine", "%s %s%s", r.Engine.Library, r.Engine.Version, map[bool]string{true: " (one machine's memory, no MPI)"}[r.Engine.Engine == "local"])
	row("processes", "%d, %d MB of memory each, longest message %s", r.Processes, r.MemoryPerProcess/mebi, lengthName(r.Lmax))
	row("placement", "%s", placement(r))
	row("host", "%s %s %s %s %s", r.Host.System, r.Host.Name, r.Host.Release, r.Host.Version, r.Host.Machine)
	if r.Host.CPU != "" {
		row("processor", "%s, %d cores", r.Host.CPU, r.Host.Cores)
	}
	for _, port := range r.Host.Interconnect {
		row("network", "%s", port)
	}
	row("measured", "%s, %.1f s", r.Started.Format(time.RFC1123Z), r.WallSeconds)
}

// placement is short: the first hosts, and how many more.
func placement(r *beff.Result) string {
	const most = 4
	var parts []string
	for i, p := range r.Placement {
		if i == most {
			parts = append(parts, fmt.Sprintf("and %d more hosts", len(r.Placement)-most))
			break
		}
		parts = append(parts, fmt.Sprintf("%s: ranks %s", p.Host, p.Ranks))
	}
	return strings.Join(parts, "; ")
}

// lengthName writes a message length: whole MB or kB (2^20, 2^10), else bytes.
func lengthName(l int64) string {
	switch {
	case l%mebi == 0:
		return fmt.Sprintf("%d MB", l/mebi)
	case l%1024 == 0:
		return fmt.Sprintf("%d kB", l/1024)
	}
	return fmt.Sprintf("%d B", l)
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
		figure(d.LatencyRingsAndRandoms/micro, 3), figure(d.LatencyRings/micro, 3), figure(d.LatencyPingPong/micro, 3), figure(d.PingPongAtLmax/mega, 0))
	fmt.Fprintf(w, "per process |         | %9s |        | %9s | %9s |         |         |         |\n",
		figure(d.BEffPerProcess/mega, 0), figure(d.AtLmaxPerProcess/mega, 0), figure(d.RingsAtLmaxPerProcess/mega, 0))
}

// tableLength is Lmax as the table has it, in MB; below 1 MB in kB.
func tableLength(l int64) string {
	if l < mebi {
		return fmt.Sprintf("%d kB", l/1024)
	}
	return fmt.Sprintf("%d MB", l/mebi)
}

// figure writes a number; a dash stands for what was not measured.
func figure(x float64, decimals int) string {
	if x == 0 {
		return "-"
	}
	return fmt.Sprintf("%.*f", decimals, x)
}

// averages are the informational averages that users compare.
func averages(w io.Writer, r *beff.Result) {
	d := &r.Derived
	row := func(name string, x float64) {
		fmt.Fprintf(w, "%-44s %12s MB/s = %s per process\n", name, figure(x/mega, 3), figure(x/mega/float64(r.Processes), 3))
	}
	row("rings, logarithmic average", d.Rings)
	row("randoms, logarithmic average", d.Randoms)
	for i, x := range d.PerMethod {
		row("method "+r.Methods[i]+" alone", x)
	}
	row("best method chosen after averaging", d.BestMethod)
	for i, x := range d.PerRepetition {
		row(fmt.Sprintf("repetition %d alone", i+1), x)
	}
}

// notes are the warnings, the criteria and whether the result may be compared.
func notes(w io.Writer, r *beff.Result) {
	for _, x := range r.Warnings {
		fmt.Fprintf(w, "warning: %s\n         remedy: %s\n", x.Text, x.Remedy)
	}
	verdict := "valid for comparison"
	if !r.Valid {
		verdict = "NOT VALID for comparison"
	}
	fmt.Fprintln(w, verdict)
	for i, c := range r.Criteria {
		reached := "reached"
		if !c.Reached {
			reached = "NOT reached"
		}
		fmt.Fprintf(w, "  criterion %d: %s -- %s\n", i+1, c.Text, reached)
	}
}

// Line writes the one line that scripts look for. Without all ring and random patterns there is no b_eff: the line then says so.
func Line(w io.Writer, r *beff.Result) error {
	if r.Derived.BEff == 0 {
		_, err := fmt.Fprintf(w, "b_eff not computed: it needs all ring and random patterns at all lengths\n")
		return err
	}
	h := &r.Host
	_, err := fmt.Fprintf(w, "b_eff = %.3f MB/s = %.3f * %d PEs with %d MB/PE on %s %s %s %s %s\n", r.Derived.BEff/mega, r.Derived.BEffPerProcess/mega,
		r.Processes, r.MemoryPerProcess/mebi, h.System, h.Name, h.Release, h.Version, h.Machine)
	return err
}
