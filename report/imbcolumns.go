package report

import (
	"github.com/effective-bandwidth/beff/probe"
)

// imbFigure is a column of IMB's tables behind those of bytes and repetitions.
type imbFigure struct {
	head string
	unit float64                         // base units in one of the column's; 0: megabytes, whose size the settings say
	of   func(t *probe.Times) *float64   // the place of the figure
	over func(all, more float64) float64 // of several groups one, where a row stands for all
}

// The columns, by their heads.
var (
	imbTime       = imbFigure{"t[usec]", micro, func(t *probe.Times) *float64 { return &t.Max }, larger}
	imbMin        = imbFigure{"t_min[usec]", micro, func(t *probe.Times) *float64 { return &t.Min }, smaller}
	imbMax        = imbFigure{"t_max[usec]", micro, func(t *probe.Times) *float64 { return &t.Max }, larger}
	imbMean       = imbFigure{"t_avg[usec]", micro, func(t *probe.Times) *float64 { return &t.Mean }, added}
	imbOverlapped = imbFigure{"t_ovrl[usec]", micro, func(t *probe.Times) *float64 { return &t.Overlapped }, nil}
	imbPure       = imbFigure{"t_pure[usec]", micro, func(t *probe.Times) *float64 { return &t.Pure }, larger}
	imbCompute    = imbFigure{"t_CPU[usec]", micro, func(t *probe.Times) *float64 { return &t.Compute }, nil}
	imbOverlap    = imbFigure{"overlap[%]", 0.01, func(t *probe.Times) *float64 { return &t.Overlap }, nil}
	imbPassive    = imbFigure{"t_ovrl[usec]", micro, func(t *probe.Times) *float64 { return &t.Passive }, larger}
	imbBandwidth  = imbFigure{"Mbytes/sec", 0, func(t *probe.Times) *float64 { return &t.Bandwidth }, smaller}
)

func larger(x, y float64) float64  { return max(x, y) }
func smaller(x, y float64) float64 { return min(x, y) }
func added(x, y float64) float64   { return x + y }

// imbFormats are the columns of each class (guide, "Output"; IMB's order of the times is min, max, avg).
var imbFormats = map[probe.Class][]imbFigure{
	probe.Single:     {imbTime, imbBandwidth},
	probe.Multiple:   {imbTime, imbBandwidth},
	probe.Parallel:   {imbMin, imbMax, imbMean, imbBandwidth},
	probe.Collective: {imbMin, imbMax, imbMean},
	probe.Sync:       {imbMin, imbMax, imbMean},
	probe.Overlap:    {imbOverlapped, imbPure, imbCompute, imbOverlap},
	probe.Passive:    {imbPure, imbPassive},
}

// imbColumns are those of a kernel. Where a row stands for all groups, Single transfers have the times of the Parallel
// ones (guide, "Output", Sample 2); kernels without a throughput have bare timings (same place, note on IMB-RMA).
func imbColumns(k *probe.Kernel, outflag int) []imbFigure {
	class := k.Class
	if class == probe.Single && outflag == 0 {
		class = probe.Parallel
	}
	list := imbFormats[class]
	if last := len(list) - 1; k.Moved == 0 && list[last].head == imbBandwidth.head {
		list = list[:last]
	}
	return list
}

// withoutLength says that a kernel moves nothing: its rows don't begin with a length.
func withoutLength(k *probe.Kernel) bool { return k.Class == probe.Sync || k.Name == "Ibarrier" }

// outflagOf is that of -multi; -1: not in multiple mode.
func outflagOf(s *probe.Settings) int {
	if s.Multi == nil {
		return -1
	}
	return *s.Multi
}

// megabyteOf is how many bytes a megabyte of the text has.
func megabyteOf(s *probe.Settings) float64 {
	if s.MegaBytesOf2 {
		return mebi
	}
	return mega
}

// overGroups are the figures of all groups in one row: the longest and shortest times, their mean, the smallest
// throughput (guide, "-multi outflag Option" and "Output"). What belongs together stays so: of the kernels that overlap
// it is the group that took longest.
func overGroups(columns []imbFigure, all []probe.Times) probe.Times {
	one := all[0]
	for _, t := range all[1:] {
		if columns[0].over == nil {
			if t.Overlapped > one.Overlapped {
				one = t
			}
			continue
		}
		for _, c := range columns {
			place := c.of(&one)
			*place = c.over(*place, *c.of(&t))
		}
	}
	one.Mean /= float64(len(all))
	return one
}
