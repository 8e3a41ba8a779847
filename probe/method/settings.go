package method

import (
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
)

// Defaults holds the default settings of a component's kernels, from IMB's settings files (guide, "Parameters
// Controlling Intel MPI Benchmarks").
type Defaults struct {
	LongestLog  int   // log2 of the longest message length in bytes
	MsgsPer     int64 // repetitions (MSGSPERSAMPLE)
	MsgsNonAggr int64 // repetitions in non-aggregate mode (MSGS_NONAGGR)
	OverallVol  int64 // bytes that the repetitions of a length move (OVERALL_VOL)
	MinProcs    int   // active processes (-npmin)
}

// Longest returns the longest message length in bytes.
func (d Defaults) Longest() int64 { return 1 << d.LongestLog }

// Check returns an error if no run by the method on the given number of processes can have the settings.
func (m Method) Check(s *settings.Settings, processes int) error {
	if err := s.Check(); err != nil {
		return err
	}
	if err := s.Metadata.CheckItems(); err != nil {
		return err
	}
	if p := s.Rule(); p.Max > settings.MaxPrecise && !s.CountsTimes() {
		return fmt.Errorf("want at most %d repetitions, because their times are kept one by one: with quantiles, "+
			"which count them, up to %d", settings.MaxPrecise, settings.MaxCount)
	}
	if grid := s.Who.Map; len(grid) != 0 && grid[0]*grid[1] != processes &&
		!(m.mapsPart && grid[0]*grid[1] < processes) {
		return fmt.Errorf("map %s: want P and Q with P times Q = %d processes", s.Grid(), processes)
	}
	return nil
}

// Lengths returns the lengths of the kernel's rows in bytes: the user's, or 0, 1, 2, 4 … (guide, "Message/I-O Buffer
// Lengths").
func (w Way) Lengths() []int64 {
	s, k := w.settings, w.kernel
	switch k.Builder.Rows {
	case kernel.OneElement:
		return []int64{k.Unit(&s.IMB)}
	case kernel.NoLength:
		return []int64{0}
	case kernel.Partitioned:
		return lists.Each(s.PartitionedRows(), func(row settings.PartitionedRow) int64 { return row.Bytes })
	case kernel.Strided:
		o := s.Transfers()
		return slices.Repeat([]int64{o.Block * o.Count}, len(o.Strides))
	}
	if rule, ok := measured.Refinement(s, k); ok {
		return rule.Start()
	}
	unit := k.Unit(&s.IMB)
	if w.stops && len(s.Rows.Log) == 2 && k.Component != kernel.P2P {
		return w.powers(unit)
	}
	var list []int64
	for _, l := range s.Rows.Lengths {
		if l == 0 && s.NoZero {
			continue
		}
		if k.Component == kernel.OSU { // whole elements, and no row without any
			if l -= l % unit; l > 0 {
				list = append(list, l)
			}
			continue
		}
		list = append(list, settings.RoundUp(l, unit))
	}
	if len(list) > 0 {
		return slices.Compact(list) // 1 and 2 bytes are both rounded to one float
	}
	if k.Builder.Lengths != nil {
		return k.Builder.Lengths
	}
	if w.lengths != nil {
		return w.lengths(k)
	}
	if !w.noZero && !s.NoZero {
		list = append(list, 0)
	}
	for l := unit; l <= w.Defaults(k.Component).Longest(); l *= 2 {
		list = append(list, l)
	}
	return list
}

// powers returns the lengths of -msglog as in IMB 2021.11. All are at most 2 to the power of the second number, even if
// an element is longer. In IMB-EXT they begin with an element.
func (w Way) powers(unit int64) (list []int64) {
	low, high := w.settings.Rows.Log[0], w.settings.Rows.Log[1]
	l, most := settings.RoundUp(1<<low, unit), int64(1)<<high/unit*unit
	if w.kernel.Component == kernel.EXT {
		l = min(l, element)
	}
	if !w.settings.NoZero {
		list = append(list, 0)
	}
	for ; l < most; l *= 2 {
		list = append(list, l)
	}
	return slices.Compact(append(list, most))
}
