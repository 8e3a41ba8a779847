package osu

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/lists"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/report/format/live"
	"github.com/effective-bandwidth/beff/report/words"
)

// Version is that of the benchmarks whose method and text these are.
const Version = "7.4"

// Widths in characters.
const (
	sizeWidth  = 10
	width      = 18
	countWidth = 12
)

// writer writes the text piece by piece: see live.Text.
type writer struct{ r *probe.Result }

// New returns the text of the tests of OSU's that a result has (live.Maker).
func New(r *probe.Result, _ []probe.Selection) live.Text { return &writer{r} }

// Header writes nothing: each test has its own.
func (t *writer) Header(*strings.Builder) {}

// End writes nothing: the last figure is the last word.
func (t *writer) End(*strings.Builder) {}

// column is a column behind that of the size: its head, its width, and its text in a row.
type column struct {
	head  string
	width int
	of    func(row *measured.Row, t *kernel.Times) string
}

// figure returns a column of a figure in a unit.
func figure(head string, unit float64, of func(t *kernel.Times) float64) column {
	return column{head, width, func(_ *measured.Row, t *kernel.Times) string {
		return fmt.Sprintf("%.2f", of(t)/unit)
	}}
}

const (
	micro   = 1e-6
	mega    = 1e6
	percent = 0.01
)

func mean(t *kernel.Times) float64      { return t.Mean }
func bandwidth(t *kernel.Times) float64 { return t.Bandwidth }

// columns returns the columns of a test.
func (t *writer) columns(b *measured.Block, k *kernel.Kernel) []column {
	o := t.r.Settings.Micro()
	list := t.figures(k, &o)
	if o.Validated {
		list = append(list, column{"Validation", width, func(row *measured.Row, _ *kernel.Times) string {
			right, wrong := "Pass", "Fail"
			if atomic(k) {
				right, wrong = "passed", "failed"
			}
			return words.Either(row.Defects == 0, right, wrong)
		}})
	}
	list = append(list, lists.Each(o.Tail, func(p int) column { return tail(b, k, p) })...)
	return list
}

// figures returns the columns of a test's figures.
func (t *writer) figures(k *kernel.Kernel, o *settings.OSU) []column {
	switch {
	case k.Class == kernel.Hidden:
		return overlap(o.Full)
	case k.Name == "osu_mbw_mr":
		list := []column{figure("MB/s", mega, bandwidth)}
		if !o.NoRate {
			list = append(list, figure("Messages/s", 1, func(t *kernel.Times) float64 { return t.Rate }))
		}
		return list
	case k.Recipe.Fan: // OSU's head over a bandwidth
		return []column{figure("Avg Latency(us)", mega, bandwidth)}
	case k.Class == kernel.Stream:
		return []column{figure("Bandwidth (MB/s)", mega, bandwidth)}
	case oneSided(k):
		return []column{figure("Latency (us)", micro, mean)}
	}
	list := []column{figure("Avg Latency(us)", micro, mean)}
	if o.Full && k.Active == 0 && !k.InPairs() {
		list = append(list, figure("Min Latency(us)", micro, func(t *kernel.Times) float64 { return t.Min }),
			figure("Max Latency(us)", micro, func(t *kernel.Times) float64 { return t.Max }),
			column{"Iterations", countWidth, func(row *measured.Row, _ *kernel.Times) string {
				return fmt.Sprint(row.Repetitions)
			}})
	}
	return list
}

// overlap returns the columns of a nonblocking call's parts.
func overlap(full bool) []column {
	list := []column{
		figure("Overall(us)", micro, func(t *kernel.Times) float64 { return t.Overlapped }),
		figure("Compute(us)", micro, func(t *kernel.Times) float64 { return t.Compute }),
		figure("Coll. Init(us)", micro, func(t *kernel.Times) float64 { return t.Starting }),
		figure("MPI_Test(us)", micro, func(t *kernel.Times) float64 { return t.Testing }),
		figure("MPI_Wait(us)", micro, func(t *kernel.Times) float64 { return t.Waited }),
		figure("Pure Comm.(us)", micro, func(t *kernel.Times) float64 { return t.Pure }),
		figure("Min Comm.(us)", micro, func(t *kernel.Times) float64 { return t.Min }),
		figure("Max Comm.(us)", micro, func(t *kernel.Times) float64 { return t.Max }),
		figure("Overlap(%)", percent, func(t *kernel.Times) float64 { return t.Overlap }),
	}
	if !full {
		return []column{list[0], list[1], list[5], list[8]}
	}
	return list
}

// tail returns the column of a percentile. OSU sorts bandwidths like times, so the 99th percentile of a bandwidth is
// one of the best.
func tail(b *measured.Block, k *kernel.Kernel, p int) column {
	head := words.Either(k.Class == kernel.Stream && !k.Recipe.Fan, "BW(MB/s)", "Lat(us)")
	return column{fmt.Sprintf("P%d Tail %s", p, head), width, func(row *measured.Row, t *kernel.Times) string {
		if len(row.Each) == 0 {
			return ""
		}
		return fmt.Sprintf("%.2f", quantile(b, k, row, t, p))
	}}
}

// quantile returns a percentile of a row's repetitions by OSU's rule: the element ⌊n·p/100⌋ of the sorted ones, counted
// from one.
func quantile(b *measured.Block, k *kernel.Kernel, row *measured.Row, t *kernel.Times, p int) float64 {
	const pico = 1e-12
	n := len(row.Each)
	at := max(n*p/100-1, 0)
	times := slices.Sorted(slices.Values(row.Each))
	if k.Class != kernel.Stream {
		return float64(times[at]) * pico / micro / float64(b.Halves(k))
	}
	seconds := float64(times[n-1-at]) * pico
	return t.Bandwidth * t.Mean / math.Max(seconds, pico) / mega
}

// Block begins a test.
func (t *writer) Block(s *strings.Builder, k *kernel.Kernel, b *measured.Block) {
	name := title(k)
	if k.Recipe.StartUp {
		fmt.Fprintf(s, "# OSU MPI%s Test v%s\n", name, Version)
		return
	}
	if k.Recipe.Neighbours {
		t.sides(s, b)
	}
	if !oneSided(k) && k.Name != "osu_mbw_mr" {
		if k.Name == "osu_latency_mp" {
			s.WriteString("# Number of forked processes in sender: 2\n# Number of forked processes in receiver: 2\n")
		}
		if k.Recipe.Threads != nil {
			senders, receivers := t.r.Settings.Threads().Sides()
			fmt.Fprintf(s, "# Number of Sender threads: %d \n# Number of Receiver threads: %d\n", senders, receivers)
		}
		s.WriteString("\n")
	}
	fmt.Fprintf(s, "# OSU MPI%s Test v%s\n", name, Version)
	switch {
	case k.Class == kernel.Hidden:
		s.WriteString("# Overall = Coll. Init + Compute + MPI_Test + MPI_Wait\n\n")
	case k.Name == "osu_mbw_mr":
		fmt.Fprintf(s, "# [ pairs: %d ] [ window size: %d ]\n", b.Processes/2, b.WindowSize)
	case oneSided(k):
		fmt.Fprintf(s, "# Window creation: %s\n# Synchronization: %s\n", windows[b.WindowKind], syncs[b.Sync])
	}
	if !k.NoLength() && k.Name != "osu_get_acc_latency" {
		fmt.Fprintf(s, "# Datatype: %s.\n", types[t.r.Settings.DataType])
	}
	t.heads(s, b, k)
}

// sides writes the line of the grid of neighbours.
func (t *writer) sides(s *strings.Builder, b *measured.Block) {
	o := t.r.Settings.Micro()
	g := o.Graph()
	if sides := g.Sides(b.Processes); sides != nil {
		fmt.Fprintf(s, "Dimensions size = %s \n", strings.Trim(fmt.Sprint(sides), "[]"))
	}
}

// startUp writes the figures of the start of MPI.
func startUp(s *strings.Builder, k *kernel.Kernel, b *measured.Block, x *kernel.Times) {
	const milli = 1e-3
	if k.Name == "osu_hello" {
		fmt.Fprintf(s, "This is a test with %d processes\n", b.Processes)
		return
	}
	fmt.Fprintf(s, "nprocs: %d, min: %d ms, max: %d ms, avg: %d ms\n", b.Processes, int64(x.Min/milli),
		int64(x.Max/milli), int64(x.Mean/milli))
}

// heads writes the line of the columns' heads. Without sizes the first one begins the line.
func (t *writer) heads(s *strings.Builder, b *measured.Block, k *kernel.Kernel) {
	for i, c := range t.columns(b, k) {
		switch {
		case i == 0 && k.NoLength():
			s.WriteString("# " + c.head)
			continue
		case i == 0:
			fmt.Fprintf(s, "%-*s", sizeWidth, "# Size")
		}
		fmt.Fprintf(s, "%*s", c.width, c.head)
	}
	s.WriteString("\n")
}

// Words of the head of a one-sided test, and of the types.
var (
	windows = map[settings.WindowKind]string{settings.Created: "MPI_Win_create",
		settings.Allocated: "MPI_Win_allocate", settings.Attached: "MPI_Win_create_dynamic"}
	syncs = map[settings.Synchronization]string{settings.ByFlush: "MPI_Win_flush",
		settings.ByFlushLocal: "MPI_Win_flush_local", settings.ByLock: "MPI_Win_lock/unlock",
		settings.ByLockAll: "MPI_Win_lock_all/unlock_all", settings.ByFence: "MPI_Win_fence",
		settings.ByPSCW: "MPI_Win_post/start/complete/wait"}
	types = map[settings.DataType]string{"": "MPI_CHAR", "int": "MPI_INT", "float": "MPI_FLOAT"}
)

// Row writes a row; nothing of one without figures, as if it had not been asked for.
func (t *writer) Row(s *strings.Builder, k *kernel.Kernel, b *measured.Block, row *measured.Row) error {
	switch {
	case row.Missing != "":
		return nil
	case len(row.Derived) == 0:
		return live.ErrNoFigures
	case k.Recipe.StartUp:
		startUp(s, k, b, &row.Derived[0])
		return nil
	}
	for i, c := range t.columns(b, k) {
		w := c.width
		switch {
		case i == 0 && k.NoLength():
			w = len("# " + c.head)
		case i == 0:
			fmt.Fprintf(s, "%-*d", sizeWidth, row.Bytes)
			if k.Name == "osu_latency_mp" && !t.r.Settings.Micro().Validated {
				w = sizeWidth
			}
		}
		fmt.Fprintf(s, "%*s", w, c.of(row, &row.Derived[0]))
	}
	s.WriteString("\n")
	return nil
}
