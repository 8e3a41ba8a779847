// Package mdtest writes the text of mdtest 4.1 of probes of metadata that its command line asked for.
package mdtest

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/effective-bandwidth/beff/lists"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/report/format/ior"
	"github.com/effective-bandwidth/beff/report/format/live"
	"github.com/effective-bandwidth/beff/report/words"
	"github.com/effective-bandwidth/beff/stats"
)

// Version is that of the program whose method and text these are.
const Version = "4.1.0+dev"

// shiftLine is the line of mdtest's source that its text names.
const shiftLine = 2594

// phase is a row of the tables.
type phase struct {
	kernel string
	title  string
	of     kernel.Item // of directories or files alone the others are left out
}

// phases has the rows, in their order.
var phases = []phase{
	{"Dir_create", "Directory creation", kernel.Directories},
	{"Dir_stat", "Directory stat", kernel.Directories},
	{"Dir_rename", "Directory rename", kernel.Directories},
	{"Dir_remove", "Directory removal", kernel.Directories},
	{"File_create", "File creation", kernel.PlainFiles},
	{"File_stat", "File stat", kernel.PlainFiles},
	{"File_read", "File read", kernel.PlainFiles},
	{"File_remove", "File removal", kernel.PlainFiles},
	{"Tree_create", "Tree creation", kernel.Branches},
	{"Tree_remove", "Tree removal", kernel.Branches},
}

// writer writes the text piece by piece: see live.Text.
type writer struct {
	r     *probe.Result
	of    []kernel.Item
	reads bool                       // files are read
	rows  map[string][]*measured.Row // of each kernel, a pass each
}

// New returns the text of a result (live.Maker).
func New(r *probe.Result, kernels []probe.Selection) live.Text {
	t := &writer{r: r, of: []kernel.Item{kernel.Branches}, rows: map[string][]*measured.Row{}}
	for _, k := range kernels {
		t.of = append(t.of, k.Kernel.Recipe.Path.Item)
		t.reads = t.reads || k.Kernel.Name == "File_read"
	}
	return t
}

// Fits reports whether a result has this text: mdtest's command line asked for its kernels.
func Fits(r *probe.Result, kernels []probe.Selection) bool {
	other := func(k probe.Selection) bool {
		return k.Kernel.Component != kernel.Meta ||
			!slices.ContainsFunc(phases, func(p phase) bool { return p.kernel == k.Kernel.Name })
	}
	return r.Settings.Meta().Text != "" && len(kernels) > 0 && !slices.ContainsFunc(kernels, other)
}

// Header writes what is known before the first phase.
func (t *writer) Header(s *strings.Builder) {
	hosts := map[string]bool{}
	nodes := t.nodes()
	for _, host := range nodes {
		hosts[host] = true
	}
	fmt.Fprintf(s, "-- started at %s --\n\nmdtest-%s was launched with %d total task(s) on %d node(s)\n",
		stamp(t.r.Started), Version, t.r.Processes, max(len(hosts), 1))
	fmt.Fprintf(s, "Command line used: %s\n", command(t.r.Command))
	meta := t.r.Settings.Meta()
	if t.reads && meta.ReadBytes(t.bytes()) == 0 {
		s.WriteString("WARNING: Read bytes is 0, thus, a read test will actually just open/close\n")
	}
	s.WriteString("Nodemap: ")
	for _, host := range nodes {
		s.WriteString(words.Either(host == nodes[0], "1", "0"))
	}
	s.WriteString("\n")
	t.disk(s)
	if meta.Shift > 0 {
		fmt.Fprintf(s, "V-0: Rank %3d Line %5d Shifting ranks by %d for each phase.\n", 0, shiftLine, meta.Ranks)
	}
	if meta.Seed > 0 {
		fmt.Fprintf(s, "random seed: %d\n", meta.Seed)
	}
	things := "files"
	switch {
	case !slices.Contains(t.of, kernel.PlainFiles):
		things = "directories"
	case slices.Contains(t.of, kernel.Directories):
		things = "files/directories"
	}
	fmt.Fprintf(s, "%d tasks, %d %s\n", t.r.Processes, int64(t.r.Processes)*meta.All(), things)
}

// bytes returns the length of the files.
func (t *writer) bytes() int64 {
	if len(t.r.Settings.Lengths) > 0 {
		return t.r.Settings.Lengths[0]
	}
	return 0
}

// nodes returns the host of each process.
func (t *writer) nodes() []string {
	list := make([]string, t.r.Processes)
	for _, p := range t.r.Placement {
		ranks, _ := p.List() // none of a wrong list, which no checked result has
		for _, rank := range ranks {
			if rank < len(list) {
				list[rank] = p.Host
			}
		}
	}
	return list
}

// command returns a command line with mdtest's quotes.
func command(line string) string {
	words := strings.Fields(words.OneLine(line))
	if len(words) > 1 && words[1] == "mdtest" {
		words = slices.Concat([]string{words[0] + " mdtest"}, words[2:])
	}
	for i := range words {
		if i > 0 {
			words[i] = "'" + words[i] + "'"
		}
	}
	return strings.Join(words, " ")
}

// disk writes the lines of the file system.
func (t *writer) disk(s *strings.Builder) {
	d := t.r.FileSystem
	if d == nil {
		return
	}
	fmt.Fprintf(s, "%-20s: %s\n", "Path", words.OneLine(filepath.Clean(d.Directory)))
	s.WriteString(ior.FileSystem(d))
}

// stamp returns a time as mdtest writes it.
func stamp(at time.Time) string { return at.Format("01/02/2006 15:04:05") }

// Block begins a phase, which has no line of its own.
func (t *writer) Block(*strings.Builder, *kernel.Kernel, *measured.Block) {}

// Row keeps a phase for the tables, and says where its stonewall was.
func (t *writer) Row(s *strings.Builder, _ *kernel.Kernel, b *measured.Block, row *measured.Row) error {
	if len(row.Derived) == 0 {
		return live.ErrNoFigures
	}
	t.rows[b.Kernel] = append(t.rows[b.Kernel], row)
	if w := row.Wall; w != nil {
		fmt.Fprintf(s, "Continue stonewall hit min: %d max: %d avg: %.1f \n\n", w.Least, row.Repetitions,
			float64(w.Items)/float64(b.Processes))
	}
	return nil
}

// End writes the tables.
func (t *writer) End(s *strings.Builder) {
	of := t.r.Settings.Meta().Text
	if of != settings.TextTimes {
		t.table(s, false)
	}
	if of == settings.TextTimes || of == settings.TextBoth {
		t.table(s, true)
	}
	if t.r.Complete {
		end := t.r.Started.Add(time.Duration(t.r.WallSeconds * float64(time.Second)))
		fmt.Fprintf(s, "-- finished at %s --\n\n", stamp(end))
	}
}

// table writes a table of rates, or of times.
func (t *writer) table(s *strings.Builder, times bool) {
	what := words.Either(times, "time (in ms/op)", "rate (in ops/sec)")
	fmt.Fprintf(s, "\nSUMMARY %s: (of %d iterations)\n", what, max(t.r.Settings.Passes, 1))
	fmt.Fprintf(s, "   Operation     %15s Max            Min           Mean        Std Dev\n", "")
	fmt.Fprintf(s, "   ---------      %15s---            ---           ----        -------\n", "")
	for _, p := range phases {
		if !slices.Contains(t.of, p.of) && p.of != kernel.Branches {
			continue
		}
		list := lists.Each(t.rows[p.kernel], func(row *measured.Row) float64 { return t.figure(p, row, times) })
		if len(list) == 0 && !t.r.Complete {
			continue // a stopped run knows nothing of it
		}
		if len(list) == 0 {
			list = []float64{0} // mdtest's row of a phase that wasn't asked for
		}
		deviation := 0.0
		if len(list) > 1 {
			deviation = stats.Deviation(list)
		}
		mean := lists.SumOf(list, func(x float64) float64 { return x / float64(len(list)) })
		fmt.Fprintf(s, "   %-22s %14.3f %14.3f %14.3f %14.3f\n", p.title, slices.Max(list), slices.Min(list), mean,
			deviation)
	}
}

// figure returns a rate, or a time: that of the phase in seconds, whatever the head of mdtest's table says. mdtest
// counts the directories of one tree where each process has its own.
func (t *writer) figure(p phase, row *measured.Row, times bool) float64 {
	rate := row.Derived[0].Rate
	if times && rate > 0 {
		return float64(row.Items) / rate
	}
	if p.of == kernel.Branches && row.Repetitions > 0 {
		rate *= float64(row.Repetitions) / float64(row.Items)
	}
	return rate
}
