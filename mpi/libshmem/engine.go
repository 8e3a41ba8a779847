package libshmem

import (
	"fmt"
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/libmpi"
	"github.com/effective-bandwidth/beff/mpi/libmpi/plugin"
)

// Name is the engine's name in results.
const Name = "openshmem"

// Kind holds the properties of this engine.
var Kind = mpi.EngineKind{Distributed: true, SHMEM: true}

// base is the engine over OpenSHMEM's MPI. The windows of its plug-in are OpenSHMEM's.
type base interface {
	mpi.Engine
	mpi.Interrupter
	mpi.Windows
	mpi.Watchable
	mpi.Starter
}

type engine struct {
	base
	symmetric map[mpi.Space]bool // memory of Allocate, which is at the same place in the heap on all processes
}

var (
	_ mpi.Engine      = engine{}
	_ mpi.Interrupter = engine{}
	_ mpi.Windows     = engine{}
	_ mpi.Watchable   = engine{}
	_ mpi.Symmetric   = engine{}
)

// Run loads a plug-in for OpenSHMEM, initializes OpenSHMEM and its MPI, calls main and finalizes both (libmpi.Run).
func Run(files plugin.Files, main func(mpi.Engine) error) error {
	return libmpi.Run(files, func(below mpi.Engine) error {
		b, ok := below.(base)
		if !ok || below.Library().Engine != Name {
			return &mpi.AgreedError{Err: fmt.Errorf("%s is not a plug-in of OpenSHMEM: build one with beff mpi add "+
				"--mpicc oshcc", files.Path)}
		}
		return main(engine{b, map[mpi.Space]bool{}})
	})
}

// calls are the calls that programs may contain in addition to calls without communication.
var calls = []mpi.Op{
	mpi.Barrier, mpi.Notify, mpi.Allreduce, mpi.Decide, mpi.Put, mpi.Get, mpi.FetchAndOp, mpi.WinLock,
	mpi.WinUnlock, mpi.WinLockAll,
	mpi.WinUnlockAll, mpi.WinFlush, mpi.WinFlushLocal, mpi.WinFlushAll, mpi.WinFlushLocalAll, mpi.WinSync,
}

// Supports reports whether OpenSHMEM has an equivalent call.
func (e engine) Supports(op mpi.Op) bool {
	return e.base.Supports(op) && (op.Family() == mpi.Own || slices.Contains(calls, op))
}

// Library returns OpenSHMEM's name, and the version of the library that contains it.
func (e engine) Library() mpi.Library {
	lib := e.base.Library()
	lib.Stated = Kind
	return lib
}

// NewWindow returns an error, because OpenSHMEM's calls can't access memory outside of its heap.
func (e engine) NewWindow(mpi.Comm, mpi.Buffer) (mpi.Window, error) {
	return nil, &mpi.AgreedError{Err: &mpi.UnsupportedError{Engine: Name, Op: mpi.WinCreate}}
}

// Allocate makes a window in the symmetric heap.
func (e engine) Allocate(c mpi.Comm, size int64) (mpi.Window, mpi.Buffer, error) {
	w, b, err := e.base.Allocate(c, size)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: the symmetric heap may be too small for a window of %d bytes: "+
			"SHMEM_SYMMETRIC_HEAP_SIZE sets its size, such as 1G", err, size)
	}
	e.symmetric[b] = true
	return w, b, nil
}

// Symmetric implements mpi.Symmetric: OpenSHMEM's reductions only take arrays of the symmetric heap.
func (engine) Symmetric() {}

// Compile returns an error for transfers and elements that OpenSHMEM's calls can't express.
func (e engine) Compile(p *mpi.Program) (mpi.Runner, error) {
	if err := mpi.CheckSupport(e, p); err != nil {
		return nil, err
	}
	for _, section := range p.Sections() {
		for _, c := range section {
			if why := e.unfit(p, c); why != "" {
				return nil, &mpi.UnsupportedError{Engine: Name, Op: c.Op, Why: why}
			}
		}
	}
	return e.base.Compile(p)
}

// unfit returns the reason why OpenSHMEM can't make a call, or "".
func (e engine) unfit(p *mpi.Program, c mpi.Call) string {
	if c.Op == mpi.Allreduce {
		return e.unfitReduction(p.Places[c.Send.First], p.Places[c.Recv.First])
	}
	if c.Op.Family() != mpi.OneSided {
		return ""
	}
	here, there := p.Places[c.Send.First], p.Places[c.Recv.First]
	switch c.Op {
	case mpi.Put, mpi.Get:
		return unfitPieces(here, there)
	}
	switch {
	case c.Reduce != mpi.Sum:
		return "of anything but sums"
	case here.Type != mpi.Int32 && here.Type != mpi.Int64:
		return "of floating-point numbers"
	}
	return ""
}

// unfitReduction returns the reason why places can't be the arrays of a reduction, or "".
func (e engine) unfitReduction(places ...mpi.Place) string {
	for _, place := range places {
		switch {
		case !e.symmetric[place.Space]:
			return "of memory outside of the symmetric heap"
		case place.Type == mpi.Int8:
			return "of signed chars"
		case place.Form != mpi.Basic:
			return "of elements with gaps"
		case place.Length/place.Type.Size() > math.MaxInt32:
			return "of more elements than an int counts"
		}
	}
	return ""
}

// unfitPieces returns the reason why the pieces of two places can't be the elements of one strided transfer, or "".
func unfitPieces(places ...mpi.Place) string {
	element := int64(0)
	for _, place := range places {
		if len(place.Pieces) == 0 {
			continue
		}
		stride, regular := mpi.Regular(place.Pieces)
		size := place.Pieces[0].Length
		switch {
		case !regular || size != 4 && size != 8 || stride%size != 0 || place.Offset%size != 0 ||
			place.Advance%size != 0:
			return "of pieces other than elements of 4 or 8 bytes with a stride of whole elements"
		case element != 0 && size != element:
			return "of elements of different sizes"
		}
		element = size
	}
	return ""
}
