package probe

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/local"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/probe/suites"
	"github.com/effective-bandwidth/beff/rating"
)

// Two processes that read the same data through a shared pointer are detected, although both get data of the file.
func TestSharedReads(t *testing.T) {
	k, _, _ := suites.Find("", "P_Read_Shared")
	measure := func(wrap func(mpi.Engine) mpi.Engine) (rows []measured.Row) {
		c := Config{Selections: []Selection{{Kernel: k}}, Directory: t.TempDir(),
			Settings: settings.Settings{Rows: settings.Rows{Lengths: []int64{0, 3, 12, 1000, 3001}},
				Repetitions: settings.Repetitions{Max: 4,
					Policy: settings.Off}, Who: settings.Who{MinProcesses: 3}}}
		require.NoError(t, local.Run(3, func(e mpi.Engine) error {
			plan, err := NewPlan(3, On(e, c))
			if err != nil {
				return err
			}
			m, err := plan.Measure(wrap(e), rating.Observer[measured.Outcome]{})
			if e.World().Rank() == 0 {
				rows = m.Blocks[0].Rows
			}
			return err
		}))
		return rows
	}
	for _, row := range measure(func(e mpi.Engine) mpi.Engine { return e }) {
		require.Zero(t, row.Defects, "%+v", row)
	}
	others := map[int64]int64{12: 4 + 4, 1000: 332 + 332, 3001: 1000 + 997} // bytes of the parts of processes 1 and 2
	for _, row := range measure(func(e mpi.Engine) mpi.Engine { return sameData{e} }) {
		if row.Bytes < 12 {
			require.Zero(t, row.Defects, "one process reads all of it: %+v", row)
			continue
		}
		require.Equal(t, others[row.Bytes], row.Defects, "%+v", row)
	}
}

// sameData is an engine whose shared pointer stays at the file's start.
type sameData struct{ mpi.Engine }

func (e sameData) OpenFile(c mpi.Comm, path string, mode mpi.FileMode, hints []mpi.Hint) (mpi.File, error) {
	return e.Engine.(mpi.Files).OpenFile(c, path, mode, hints)
}

func (e sameData) Compile(p *mpi.Program) (mpi.Runner, error) {
	q := *p
	q.Loop = slices.Clone(p.Loop)
	for i := range q.Loop {
		if q.Loop[i].Op == mpi.FileReadShared {
			q.Loop[i].Op = mpi.FileReadAt
			q.Places = slices.Clone(p.Places)
			q.Places[q.Loop[i].Send.First].Offset = 0
		}
	}
	return e.Engine.Compile(&q)
}
