package probe

import (
	"slices"

	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/probe/measured"
)

// nextLength returns the length of a block's next row, and its value on the kernel's axis. It takes the first of the
// lacking rows, and after the last one a length that process 0 decides. ok is false if there are no more.
func (m *run) nextLength(t *openBlock, lacking *[]int) (bytes, along int64, ok bool, err error) {
	if list := *lacking; len(list) > 0 {
		*lacking = list[1:]
		return m.Way(t.kernel).Lengths()[list[0]], t.kernel.AxisValue(m.Settings, list[0]), true, nil
	}
	rule, adaptive := measured.Refinement(m.Settings, t.kernel)
	if !adaptive || t.Ended() {
		return 0, 0, false, nil
	}
	decided := []int64{-1}
	if m.First() {
		bytes, ok = rule.Next(measured.Points(t.kernel, t.block, m.Settings.Figure()))
		if ok && !slices.ContainsFunc(t.block.Rows, func(r measured.Row) bool { return r.Bytes == bytes }) {
			decided[0] = bytes
		}
	}
	err = job.BroadcastNumbers(m.World, decided)
	return decided[0], 0, decided[0] >= 0, err
}
