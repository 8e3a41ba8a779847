package probe_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/local"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/probe/suites"
	"github.com/effective-bandwidth/beff/rating"
)

// loading is an engine whose process 1 can't load a library, can't initialize it, or can't take hints. Begin and Close
// synchronize all processes.
type loading struct {
	mpi.Engine
	load, begin, hint error
}

func (e *loading) LoadFunctions(string, string, []string) (mpi.Functions, error) { return e, e.load }
func (e *loading) Function(int) mpi.Function                                     { return nil }
func (e *loading) Close()                                                        { _ = e.World().Barrier() }
func (e *loading) HintWindows([]mpi.Hint) error                                  { return e.hint }

func (e *loading) Begin() error {
	return errors.Join(e.World().Barrier(), e.begin)
}

// If only one process can't load or begin a library, all processes return an error and none waits. The same holds for
// hints.
func TestLibraryOfOneProcess(t *testing.T) {
	k, err := suites.FunctionKernel("my_Bcast")
	require.NoError(t, err)
	library := probe.Config{Selections: []probe.Selection{{Kernel: k}},
		Settings: settings.Settings{Library: &settings.Library{File: "x", Functions: []string{"my_Bcast"}}}}
	hinted := probe.Config{Selections: named(t, "Unidir_put"), Settings: settings.Settings{
		Who:        settings.Who{MinProcesses: 2},
		Parameters: settings.Parameters{Hints: []mpi.Hint{{Key: "no_locks", Value: "true"}}}}}
	for _, x := range []struct {
		loading
		probe.Config
	}{
		{loading{load: errors.New("no library")}, library},
		{loading{begin: errors.New("no beginning")}, library},
		{loading{hint: errors.New("no hints")}, hinted},
	} {
		ended := make(chan error, 1)
		go func() {
			ended <- local.Run(3, func(e mpi.Engine) error {
				own := loading{Engine: e}
				if e.World().Rank() == 1 {
					own.load, own.begin, own.hint = x.load, x.begin, x.hint
				}
				plan, err := probe.NewPlan(3, probe.On(&own, x.Config))
				if err != nil {
					return err
				}
				_, err = plan.Measure(&own, rating.Observer[measured.Outcome]{})
				require.ErrorContains(t, err, errors.Join(x.load, x.begin, x.hint).Error())
				return nil
			})
		}()
		select {
		case err := <-ended:
			require.NoError(t, err)
		case <-time.After(20 * time.Second):
			t.Fatal("some processes wait for others")
		}
	}
}
