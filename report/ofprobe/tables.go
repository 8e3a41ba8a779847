package ofprobe

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/format/imb"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
)

// Kernel is a kernel of a result with all of its blocks, in the result's order.
type Kernel struct {
	*kernel.Kernel
	Multi  bool
	Blocks []*measured.Block

	adaptive bool // the lengths were measured in another order than by length
}

// rows returns the indices of a block's rows in the order of tables: as they were measured, but adaptive lengths
// sorted.
func (k *Kernel) rows(b *measured.Block) []int {
	list := lists.Numbers(len(b.Rows))
	if k.adaptive {
		slices.SortStableFunc(list, func(i, j int) int { return cmp.Compare(b.Rows[i].Bytes, b.Rows[j].Bytes) })
	}
	return list
}

// kernelsOf returns the kernels of a result that has passed probe's Check, in the order in which they were run.
func kernelsOf(r *probe.Result) []*Kernel {
	var list []*Kernel
	byKey := map[string]*Kernel{}
	for b := range lists.Elements(r.Blocks) {
		kernel, found := r.Kernel(b)
		if !found || b.Split > 0 { // the tables of loads have these
			continue
		}
		k := &Kernel{Kernel: kernel, Multi: b.Multi, adaptive: r.Settings.Rows.Adaptive != nil}
		if known := byKey[k.Key()]; known != nil {
			k = known
		} else {
			byKey[k.Key()], list = k, append(list, k)
		}
		k.Blocks = append(k.Blocks, b)
	}
	return list
}

// Title returns the name as IMB prints it.
func (k *Kernel) Title() string {
	return words.Either(k.Multi, "Multi-"+k.Name, k.Name)
}

// Key returns a name for IDs: lower case with dashes, unique in a result.
func (k *Kernel) Key() string {
	return strings.ToLower(strings.ReplaceAll(string(k.Component)+"-"+k.Title(), "_", "-"))
}

// MeasuredOn describes the processes and groups, the mode, and the properties of one-sided transfers.
func MeasuredOn(b *measured.Block) string {
	text := words.Processes(b.Processes)
	switch {
	case b.Component == kernel.PGAS && b.Processes == 2 && len(b.Groups) > 0:
		text = words.Count(len(b.Groups), "pair")
	case len(b.Groups) > 1:
		text = fmt.Sprintf("%d groups of %s", len(b.Groups), text)
	}
	if b.Cut != nil {
		text += ", " + words.OneLine(b.Cut.Name)
	}
	for _, property := range imb.Properties(b) {
		text += ", " + property
	}
	if b.Mode != settings.Plain {
		text += ", " + string(b.Mode)
	}
	return text + inPass(b)
}

// inPass returns the pass of a block in words, or "" if there is only one.
func inPass(b *measured.Block) string {
	if b.Pass == 0 {
		return ""
	}
	return fmt.Sprintf(", pass %d", b.Pass)
}

// measuredInAnyPass returns MeasuredOn without the pass.
func measuredInAnyPass(b *measured.Block) string {
	any := *b
	any.Pass = 0
	return MeasuredOn(&any)
}

// rowPlace is the place of a row of a table among the measurements.
type rowPlace struct {
	measuredOn   string
	group        int
	bytes, along int64 // along is the place on the kernel's axis
}

// addPlace adds the columns of a row's place.
func addPlace[R any](t *parts.Table[R], k *Kernel, groups bool, of func(R) rowPlace) {
	t.Text("measured on", func(r R) string { return of(r).measuredOn })
	t.If(groups).Number("group", "", func(r R) document.Cell { return document.Whole(of(r).group) })
	t.If(!k.NoLength()).Number("length", "B", func(r R) document.Cell { return document.Whole(of(r).bytes) })
	if axis := k.Axis(); axis != nil {
		t.Number(axis.Name, axis.Unit, func(r R) document.Cell { return document.Whole(of(r).along) })
	}
}
