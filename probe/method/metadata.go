package method

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/rating"
)

// MDTest returns the method of mdtest 4.1, which only measures kernels of metadata.
func MDTest() Method {
	m := Guide().forMetadata()
	m.Name, m.Title = settings.ByMDTest, "mdtest 4.1"
	return m
}

// forMetadata returns the method of kernels of metadata. A row is one pass over the items of each process, which begins
// with a barrier and ends with the last process. No item is a warm-up. A kernel uses items that the previous kernel
// left; otherwise they are made or removed before, untimed.
func (m Method) forMetadata() Method {
	m.Everyone, m.clock.each = true, nil
	m.lengths = func(*kernel.Kernel) []int64 { return []int64{0} }
	m.count.most = func(w Way, _ *measured.Block, _ int64) int64 { return w.settings.Metadata.All() }
	m.cache = func(Way) int64 { return 0 }
	m.unfit = func(w Way) string {
		if w.kernel.Class != kernel.Metadata {
			return "makes no calls on files and directories, which this method needs"
		}
		switch {
		case w.settings.CountsTimes():
			return "is measured as one pass over many items, which has no times of calls: leave quantiles out"
		case w.settings.InSeries() || w.settings.Who.Multi != nil:
			return "is measured as one pass over many items: leave timing, precision, columns and the multiple mode out"
		}
		return ""
	}
	m.row = (*Measurer).measureMetadata
	return m
}

// treeItems records which items of a tree exist. It is the same on all processes.
type treeItems struct {
	kernel.Tree
	made    map[kernel.Item]int64 // items of each process; 1 for branches that exist
	renamed map[kernel.Item]bool
}

// treeItemsOf returns the tree of a row. Files of each length have a separate tree. Kernels without lengths use the
// tree of the first length.
func (m *Measurer) treeItemsOf(s *kernel.Setup) *treeItems {
	bytes := s.Bytes
	if s.Kernel.NoLength() && len(m.Settings.Rows.Lengths) > 0 {
		bytes = m.Settings.Rows.Lengths[0]
	}
	if m.trees == nil {
		m.trees = map[int64]*treeItems{}
	}
	x := m.trees[bytes]
	if x == nil {
		x = &treeItems{made: map[kernel.Item]int64{}, renamed: map[kernel.Item]bool{}}
		m.trees[bytes] = x
	}
	x.Tree = TreeOf(m.Directory, bytes, s.Options.Meta)
	return x
}

// TreeOf returns the tree of the files of a length in a directory.
func TreeOf(directory string, bytes int64, meta settings.Metadata) kernel.Tree {
	return kernel.Tree{Root: filepath.Join(directory, fmt.Sprintf("mdtest_tree-%d", bytes)), Metadata: meta}
}

// pass is a pass over items on one process.
type pass struct {
	*Measurer
	*treeItems
	s     *kernel.Setup
	use   *kernel.PathUse
	timed bool
	done  int64 // items of this process
	begin float64
	reading
	wall *measured.Wall // nil unless the stonewall ended it
}

// measureMetadata measures a row. All processes of the world take part.
func (m *Measurer) measureMetadata(t *Table, s *kernel.Setup, row *measured.Row, _ int64) error {
	x, use := m.treeItemsOf(s), s.Kernel.Builder.Path
	if err := m.prepareItems(x, s, use); err != nil {
		return err
	}
	p := &pass{Measurer: m, treeItems: x, s: s, use: use, timed: true}
	if err := p.run(); err != nil {
		return err
	}
	row.Wall = p.wall
	return p.collect(t, row)
}

// prepareItems makes the items that a kernel needs, and removes those that must not exist.
func (m *Measurer) prepareItems(x *treeItems, s *kernel.Setup, use *kernel.PathUse) error {
	var list []*kernel.PathUse
	for _, kind := range []kernel.Item{kernel.PlainFiles, kernel.Directories, kernel.MPIFiles} {
		if x.made[kind] > 0 && (kind != use.Item || use.Before == kernel.None) {
			list = append(list, kernel.Removing(kind))
		}
	}
	wanted := use.Item != kernel.Branches || use.Before == kernel.All
	switch there := x.made[kernel.Branches] > 0; {
	case there && !wanted:
		list = append(list, kernel.Removing(kernel.Branches))
	case !there && wanted:
		list = append(list, kernel.Creating(kernel.Branches))
	}
	if use.Item != kernel.Branches && use.Before == kernel.All && x.made[use.Item] == 0 {
		list = append(list, kernel.Creating(use.Item))
	}
	for _, use := range list {
		p := &pass{Measurer: m, treeItems: x, s: s, use: use}
		if err := p.run(); err != nil {
			return fmt.Errorf("before the timed part: %w", err)
		}
	}
	return nil
}

// owner returns the rank whose items this process uses in a pass.
func (p *pass) owner() int {
	if !p.timed {
		return p.s.Rank()
	}
	return (p.s.Rank() + p.use.Shift*p.RankShift) % p.s.Size()
}

// paths returns the paths of a pass on this process, which may be none, and the names to which they are renamed.
func (p *pass) paths() (list mpi.PathList, names *mpi.PathList) {
	who, kind := p.owner(), p.use.Item
	switch {
	case kind == kernel.Branches && !p.OwnTree && p.s.Rank() > 0: // process 0 makes the shared tree
		return list, nil
	case kind == kernel.Branches:
		list = mpi.PathList{Prefixes: p.Branches(p.s.Rank()), PerPrefix: 1, Unnumbered: true}
		if p.use.Before == kernel.All { // inner directories come first
			for i := range list.Prefixes {
				list.Order = append(list.Order, int64(len(list.Prefixes)-1-i))
			}
		}
		return list, nil
	case p.use.List:
		return mpi.PathList{Prefixes: p.Holding(who), PerPrefix: 1, Unnumbered: true}, nil
	}
	list = p.Items(kind, who, p.renamed[kind])
	if p.use.Rename {
		other := p.Items(kind, who, !p.renamed[kind])
		names = &other
	}
	return list, names
}

// run makes the pass, and records which items exist then. All processes of the world call it.
func (p *pass) run() error {
	n := int64(0)
	var err error
	if p.s.Comm != nil {
		n, err = p.open()
	}
	if err := p.Agree(p.World, err); err != nil {
		return err
	}
	if err := p.walk(n); err != nil {
		return err
	}
	p.free()
	if err := p.Agree(p.World, p.s.Results.Failure); err != nil {
		return err
	}
	if err := p.Stopped(nil); err != nil {
		return err
	}
	made, err := p.Most(float64(p.done))
	if p.use.After == kernel.None {
		made = 0
	}
	if !p.use.List {
		p.treeItems.made[p.use.Item] = int64(made)
	}
	p.renamed[p.use.Item] = p.use.After == kernel.All && p.use.Rename != p.renamed[p.use.Item]
	return err
}

// open makes the spaces of the paths, and returns the number of items.
func (p *pass) open() (n int64, err error) {
	list, names := p.paths()
	if list.Prefixes == nil {
		return 0, nil
	}
	system, is := p.Engine.(mpi.FileSystem)
	if !is {
		return 0, fmt.Errorf("%s makes no calls on paths", p.Engine.Library().Library)
	}
	w := &kernel.PathStart{Owner: p.owner()}
	if w.Paths, err = system.NewPaths(list); err != nil {
		return 0, err
	}
	p.s.PathStart = w
	if names != nil {
		if w.New, err = system.NewPaths(*names); err != nil {
			return 0, err
		}
	}
	n = list.Size()
	if made := p.treeItems.made[p.use.Item]; !list.Unnumbered && p.use.Before == kernel.All {
		n = made
	}
	return n, nil
}

func (p *pass) free() {
	if w := p.s.PathStart; w != nil {
		w.Paths.Free()
		if w.New != nil {
			w.New.Free()
		}
	}
	p.s.PathStart = nil
}

// unending is the limit in seconds of a pass without a stonewall. A signal only ends a pass with a limit.
const unending = 1e9

// walk makes the calls on n items. If a stonewall comes, each process continues until it has done as many items as the
// fastest one had.
func (p *pass) walk(n int64) error {
	limit := unending
	walled := p.use.Walled && p.Stonewall > 0 // also for items of an earlier part of the run, made again
	if walled {
		limit = p.Stonewall
	}
	p.times.Seconds = -1
	got, err := p.loops(0, n, limit, p.s.Comm, !walled)
	if err != nil {
		return err
	}
	p.begin, p.done = got.Begin, got.Loops
	if n == 0 {
		p.done = 0
	} else {
		p.times.Seconds = got.Seconds
	}
	if walled {
		return p.wearOut(n)
	}
	return nil
}

// loops makes the calls on n items, beginning with first. start is nil if the process waits for no others. A process
// without items only waits.
func (p *pass) loops(first, n int64, limit float64, start mpi.Comm, last bool) (got mpi.Measurement, err error) {
	if p.s.Comm == nil {
		return got, nil
	}
	program := &mpi.Program{Comm: p.s.Comm, Start: start}
	if n > 0 {
		p.s.PathStart.First = first
		x := p.use.Build(p.s)
		program.Places, program.Loop = x.Places, x.Each
		if last && p.timed && p.AllSynced {
			program.After = []mpi.Call{{Op: mpi.PathSyncAll, Recv: mpi.One(1)}}
		}
	}
	o := &session{Measurer: p.Measurer, s: p.s, steps: []*kernel.Step{{}}}
	err = o.make(func(*kernel.Setup, *kernel.Step) *mpi.Program { return program })
	if err != nil {
		return got, err
	}
	if got, err = o.run(mpi.Loops{Timed: max(n, 1), Budget: limit}); err != nil {
		return got, err
	}
	o.shut()
	p.defects += got.Wrong
	if n > 0 {
		p.checked += got.Loops
	}
	return got, nil
}

// wearOut makes this process continue until it has done as many items as the fastest process had at the stonewall.
func (p *pass) wearOut(n int64) error {
	failed, err := p.Any(p.s.Results.Failure != nil)
	if err != nil || failed || p.s.Comm == nil {
		return err
	}
	done := float64(p.done)
	least, most, all := []float64{done}, []float64{done, p.times.Seconds}, []float64{done}
	err = errors.Join(p.s.Comm.Allreduce(least, mpi.Min), p.s.Comm.Allreduce(most, mpi.Max),
		p.s.Comm.Allreduce(all, mpi.Sum))
	if err != nil {
		return err
	}
	if int64(least[0]) < n {
		p.wall = &measured.Wall{Items: int64(all[0]), MinItems: int64(least[0]), Seconds: rating.Picoseconds(most[1])}
	}
	left := int64(most[0]) - p.done
	if left == 0 && !(p.timed && p.AllSynced) {
		return nil
	}
	got, err := p.finishItems(left)
	p.done += left
	p.times.Seconds = got.Begin + got.Seconds - p.begin
	return err
}

// finishItems makes the calls on the remaining items. At their end all data may be synced to storage.
func (p *pass) finishItems(left int64) (mpi.Measurement, error) {
	if left > 0 {
		return p.loops(p.done, left, unending, nil, true)
	}
	return p.Execute(&mpi.Program{Comm: p.s.Comm, Places: []mpi.Place{{Space: p.s.PathStart.Paths, Length: 1}},
		Loop: []mpi.Call{{Op: mpi.PathSyncAll, Recv: mpi.One(0)}}}, mpi.Loops{Timed: 1})
}

// collect sends the times of all processes to process 0, which makes a sample of them.
func (p *pass) collect(t *Table, row *measured.Row) error {
	items := p.done
	if p.use.List {
		items = p.entries()
	}
	most, all := []float64{float64(items)}, []float64{float64(items)}
	err := errors.Join(p.World.Allreduce(most, mpi.Max), p.World.Allreduce(all, mpi.Sum))
	if err != nil {
		return err
	}
	row.Repetitions, row.Items = int64(most[0]), int64(all[0])
	if !slices.Contains(p.s.Kernel.Builder.Ops, mpi.PathRead) || p.s.Options.Meta.ReadBytes(p.s.Bytes) == 0 {
		p.checked = 0
	}
	return p.gather(t, row, p.reading)
}

// entries returns the number of entries in the directories that this process has listed: items, and directories of the
// tree.
func (p *pass) entries() int64 {
	processes := int64(1)
	if !p.OwnTree {
		processes = int64(p.s.Size())
	}
	below := p.Directories() - 1
	if p.Leaves {
		below = 0
	}
	return processes*p.treeItems.made[p.use.Item] + below
}
