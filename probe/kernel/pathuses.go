package kernel

import "github.com/effective-bandwidth/beff/mpi"

// sized is the size in bytes that Sizing sets.
const sized = 4096

// Creating returns the use that makes items of a kind.
func Creating(kind Item) *PathUse {
	return &PathUse{Item: kind, After: All, Walled: kind != Branches, Do: func(s *Setup, x *PathStep) []mpi.Call {
		switch kind {
		case MPIFiles:
			return []mpi.Call{x.On(mpi.FileOpen), x.On(mpi.FileClose)}
		case PlainFiles:
			return writeCalls(s, x)
		}
		return []mpi.Call{x.On(mpi.PathMkdir)}
	}}
}

// writeCalls returns the calls that open a file, which may exist, write it and close it.
func writeCalls(s *Setup, x *PathStep) []mpi.Call {
	calls := []mpi.Call{{Op: mpi.Stamp, Send: x.Out}, x.On(mpi.PathCreate),
		{Op: mpi.PathWrite, Send: x.Out, Recv: x.Path}}
	if s.Bytes == 0 {
		calls = calls[1:2]
	}
	if s.Options.Meta.Synced {
		calls = append(calls, x.On(mpi.PathSync))
	}
	return append(calls, x.On(mpi.PathClose))
}

// Writing returns the use that opens existing files, writes them and closes them.
func Writing(kind Item) *PathUse {
	u := *Creating(kind)
	u.Before, u.Walled, u.Shift = All, false, 1
	return &u
}

// Statting returns the use that gets the attributes of items.
func Statting(kind Item) *PathUse { return onEach(kind, mpi.PathStat) }

// onEach returns the use that makes a call on each of the items, which stay unchanged.
func onEach(kind Item, op mpi.Op) *PathUse {
	return &PathUse{Item: kind, Before: All, After: All, Shift: 1, List: op == mpi.PathEntries,
		Do: func(_ *Setup, x *PathStep) []mpi.Call { return []mpi.Call{x.On(op)} }}
}

// Listing returns the use that reads the entries of directories.
func Listing(kind Item) *PathUse { return onEach(kind, mpi.PathEntries) }

// Reading returns the use that opens files, reads them and closes them.
func Reading(kind Item) *PathUse {
	return &PathUse{Item: kind, Before: All, After: All, Shift: 2, Do: func(s *Setup, x *PathStep) []mpi.Call {
		calls := []mpi.Call{x.On(mpi.PathOpen), {Op: mpi.PathRead, Send: x.Path, Recv: x.In}, x.On(mpi.PathClose),
			{Op: mpi.Check, Recv: x.Mark}}
		if s.Options.Meta.ReadBytes(s.Bytes) == 0 {
			return []mpi.Call{calls[0], calls[2]}
		}
		return calls
	}}
}

// Renaming returns the use that gives items other names in the same directory.
func Renaming(kind Item) *PathUse {
	return &PathUse{Item: kind, Before: All, After: All, Shift: 1, Rename: true,
		Do: func(_ *Setup, x *PathStep) []mpi.Call {
			return []mpi.Call{{Op: mpi.PathRename, Send: x.Path, Recv: x.New}}
		}}
}

// Sizing returns the use that resizes files by MPI's calls.
func Sizing(kind Item) *PathUse {
	return &PathUse{Item: kind, Before: All, After: All, Shift: 1, Do: func(_ *Setup, x *PathStep) []mpi.Call {
		size := x.On(mpi.FileSetSize)
		size.Times = sized
		return []mpi.Call{x.On(mpi.FileOpen), size, x.On(mpi.FileClose)}
	}}
}

// Removing returns the use that removes items.
func Removing(kind Item) *PathUse {
	return &PathUse{Item: kind, Before: All, Shift: 3, Do: func(_ *Setup, x *PathStep) []mpi.Call {
		op := map[Item]mpi.Op{Branches: mpi.PathRmdir, Directories: mpi.PathRmdir, PlainFiles: mpi.PathUnlink,
			MPIFiles: mpi.FileDelete}[kind]
		return []mpi.Call{x.On(op)}
	}}
}
