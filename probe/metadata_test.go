package probe

import (
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/local"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/probe/suites"
	"github.com/effective-bandwidth/beff/rating"
)

// measureMetadata measures metadata kernels on 3 processes in a directory, and calls kept after each row.
func measureMetadata(t *testing.T, s settings.Settings, kept func(*measured.Outcome), names ...string) (
	blocks []measured.Block, directory string, err error) {
	directory = t.TempDir()
	c := Config{Settings: s, Directory: directory, Hosts: [][]int{{0, 1, 2}}}
	for _, k := range suites.Kernels() {
		for _, name := range names {
			if k.Component == kernel.Meta && (k.Name == name || name == "all") {
				c.Selections = append(c.Selections, Selection{Kernel: k, Named: true})
			}
		}
	}
	err = local.Run(3, func(e mpi.Engine) error {
		plan, err := NewPlan(3, On(e, c))
		if err != nil {
			return err
		}
		m, err := plan.Measure(e, rating.Observer[measured.Outcome]{Keep: func(m measured.Outcome) {
			if kept != nil {
				kept(&m)
			}
		}})
		if e.World().Rank() == 0 {
			blocks = m.Blocks
		}
		return err
	})
	return blocks, directory, err
}

// entries counts the files and the directories below a directory.
func entries(t *testing.T, directory string) (files, directories int) {
	require.NoError(t, filepath.WalkDir(directory, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case !d.IsDir():
			files++
		case path != directory:
			directories++
		}
		return nil
	}))
	return files, directories
}

// Every kernel has the items of all processes in each layout, and leaves the items that the next one needs.
func TestMetadata(t *testing.T) {
	for _, m := range []settings.Metadata{
		{Items: 20},
		{Items: 20, OwnTree: true, Shift: 1},
		{Items: 21, Depth: 2, Branching: 2, Shift: 2, Synced: true},
		{Items: 20, Depth: 1, Branching: 4, OwnTree: true, Leaves: true},
	} {
		blocks, directory, err := measureMetadata(t, settings.Settings{Metadata: m,
			Rows: settings.Rows{Lengths: []int64{0, 9}}}, nil, "all")
		require.NoError(t, err, "%+v", m)
		left := map[string]int64{}
		trees := int64(1)
		if m.OwnTree {
			trees = 3
		}
		for _, b := range blocks {
			k, _, _ := suites.Find(kernel.Meta, b.Kernel)
			want := 3 * m.All()
			switch use := k.Builder.Path; {
			case use.Item == kernel.Branches:
				want = trees * m.Directories()
			case use.List: // each process lists all directories of the tree
				below := m.Directories() - 1
				if m.Leaves {
					below = 0
				}
				want = 3 * (3/trees*m.All() + below)
			}
			rows := 1
			if !k.NoLength() {
				rows = 2
			}
			require.Len(t, b.Rows, rows, b.Kernel)
			for _, row := range b.Rows {
				require.Equal(t, want, row.Items, "%s of %+v", b.Kernel, m)
				require.Zero(t, row.Defects)
				require.Equal(t, b.Kernel == "File_read" && row.Bytes > 0, row.Checked == m.All(), b.Kernel)
				require.NoError(t, b.CheckRow(k, &row, 3))
			}
			left[b.Kernel]++
		}
		require.Len(t, left, 18)
		files, _ := entries(t, directory)
		require.Zero(t, files, "%+v", m)
	}
}

// A kernel measured by itself finds the items it needs, and leaves them until the scratch directory is removed.
func TestMetadataAlone(t *testing.T) {
	m := settings.Metadata{Items: 7, OwnTree: true}
	for name, want := range map[string][2]int{"File_read": {21, 3}, "Dir_stat": {0, 3*7 + 3}, "MPI_delete": {0, 3},
		"Tree_remove": {0, 0}, "File_rename": {21, 3}} {
		_, directory, err := measureMetadata(t, settings.Settings{Metadata: m}, nil, name)
		require.NoError(t, err)
		files, directories := entries(t, directory)
		require.Equal(t, want, [2]int{files, directories}, name)
	}
}

// The stonewall ends the creation; then all processes have as many files as the fastest one had, in later phases, too.
func TestStonewall(t *testing.T) {
	m := settings.Metadata{Items: 10_000_000, Stonewall: 0.05, AllSynced: true}
	blocks, _, err := measureMetadata(t, settings.Settings{Metadata: m}, nil, "File_create", "File_stat", "File_remove")
	require.NoError(t, err)
	row := &blocks[0].Rows[0]
	require.NotNil(t, row.Wall)
	require.Equal(t, row.Items, 3*row.Repetitions)
	require.LessOrEqual(t, row.Wall.Items, row.Items)
	require.LessOrEqual(t, 3*row.Wall.MinItems, row.Wall.Items)
	require.GreaterOrEqual(t, row.Wall.Seconds, 0.04) // how much longer it takes depends on the machine
	require.Less(t, row.Items, 3*m.Items)
	require.GreaterOrEqual(t, row.Samples[0].Min, 0.04)
	for _, b := range blocks[1:] {
		require.Equal(t, row.Items, b.Rows[0].Items)
		require.Nil(t, b.Rows[0].Wall)
	}
}

// The stonewall also ends the creation of items for a kernel measured by itself, as in a resumed run.
func TestStonewallBefore(t *testing.T) {
	m := settings.Metadata{Items: 1 << 40, Stonewall: 0.05}
	blocks, _, err := measureMetadata(t, settings.Settings{Metadata: m}, nil, "File_stat")
	require.NoError(t, err)
	row := &blocks[0].Rows[0]
	require.Positive(t, row.Items)
	require.Equal(t, row.Items, 3*row.Repetitions)
	require.Nil(t, row.Wall)
}

// A directory that vanishes ends the run with an error that names the kernel and the path.
func TestVanished(t *testing.T) {
	var gone atomic.Bool
	var directory string
	s := settings.Settings{Metadata: settings.Metadata{Items: 5}}
	_, directory, err := measureMetadata(t, s, func(m *measured.Outcome) {
		if n := len(m.Blocks); n > 0 && len(m.Blocks[n-1].Rows) == 1 && !gone.Swap(true) {
			found, _ := filepath.Glob(filepath.Join(filepath.Dir(t.TempDir()), "*", "mdtest_tree-0.0"))
			for _, path := range found {
				os.RemoveAll(path)
			}
		}
	}, "File_create", "File_stat")
	require.ErrorContains(t, err, "File_stat, 3 processes, 0 bytes: ")
	require.ErrorContains(t, err, directory)
	require.ErrorContains(t, err, "no such file or directory")
}

// A plan knows how many items exist at a time if every kernel has made its own. Files of each length are in a tree of
// their own, and sums don't overflow.
func TestSpace(t *testing.T) {
	for _, x := range []struct {
		m       settings.Metadata
		lengths []int64
		names   []string
		want    Space
	}{
		{settings.Metadata{Items: 20}, nil, []string{"File_create"}, Space{Files: 60, Tree: 1}},
		{settings.Metadata{Items: 27, Depth: 2, Branching: 3, OwnTree: true}, []int64{0, 8},
			[]string{"Dir_create", "File_stat", "File_create"},
			Space{Files: 2 * 78, Bytes: 78 * 8, Directories: 78, Tree: 2 * 39}},
		{settings.Metadata{Items: 4}, []int64{5}, []string{"File_stat"}, Space{Files: 12, Bytes: 60, Tree: 1}},
		{settings.Metadata{Items: 1 << 40}, []int64{1 << 30}, []string{"File_read"},
			Space{Files: 3 << 40, Bytes: math.MaxInt64 >> 1, Tree: 1}},
	} {
		c := Config{Settings: settings.Settings{Metadata: x.m, Rows: settings.Rows{Lengths: x.lengths}}}
		for _, name := range x.names {
			k, _, _ := suites.Find(kernel.Meta, name)
			c.Selections = append(c.Selections, Selection{Kernel: k, Named: true})
		}
		plan, err := NewPlan(3, c)
		require.NoError(t, err)
		require.Equal(t, x.want, plan.Space())
	}
	c := Config{Settings: settings.Settings{Metadata: settings.Metadata{Depth: 10, Branching: 2}}}
	_, err := NewPlan(3, c)
	require.ErrorContains(t, err, "want 2047 items of a process or more")
}
