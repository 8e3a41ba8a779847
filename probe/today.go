package probe

import (
	"cmp"

	"github.com/effective-bandwidth/beff/probe/kernel"
)

// modes returns the modes of a kernel, or the only one that the user wants of two.
func modes(s *Settings, k *kernel.Kernel) []kernel.Mode {
	if only := s.OnlyMode; only != kernel.Plain && len(k.Modes) > 1 {
		return []kernel.Mode{only}
	}
	return k.ModesInOrder()
}

// Types returns MPI's names of the types of data and of the numbers that are reduced.
func (s *Settings) Types() (data, numbers string) {
	names := map[kernel.DataType]string{"int": "MPI_INT", "float": "MPI_FLOAT", "double": "MPI_DOUBLE"}
	return cmp.Or(names[s.DataType], "MPI_BYTE"), cmp.Or(names[s.RedType], "MPI_FLOAT")
}
