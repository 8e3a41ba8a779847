package method

import (
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/rating"
)

// partitionLaps stores the times of a process in round trips of partitioned messages. The parts are the round trips of
// plain messages, and the times until the process's last part was ready.
func partitionLaps(s *kernel.Setup, r *reading) {
	r.Parts = [...]float64{s.Lap(kernel.PlainDone), s.Lap(kernel.PartsReady), 4: 0}
	r.Seconds = s.Lap(kernel.PartsBegun) + r.Parts[1] + s.Lap(kernel.PartsDone)
}

// partitionSample returns the times of round trips by the first process's clock. From a round trip it subtracts the
// times in which either process makes its parts ready. The rest is the time between the last part and the arrival of
// the whole message, in both directions. It only uses durations, so the two clocks needn't agree.
func partitionSample(x *totals) (s measured.Sample) {
	s.Min = rating.Picoseconds(x.first.Seconds)
	s.Max, s.Mean = s.Min, s.Min
	s.Usual = rating.Picoseconds(x.first.Parts[0])
	s.Last = rating.Picoseconds(max(0, x.first.Seconds-x.first.Parts[1]-x.last.Parts[1]))
	return s
}
