package suites

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
)

// TestWhoReceives checks which processes find new data in their memory (guide, "IMB-EXT Benchmarks" and "IMB-RMA
// Benchmarks"). A Put changes the target's memory, a Get the origin's, with data from each process that sends some.
func TestWhoReceives(t *testing.T) {
	for _, c := range []struct {
		component kernel.Component
		name      string
		want      []int // lengths that each of three processes finds
	}{
		{kernel.EXT, "Unidir_Put", []int{0, 0, 1}}, {kernel.EXT, "Unidir_Get", []int{0, 0, 1}},
		{kernel.EXT, "Bidir_Put", []int{1, 0, 1}}, {kernel.EXT, "Bidir_Get", []int{1, 0, 1}},
		{kernel.RMA, "Unidir_put", []int{0, 0, 1}}, {kernel.RMA, "Unidir_get", []int{1, 0, 0}},
		{kernel.RMA, "Bidir_put", []int{1, 0, 1}}, {kernel.RMA, "Bidir_get", []int{1, 0, 1}},
		{kernel.RMA, "One_put_all", []int{0, 1, 1}}, {kernel.RMA, "One_get_all", []int{2, 0, 0}},
		{kernel.RMA, "All_put_all", []int{2, 2, 2}}, {kernel.RMA, "All_get_all", []int{2, 2, 2}},
		{kernel.RMA, "Exchange_put", []int{2, 2, 2}}, {kernel.RMA, "Exchange_get", []int{2, 2, 2}},
	} {
		k, _, ok := Find(c.component, c.name)
		require.True(t, ok)
		for rank, want := range c.want {
			if want == 0 && rank == 1 && c.name[:3] != "One" {
				continue // kernels of two processes have no third one
			}
			s := setupOf(t, c.component, c.name, k.ModesFor(&settings.Settings{})[0], rank, len(c.want), 8, 2)
			require.Len(t, s.Kernel.Builder.Build(s).Wants, want, "%s %s on process %d", c.component, c.name, rank)
		}
	}
}
