package method

import (
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/rating"
)

// lapsOfParts takes the times of a process in round trips of partitioned messages: until its last part was ready, of
// all parts of the round trips, and of the round trips of plain messages.
func lapsOfParts(s *kernel.Scene, r *reading) {
	r.Before, r.Usual = s.Lap(kernel.PartsReady), s.Lap(kernel.PlainDone)
	r.Seconds = s.Lap(kernel.PartsBegun) + r.Before + s.Lap(kernel.PartsDone)
}

// roundTripOfParts returns the times of round trips by the first process's clock. From a round trip it subtracts the
// times in which either process makes its parts ready. What remains is the time between the last part and the arrival
// of the whole message, in both directions. It only uses durations, so the two clocks needn't agree.
func roundTripOfParts(list []times) (x measured.Sample) {
	first, last := list[0], list[len(list)-1]
	x.Min = rating.Picoseconds(first.Seconds)
	x.Max, x.Mean = x.Min, x.Min
	x.Usual = rating.Picoseconds(first.Usual)
	x.Last = rating.Picoseconds(max(0, first.Seconds-first.Before-last.Before))
	return x
}
