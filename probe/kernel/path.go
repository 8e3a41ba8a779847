package kernel

import (
	"path/filepath"
	"strconv"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/settings"
)

// Item is a kind of objects that metadata kernels make.
type Item string

// The kinds of items. Branches are the directories of the tree that holds the others.
const (
	Branches    Item = "tree"
	PlainFiles  Item = "file"
	Directories Item = "dir"
	MPIFiles    Item = "mpi" // made and removed by MPI's calls
)

// ItemSet is the set of items of a kind that exist: none or all.
type ItemSet uint8

// The sets of items. Without Branches no other items exist.
const (
	None ItemSet = iota
	All
)

// PathUse describes what a kernel does with the items of a kind.
type PathUse struct {
	Item   Item
	Before ItemSet // which items exist before the kernel's calls
	After  ItemSet // which items exist after them
	Shift  int     // distance of the process whose items are used, in shifts of the settings
	Walled bool    // the stonewall ends it
	Rename bool    // the items get other names
	List   bool    // the call is made on a directory of items, not on an item
	// Do returns the calls on an item.
	Do func(s *Setup, x *PathStep) []mpi.Call
}

// PathStep is a step under construction, with the spans of the memory that is written, the path, the memory that is
// read and its mark, and the new path.
type PathStep struct {
	*Step
	Out, Path, In, Mark, New mpi.Span
}

// PathStart is the starting point of a process's calls on paths.
type PathStart struct {
	Paths, New mpi.Paths // New names renamed items, otherwise it is nil
	First      int64     // position of the first path
	Owner      int       // rank of the process that owns these items
}

// On returns a call on the path.
func (x *PathStep) On(op mpi.Op) mpi.Call { return mpi.Call{Op: op, Recv: x.Path} }

// Build returns the step of a process.
func (u *PathUse) Build(s *Setup) *Step {
	w, meta := s.PathStart, &s.Options.Meta
	x := &PathStep{Step: &Step{}}
	mark := markOf(s.Bytes, w)
	x.Out = x.Place(mpi.Place{Space: s.Send.Buffer, Length: s.Bytes, Mark: mark})
	x.Path = x.Place(mpi.Place{Space: w.Paths, Offset: w.First, Length: 1, Advance: 1})
	n := meta.ReadBytes(s.Bytes)
	x.In = x.Place(mpi.Place{Space: s.Recv.Buffer, Length: n})
	seen := mpi.Place{Space: s.Recv.Buffer, Length: min(n, int64(mark.Width)), Mark: mark} // the first mark only
	if n == s.Bytes {
		seen.Length = n
	} else if n < int64(mark.Width) {
		seen.Mark = mpi.Mark{}
	}
	x.Mark = x.Place(seen)
	if w.New != nil {
		x.New = x.Place(mpi.Place{Space: w.New, Offset: w.First, Length: 1, Advance: 1})
	}
	x.Each = u.Do(s, x)
	return x.Step
}

// markOf returns the marks of files of a length, which identify their process and their number.
func markOf(bytes int64, w *PathStart) mpi.Mark {
	const numberBits = 40 // of a file's number
	m := mpi.Mark{Key: uint64(w.Owner)<<numberBits + uint64(w.First), PerLoop: 1}
	switch {
	case bytes >= 8:
		m.Width = 8
	case bytes > 0:
		m.Width = 1
	default:
		return mpi.Mark{}
	}
	return m
}

// Tree is a layout of directories on disk.
type Tree struct {
	Root string // path prefix of its first directory
	settings.Metadata
}

// Branches returns the directories of a process's tree, parents before their children.
func (t *Tree) Branches(rank int) []string {
	name := filepath.Base(t.Root) + "."
	if t.OwnTree {
		name += strconv.Itoa(rank) + "."
	}
	list := []string{filepath.Join(filepath.Dir(t.Root), name+"0")}
	for i := 1; i < int(t.Directories()); i++ {
		list = append(list, list[(i-1)/t.Metadata.Branches()]+"/"+name+strconv.Itoa(i))
	}
	return list
}

// Holding returns the directories of a process's tree that hold items.
func (t *Tree) Holding(rank int) []string {
	all := t.Branches(rank)
	return all[len(all)-int(t.Holders()):]
}

// Items returns a process's items of a kind, PerDirectory in each directory. Renamed items have other names.
func (t *Tree) Items(kind Item, rank int, renamed bool) mpi.PathList {
	infix := ".mdtest."
	if renamed {
		infix = ".rename."
	}
	list := mpi.PathList{Prefixes: t.Holding(rank), PerPrefix: t.PerDirectory()}
	for i := range list.Prefixes {
		list.Prefixes[i] += "/" + string(kind) + infix + strconv.Itoa(rank) + "."
	}
	return list
}
