package probe

import (
	"fmt"

	"github.com/effective-bandwidth/beff/mpi"
)

// recipe is how the programs of a kernel are made.
type recipe struct {
	ops    []mpi.Op // that the engine must have
	build  func(s *scene) *step
	memory func(s *scene) (send, recv int64) // bytes of one repetition's data; nil: the row's length each
	window side                              // memory that others reach into
	// makesWindow: the programs make and free the window themselves.
	makesWindow bool
	rows        rows
	// packed places must stay next to each other, so that they can't advance through a cache.
	packed  bool
	prepare func(s *scene) // what else the memory holds before a run; nil: nothing
	// alone is checked in further repetitions of one: what a timed run leaves behind says too little.
	alone bool
	file  *access // of IMB-IO; nil: none
}

// side says which memory a window is made of.
type side uint8

const (
	noSide side = iota
	sendSide
	recvSide
)

// rows are the lengths that a kernel is measured with.
type rows uint8

const (
	allLengths rows = iota
	noLength        // a single row
	oneElement      // a single row, of one element of its type
)

// recipe returns the kernel's one. A kernel without is a row of the table that somebody forgot: TestRecipes.
func (k *Kernel) recipe() *recipe {
	r, ok := recipes[k.Component][k.Name]
	if !ok {
		panic(fmt.Sprintf("probe: no recipe for %s of IMB-%s", k.Name, k.Component))
	}
	return r
}

// recipes has one for each row of the table of kernels.
var recipes = func() map[Component]map[string]*recipe {
	blocking, nonblocking := collectiveRecipes()
	return map[Component]map[string]*recipe{MPI1: blocking, EXT: activeTarget, IO: fileRecipes(), NBC: nonblocking,
		RMA: passiveTarget}
}()

func (k *Kernel) ops() []mpi.Op { return k.recipe().ops }

// sizes are the bytes that a repetition sends from and receives into.
func (s *scene) sizes() (send, recv int64) {
	if m := s.kernel.recipe().memory; m != nil {
		return m(s)
	}
	return s.bytes, s.bytes
}
