package programfile

import (
	"slices"

	"go.yaml.in/yaml/v4"

	"github.com/effective-bandwidth/beff/mpi"
)

// noFile is File.File of a program without a file.
const noFile = -1

// onDisk reads the name of the area that is a file of all processes.
func (r *reader) onDisk(n *yaml.Node) error {
	r.file.File = noFile
	if n == nil {
		return nil
	}
	if r.file.File = r.area(n.Value); n.Kind != yaml.ScalarNode || r.file.File < 0 {
		return r.wrong(n, "file: want the name of an area of the memory")
	}
	if r.file.File == r.file.Window {
		return r.wrong(n, "file: %s is the window", n.Value)
	}
	return nil
}

// onFile returns an error unless a call has the file on the right side, and memory on all others.
func (r *reader) onFile(at *yaml.Node, x *node) error {
	op, file := x.call.op, r.file.File
	sides := []struct {
		operand operand
		place   *place
		is      bool // in the file
	}{
		{of, &x.of, op.Reads()}, {into, &x.into, op.Writes()}, {result, &x.result, false},
		{compare, &x.compare, false},
	}
	if op.OnFile() && file == noFile {
		return r.wrong(at, "%s: the program has no file: AREA", x.call.name)
	}
	for _, s := range sides {
		switch {
		case x.call.operands&s.operand == 0 || (s.place.area == file) == s.is:
		case s.is:
			return r.wrong(at, "%s: %s is not the file", x.call.name, r.file.Areas[s.place.area].Name)
		default:
			return r.wrong(at, "%s: %s is the file, want memory", x.call.name, r.file.Areas[file].Name)
		}
	}
	return nil
}

// Repeats reports whether a repetition finds other data than the first one because of those that it has left: the
// elements of a place are combined with themselves again.
func (f *File) Repeats() bool {
	return slices.ContainsFunc(f.Ops(), func(op mpi.Op) bool {
		return slices.Contains([]mpi.Op{mpi.Combine, mpi.Accumulate, mpi.GetAccumulate, mpi.FetchAndOp,
			mpi.CompareAndSwap}, op)
	})
}
