package ior

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"

	"github.com/effective-bandwidth/beff/lists"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/method"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/probe/suites"
	"github.com/effective-bandwidth/beff/rating"
)

// A phase of metadata is a row of a kernel of probes, by mdtest's method: the rate is all files over the time of the
// slowest process. Find is a search of our own.

// kernels has the kernels of the phases.
var kernels = map[Access]string{Write: "File_create", Stat: "File_stat", Read: "File_read", Delete: "File_remove"}

// tree is what makes the calls on the files of a test, which stay until its last phase.
type tree struct {
	*method.Measurer
	bytes int64
}

// folder returns the directory of the files of a test of metadata.
func (m *measurer) folder(s *Settings) string { return cmp.Or(m.plan.Directory, filepath.Dir(s.File)) }

// tree returns what makes the calls on the files of a test that makes them.
func (m *measurer) tree(maker int) *tree {
	if t := m.trees[maker]; t != nil {
		return t
	}
	s := &m.plan.Tests[maker]
	of := &settings.Settings{Metadata: &settings.Metadata{Items: s.Metadata.Items, Own: s.Metadata.Own,
		Shift: s.Shift, Ranks: s.Shift}, Lengths: []int64{s.Metadata.Bytes}}
	watch := rating.Observer[measured.Outcome]{Now: m.Now, Stop: m.stop}
	m.trees[maker] = &tree{&method.Measurer{Process: rating.NewProcess(m.Engine, watch), Settings: of,
		Way:       func(k *kernel.Kernel) method.Way { return method.MDTest().For(k, of) },
		Directory: m.folder(s), Fits: func(map[int]int64) bool { return true }, Out: &measured.Outcome{}},
		s.Metadata.Bytes}
	return m.trees[maker]
}

// walk measures a test of metadata.
func (m *measurer) walk(test int) error {
	s, maker := &m.plan.Tests[test], m.plan.maker(test)
	if s.Metadata.Phase == Find {
		return m.find(test)
	}
	t := m.tree(maker)
	of := t.Settings.Metadata
	of.Stonewall, of.AllSynced, of.Items = s.Stonewall, s.Sync, s.Metadata.Items
	full := false
	if s.Metadata.Phase == Write {
		room, err := m.roomForFiles(test)
		if err != nil {
			return err
		}
		of.Items = min(of.Items, room)
		full = of.Items < s.Metadata.Items
	}
	row, err := m.row(t, kernels[s.Metadata.Phase])
	if err != nil {
		return err
	}
	each, err := job.Decide(m.World, func() (int64, error) { return row.Repetitions, nil })
	if err != nil {
		return err
	}
	switch s.Metadata.Phase {
	case Write:
		m.reached[test] = each
	case Delete:
		delete(m.reached, maker)
	}
	if m.First() {
		m.add(sampleOf(test, s, &row, full && row.Wall == nil))
	}
	return nil
}

// row measures a kernel on all processes.
func (m *measurer) row(t *tree, name string) (row measured.Row, err error) {
	k, _, known := suites.FindIn(kernel.Meta, name)
	if !known {
		return row, fmt.Errorf("no kernel %s", name)
	}
	all := lists.Numbers(m.World.Size())
	block := &measured.Block{Kernel: k.Name, Component: k.Component, Processes: len(all)}
	table, err := t.Open(k, block, [][]int{all}, func(string, float64) {})
	if err != nil {
		return row, err
	}
	if row, err = t.Measure(table, t.bytes, 0); err == nil || mpi.Agreed(err) {
		err = errors.Join(err, t.Close(table))
	}
	if err == nil && row.Missing != "" {
		err = &mpi.AgreedError{Err: errors.New(row.Missing + " " + row.Detail)}
	}
	return row, err
}

// roomForFiles is room for files of a test of metadata, of which there may be a limited number, too.
func (m *measurer) roomForFiles(test int) (int64, error) {
	room, err := m.room(test, m.plan.Tests[test].Metadata.Bytes)
	if err != nil || m.plan.Files == 0 || m.plan.Tests[test].Stonewall == 0 {
		return room, err
	}
	left, makers := m.plan.Files, int64(0)
	for i := range m.plan.Tests {
		if s := &m.plan.Tests[i]; s.Metadata != nil {
			left -= m.reached[i] * int64(m.plan.Processes)
			if i >= test && s.Measures(Write) {
				makers++
			}
		}
	}
	files, err := m.share(left, makers, fmt.Sprintf("%d files", m.plan.Files))
	return min(room, files), err
}

// sampleOf returns the sample of a row of metadata.
func sampleOf(test int, s *Settings, row *measured.Row, full bool) Sample {
	x := Sample{Test: test, Access: s.Metadata.Phase, Transfers: row.Items, Most: row.Repetitions,
		Least: row.Repetitions, Bytes: row.Items * s.unitBytes(s.Metadata.Phase), Wrong: row.Defects, Full: full}
	if len(row.Samples) > 0 {
		x.Seconds = nanoseconds(row.Samples[0].Max)
	}
	x.Move = x.Seconds
	if row.Repetitions > 0 {
		x.Latency = nanoseconds(x.Seconds / float64(row.Repetitions))
	}
	if w := row.Wall; w != nil {
		x.WallTransfers, x.WallLeast, x.WallMost, x.WallSeconds = w.Items, w.Least, row.Repetitions,
			nanoseconds(w.Seconds)
	}
	if x.Wrong > 0 {
		x.FirstWrong = "a file was read that is not what its process has written"
	}
	return x
}

// The files that find looks for, as IO500 does: with this in their name, and of so many bytes.
const (
	sought      = "01"
	soughtBytes = 3901
)

// find measures the search for files among those of all tests. A directory is the work of one process, as in IO500's
// pfind without hashing: that which all share that of process 0, and the others, and the run's own, those of the next
// processes in turn, so that no process searches what it has written.
func (m *measurer) find(test int) error {
	dirs, present, matching := m.toSearch()
	system, is := m.Engine.(mpi.FileSystem)
	if !is {
		return fmt.Errorf("%s makes no calls on paths", m.Engine.Library().Library)
	}
	counts, err := m.Engine.NewBuffer(16)
	if err != nil {
		return err
	}
	clear(counts.Bytes())
	program := &mpi.Program{Comm: m.World, Start: m.World}
	var paths mpi.Paths
	if len(dirs) > 0 {
		if paths, err = system.NewPaths(mpi.PathList{Prefixes: dirs, Per: 1, Bare: true}); err != nil {
			return err
		}
		from := mpi.One(program.Place(mpi.Place{Space: paths, Length: 1, Advance: 1}))
		to := mpi.One(program.Place(mpi.Place{Space: counts, Length: counts.Size()}))
		program.Call(mpi.Call{Op: mpi.PathFind, Send: from, Recv: to, Times: soughtBytes})
	}
	got, err := m.Execute(program, mpi.Loops{Timed: int64(max(len(dirs), 1))})
	if err != nil {
		return err
	}
	var failure error
	if got.Failure != nil {
		failure = got.Failure
	}
	if err := m.Agree(m.World, failure); err != nil {
		return err
	}
	seen := int64(binary.NativeEndian.Uint64(counts.Bytes()))
	found := int64(binary.NativeEndian.Uint64(counts.Bytes()[8:]))
	counts.Free()
	if paths != nil {
		paths.Free()
	}
	return m.tellFound(test, got.Seconds, seen, found, present, matching)
}

// toSearch returns the directories that this process searches, and how many files it has made that a search comes by,
// and finds.
func (m *measurer) toSearch() (dirs []string, present, matching int64) {
	var list []string
	rank, processes := m.World.Rank(), m.World.Size()
	own := ""
	for i := range m.plan.Tests {
		s := &m.plan.Tests[i]
		reached, is := m.reached[i]
		if !is {
			continue
		}
		if own = m.folder(s); s.Metadata == nil {
			if s.FilePerProcess || rank == 0 {
				present++
			}
			continue
		}
		of := method.TreeOf(own, s.Metadata.Bytes, settings.Metadata{Own: s.Metadata.Own})
		present += reached
		if s.Metadata.Bytes == soughtBytes {
			matching += matches(of.Items(kernel.PlainFiles, rank, false).Prefixes[0], reached)
		}
		if !s.Metadata.Own {
			list = append(of.Branches(0), list...)
			continue
		}
		for other := range processes {
			list = append(list, of.Branches(other)...)
		}
	}
	for i, path := range append(list, own) {
		by := i
		if processes > 1 && i > 0 {
			by = 1 + (i-1)%(processes-1)
		}
		if by%processes == rank {
			dirs = append(dirs, path)
		}
	}
	return dirs, present, matching
}

// matches returns how many of the names with a prefix and a number are sought.
func matches(prefix string, numbers int64) (n int64) {
	name := []byte(filepath.Base(prefix + "x"))
	name = name[:len(name)-1]
	for i := range numbers {
		if bytes.Contains(strconv.AppendInt(name, i, 10), []byte(sought)) {
			n++
		}
	}
	return n
}

// tellFound makes the sample of a search.
func (m *measurer) tellFound(test int, seconds float64, seen, found, present, matching int64) error {
	most := []float64{seconds, float64(seen), -float64(seen)}
	sums := []float64{float64(seen), float64(found), float64(present), float64(matching)}
	if err := errors.Join(m.World.Allreduce(most, mpi.Max), m.World.Allreduce(sums, mpi.Sum)); err != nil {
		return err
	}
	if !m.First() {
		return nil
	}
	x := Sample{Test: test, Access: Find, Seconds: nanoseconds(most[0]), Move: nanoseconds(most[0]),
		Most: int64(most[1]), Least: int64(-most[2]), Transfers: int64(sums[0]), Found: int64(sums[1])}
	x.Latency = nanoseconds(x.Seconds / max(most[1], 1))
	if x.Wrong = differ(sums[0], sums[2]) + differ(sums[1], sums[3]); x.Wrong > 0 {
		x.FirstWrong = fmt.Sprintf("the search came by %.0f files of %.0f, and found %.0f of %.0f", sums[0], sums[2],
			sums[1], sums[3])
	}
	m.add(x)
	return nil
}

// differ returns by how much two numbers differ.
func differ(a, b float64) int64 { return int64(max(a, b) - min(a, b)) }
