package method

import (
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/rating"
)

// lapsBeside takes the split times of the calls, of the usual way to do the same, and of making and freeing requests.
func lapsBeside(s *kernel.Scene, r *reading) {
	r.Seconds, r.Usual = s.Lap(kernel.Called), s.Lap(kernel.InUsual)
	r.Made, r.Freed = max(0, s.Lap(kernel.Making)), max(0, s.Lap(kernel.Freeing))
}

// beside returns the extremes and the mean of the calls' times, and the largest of each other time.
func beside(list []times) measured.Sample {
	x := extremes(list)
	for _, r := range list {
		x.Usual = max(x.Usual, rating.Picoseconds(r.Usual))
		x.Made, x.Freed = max(x.Made, rating.Picoseconds(r.Made)), max(x.Freed, rating.Picoseconds(r.Freed))
	}
	return x
}

// ofSessions returns the times of the sessions that were opened before MPI_Init.
func ofSessions(e mpi.Sessioner) times {
	first, second, _ := e.Sessions()
	whole := func(t mpi.SessionTimes) float64 { return t.Session + t.Group + t.Comm + t.Barrier }
	return times{Seconds: whole(first), Usual: whole(second), Made: first.Session, Before: first.Group,
		Compute: first.Comm, Freed: first.Freed}
}

// opened returns the extremes and the mean of the times until the first barrier, and the largest of each part.
func opened(list []times) measured.Sample {
	x := extremes(list)
	for _, r := range list {
		x.Session, x.Group = max(x.Session, rating.Picoseconds(r.Made)), max(x.Group, rating.Picoseconds(r.Before))
		x.Comm, x.Again = max(x.Comm, rating.Picoseconds(r.Compute)), max(x.Again, rating.Picoseconds(r.Usual))
		x.Freed = max(x.Freed, rating.Picoseconds(r.Freed))
	}
	return x
}
