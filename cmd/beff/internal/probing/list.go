package probing

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/terminal"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/probe/suites"
)

// List writes a table with a line for each kernel, and the meaning of its columns.
func List(to io.Writer, e mpi.Engine) error {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	rows := [][]string{{"kernel", "component", "class", "type", "moved", "least", "modes", "default",
		e.Library().Engine, "calls"}}
	for _, k := range suites.Kernels() {
		rows = append(rows, []string{
			k.Name, suites.Title(k.Component), string(k.Class), typeNames[k.Type],
			strconv.FormatFloat(k.Moved, 'g', -1, 64), strconv.Itoa(k.MinProcesses),
			modeNames(k.Modes), yesNo[k.RunsByDefault(settings.ByGuide)], yesNo[runs(e, k)], k.Calls,
		})
	}
	for _, row := range fitColumns(rows, terminal.ScreenOf(to, os.Getenv).Width) {
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	fmt.Fprint(w, `
moved    factor of the message length in the bandwidth; 0: the kernel has no bandwidth
least    smallest number of processes
default  no: it runs only if it is named
`+e.Library().Engine+`    whether this engine runs it

beff lacks these parts of MPIBlib: helper processes that are spawned (Relayed uses other processes of the job instead),
sets of options for getopt, and results by Boost.Serialization (beff writes JSON).
`)
	return w.Flush()
}

// fitColumns returns the columns that fit into a width, or all columns if it is 0. It shortens the last column, the
// calls, if that is needed.
func fitColumns(rows [][]string, width int) [][]string {
	if width == 0 {
		return rows
	}
	const gap, minCalls = 2, 16
	last := len(rows[0]) - 1
	widths := make([]int, last)
	room := width
	for _, row := range rows {
		for i := range widths {
			widths[i] = max(widths[i], len(row[i])+gap)
		}
	}
	for _, w := range widths {
		room -= w
	}
	dropped := map[int]bool{}
	for _, i := range []int{3, 6, 4, 2, 1, 5, 7} { // the least important column goes first
		if room < minCalls {
			dropped[i] = true
			room += widths[i]
		}
	}
	list := make([][]string, len(rows))
	for k, row := range rows {
		for i, cell := range row {
			if i == last && len(cell) > room {
				cell = cell[:max(0, room-1)] + "…"
			}
			if !dropped[i] {
				list[k] = append(list[k], cell)
			}
		}
	}
	return list
}

var yesNo = map[bool]string{true: "yes", false: "no"}

// typeNames holds MPI's names of data types.
var typeNames = map[mpi.Type]string{
	mpi.Byte: "MPI_BYTE", mpi.Int32: "MPI_INT", mpi.Int64: "MPI_LONG_LONG", mpi.Float32: "MPI_FLOAT",
	mpi.Float64: "MPI_DOUBLE",
}

// modeNames returns a list of modes, or a dash if it is empty.
func modeNames(modes []settings.Mode) string {
	names := lists.Each(modes, func(m settings.Mode) string { return string(m) })
	return cmp.Or(strings.Join(names, ","), "-")
}

// enough is a number of processes, each on its own host, that satisfies every kernel.
const enough = 8

// runs reports whether an engine runs a kernel in a job that is large enough.
func runs(e mpi.Engine, k *kernel.Kernel) bool {
	return slices.ContainsFunc([]int{k.MinProcesses, enough}, func(processes int) bool {
		c := probe.Config{Selections: []probe.Selection{{Kernel: k, Named: true}}, Engine: e}
		c.Hosts = lists.Of(processes, func(rank int) []int { return []int{rank} })
		_, err := probe.NewPlan(processes, c)
		return err == nil
	})
}
