package kernel

import (
	"cmp"
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/probe/settings"
)

// Kernel is a row of the table: a kernel's calls and the meaning of its figures.
type Kernel struct {
	Name      string // as IMB prints it
	Component Component
	Class     Class
	Calls     string   // of one repetition, by the standard's names
	Type      mpi.Type // of the data: Byte, or Float32 for reductions
	// Moved is the factor of the length in the bandwidth: bandwidth = Moved·length/time. With 0 there is no bandwidth.
	// For Multiple transfers it holds for one partner, and the bandwidth is multiplied by processes-1.
	Moved float64
	// DefaultLength is the only message length in bytes if the user gives none. If it is 0, the method chooses the
	// lengths.
	DefaultLength int64
	// Divisor divides the time of a repetition in reports. It is 2 if half of the time is reported (PingPong), the
	// number of transfers if the time of one transfer is reported (Random_put), and otherwise 1.
	Divisor int
	// Active is the largest number of processes that communicate in a group, or 0 for all.
	Active int
	// MinProcesses is the smallest number of processes that can run the kernel.
	MinProcesses int
	Modes        []settings.Mode
	// Rooted is true if one process is the root, which rotates.
	Rooted bool
	// ShiftsRoot is true if IMB 2021.11 changes the root of the overlapped runs, whatever -root_shift is.
	ShiftsRoot bool
	Algorithm  *Algorithm // nil: the library's own algorithm
	// Optional kernels are left out unless they are named (guide: "excluded by default").
	Optional bool
	// Since2021 is true if the guide doesn't have the kernel, but IMB 2021.11 runs it by default.
	Since2021 bool

	Builder *Builder // makes its programs
	// Function is true if the kernel calls the user's function of the same name (Setup.Options).
	Function bool
}

// NoLength reports whether the kernel moves no data. Then it has a single row, without a length.
func (k *Kernel) NoLength() bool { return k.Builder.Rows == NoLength }

// Strided reports whether the kernel has a row for each stride.
func (k *Kernel) Strided() bool { return k.Builder.Rows == Strided }

// TwoWay reports whether both processes of a pair transfer at the same time.
func (k *Kernel) TwoWay() bool { return k.Builder.Access.TwoWay }

// ModesFor returns the modes that the settings ask for, in IMB's order, which differs between its components: all
// modes, or the only one that the user wants of two.
func (k *Kernel) ModesFor(s *settings.Settings) []settings.Mode {
	switch {
	case len(k.Modes) == 0:
		return []settings.Mode{settings.Plain}
	case len(k.Modes) > 1 && s.OnlyMode != settings.Plain:
		return []settings.Mode{s.OnlyMode}
	case k.Component == RMA:
		return []settings.Mode{settings.NonAggregate, settings.Aggregate}
	}
	return k.Modes
}

// Axis is the property in which rows of one length differ.
type Axis struct {
	Name, Unit string
	Key        string // in the keys of the format kv
}

// Axis returns the property in which the kernel's rows of one length differ, or nil if there is one row for each
// length.
func (k *Kernel) Axis() *Axis {
	switch k.Builder.Rows {
	case Strided:
		return &Axis{"stride", "blocks", "S"}
	case Partitioned:
		return &Axis{"partitions", "", "P"}
	}
	return nil
}

// AxisValue returns the value of a row, counted from 0, on the kernel's axis: its stride in blocks, or the number of
// parts of its messages. It is 0 if the kernel has no axis.
func (k *Kernel) AxisValue(s *settings.Settings, row int) int64 {
	switch k.Builder.Rows {
	case Strided:
		return s.Transfers().Strides[row]
	case Partitioned:
		return s.PartitionedRows()[row].Parts
	}
	return 0
}

// OpsFor returns the calls that the engine must support with the settings.
func (k *Kernel) OpsFor(s *settings.Settings) []mpi.Op {
	r, o := k.Builder, s.Transfers()
	switch {
	case r.MoreOps != nil:
		return slices.Concat(r.Ops, r.MoreOps(k, s))
	case k.Component != PGAS || r.Access.Transfer == mpi.Nop || o.Completion != settings.CompleteByRequest:
		return r.Ops
	case r.Access.Transfer == mpi.Get:
		return slices.Concat(r.Ops, []mpi.Op{mpi.Rget, mpi.Wait})
	}
	return slices.Concat(r.Ops, []mpi.Op{mpi.Rput, mpi.Wait})
}

// RelayProcesses returns how many of a job's processes the kernel needs if it sends through relays: the sender, the
// receiver and the relays. It returns 0 for other kernels.
func (k *Kernel) RelayProcesses(s *settings.Settings, processes int) int {
	switch {
	case k.Component != MPIB || k.Name != "Relayed":
		return 0
	case s.Blocks.Relays > 0:
		return s.Blocks.Relays + 2
	}
	return min(processes, settings.Default.Relays+2)
}

// Allocates reports whether MPI allocates the kernel's memory together with a window of this kind.
func (k *Kernel) Allocates(kind settings.WindowKind) bool {
	r := k.Builder
	return kind == settings.Allocated && r.Access.Window != NoSide && !r.Access.MakesWindow
}

// reduces reports whether the kernel combines numbers.
func (k *Kernel) reduces() bool {
	return k.Type == mpi.Float32 || k.Type == mpi.Int8 || k.Component == PGAS && k.Type == mpi.Int32
}

// OnlyAggregate reports whether IMB 2021.11 prints that the kernel has only the aggregate mode: kernels that read
// files, and kernels with nonblocking file calls.
func (k *Kernel) OnlyAggregate() bool {
	return k.Component == IO && len(k.Modes) == 0 && !k.NoLength()
}

// RunsByDefault reports whether method m runs the kernel if the user names no kernel.
func (k *Kernel) RunsByDefault(m settings.MethodName) bool {
	return !k.Optional && (!k.Since2021 || m == settings.ByIMB2021)
}

// MessageWindows reports whether the kernel sends windows of messages before it waits.
func (k *Kernel) MessageWindows() bool {
	return k.Class == Rate || k.Class == Stream || k.Class == Band
}

// StatesWindow reports whether results state the kind of the kernel's RMA windows even if it is the default one.
func (k *Kernel) StatesWindow() bool { return k.Component == PGAS || k.Component == OSU }

// InPairs reports whether the kernel's processes work in pairs and so must be even in number.
func (k *Kernel) InPairs() bool { return k.MessageWindows() || k.Builder.Processes.Pairs }

// HasSides reports whether each process is the first or second one of a pair (Setup.Second).
func (k *Kernel) HasSides() bool { return k.Active == 2 || k.InPairs() && !k.Builder.Processes.Fan }

// OneSided returns the settings of one-sided calls with the kernel's defaults.
func (k *Kernel) OneSided(s *settings.Settings) settings.OneSided {
	o, defaults := s.OneSided, k.Builder.Access.Defaults
	if o.Sync = cmp.Or(o.Sync, defaults.Sync); s.Memory.Buffers == "" {
		o.Window = cmp.Or(o.Window, defaults.Window)
	}
	return (&settings.Settings{OneSided: o}).Transfers()
}

// Fits reports whether the kernel runs on a number of processes.
func (k *Kernel) Fits(processes int) bool {
	return processes >= k.MinProcesses && k.UnmetCondition(processes) == ""
}

// UnmetCondition returns the kernel's condition that this number of processes doesn't meet, in words, or "".
func (k *Kernel) UnmetCondition(processes int) string {
	if needs := k.Builder.Processes.Needs; needs != nil {
		return needs(processes)
	}
	return ""
}

// Grid returns the number of processes along each dimension of the kernel's grid, the dimension in which ranks vary
// most slowly first, or nil if the kernel has no grid.
func (k *Kernel) Grid(processes int) []int {
	dimensions := k.Builder.Processes.Grid
	if dimensions == 0 {
		return nil
	}
	sides := patterns.Grid(processes, dimensions)
	slices.Reverse(sides)
	return sides
}

// Algorithm describes how a kernel does the work of a collective call with its own messages (MPIBlib 1.2.0 manual, 7.11
// to 7.13).
type Algorithm struct {
	Operation string         // the kernel of IMB-MPI1 that calls the library for the same work
	Shape     patterns.Shape // of the tree along which the data move
	Parts     bool           // each process has its own block, and an edge carries the blocks of its subtree
	Vector    bool           // the blocks may have different lengths
}

// Labels returns the labels for a drawing of the algorithm's tree. counts holds the bytes of each rank's block.
func (a *Algorithm) Labels(t *patterns.Tree, counts []int64) (l patterns.Labels) {
	if a.Parts {
		l.Bytes = t.Weights(counts)
	}
	if a.Vector {
		l.Counts = counts
	}
	return l
}
