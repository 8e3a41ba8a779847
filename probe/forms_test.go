package probe_test

import (
	"fmt"
	"testing"

	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
)

// TestContigTypes runs the kernels of IMB-MPI1 with all forms of data, and requires that all data are right and that
// gaps between elements stay unchanged.
func TestContigTypes(t *testing.T) {
	for form := range settings.ContigForms {
		for _, kind := range []settings.DataType{"", "int", "double"} {
			t.Run(fmt.Sprintf("%s %s", form, kind), func(t *testing.T) {
				config := probe.Config{Selections: all(kernel.MPI1, false), Settings: short()}
				s := &config.Settings
				s.Rows.Lengths, s.Repetitions.Policy, s.Repetitions.Max, s.Who.MinProcesses = []int64{0, 8, 1008},
					settings.Off, 3, 4
				s.Method, s.ContigType, s.DataType, s.Window = settings.ByIMB2021, form, kind, 5
				if kind == "double" {
					s.RedType, s.Memory.CacheSize = "double", 1<<14
				}
				rightData(t, 4, config)
			})
		}
	}
}
