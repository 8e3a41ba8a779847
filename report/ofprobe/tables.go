package ofprobe

import (
	"fmt"
	"strings"

	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/report/format/imb"
)

// Kernel is a kernel of a result with all of its blocks, in the result's order.
type Kernel struct {
	*probe.Kernel
	Multi  bool
	Blocks []*probe.Block
}

// Of a result that probe's Check has passed, in the order in which its kernels were run.
func Of(r *probe.Result) []*Kernel {
	var list []*Kernel
	byKey := map[string]*Kernel{}
	for i := range r.Blocks {
		b := &r.Blocks[i]
		kernel, _, found := probe.FindIn(b.Component, b.Kernel)
		if !found {
			continue
		}
		k := &Kernel{Kernel: kernel, Multi: b.Multi}
		if known := byKey[k.Key()]; known != nil {
			k = known
		} else {
			byKey[k.Key()], list = k, append(list, k)
		}
		k.Blocks = append(k.Blocks, b)
	}
	return list
}

// Title is the name as IMB prints it.
func (k *Kernel) Title() string {
	if k.Multi {
		return "Multi-" + k.Name
	}
	return k.Name
}

// Key is a name for IDs: lower case with dashes, unique in a result.
func (k *Kernel) Key() string {
	return strings.ToLower(strings.ReplaceAll(string(k.Component)+"-"+k.Title(), "_", "-"))
}

// Time is one of a kernel's times.
type Time struct {
	Name string
	Of   func(*probe.Times) float64 // seconds
}

// Times returns the times that a kernel is known by, the first one before all: the slowest process' time, or, in a
// class whose table in IMB's text has others, the first two columns of that table.
func (k *Kernel) Times() []Time {
	var own []Time
	for _, c := range imb.Columns(k.Kernel, -1) {
		name, isTime := strings.CutSuffix(c.Head, "[usec]")
		switch {
		case name == "t" || name == "t_max":
			return []Time{{"t", func(t *probe.Times) float64 { return t.Max }}}
		case isTime && len(own) < 2:
			own = append(own, Time{name, func(t *probe.Times) float64 { return *c.Of(t) }})
		}
	}
	return own
}

// Bandwidth of a row is that of the slowest group; 0 if there is none.
func Bandwidth(row *probe.Row) float64 {
	least := 0.0
	for i, t := range row.Derived {
		if i == 0 || t.Bandwidth < least {
			least = t.Bandwidth
		}
	}
	return least
}

// Slowest is a row's time of the slowest group; 0 if there is none.
func (t Time) Slowest(row *probe.Row) float64 {
	most := 0.0
	for i := range row.Derived {
		most = max(most, t.Of(&row.Derived[i]))
	}
	return most
}

// Who says on how many processes, and in which mode.
func Who(b *probe.Block) string {
	text := fmt.Sprintf("%d processes", b.Processes)
	if b.Processes == 1 {
		text = "1 process"
	}
	if len(b.Groups) > 1 {
		text = fmt.Sprintf("%d groups of %s", len(b.Groups), text)
	}
	if b.Mode != probe.Plain {
		text += ", " + string(b.Mode)
	}
	return text
}
