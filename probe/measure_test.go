package probe_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/local"
	"github.com/effective-bandwidth/beff/mpi/mpitest"
	"github.com/effective-bandwidth/beff/probe"
)

// short settings: each row is run a few times.
func short() probe.Settings {
	return probe.Settings{Lengths: []int64{0, 4, 1000, 70000}, MsgsPer: 7, MsgsNonAggr: 3, SampleTime: 20}
}

// all selects every kernel of a component, optional ones too.
func all(c probe.Component, multi bool) (list []probe.Selection) {
	for i := range probe.Kernels {
		if probe.Kernels[i].Component == c {
			list = append(list, probe.Selection{Kernel: &probe.Kernels[i], Multi: multi})
		}
	}
	return list
}

func named(t *testing.T, names ...string) (list []probe.Selection) {
	for _, name := range names {
		k, multi, ok := probe.Find(name)
		require.True(t, ok, name)
		list = append(list, probe.Selection{Kernel: k, Multi: multi, Named: true})
	}
	return list
}

func scripted(t *testing.T, s *mpitest.Scripted, c probe.Config) *probe.Result {
	t.Helper()
	plan, err := probe.NewPlan(s.Processes, c, s.Supports, s.Library())
	require.NoError(t, err)
	m, err := plan.Measure(s, probe.Observer{Now: s.Now})
	require.NoError(t, err)
	r := probe.NewResult(plan, m, probe.Run{Err: err})
	require.NoError(t, r.Check())
	return r
}

// onLocal measures on goroutines, with faults if there are any.
func onLocal(t *testing.T, processes int, c probe.Config, faults ...mpitest.Fault) *probe.Result {
	t.Helper()
	var result *probe.Result
	var once sync.Mutex
	err := local.Run(processes, func(e mpi.Engine) error {
		plan, err := probe.NewPlan(processes, c, e.Supports, e.Library())
		if err != nil {
			return err
		}
		if len(faults) > 0 {
			e = mpitest.Faulty(e, faults...)
		}
		m, err := plan.Measure(e, probe.Observer{})
		if e.World().Rank() == 0 {
			once.Lock()
			defer once.Unlock()
			result = probe.NewResult(plan, m, probe.Run{Err: err})
		}
		return err
	})
	require.NoError(t, err)
	require.NoError(t, result.Check())
	return result
}

// Every kernel that the embedded engine runs, on 1 to 5 processes: all data are right.
func TestLocal(t *testing.T) {
	for _, component := range probe.Components() {
		for processes := 1; processes <= 5; processes++ {
			for _, multi := range []bool{false, true} {
				c := probe.Config{Selections: all(component, multi), Settings: short(), Directory: t.TempDir(), Compute: 1e-4}
				plan, err := probe.NewPlan(processes, c, supports(t), mpi.Library{Engine: "local"})
				if err != nil {
					t.Log(component, processes, err)
					continue
				}
				r := onLocal(t, processes, c)
				require.Len(t, r.Blocks, len(plan.Blocks))
				for _, b := range r.Blocks {
					for _, row := range b.Rows {
						require.Zero(t, row.Defects, "%s on %d: %+v", b.Kernel, processes, row)
						require.Empty(t, row.Missing)
						if row.Bytes > 0 && b.Processes > 1 { // alone, a process has nothing to receive
							require.Positive(t, row.Checked, "%s on %d: %+v", b.Kernel, b.Processes, row)
						}
					}
				}
			}
		}
	}
}

func supports(t *testing.T) (f func(mpi.Op) bool) {
	t.Helper()
	require.NoError(t, local.Run(1, func(e mpi.Engine) error {
		f = e.Supports
		return nil
	}))
	return f
}
