package suites

import (
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/probe/kernel"
)

// operation describes the algorithms of a collective operation: one on trees of several shapes, and flat ones.
type operation struct {
	name   string
	kind   mpi.Type
	shapes []string // of the trees; see kernel.Algorithm for parts and vector
	parts  bool
	vector bool
	calls  string // made by a process in a tree
	ops    []mpi.Op
	build  func(s *kernel.Setup, t *patterns.Tree) *kernel.Step
	memory func(s *kernel.Setup, build treeBuilder) (send, recv int64)
	flats  []flat
}

// flat is an algorithm in which the root exchanges messages with each process directly, in some order.
type flat struct {
	name   string // the kernel's name without the operation's
	calls  string
	ops    []mpi.Op
	build  func(s *kernel.Setup) *kernel.Step
	memory func(s *kernel.Setup) (send, recv int64)
}

// treeBuilder returns the tree with the given root over the processes of a setup.
type treeBuilder func(s *kernel.Setup, root int) *patterns.Tree

// Names of the shapes of trees that operations use.
var (
	plainShapes  = []string{"binomial", "binary", "chain"}
	flatShapes   = append([]string{"flat"}, plainShapes...)
	sortedShapes = append(slices.Clone(plainShapes), "sorted_binomial_asc", "sorted_binomial_dsc", "Traff")
)

// Calls of each process in flat and in other trees, as the table of kernels shows them.
const (
	fromParent  = "MPI_Recv from the parent"
	toChildren  = "MPI_Isend to each child, MPI_Waitall"
	fromChild   = "MPI_Irecv from each child"
	toParent    = "MPI_Send to the parent"
	rootToEach  = "the root: MPI_Send to each process; others: MPI_Recv"
	eachToRoot  = "the root: MPI_Recv from each process; others: MPI_Send"
	rootStarts  = "the root: MPI_Isend to each process, MPI_Waitall; others: MPI_Recv"
	rootPosts   = "the root: MPI_Irecv from each process, MPI_Waitall; others: MPI_Send"
	rootIsReady = "the root: MPI_Irecv from each process, MPI_Barrier, MPI_Waitall; others: MPI_Barrier, MPI_Rsend"
	othersReady = "the root: MPI_Barrier, MPI_Rsend to each process; others: MPI_Irecv, MPI_Barrier, MPI_Wait"
	rootAsks    = "the root, for each process: MPI_Irecv of the first part, an empty MPI_Send, MPI_Irecv of the " +
		"rest, MPI_Wait for the first; MPI_Waitall; others: MPI_Recv, two MPI_Send"
)

// operations is the table of algorithms. They are MPIBlib's (manual, 7.11 and 7.12), except that the binary trees, the
// chains, and the flat algorithms of Bcast and Reduce are beff's.
var operations = []operation{
	{name: "Bcast", shapes: flatShapes, calls: fromParent + ", " + toChildren,
		ops: []mpi.Op{mpi.Recv, mpi.Isend, mpi.Waitall}, build: bcastTree, memory: sameEverywhere},
	{name: "Reduce", kind: mpi.Float32, shapes: flatShapes,
		calls: fromChild + ", MPI_Wait and MPI_Reduce_local for each, " + toParent,
		ops:   []mpi.Op{mpi.Irecv, mpi.Wait, mpi.Combine, mpi.Copy, mpi.Send}, build: reduceTree,
		memory: sumsOfChildren},
	{name: "Scatter", parts: true, flats: []flat{
		{"flat", rootToEach, scatterOps(mpi.Send, mpi.Recv), scatterFlat(mpi.Send, byRank), scatterMemory},
		{"flat_nb", rootStarts, scatterOps(mpi.Isend, mpi.Recv, mpi.Waitall), scatterFlat(mpi.Isend, byRank),
			scatterMemory},
		{"flat_rsend", othersReady, scatterOps(mpi.Rsend, mpi.Irecv, mpi.Barrier, mpi.Wait),
			scatterFlat(mpi.Rsend, byRank), scatterMemory},
	}, shapes: plainShapes, calls: fromParent + ", " + toChildren,
		ops: scatterOps(mpi.Recv, mpi.Isend, mpi.Waitall), build: scatterTree, memory: scatterTreeMemory},
	{name: "Gather", parts: true, flats: []flat{
		{"flat", eachToRoot, scatterOps(mpi.Send, mpi.Recv), gatherFlat(mpi.Send, mpi.Recv, byRank), gatherMemory},
		{"flat_nb", rootPosts, scatterOps(mpi.Send, mpi.Irecv, mpi.Waitall), gatherFlat(mpi.Send, mpi.Irecv, byRank),
			gatherMemory},
		{"flat_rsend", rootIsReady, scatterOps(mpi.Rsend, mpi.Irecv, mpi.Barrier, mpi.Waitall),
			gatherFlat(mpi.Rsend, mpi.Irecv, byRank), gatherMemory},
	}, shapes: plainShapes, calls: fromChild + ", MPI_Waitall, " + toParent,
		ops: scatterOps(mpi.Irecv, mpi.Waitall, mpi.Send), build: gatherTree, memory: gatherTreeMemory},
	{name: "Scatterv", parts: true, vector: true, flats: []flat{
		{"flat", rootToEach, scatterOps(mpi.Send, mpi.Recv), scatterFlat(mpi.Send, byRank), scatterMemory},
		{"sorted_flat_asc", rootToEach + "; the shortest block first", scatterOps(mpi.Send, mpi.Recv),
			scatterFlat(mpi.Send, shortestFirst), scatterMemory},
		{"sorted_flat_dsc", rootToEach + "; the longest block first", scatterOps(mpi.Send, mpi.Recv),
			scatterFlat(mpi.Send, longestFirst), scatterMemory},
	}, shapes: sortedShapes, calls: fromParent + ", " + toChildren,
		ops: scatterOps(mpi.Recv, mpi.Isend, mpi.Waitall), build: scatterTree, memory: scatterTreeMemory},
	{name: "Gatherv", parts: true, vector: true, flats: []flat{
		{"flat", eachToRoot, scatterOps(mpi.Send, mpi.Recv), gatherFlat(mpi.Send, mpi.Recv, byRank), gatherMemory},
		{"flat_sync", rootAsks, scatterOps(mpi.Send, mpi.Recv, mpi.Irecv, mpi.Wait, mpi.Waitall), gatherSync,
			gatherMemory},
		{"sorted_flat_asc", eachToRoot + "; the shortest block first", scatterOps(mpi.Send, mpi.Recv),
			gatherFlat(mpi.Send, mpi.Recv, shortestFirst), gatherMemory},
		{"sorted_flat_dsc", eachToRoot + "; the longest block first", scatterOps(mpi.Send, mpi.Recv),
			gatherFlat(mpi.Send, mpi.Recv, longestFirst), gatherMemory},
	}, shapes: sortedShapes, calls: fromChild + ", MPI_Waitall, " + toParent,
		ops: scatterOps(mpi.Irecv, mpi.Waitall, mpi.Send), build: gatherTree, memory: gatherTreeMemory},
}

// scatterOps returns the calls of an algorithm in which each process copies its own block.
func scatterOps(ops ...mpi.Op) []mpi.Op { return append(ops, mpi.Copy) }

// algorithmKernels returns the rows of the table of kernels, operation by operation.
func algorithmKernels() (list []kernel.Kernel) {
	for _, o := range operations {
		row := func(name, shape, calls string) {
			s, _ := patterns.ShapeOf(shape)
			list = append(list, kernel.Kernel{Name: o.name + "_" + name, Class: kernel.Collective, Calls: calls,
				Type:      o.kind,
				Algorithm: &kernel.Algorithm{Operation: o.name, Shape: s, Parts: o.parts, Vector: o.vector}})
		}
		for _, f := range o.flats {
			row(f.name, "flat", f.calls)
		}
		for _, shape := range o.shapes {
			row(shape, shape, o.calls)
		}
	}
	return list
}

// algorithmBuilders returns the builders of the rows of algorithmKernels by name.
func algorithmBuilders() map[string]*kernel.Builder {
	all := map[string]*kernel.Builder{}
	for _, o := range operations {
		for _, f := range o.flats {
			all[o.name+"_"+f.name] = &kernel.Builder{Ops: f.ops, Build: f.build, Data: kernel.Data{Sizes: f.memory,
				Singles: true, Varied: o.vector},
				Processes: kernel.Processes{FixedRoot: true}}
		}
		for _, name := range o.shapes {
			shape, _ := patterns.ShapeOf(name)
			tree := func(s *kernel.Setup, root int) *patterns.Tree { return shape.Build(s.Blocks().Counts, root) }
			r := &kernel.Builder{Ops: o.ops, Data: kernel.Data{Singles: true, Varied: o.vector,
				Sizes: func(s *kernel.Setup) (send, recv int64) { return o.memory(s, tree) }},
				Processes: kernel.Processes{FixedRoot: true},
				Build:     func(s *kernel.Setup) *kernel.Step { return o.build(s, tree(s, s.Run.Root)) }}
			if o.vector {
				r = withCounts(r, tree, o.name == "Scatterv")
			}
			all[o.name+"_"+name] = r
		}
	}
	return all
}

// bcastTree receives from the parent and sends to the children, from the last to the first (manual, 7.13).
func bcastTree(s *kernel.Setup, t *patterns.Tree) *kernel.Step {
	x, from := &kernel.Step{Wants: fromRoot(0)(s, t.Root)}, &s.Send
	if parent := t.Parent[s.Rank()]; parent != patterns.None {
		x.Receive(mpi.Recv, s.In(&s.Recv, 0, s.Bytes, parent))
		from = &s.Recv
	}
	for _, child := range slices.Backward(t.Children[s.Rank()]) {
		x.Send(mpi.Isend, s.In(from, 0, s.Bytes, child))
	}
	x.Waitall()
	return x
}

// sameEverywhere returns the memory of operations in which all processes have the same data.
func sameEverywhere(s *kernel.Setup, _ treeBuilder) (send, recv int64) { return s.Bytes, s.Bytes }
