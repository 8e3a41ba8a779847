package probe

import "github.com/effective-bandwidth/beff/mpi"

// outstanding reports whether all nonblocking file calls of a run are started before the first is completed, as in
// today's IMB. Split collective calls can't be.
func (a *access) outstanding(s *scene) bool {
	return s.overlapped && s.settings.today() && s.series == nil && !a.collective
}

// allAtOnce returns all repetitions of a nonblocking file call: all are started, the process computes for each, and
// all are completed. c moves data between the memory, place 0, and the file, place 1.
func (a *access) allAtOnce(s *scene, c mpi.Call) []mpi.Call {
	c.Op = a.calls().start
	var list []mpi.Call
	for i := range s.repetitions {
		one := c
		if a.pointer == explicit {
			file := mpi.One(1 + int(i))
			if a.reads {
				one.Send = file
			} else {
				one.Recv = file
			}
		}
		list = append(list, one)
	}
	compute := s.compute()
	for i := range compute {
		compute[i].Times *= s.repetitions
	}
	return append(append(list, compute...), mpi.Call{Op: mpi.Waitall})
}

// placesOfAll replaces the file's place, which is the last, by one for each repetition.
func placesOfAll(x *step, repetitions int64) {
	last := len(x.places) - 1
	first := x.places[last]
	for i := range repetitions {
		place := first
		place.Advance, place.Offset = 0, first.Offset+i*first.Advance
		if i == 0 {
			x.places[last] = place
		} else {
			x.places = append(x.places, place)
		}
	}
}
