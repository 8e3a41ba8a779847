package method

import (
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/rating"
)

// lapsOfParts takes the times of a process in round trips of messages in parts: until the last part was ready, of all
// of the round trips, and of those of plain messages.
func lapsOfParts(s *kernel.Scene, r *reading) {
	r.Before, r.Usual = s.Lap(kernel.PartsReady), s.Lap(kernel.PlainDone)
	r.Seconds = s.Lap(kernel.PartsBegun) + r.Before + s.Lap(kernel.PartsDone)
}

// roundTripOfParts returns the times of round trips by the clock of the first process. What they take beyond that in
// which either process makes its parts ready is the time from the last part to the whole message, of both ways. Both
// are lengths of time, so the clocks of the two needn't agree.
func roundTripOfParts(list []times) (x measured.Sample) {
	first, last := list[0], list[len(list)-1]
	x.Min = rating.Picoseconds(first.Seconds)
	x.Max, x.Mean = x.Min, x.Min
	x.Usual = rating.Picoseconds(first.Usual)
	x.Last = rating.Picoseconds(max(0, first.Seconds-first.Before-last.Before))
	return x
}
