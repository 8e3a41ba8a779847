package probe

import "github.com/effective-bandwidth/beff/mpi"

// ContigType is a form of data by IMB's name.
type ContigType string

// ContigForms has the forms by their names, except that of data without any.
var ContigForms = map[ContigType]mpi.Form{"base_vec": mpi.Joined, "resize": mpi.Apart, "resize_vec": mpi.ApartJoined}

// form returns the form of the kernel's data. Only today's IMB-MPI1 has another one than adjacent elements.
func (s *scene) form() mpi.Form {
	if !s.settings.today() || s.kernel.Component != MPI1 {
		return mpi.Adjacent
	}
	return ContigForms[s.settings.ContigType]
}

// formed returns a want of elements that have the form of the kernel's data: with gaps, all positions are further.
func (s *scene) formed(w want) want {
	n := s.form().Stride()
	w.at, w.length, w.start, w.apart = w.at*n, w.length*n, w.start*n, n > 1
	return w
}
