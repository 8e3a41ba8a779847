package probe

import (
	"fmt"
	"maps"
	"slices"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/probe/suites"
)

// cell identifies the victims that an impact is about.
type cell struct {
	component          kernel.Component
	kernel, congestors string
	bytes              int64
}

// impacts returns how much congestors slow victims down over all splits, in the order of the blocks. Passes of a split
// are put together: they share its links, and only splits are drawn independently.
func (r *Result) impacts() []measured.Impact {
	var order []cell
	splits := map[cell]map[int]*measured.Load{}
	for b := range lists.Elements(r.Blocks) {
		if b.Congestors == "" || len(b.Groups) == 0 {
			continue
		}
		for row := range lists.Elements(b.Rows) {
			if row.Load == nil || row.Load.Isolated == nil || row.Load.Congested == nil {
				continue
			}
			at := cell{b.Component, b.Kernel, b.Congestors, row.Bytes}
			if splits[at] == nil {
				order, splits[at] = append(order, at), map[int]*measured.Load{}
			}
			splits[at][b.Split] = splits[at][b.Split].With(row.Load)
		}
	}
	var list []measured.Impact
	for _, at := range order {
		b := &measured.Block{Component: at.component, Kernel: at.kernel}
		k, known := r.Kernel(b)
		if !known {
			continue
		}
		x := measured.Impact{Kernel: at.kernel, Component: at.component, Bytes: at.bytes, Congestors: at.congestors,
			Splits: len(splits[at])}
		var loads []*measured.Load
		for _, number := range slices.Sorted(maps.Keys(splits[at])) {
			loads = append(loads, splits[at][number])
		}
		x.Mean, x.P99, x.P999 = measured.FactorsOf(loads, r.Settings.Rule().Confidence, 1e-12/float64(b.Divisor(k)))
		list = append(list, x)
	}
	return slices.Clip(list)
}

// ImpactsOf returns how much congestors slow down the victims of some blocks, by a result's settings.
func (r *Result) ImpactsOf(blocks []measured.Block) []measured.Impact {
	x := *r
	x.Blocks = blocks
	return x.impacts()
}

// checkSplit returns an error unless a block has a split if and only if its kernel is measured on splits. Only blocks
// with a split may have congestors, which must be processes of the run that aren't victims.
func (r *Result) checkSplit(k *kernel.Kernel, b *measured.Block) error {
	switch {
	case (b.Split > 0) != r.Splits(k):
		return fmt.Errorf("split %d of %s, by the method %s", b.Split, k.Name, r.Settings.Method)
	case b.Split < 0 || b.Split > r.Settings.Loads().Splits:
		return fmt.Errorf("split %d of %d", b.Split, r.Settings.Loads().Splits)
	case b.Split == 0 && (b.Congestors != "" || len(b.CongestorGroups) > 0),
		(b.Congestors != "") != (len(b.CongestorGroups) > 0):
		return fmt.Errorf("split %d: %d groups of congestors for %q", b.Split, len(b.CongestorGroups), b.Congestors)
	}
	taken := map[int]bool{}
	for _, ranks := range b.Groups {
		for _, rank := range ranks {
			taken[rank] = true
		}
	}
	for _, c := range b.CongestorGroups {
		kinds, err := settings.ParseCongestors(c.Congestor)
		if err != nil {
			return err
		}
		if memoryReason(suites.Congestor(kinds[0].Name), &r.Settings) != "" {
			return fmt.Errorf("%s can't have its messages in memory of %s", c.Congestor, r.Settings.Memory.Place())
		}
		if len(c.Ranks) == 0 {
			return fmt.Errorf("a group of %s without processes", c.Congestor)
		}
		for _, rank := range c.Ranks {
			if rank < 0 || rank >= r.Processes || taken[rank] {
				return fmt.Errorf("congestor %d is not one of %d, or in two groups", rank, r.Processes)
			}
			taken[rank] = true
		}
	}
	return nil
}

// Splits reports whether a result's settings measure a kernel on splits of the nodes.
func (r *Result) Splits(k *kernel.Kernel) bool { return suites.Way(&r.Settings, k).Splits }
