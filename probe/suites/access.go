package suites

import (
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
)

// outstanding reports whether a run starts all its nonblocking file calls before it completes the first, as IMB 2021.11
// does. Split collective calls can't overlap, so they are completed one by one.
func (a *access) outstanding(s *kernel.Setup) bool {
	return s.Run.Overlapped && s.Options.IMB.Is2021() && s.Run.Series == nil && !a.collective
}

// allAtOnce returns all repetitions of a nonblocking file call: the process starts all of them, computes once for each,
// and then completes all. c moves data between the memory, place 0, and the file, place 1.
func (a *access) allAtOnce(s *kernel.Setup, c mpi.Call) []mpi.Call {
	c.Op = a.calls().start
	var list []mpi.Call
	for i := range s.Run.Repetitions {
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
	compute := s.Compute()
	for i := range compute {
		compute[i].Times *= s.Run.Repetitions
	}
	return append(append(list, compute...), mpi.Call{Op: mpi.Waitall})
}

// placesOfAll replaces the file's place, which is the last one, by a place for each repetition.
func placesOfAll(x *kernel.Step, repetitions int64) {
	last := len(x.Places) - 1
	first := x.Places[last]
	for i := range repetitions {
		place := first
		place.Advance, place.Offset = 0, first.Offset+i*first.Advance
		if i == 0 {
			x.Places[last] = place
		} else {
			x.Places = append(x.Places, place)
		}
	}
}
