package probe_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/internal/scripted"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/rating"
)

// informed is an engine that keeps the hints it is given, and the names of files.
type informed struct {
	*scripted.Engine
	windows, files [][]mpi.Hint
	names          map[string]bool
}

func (e *informed) HintWindows(hints []mpi.Hint) error {
	e.windows = append(e.windows, hints)
	return nil
}

func (e *informed) OpenFile(c mpi.Comm, path string, mode mpi.FileMode, hints []mpi.Hint) (mpi.File, error) {
	e.files = append(e.files, hints)
	e.names[filepath.Base(path)] = true
	return e.Engine.OpenFile(c, path, mode, hints)
}

// Hints go to the windows once, and to each file that is opened, which has the name that the user gave. If an engine
// takes no hints for windows, there is a note.
func TestHints(t *testing.T) {
	hints := []mpi.Hint{{Key: "cb_nodes", Value: "1"}, {Key: "no_locks", Value: "true"}}
	c := probe.Config{Selections: named(t, "P_Write_Indv", "Unidir_put"), Directory: t.TempDir(),
		Settings: settings.Settings{Rows: settings.Rows{Lengths: []int64{8}},
			Repetitions: settings.Repetitions{Max: 2, MaxNonAggr: 2}, Who: settings.Who{MinProcesses: 2},
			Parameters: settings.Parameters{Hints: hints, FileName: "data"}}}
	e := &informed{Engine: &scripted.Engine{Processes: 2}, names: map[string]bool{}}
	plan, err := probe.NewPlan(2, probe.On(e, c))
	require.NoError(t, err)
	m, err := plan.Measure(e, rating.Observer[measured.Outcome]{Now: e.Now})
	require.NoError(t, err)
	require.Empty(t, m.Notes)
	require.Equal(t, [][]mpi.Hint{hints}, e.windows)
	require.NotEmpty(t, e.files)
	for _, given := range e.files {
		require.Equal(t, hints, given)
	}
	require.Equal(t, map[string]bool{"data": true}, e.names)

	m, err = plan.Measure(e.Engine, rating.Observer[measured.Outcome]{Now: e.Now})
	require.NoError(t, err)
	require.Len(t, m.Notes, 1)
	require.Contains(t, m.Notes[0].Text, "takes no hints for windows")
}
