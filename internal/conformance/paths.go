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

// walker makes calls on paths in this process's own directory.
type walker struct {
	*folder
	system mpi.FileSystem
	own    string
	buffer mpi.Buffer
}

// inOwnPaths returns the body of a case with a directory for each process.
func inOwnPaths(body func(w *walker)) func(p *process) {
	return inFolder(func(d *folder) {
		system, ok := d.Engine.(mpi.FileSystem)
		if !ok {
			d.errorf("the engine runs calls on paths, but has no file system")
			return
		}
		own := d.file(strconv.Itoa(d.rank))
		d.must(os.Mkdir(own, 0o700))
		body(&walker{d, system, own, d.buffer(1000)})
	})
}

// paths returns a space of paths that is freed at the end of the case.
func (w *walker) paths(list mpi.PathList) mpi.Paths {
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

// each makes calls on each of n paths, one in each loop. Place 0 is memory, place 1 is in p, and place 2 in other, if
// that isn't nil.
func (w *walker) each(n int64, p, other mpi.Paths, calls ...mpi.Call) mpi.Measurement {
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

// all calls each for all paths, and records an error if a call fails.
func (w *walker) all(p, other mpi.Paths, calls ...mpi.Call) {
	if m := w.each(p.Size(), p, other, calls...); m.Failure != nil || m.Loops != p.Size() || m.Wrong > 0 {
		w.errorf("%v: %d of %d loops, %d wrong: %v", calls[0].Op, m.Loops, p.Size(), m.Wrong, m.Failure)
	}
}

// on returns a call on place 1.
func on(op mpi.Op) mpi.Call { return mpi.Call{Op: op, Recv: mpi.One(1)} }

// names returns the names of the entries of a directory.
func (w *walker) names(of string) (list []string) {
	entries, err := os.ReadDir(filepath.Join(w.own, of))
	w.must(err)
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

// found records an error unless a directory has exactly n entries, whose names all begin with prefix.
func (w *walker) found(of, prefix string, n int) {
	list := w.names(of)
	for _, name := range list {
		if !strings.HasPrefix(name, prefix) {
			w.errorf("%s is in %s", name, of)
		}
	}
	if len(list) != n {
		w.errorf("%d entries in %s instead of %d", len(list), of, n)
	}
}

// pathCalls makes, writes, reads, renames, lists and removes files and directories.
func pathCalls(w *walker) {
	dirs := w.paths(mpi.PathList{Prefixes: []string{"a", "a/b", "c"}, PerPrefix: 1, Unnumbered: true})
	w.all(dirs, nil, on(mpi.PathMkdir))
	files := w.paths(mpi.PathList{Prefixes: []string{"a/b/f.", "c/f."}, PerPrefix: 6})
	move := mpi.Call{Op: mpi.PathWrite, Send: mpi.One(0), Recv: mpi.One(1)}
	w.all(files, nil, mpi.Call{Op: mpi.Stamp, Send: mpi.One(0)}, on(mpi.PathCreate), move, on(mpi.PathSync),
		on(mpi.PathClose))
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
	w.all(files, nil, on(mpi.PathOpen), move, on(mpi.PathClose), mpi.Call{Op: mpi.Check, Recv: mpi.One(0)})
	w.all(w.paths(mpi.PathList{Prefixes: []string{"c/f."}, PerPrefix: 12,
		Order: []int64{9, 7, 6, 11, 10, 8, 9, 9, 9, 9, 9, 9}}), nil, on(mpi.PathStat))
	others := w.paths(mpi.PathList{Prefixes: []string{"a/b/g.", "c/g."}, PerPrefix: 6})
	w.all(files, others, mpi.Call{Op: mpi.PathRename, Send: mpi.One(1), Recv: mpi.One(2)})
	w.found("a/b", "g.", 6)
	w.all(dirs, nil, on(mpi.PathEntries))
	w.found("c", "g.", 6)
	w.all(others, nil, on(mpi.PathUnlink), on(mpi.PathSyncAll))
	w.all(w.paths(mpi.PathList{Prefixes: []string{"a", "a/b", "c"}, PerPrefix: 1, Unnumbered: true,
		Order: []int64{2, 1, 0}}), nil,
		on(mpi.PathRmdir))
	w.found("", "", 0)
}

// pathFiles opens, resizes, closes and deletes files with MPI's calls, each file on one process.
func pathFiles(w *walker) {
	const size = 77
	files := w.paths(mpi.PathList{Prefixes: []string{"m."}, PerPrefix: 3})
	w.all(files, nil, on(mpi.FileOpen), mpi.Call{Op: mpi.FileSetSize, Recv: mpi.One(1), Times: size}, on(mpi.FileClose))
	for i := range files.Size() {
		info, err := os.Stat(files.Path(i))
		if w.must(err); info.Size() != size {
			w.errorf("%d bytes instead of %d", info.Size(), size)
		}
	}
	w.all(files, nil, on(mpi.FileOpen), on(mpi.FileClose))
	w.all(files, nil, on(mpi.FileDelete))
	w.found("", "", 0)
	if m := w.each(3, files, nil, on(mpi.FileDelete)); m.Failure == nil || m.Loops != 1 ||
		!strings.Contains(m.Failure.Text, files.Path(0)) {
		w.errorf("a file that isn't there: %d loops, %v", m.Loops, m.Failure)
	}
}

// pathFails makes calls that fail. The failure must name the path, and end the run with its loop.
func pathFails(w *walker) {
	files := w.paths(mpi.PathList{Prefixes: []string{"f."}, PerPrefix: 5})
	w.must(os.WriteFile(files.Path(0), nil, 0o600))
	w.must(os.WriteFile(files.Path(1), nil, 0o600))
	dirs := w.paths(mpi.PathList{Prefixes: []string{"missing/f."}, PerPrefix: 5})
	for _, c := range []struct {
		paths mpi.Paths
		at    int64
		calls []mpi.Call
	}{
		{files, 2, []mpi.Call{on(mpi.PathStat)}},
		{files, 2, []mpi.Call{on(mpi.PathOpen), on(mpi.PathClose)}},
		{files, 0, []mpi.Call{on(mpi.PathOpen), {Op: mpi.PathRead, Send: mpi.One(1), Recv: mpi.One(0)},
			on(mpi.PathClose)}},
		{files, 0, []mpi.Call{on(mpi.PathMkdir)}},
		{files, 0, []mpi.Call{on(mpi.PathRmdir)}},
		{files, 0, []mpi.Call{on(mpi.PathEntries)}},
		{files, 2, []mpi.Call{on(mpi.PathUnlink)}},
		{dirs, 0, []mpi.Call{on(mpi.PathCreate), {Op: mpi.PathWrite, Send: mpi.One(0), Recv: mpi.One(1)},
			on(mpi.PathClose)}},
	} {
		m := w.each(5, c.paths, nil, c.calls...)
		if m.Failure == nil || m.Loops != c.at+1 || m.Failure.Rank != w.rank ||
			!strings.HasPrefix(m.Failure.Text, c.paths.Path(c.at)+": ") {
			w.errorf("%v: %d loops, %v, want a failure at %s", c.calls[0].Op, m.Loops, m.Failure, c.paths.Path(c.at))
		}
	}
	if _, err := w.system.NewPaths(mpi.PathList{}); err == nil {
		w.errorf("an empty list of paths is no error")
	}
	if _, err := os.Stat(files.Path(2)); !errors.Is(err, fs.ErrNotExist) {
		w.errorf("%s: %v", files.Path(2), err)
	}
}
