package method

import (
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/rating"
)

// comparedLaps stores the split times of the calls. The parts are the usual way to do the same, and making and freeing
// requests.
func comparedLaps(s *kernel.Setup, r *reading) {
	r.Seconds = s.Lap(kernel.Called)
	r.Parts = [...]float64{s.Lap(kernel.InUsual), max(0, s.Lap(kernel.Making)), max(0, s.Lap(kernel.Freeing)), 4: 0}
}

// comparedSample returns the extremes and the mean of the calls' times, and the largest of each part.
func comparedSample(x *totals) measured.Sample {
	s := minMaxMean(x)
	storeParts(x.most, &s.Usual, &s.Made, &s.Freed)
	return s
}

func storeParts(t times, into ...*float64) {
	for i, to := range into {
		*to = rating.Picoseconds(t.Parts[i])
	}
}

// sessionTimes returns the times of the sessions that were opened before MPI_Init. The parts are the steps of the first
// session, and the whole second session.
func sessionTimes(e mpi.Sessioner) times {
	first, second, _ := e.Sessions()
	whole := func(t mpi.SessionTimes) float64 { return t.Session + t.Group + t.Comm + t.Barrier }
	return times{Seconds: whole(first), Parts: [...]float64{first.Session, first.Group, first.Comm, first.Freed,
		whole(second)}}
}

// sessionSample returns the extremes and the mean of the times until the first barrier, and the largest of each part.
func sessionSample(x *totals) measured.Sample {
	s := minMaxMean(x)
	storeParts(x.most, &s.Session, &s.Group, &s.Comm, &s.Freed, &s.Again)
	return s
}
