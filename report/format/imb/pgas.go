package imb

import (
	"fmt"
	"strings"

	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/report/words"
)

// pgas reports whether a kernel's table has the layout of the PGAS Microbenchmark Suite.
func (t *Writer) pgas(k *kernel.Kernel) bool {
	return t.r.Settings.Columns == settings.PGASColumns && k.Component == kernel.PGAS
}

// pgasElement is the size of the suite's elements in bytes. The suite prints numbers of elements.
const pgasElement = 4

// pgasTable is the layout of a kernel's table: its title, its columns before the figure, and the figure's unit.
type pgasTable struct {
	title string
	heads []string // nil if there is only the figure
	unit  string
}

// pgasTableOf returns the layout of a block's table.
func (t *Writer) pgasTableOf(k *kernel.Kernel, b *measured.Block) pgasTable {
	name := strings.Split(k.Name, "_")
	who := fmt.Sprintf("(%d pairs", max(1, len(b.Groups))*b.Processes/2)
	x := pgasTable{heads: []string{"blksize", "nrep"}, unit: "MB/s"}
	call := capital(name[0])
	switch {
	case k.Name == "Reduction", k.Name == "Reduction_in_place":
		equal := words.Either(len(name) > 1, "==", "!=")
		return pgasTable{"Reduction (src " + equal + " target): ", x.heads, "us"}
	case k.Name == "Put_get":
		return pgasTable{"Put-Get Latency: " + who + ")", nil, "us"}
	case name[0] == "Sync":
		return pgasTable{fmt.Sprintf("Sync Latency: %s, %s)", who, name[1]), nil, "us"}
	case k.Moved == 0:
		return pgasTable{fmt.Sprintf("%s-%s Latency: %s, %s)", call, call, who, name[2]), nil, "us"}
	case name[0] == "Random":
		x.title = "Random " + capital(name[1])
	case k.Strided():
		x.heads = []string{"count", "stride", "nrep"}
		x.title = fmt.Sprintf("%s %s Strided %s", pgasWay(k), capital(name[2]), capital(name[1]))
	default:
		x.title = pgasWay(k) + " " + call
	}
	x.title += " Bandwidth: " + who + ")"
	return x
}

// capital returns a word with a capital first letter.
func capital(word string) string { return strings.ToUpper(word[:1]) + word[1:] }

// pgasWay returns the suite's word for the directions of a kernel.
func pgasWay(k *kernel.Kernel) string {
	return words.Either(k.TwoWay(), "2-way", "1-way")
}

// pgasHead writes two blank lines, the title, and the column headings if there are several.
func (t *Writer) pgasHead(s *strings.Builder, k *kernel.Kernel, b *measured.Block) {
	x := t.pgasTableOf(k, b)
	fmt.Fprintf(s, "\n\n%s\n", x.title)
	if len(x.heads) == 0 {
		return
	}
	figure := words.Either(x.unit == "us", "latency", "bandwidth")
	for _, head := range x.heads {
		fmt.Fprintf(s, "%20s ", head)
	}
	fmt.Fprintf(s, "%20s\n", figure)
}

// pgasLine writes a row: the mean over the origins, in microseconds or in 2^20 bytes per second.
func (t *Writer) pgasLine(s *strings.Builder, k *kernel.Kernel, b *measured.Block, row *measured.Row,
	figures *kernel.Times) {
	x := t.pgasTableOf(k, b)
	if len(x.heads) == 0 {
		fmt.Fprintf(s, "%20.8f us\n", figures.Mean/words.Micro)
		return
	}
	size, stride := row.Bytes/pgasElement, ""
	if k.Strided() {
		size, stride = row.Blocks(&t.r.Settings), fmt.Sprintf("%20d ", row.Stride)
	}
	figure := figures.Bandwidth / words.Mebi
	if x.unit == "us" {
		figure = figures.Mean / words.Micro
	}
	fmt.Fprintf(s, "%20d %s%20d %17.3f %s\n", size, stride, row.Repetitions*int64(k.Divisor), figure, x.unit)
}
