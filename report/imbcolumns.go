package report

import (
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/report/words"
)

// ImbFigure is a column of IMB's tables behind those of bytes and repetitions.
type ImbFigure struct {
	Head string
	Unit float64                         // base units in one of the column's; 0: megabytes, whose size the settings say
	Of   func(t *probe.Times) *float64   // the place of the figure
	over func(all, more float64) float64 // of several groups one, where a row stands for all
}

// The columns, by their heads.
var (
	imbTime       = ImbFigure{"t[usec]", words.Micro, func(t *probe.Times) *float64 { return &t.Max }, larger}
	imbMin        = ImbFigure{"t_min[usec]", words.Micro, func(t *probe.Times) *float64 { return &t.Min }, smaller}
	imbMax        = ImbFigure{"t_max[usec]", words.Micro, func(t *probe.Times) *float64 { return &t.Max }, larger}
	imbMean       = ImbFigure{"t_avg[usec]", words.Micro, func(t *probe.Times) *float64 { return &t.Mean }, added}
	imbOverlapped = ImbFigure{"t_ovrl[usec]", words.Micro, func(t *probe.Times) *float64 { return &t.Overlapped }, nil}
	imbPure       = ImbFigure{"t_pure[usec]", words.Micro, func(t *probe.Times) *float64 { return &t.Pure }, larger}
	imbCompute    = ImbFigure{"t_CPU[usec]", words.Micro, func(t *probe.Times) *float64 { return &t.Compute }, nil}
	ImbOverlap    = ImbFigure{"overlap[%]", 0.01, func(t *probe.Times) *float64 { return &t.Overlap }, nil}
	imbPassive    = ImbFigure{"t_ovrl[usec]", words.Micro, func(t *probe.Times) *float64 { return &t.Passive }, larger}
	imbBandwidth  = ImbFigure{"Mbytes/sec", 0, func(t *probe.Times) *float64 { return &t.Bandwidth }, smaller}
)

func larger(x, y float64) float64  { return max(x, y) }
func smaller(x, y float64) float64 { return min(x, y) }
func added(x, y float64) float64   { return x + y }

// imbFormats are the columns of each class (guide, "Output"; IMB's order of the times is min, max, avg).
var imbFormats = map[probe.Class][]ImbFigure{
	probe.Single:     {imbTime, imbBandwidth},
	probe.Multiple:   {imbTime, imbBandwidth},
	probe.Parallel:   {imbMin, imbMax, imbMean, imbBandwidth},
	probe.Collective: {imbMin, imbMax, imbMean},
	probe.Sync:       {imbMin, imbMax, imbMean},
	probe.Overlap:    {imbOverlapped, imbPure, imbCompute, ImbOverlap},
	probe.Passive:    {imbPure, imbPassive},
}

// ImbColumns are those of a kernel. Where a row stands for all groups, Single transfers have the times of the Parallel
// ones (guide, "Output", Sample 2); kernels without a throughput have bare timings (same place, note on IMB-RMA).
func ImbColumns(k *probe.Kernel, outflag int) []ImbFigure {
	class := k.Class
	if class == probe.Single && outflag == 0 {
		class = probe.Parallel
	}
	list := imbFormats[class]
	if last := len(list) - 1; k.Moved == 0 && list[last].Head == imbBandwidth.Head {
		list = list[:last]
	}
	return list
}

// WithoutLength says that a kernel moves nothing: its rows don't begin with a length.
func WithoutLength(k *probe.Kernel) bool { return k.Class == probe.Sync || k.Name == "Ibarrier" }

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
		return words.Mebi
	}
	return words.Mega
}

// overGroups are the figures of all groups in one row: the longest and shortest times, their mean, the smallest
// throughput (guide, "-multi outflag Option" and "Output"). What belongs together stays so: of the kernels that overlap
// it is the group that took longest.
func overGroups(columns []ImbFigure, all []probe.Times) probe.Times {
	one := all[0]
	for _, t := range all[1:] {
		if columns[0].over == nil {
			if t.Overlapped > one.Overlapped {
				one = t
			}
			continue
		}
		for _, c := range columns {
			place := c.Of(&one)
			*place = c.over(*place, *c.Of(&t))
		}
	}
	one.Mean /= float64(len(all))
	return one
}
