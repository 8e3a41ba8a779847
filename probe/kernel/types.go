package kernel

import (
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/settings"
)

// Kind returns the type of a kernel's data.
func (k *Kernel) Kind(s *settings.IMB) mpi.Type {
	switch {
	case s == nil:
		return k.Type
	case k.Component == MT && s.DataType == settings.Characters && k.Builder.Reduces():
		return mpi.Int8
	case k.Component == MT && s.DataType == settings.Characters:
		return mpi.Byte
	case k.Component != MPI1 && k.Component != OSU:
		return k.Type
	}
	chosen := s.DataType
	if k.reduces() && k.Component == MPI1 {
		chosen = s.RedType
	}
	if chosen == "" {
		return k.Type
	}
	return chosen.Type()
}

// Unit returns the bytes of which lengths are multiples: an element of the kernel's type, but in IMB-EXT always a float
// ("0, 4, 8" in the guide's sample 4), and in PGAS always an int.
func (k *Kernel) Unit(s *settings.IMB) int64 {
	if k.Component == EXT || k.Component == PGAS {
		return mpi.Float32.Size()
	}
	return k.Kind(s).Size()
}

// Form returns the form of the kernel's data. Only in IMB-MPI1 2021.11 can elements have gaps.
func (s *Setup) Form() mpi.Form {
	if !s.Options.IMB.Is2021() || s.Kernel.Component != MPI1 {
		return mpi.Basic
	}
	return settings.ContigForms[s.Options.IMB.ContigType]
}

// WithForm adapts a want to the form of the kernel's data (mpi.Form). If there are gaps between elements, it doubles
// all positions and lengths.
func (s *Setup) WithForm(w Want) Want {
	n := s.Form().Stride()
	w.At, w.Length, w.Start, w.gapped = w.At*n, w.Length*n, w.Start*n, n > 1
	return w
}
