package imb

import (
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/probe/suites"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/words"
)

// Column is a column of IMB's tables, after those for bytes and repetitions.
type Column struct {
	Head string
	// size of the column's unit in base units; 0 means megabytes, whose size the settings define
	Unit  float64
	Of    func(t *kernel.Times) *float64  // returns the address of the figure
	Zero  bool                            // 0 is a figure; in other columns it means no figure
	Dash  bool                            // print a dash for no figure
	whole bool                            // print without decimals, rounded
	cut   bool                            // print without decimals, cut off
	over  func(all, more float64) float64 // combines the figures of several groups, if a row is for all groups
}

// Columns by heading.
var (
	columnTime       = usec("t[usec]", larger, func(t *kernel.Times) *float64 { return &t.Max })
	columnMin        = usec("t_min[usec]", smaller, func(t *kernel.Times) *float64 { return &t.Min })
	columnMax        = usec("t_max[usec]", larger, func(t *kernel.Times) *float64 { return &t.Max })
	columnMean       = usec("t_avg[usec]", added, func(t *kernel.Times) *float64 { return &t.Mean })
	columnOverlapped = usec("t_ovrl[usec]", nil, func(t *kernel.Times) *float64 { return &t.Overlapped })
	columnPure       = usec("t_pure[usec]", larger, func(t *kernel.Times) *float64 { return &t.Pure })
	columnCompute    = usec("t_CPU[usec]", nil, func(t *kernel.Times) *float64 { return &t.Compute })
	columnOverlap    = Column{Head: "overlap[%]", Unit: 0.01, Of: func(t *kernel.Times) *float64 { return &t.Overlap },
		Zero: true}
	columnUsual = Column{Head: "usual[usec]", Unit: words.Micro, Dash: true, over: larger,
		Of: func(t *kernel.Times) *float64 { return &t.Usual }}
	columnMade    = usec("made[usec]", larger, func(t *kernel.Times) *float64 { return &t.Made })
	columnFreed   = usec("freed[usec]", larger, func(t *kernel.Times) *float64 { return &t.Freed })
	columnSession = usec("init[usec]", larger, func(t *kernel.Times) *float64 { return &t.Session })
	columnGroup   = usec("group[usec]", larger, func(t *kernel.Times) *float64 { return &t.Group })
	columnComm    = usec("comm[usec]", larger, func(t *kernel.Times) *float64 { return &t.Comm })
	columnAgain   = usec("again[usec]", larger, func(t *kernel.Times) *float64 { return &t.Again })
	columnStarts  = Column{Head: "starts", Unit: 1, Dash: true, over: larger,
		Of: func(t *kernel.Times) *float64 { return &t.Starts }}
	columnLast      = usec("last[usec]", larger, func(t *kernel.Times) *float64 { return &t.Last })
	columnPerceived = mbytes("perceived", smaller, func(t *kernel.Times) *float64 { return &t.Perceived })
	columnEarly     = Column{Head: "early[%]", Unit: 0.01, Of: func(t *kernel.Times) *float64 { return &t.Overlap },
		Zero: true, over: smaller}
	columnPassive = usec("t_ovrl[usec]", larger, func(t *kernel.Times) *float64 { return &t.Passive })
	columnNoise   = Column{Head: "noise[%]", Unit: 0.01, Of: func(t *kernel.Times) *float64 { return &t.Noise },
		Zero: true, over: larger}
	columnDetour = usec("detour[usec]", larger, func(t *kernel.Times) *float64 { return &t.Detour })
	columnMockUp = usec("t_mock[usec]", larger, func(t *kernel.Times) *float64 { return &t.MockUp })
	columnRatio  = Column{Head: "ratio[1]", Unit: 1, over: larger,
		Of: func(t *kernel.Times) *float64 { return &t.Ratio }}
	columnPeriod = usec("period[usec]", larger, func(t *kernel.Times) *float64 { return &t.Period })
	columnRate   = Column{Head: "Msg/sec", Unit: 1, Of: func(t *kernel.Times) *float64 { return &t.Rate },
		over: smaller, whole: true}
	columnCut = Column{Head: "Msg/sec", Unit: 1, Of: func(t *kernel.Times) *float64 { return &t.Rate },
		over: smaller, cut: true}
	columnItems = Column{Head: "ops/sec", Unit: 1, Of: func(t *kernel.Times) *float64 { return &t.Rate },
		over: added}
	columnBandwidth = mbytes("Mbytes/sec", smaller, func(t *kernel.Times) *float64 { return &t.Bandwidth })
	// The mean over all processes' messages.
	columnShared = usec("t[usec]", added, func(t *kernel.Times) *float64 { return &t.Mean })
	// For kernels of pairs Mbytes/sec is the mean over the origins.
	columnSlowest = mbytes("slowest", smaller, func(t *kernel.Times) *float64 { return &t.BandwidthMin })
	columnFastest = mbytes("fastest", larger, func(t *kernel.Times) *float64 { return &t.BandwidthMax })
	columnAll     = mbytes("together", smaller, func(t *kernel.Times) *float64 { return &t.BandwidthAll })
	// For cuts Mbytes/sec is the bandwidth of all pairs in the worst step.
	columnSteps = mbytes("mean step", smaller, func(t *kernel.Times) *float64 { return &t.BandwidthSteps })
	columnBest  = mbytes("best step", smaller, func(t *kernel.Times) *float64 { return &t.BandwidthBest })
	columnBoth  = mbytes("both ways", smaller, func(t *kernel.Times) *float64 { return &t.BandwidthBoth })
)

// headDefects is the heading of the column of wrong data in IMB built with -DCHECK.
const headDefects = "defects"

// usec returns a column of times, and mbytes returns a column of bandwidths.
func usec(head string, over func(all, more float64) float64, of func(*kernel.Times) *float64) Column {
	return Column{Head: head, Unit: words.Micro, Of: of, over: over}
}

func mbytes(head string, over func(all, more float64) float64, of func(*kernel.Times) *float64) Column {
	return Column{Head: head, Of: of, over: over}
}

func larger(x, y float64) float64  { return max(x, y) }
func smaller(x, y float64) float64 { return min(x, y) }
func added(x, y float64) float64   { return x + y }

// formats has the columns of each class (guide, "Output"; IMB's order of the times is min, max, avg).
var formats = map[kernel.Class][]Column{
	kernel.Single:        {columnTime, columnBandwidth},
	kernel.Multiple:      {columnTime, columnBandwidth},
	kernel.Parallel:      {columnMin, columnMax, columnMean, columnBandwidth},
	kernel.Collective:    {columnMin, columnMax, columnMean},
	kernel.Sync:          {columnMin, columnMax, columnMean},
	kernel.Overlap:       {columnOverlapped, columnPure, columnCompute, columnOverlap},
	kernel.Acked:         {columnTime},
	kernel.CallAndMockUp: {columnTime, columnMockUp, columnRatio},
	kernel.AcrossCut: {columnMin, columnMax, columnMean, columnBandwidth, columnSteps, columnBest, columnSlowest,
		columnFastest, columnAll},
	kernel.Detours: {columnNoise, columnDetour, columnPeriod},
	kernel.Passive: {columnPure, columnPassive},
	kernel.Rate:    {columnBandwidth, columnRate},
	kernel.Partners: {columnMin, columnMax, columnMean, columnBandwidth, columnSlowest, columnFastest, columnAll,
		columnBoth},
	kernel.Averaged:   {columnMin, columnMax, columnMean, columnBandwidth},
	kernel.Stream:     {columnMin, columnMax, columnMean, columnBandwidth, columnRate},
	kernel.Band:       {columnMean, columnBandwidth, columnCut},
	kernel.Compared:   {columnMin, columnMax, columnMean, columnUsual, columnBandwidth},
	kernel.Persistent: {columnMin, columnMax, columnMean, columnUsual, columnMade, columnFreed, columnStarts},
	kernel.StartingMPI: {columnMin, columnMax, columnMean, columnSession, columnGroup, columnComm, columnAgain,
		columnFreed},
	kernel.Partition:    {columnTime, columnUsual, columnLast, columnBandwidth, columnPerceived, columnEarly},
	kernel.OverlapParts: {columnOverlapped, columnPure, columnCompute, columnOverlap},
	kernel.Traffic:      {columnShared, columnBandwidth, columnRate},
	kernel.Pairs:        {columnMin, columnMax, columnMean, columnBandwidth},
	kernel.Metadata:     {columnMin, columnMax, columnMean, columnItems},
}

// Columns returns the columns of a kernel. outflag is the value of -multi, or -1 without it. If a row is for all
// groups, kernels of class Single have the times of class Parallel (guide, "Output", Sample 2). Kernels without a
// throughput have only times (guide, "Output", note on IMB-RMA).
func Columns(k *kernel.Kernel, outflag int) []Column {
	class := k.Class
	if class == kernel.Single && outflag == 0 {
		class = kernel.Parallel
	}
	return slices.DeleteFunc(slices.Clone(formats[class]), func(c Column) bool {
		return c.Unit == 0 && k.Moved == 0 || c.Head == columnBoth.Head && !k.TwoWay()
	})
}

// Properties describes those properties of a block's transfers on which its figures depend.
func Properties(b *measured.Block) (list []string) {
	if b.Delay > 0 {
		list = append(list, fmt.Sprintf("the last part comes %.6g us late", b.Delay/words.Micro))
	}
	if b.Fold > 0 {
		list = append(list, fmt.Sprintf("longer messages repeat %s of memory", rating.Bytes(b.Fold)))
	}
	if b.Threads > 1 && b.Component != kernel.MT {
		list = append(list, fmt.Sprintf("%d threads each", b.Threads))
	}
	if text := completions[b.Completion]; text != "" {
		list = append(list, text)
	}
	if k, _, found := suites.Find(b.Component, b.Kernel); found && !complete(k, b) {
		list = append(list, "not complete")
	}
	if b.WindowKind == settings.Allocated {
		list = append(list, "allocated windows")
	}
	if b.Target == settings.TargetComputes {
		list = append(list, "targets compute")
	}
	return list
}

// completions describes unusual completions in words.
var completions = map[settings.Completion]string{settings.CompleteLocal: "locally complete",
	settings.CompleteAll: "all completed together", settings.CompleteByRequest: "completed by requests"}

// outflagOf returns the outflag of -multi, or -1 without -multi.
func outflagOf(s *settings.Settings) int {
	if s.Who.Multi == nil {
		return -1
	}
	return *s.Who.Multi
}

// overGroups combines the figures of all groups into one row: the longest and shortest times, their mean, the smallest
// throughput (guide, "-multi outflag Option" and "Output"). Figures that belong together aren't mixed: for kernels that
// overlap, the row has the figures of the group that took longest.
func overGroups(columns []Column, all []kernel.Times) kernel.Times {
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

// complete reports whether the data of the block's transfers had arrived within the measured time.
func complete(k *kernel.Kernel, b *measured.Block) bool {
	return k.Builder.Access.Transfer == mpi.Get || b.Completion != settings.CompleteLocal &&
		b.Completion != settings.CompleteByRequest
}
