package method

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
)

// Need is the memory in bytes that each process of groups of the world's ranks needs.
type Need struct {
	Bytes  int64
	Groups [][]int
}

// missingMemory describes which memory is missing, or returns "" if there is enough. remedy is appended to the advice
// about the settings' limit.
func (m *Measurer) missingMemory(all []Need, remedy string) string {
	most, why := lists.Max(all, func(n Need) int64 { return n.Bytes }), ""
	switch {
	case most > cmp.Or(m.Settings.Memory.Limit, settings.Default.Memory):
		why = "use flag \"-mem X\" or MAX_MEM_USAGE>=X (IMB_mem_info.h)" + remedy
	case !m.Fits(all):
		why = "the machine has less for each process"
	default:
		return ""
	}
	return fmt.Sprintf("needed X=%8.3f GB; %s", float64(most)/(1<<30), why)
}

// allocate makes the buffers on all processes. If one process can't, it makes none.
func (m *Measurer) allocate(s *kernel.Setup) (enough bool, err error) {
	if len(s.Owners()) > 1 {
		return m.allocateThreads(s)
	}
	failed := false
	for _, a := range s.Areas() {
		if s.Allocates() && a == s.Exposed() {
			continue // the window provides its memory
		}
		if heap, is := m.Engine.(mpi.Symmetric); is && s.Comm != nil && s.Kernel.Builder.Reduces() {
			a.Heap, a.Buffer, err = heap.Allocate(s.Comm, a.Size())
		} else if s.Options.Fold > 0 {
			a.Buffer, err = m.Engine.(mpi.Folder).NewFolded(a.Size(), s.Options.Fold)
		} else {
			a.Buffer, err = m.Settings.Memory.Side(s.Second()).NewBuffer(m.Engine, a.Size())
		}
		if failed = err != nil; failed {
			break
		}
	}
	failed, err = m.Any(failed)
	if failed {
		err = errors.Join(err, free(s))
	}
	return !failed, err
}

// free frees the buffers, and the windows that provide memory.
func free(s *kernel.Setup) error {
	s.Free()
	var err error
	for _, a := range s.Areas() {
		if a.Heap != nil {
			err = errors.Join(err, a.Heap.Close())
			a.Heap = nil
		}
	}
	return err
}
