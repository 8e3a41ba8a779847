package conformance

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/effective-bandwidth/beff/mpi"
)

// pathOps are the calls of pathCalls.
var pathOps = ops(mpi.PathCreate, mpi.PathOpen, mpi.PathWrite, mpi.PathRead, mpi.PathSync, mpi.PathClose, mpi.PathStat,
	mpi.PathRename, mpi.PathUnlink, mpi.PathMkdir, mpi.PathRmdir, mpi.PathEntries,
	mpi.PathSyncAll)

// pathCaller makes calls on paths in this process's own directory.
type pathCaller struct {
	*folder
	system mpi.FileSystem
	own    string
	buffer mpi.Buffer
}

// inOwnPaths returns the body of a case with a directory for each process.
func inOwnPaths(body func(w *pathCaller)) func(p *process) {
	return inFolder(func(d *folder) {
		system, ok := d.Engine.(mpi.FileSystem)
		if !ok {
			d.errorf("the engine runs calls on paths, but has no file system")
			return
		}
		own := d.file(strconv.Itoa(d.rank))
		d.must(os.Mkdir(own, 0o700))
		body(&pathCaller{d, system, own, d.buffer(1000)})
	})
}

// paths returns a space of paths that is freed at the end of the case.
func (w *pathCaller) paths(list mpi.PathList) mpi.Paths {
	for i, prefix := range list.Prefixes {
		list.Prefixes[i] = filepath.Join(w.own, prefix)
	}
	p, err := w.system.NewPaths(list)
	w.must(err)
	w.ends = append(w.ends, p.Free)
	for at := range p.Size() {
		if path := p.Path(at); !strings.HasPrefix(path, w.own) || p.Size() != list.Size() {
			w.errorf("path %d of %d is %q", at, p.Size(), path)
		}
	}
	return p
}

// onEach makes the calls on n paths, with one path in each loop. Place 0 is memory, place 1 is in p, and place 2 in
// other, if that isn't nil.
func (w *pathCaller) onEach(n int64, p, other mpi.Paths, calls ...mpi.Call) mpi.Measurement {
	program := &mpi.Program{Comm: w.world, Start: w.world, Loop: calls}
	program.Place(mpi.Place{Space: w.buffer, Length: w.buffer.Size(), Mark: mpi.Mark{Width: 8, Key: 7, PerLoop: 3}})
	for _, space := range []mpi.Paths{p, other} {
		if space != nil {
			program.Place(mpi.Place{Space: space, Length: 1, Advance: 1})
		}
	}
	m := w.run(w.compile(program), mpi.Loops{Timed: n, Each: true})
	if int64(len(m.Each)) != m.Loops {
		w.errorf("%d times of %d loops", len(m.Each), m.Loops)
	}
	return m
}

// onAll calls onEach with all paths, and records an error if a call fails.
func (w *pathCaller) onAll(p, other mpi.Paths, calls ...mpi.Call) {
	if m := w.onEach(p.Size(), p, other, calls...); m.Failure != nil || m.Loops != p.Size() || m.Wrong > 0 {
		w.errorf("%v: %d of %d loops, %d wrong: %v", calls[0].Op, m.Loops, p.Size(), m.Wrong, m.Failure)
	}
}

// callOn returns a call on place 1.
func callOn(op mpi.Op) mpi.Call { return mpi.Call{Op: op, Recv: mpi.One(1)} }

// names returns the names of the entries of a directory.
func (w *pathCaller) names(dir string) (list []string) {
	entries, err := os.ReadDir(filepath.Join(w.own, dir))
	w.must(err)
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

// expectEntries records an error unless a directory has exactly n entries, whose names all begin with prefix.
func (w *pathCaller) expectEntries(dir, prefix string, n int) {
	list := w.names(dir)
	for _, name := range list {
		if !strings.HasPrefix(name, prefix) {
			w.errorf("%s is in %s", name, dir)
		}
	}
	if len(list) != n {
		w.errorf("%d entries in %s instead of %d", len(list), dir, n)
	}
}

// pathCalls makes, writes, reads, renames, lists and removes files and directories.
func pathCalls(w *pathCaller) {
	dirs := w.paths(mpi.PathList{Prefixes: []string{"a", "a/b", "c"}, PerPrefix: 1, Unnumbered: true})
	w.onAll(dirs, nil, callOn(mpi.PathMkdir))
	files := w.paths(mpi.PathList{Prefixes: []string{"a/b/f.", "c/f."}, PerPrefix: 6})
	move := mpi.Call{Op: mpi.PathWrite, Send: mpi.One(0), Recv: mpi.One(1)}
	w.onAll(files, nil, mpi.Call{Op: mpi.Stamp, Send: mpi.One(0)}, callOn(mpi.PathCreate), move, callOn(mpi.PathSync),
		callOn(mpi.PathClose))
	for i := range files.Size() {
		data, err := os.ReadFile(files.Path(i))
		want := make([]byte, w.buffer.Size())
		stamp(want, mpi.Mark{Width: 8, Key: 7, PerLoop: 3}, i)
		w.must(err)
		if !bytes.Equal(data[:8], want[:8]) || !bytes.Equal(data[len(data)-8:], want[len(want)-8:]) {
			w.errorf("file %d has other data", i)
		}
	}
	move = mpi.Call{Op: mpi.PathRead, Send: mpi.One(1), Recv: mpi.One(0)}
	w.onAll(files, nil, callOn(mpi.PathOpen), move, callOn(mpi.PathClose), mpi.Call{Op: mpi.Check, Recv: mpi.One(0)})
	w.onAll(w.paths(mpi.PathList{Prefixes: []string{"c/f."}, PerPrefix: 12,
		Order: []int64{9, 7, 6, 11, 10, 8, 9, 9, 9, 9, 9, 9}}), nil, callOn(mpi.PathStat))
	others := w.paths(mpi.PathList{Prefixes: []string{"a/b/g.", "c/g."}, PerPrefix: 6})
	w.onAll(files, others, mpi.Call{Op: mpi.PathRename, Send: mpi.One(1), Recv: mpi.One(2)})
	w.expectEntries("a/b", "g.", 6)
	w.onAll(dirs, nil, callOn(mpi.PathEntries))
	w.expectEntries("c", "g.", 6)
	w.onAll(others, nil, callOn(mpi.PathUnlink), callOn(mpi.PathSyncAll))
	w.onAll(w.paths(mpi.PathList{Prefixes: []string{"a", "a/b", "c"}, PerPrefix: 1, Unnumbered: true,
		Order: []int64{2, 1, 0}}), nil,
		callOn(mpi.PathRmdir))
	w.expectEntries("", "", 0)
}

// pathFiles opens, resizes, closes and deletes files with MPI's calls, each file on one process.
func pathFiles(w *pathCaller) {
	const size = 77
	files := w.paths(mpi.PathList{Prefixes: []string{"m."}, PerPrefix: 3})
	w.onAll(files, nil, callOn(mpi.FileOpen), mpi.Call{Op: mpi.FileSetSize, Recv: mpi.One(1), Times: size},
		callOn(mpi.FileClose))
	for i := range files.Size() {
		info, err := os.Stat(files.Path(i))
		if w.must(err); info.Size() != size {
			w.errorf("%d bytes instead of %d", info.Size(), size)
		}
	}
	w.onAll(files, nil, callOn(mpi.FileOpen), callOn(mpi.FileClose))
	w.onAll(files, nil, callOn(mpi.FileDelete))
	w.expectEntries("", "", 0)
	if m := w.onEach(3, files, nil, callOn(mpi.FileDelete)); m.Failure == nil || m.Loops != 1 ||
		!strings.Contains(m.Failure.Text, files.Path(0)) {
		w.errorf("a file that isn't there: %d loops, %v", m.Loops, m.Failure)
	}
}

// pathFails makes calls that fail. The failure must name the path, and the run must end with the loop that failed.
func pathFails(w *pathCaller) {
	files := w.paths(mpi.PathList{Prefixes: []string{"f."}, PerPrefix: 5})
	w.must(os.WriteFile(files.Path(0), nil, 0o600))
	w.must(os.WriteFile(files.Path(1), nil, 0o600))
	dirs := w.paths(mpi.PathList{Prefixes: []string{"missing/f."}, PerPrefix: 5})
	for _, c := range []struct {
		paths mpi.Paths
		at    int64
		calls []mpi.Call
	}{
		{files, 2, []mpi.Call{callOn(mpi.PathStat)}},
		{files, 2, []mpi.Call{callOn(mpi.PathOpen), callOn(mpi.PathClose)}},
		{files, 0, []mpi.Call{callOn(mpi.PathOpen), {Op: mpi.PathRead, Send: mpi.One(1), Recv: mpi.One(0)},
			callOn(mpi.PathClose)}},
		{files, 0, []mpi.Call{callOn(mpi.PathMkdir)}},
		{files, 0, []mpi.Call{callOn(mpi.PathRmdir)}},
		{files, 0, []mpi.Call{callOn(mpi.PathEntries)}},
		{files, 2, []mpi.Call{callOn(mpi.PathUnlink)}},
		{dirs, 0, []mpi.Call{callOn(mpi.PathCreate), {Op: mpi.PathWrite, Send: mpi.One(0), Recv: mpi.One(1)},
			callOn(mpi.PathClose)}},
	} {
		m := w.onEach(5, c.paths, nil, c.calls...)
		if m.Failure == nil || m.Loops != c.at+1 || m.Failure.Rank != w.rank ||
			!strings.HasPrefix(m.Failure.Text, c.paths.Path(c.at)+": ") {
			w.errorf("%v: %d loops, %v, want a failure at %s", c.calls[0].Op, m.Loops, m.Failure, c.paths.Path(c.at))
		}
	}
	if _, err := w.system.NewPaths(mpi.PathList{}); err == nil {
		w.errorf("NewPaths accepts an empty list of paths")
	}
	if _, err := os.Stat(files.Path(2)); !errors.Is(err, fs.ErrNotExist) {
		w.errorf("%s: %v", files.Path(2), err)
	}
}
