package probe_test

import (
	"testing"

	"github.com/effective-bandwidth/beff/probe"
)

// Every algorithm on 1 to 9 processes: all data are right, with other roots too.
func TestLocalAlgorithms(t *testing.T) {
	for processes := 1; processes <= 9; processes++ {
		rightData(t, processes, probe.Config{Selections: all(probe.MPIB, false), Settings: probe.Settings{
			Lengths: []int64{0, 4, 70000}, MsgsPer: 2, Policy: probe.Off, LeastProcs: processes}})
	}
}
