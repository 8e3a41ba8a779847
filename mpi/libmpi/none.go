//go:build !mpi

package libmpi

import "github.com/effective-bandwidth/beff/mpi"

// Built reports whether this binary is built with an MPI.
const Built = false

// Run returns ErrNotBuilt.
func Run(func(mpi.Engine) error) error { return ErrNotBuilt }

// RunThreaded returns ErrNotBuilt.
func RunThreaded(string, func(mpi.Engine) error) error { return ErrNotBuilt }
