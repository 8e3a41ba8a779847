package probe_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/internal/fault"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/settings"
)

// A library whose persistent calls bring data only at their first start, as MPICH 4.0's do, is detected.
func TestOnlyFirstStart(t *testing.T) {
	for _, name := range []string{"osu_allgather_persistent", "Persistent_Allgather_vs_Allgather"} {
		c := probe.Config{Selections: named(t, name),
			Settings: settings.Settings{Rows: settings.Rows{Lengths: []int64{64}}}}
		right := onLocal(t, 2, c)
		require.Zero(t, right.Blocks[0].Rows[0].Defects)
		require.Positive(t, right.Blocks[0].Rows[0].Checked)
		starts := map[*mpi.Program]int{}
		wrong := onLocal(t, 2, c, fault.Fault{Rank: 1, After: func(p *mpi.Program) {
			for _, call := range p.Calls() {
				if call.Op != mpi.AllgatherInit {
					continue
				}
				if starts[p]++; starts[p] > 1 {
					to := p.Places[call.Recv.First]
					clear(to.Space.(mpi.Buffer).Bytes()[to.Offset:][:to.Length])
				}
			}
		}})
		require.Positive(t, wrong.Blocks[0].Rows[0].Defects)
	}
}
