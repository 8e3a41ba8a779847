package imb

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/probe/suites"
	"github.com/effective-bandwidth/beff/report/words"
)

// Header writes the facts that are known before the first table. If all kernels are of one component of IMB 2021.11,
// the lines have IMB's order and spelling, including blanks at their ends. beff's own lines are the title, and the
// lines about system, engine, method, Mbytes, checks of data, and hints.
func (t *Writer) Header(s *strings.Builder) {
	c := t.component()
	rule := "#" + strings.Repeat("-", 64) + "\n"
	if c == kernel.P2P {
		rule = "#" + strings.Repeat("-", 60) + "\n"
	}
	if c == kernel.MT {
		if t.r.Settings.Threading.NoHeader {
			return
		}
		rule = "#" + strings.Repeat("-", 66) + "\n"
	}
	title, none := words.OneLine("beff probe "+t.r.Beff), len(t.kernels)+len(t.r.Refused) == 0
	if !none { // there are none if the run ended before its first table
		title += ": kernels of " + origins(t.kernels)
	}
	fmt.Fprintf(s, "%s#    %s\n%s", rule, title, rule)
	if c == kernel.MT {
		t.ours(s)
		t.added(s)
		s.WriteString("#\n")
		return
	}
	t.facts(s)
	if c == kernel.P2P {
		fmt.Fprintf(s, "#\n# Calling sequence was:\n#\n# %s\n#\n# List of Benchmarks to run:\n#\n",
			words.OneLine(t.r.Command))
		t.list(s)
		s.WriteString("#\n")
		t.lengths(s, c)
		t.added(s)
		s.WriteString("#\n")
		return
	}
	end := "" // some components end lines with a blank
	if c == kernel.MPI1 || c == kernel.RMA {
		end = " "
	}
	fmt.Fprintf(s, "\n\n# Calling sequence was: \n\n# %s%s\n\n", words.OneLine(t.r.Command), end)
	t.lengths(s, c)
	s.WriteString("#\n")
	data, numbers := t.r.Settings.Types()
	if c != kernel.IO {
		fmt.Fprintf(s, "# %-31s:   %s \n# %-31s:   %s%s\n# %-31s:   %s  \n", "MPI_Datatype", data,
			"MPI_Datatype for reductions", numbers, words.Either(c == kernel.MPI1, " ", ""), "MPI_Op", "MPI_SUM")
	}
	t.added(s)
	if c == kernel.MPI4 {
		end = " "
	}
	fmt.Fprintf(s, "#%s\n#%s\n\n", end, end)
	if !none {
		s.WriteString("# List of Benchmarks to run:\n\n")
		t.list(s)
	}
	is2021 := t.r.Settings.Method == settings.ByIMB2021
	if t.r.CPU.Flops > 0 && (!is2021 || slices.ContainsFunc(t.kernels,
		func(k probe.Selection) bool { return k.Kernel.Component == kernel.IO })) {
		fmt.Fprintf(s, "\n\n# For nonblocking benchmarks:\n\n# Function CPU_Exploit obtains an undisturbed\n"+
			"# performance of %7.2f MFlops\n", t.r.CPU.Flops/words.Mega)
	}
}

// component returns the component of all kernels, or "" if there are several.
func (t *Writer) component() (c kernel.Component) {
	for _, k := range t.kernels {
		if c != "" && c != k.Kernel.Component {
			return ""
		}
		c = k.Kernel.Component
	}
	return c
}

// facts writes the facts about the run and the machine.
func (t *Writer) facts(s *strings.Builder) {
	r, h := t.r, &t.r.Host
	line := func(key, value string) {
		s.WriteString(strings.TrimRight(fmt.Sprintf("# %-22s: %s", key, words.OneLine(value)), " ") + "\n")
	}
	for _, x := range r.System.Facts() {
		line("Rated "+x.Name, x.Text)
	}
	if !r.Engine.Kind().Simulated { // a model's clock starts in 1970
		line("Date", r.Started.Format(words.DateWithZone))
	}
	line("Machine", h.Machine)
	line("System", h.System)
	line("Release", h.Release)
	line("Version", h.Version)
	line("MPI Version", r.Engine.Standard)
	line("MPI Thread Environment", r.ThreadLevel)
	t.ours(s)
}

// ours writes the engine and the method, which IMB doesn't print.
func (t *Writer) ours(s *strings.Builder) {
	r := t.r
	line := func(key, value string) { fmt.Fprintf(s, "# %-22s: %s\n", key, words.OneLine(value)) }
	line("Engine", r.Engine.Library+" "+r.Engine.Version+
		words.Either(r.Engine.Kind().Embedded, ": one machine, no MPI", ""))
	if methods := t.methods(); r.Settings.Method != "" || strings.Contains(methods, ", ") {
		line("Method", methods)
	}
}

// list writes the names of the kernels, including those that can't run, and IMB's remarks on them.
func (t *Writer) list(s *strings.Builder) {
	refused := func(before string) {
		for _, x := range t.r.Refused {
			if x.Before == before {
				fmt.Fprintf(s, "# %s\n", x.Kernel)
			}
		}
	}
	for _, k := range t.kernels {
		refused(k.Kernel.Name)
		multi := k.Multi && t.r.Settings.Method != settings.ByIMB2021 // as in the guide's samples
		fmt.Fprintf(s, "# %s%s\n", words.Either(multi, "(Multi-)", ""), k.Kernel.Name)
		for _, text := range Remarks(k.Kernel) {
			fmt.Fprintf(s, "#     %s\n", text)
		}
	}
	refused("")
}

// Remarks returns IMB's remarks on a kernel, which its lists of kernels have below the name.
func Remarks(k *kernel.Kernel) []string {
	if k.Component != kernel.RMA {
		return nil
	}
	return map[string][]string{
		"Compare_and_swap": {"Uses MPI_INT data type"},
		"Truly_passive_put": {"The benchmark measures execution time of MPI_Put for 2 cases:",
			"1) The target is waiting in MPI_Barrier call (t_pure value)",
			"2) The target performs computation and then enters MPI_Barrier routine (t_ovrl value)"},
	}[k.Name]
}

// methods returns the titles of the methods of the kernels.
func (t *Writer) methods() string {
	of := lists.Each(t.kernels, func(k probe.Selection) kernel.Component { return k.Kernel.Component })
	return suites.MethodsOf(&t.r.Settings, of)
}

// origins names the programs from which the kernels come. For IMB it adds the names of the components.
func origins(kernels []probe.Selection) string {
	var list, imb []string
	for _, k := range kernels {
		suite := suites.Of(k.Kernel.Component)
		switch {
		case suite.Origin != suites.Of(kernel.MPI1).Origin:
			if !slices.Contains(list, suite.Origin) {
				list = append(list, suite.Origin)
			}
		case !slices.Contains(imb, suite.Part):
			imb = append(imb, suite.Part)
		}
	}
	if len(imb) > 0 || len(list) == 0 {
		list = append([]string{"the Intel(R) MPI Benchmarks, " + strings.Join(imb, ", ") +
			words.Either(len(imb) == 1, " part", " parts")}, list...)
	}
	return strings.Join(list, ", and of ")
}

// lengths writes the shortest and the longest length of the settings, or that the user defined the lengths. The
// defaults are the lengths of messages, or the lengths for files if all kernels use files. Some kernels have different
// lengths: a few of IMB's (guide, "Message/I-O Buffer Lengths"), cuts, and new calls.
func (t *Writer) lengths(s *strings.Builder, c kernel.Component) {
	r := t.r
	longest := func(c kernel.Component) int64 { return suites.MethodOf(&r.Settings, c).Defaults(c).Longest() }
	unit, list, low, high := "message length", "Message", int64(0), longest(kernel.MPI1)
	other := func(k probe.Selection) bool { return !k.Kernel.Component.Files() }
	if len(t.kernels) > 0 && !slices.ContainsFunc(t.kernels, other) {
		unit, list, high = "io portion", "IO", longest(t.kernels[0].Kernel.Component)
	}
	logs, given := r.Settings.Rows.Log, r.Settings.Rows.Lengths
	switch a := r.Settings.Rows.Adaptive; {
	case a != nil:
		fmt.Fprintf(s, "# %s lengths were selected by their times\n", list)
		low, high = a.Min, a.Max
	case c == kernel.P2P && len(given) > 0:
		low, high = slices.Min(given), slices.Max(given)
	case len(logs) == 2:
		high = 1 << logs[1]
	case len(given) > 0:
		fmt.Fprintf(s, "# %s lengths were user defined\n", list)
		return
	case c == kernel.Cut || c == kernel.New:
		all := lists.Flat(t.kernels, func(k probe.Selection) []int64 {
			return suites.Way(&r.Settings, k.Kernel).Lengths()
		})
		low, high = slices.Min(all), slices.Max(all)
	}
	if r.Settings.NoZero && (c == kernel.MPI1 || c.Overlaps()) && r.Settings.Rows.Adaptive == nil {
		low = 1
		if len(logs) == 2 {
			low = 1 << logs[0]
		}
	}
	fmt.Fprintf(s, "# Minimum %s in bytes:   %d\n# Maximum %s in bytes:   %d\n", unit, low, unit, high)
}

// added writes facts that IMB's header lacks: the size of a megabyte, how data are checked, hints.
func (t *Writer) added(s *strings.Builder) {
	line := func(key, value string) { fmt.Fprintf(s, "# %-31s:   %s\n", key, words.OneLine(value)) }
	line("Mbyte", words.Either(t.r.Settings.MegaBytesOf2, "2^20 bytes", "10^6 bytes"))
	line("Data check", t.check())
	if place := t.r.Settings.Memory.Place(); place != "" {
		line("Buffers", place)
	}
	for _, h := range t.r.Settings.Hints {
		line("Hints", h.Key+" = "+h.Value)
	}
}

// check describes how data are checked, and after the run, in how many repetitions of each length they were checked.
func (t *Writer) check() string {
	if t.r.Engine.Kind().Simulated {
		return "none: nothing is moved"
	}
	how := fmt.Sprintf("whole messages, outside the clock, of the last timed repetition and at most %d after it",
		probe.FurtherChecked)
	low, high := int64(0), int64(0)
	for _, b := range t.r.Blocks {
		for _, row := range b.Rows {
			if n := row.Checked; n > 0 {
				low = cmp.Or(low, n)
				low, high = min(low, n), max(high, n)
			}
		}
	}
	switch {
	case high == 0:
		return how
	case low == high:
		return fmt.Sprintf("%s: %d of each length", how, high)
	}
	return fmt.Sprintf("%s: %d to %d of each length", how, low, high)
}
