package probe

import (
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
)

// TodaysCompute is the seconds that a process of today's IMB computes beside a nonblocking file call (TARGET_CPU_SECS).
const TodaysCompute = 0.01

// keepsFiles reports whether all rows of a block use one file, whose size is set before, as in today's IMB. Series may
// and other policies have more repetitions than fit into it.
func (p *Plan) keepsFiles(k *Kernel) bool {
	return k.Component == IO && p.Settings.today() && !p.inSeries(k) &&
		p.Settings.policy() == Dynamic && k.recipe().rows != noLength
}

// Defaults returns the default settings of a component's kernels by the method. Today's IMB has the same for files as
// for messages, but for the processes, and more repetitions in IMB-P2P.
func (s *Settings) Defaults(c Component) Defaults {
	d := c.Defaults()
	if s.today() && c == IO {
		least := d.LeastProcs
		d = MPI1.Defaults()
		d.LeastProcs = least
	}
	if s.today() && c == P2P {
		d.MsgsPer, d.OverallVol = 100_000, 800<<20
	}
	return d
}

// todaysSize returns the bytes of a block's file: of one that is read room for all repetitions of all rows, and of one
// that is written those of today's IMB, the volume of a row or a number of repetitions of the longest length. A private
// file has a process' part.
func (a *access) todaysSize(s *Settings, processes int) int64 {
	const repetitions = 50 // IMB_settings_io.h
	d := s.Defaults(IO)
	longest, volume := d.Longest(), or(s.OverallVol, d.OverallVol)
	if len(s.Lengths) > 0 {
		longest = max(1, slices.Max(s.Lengths))
	}
	total := max(longest, volume)
	if !a.reads && volume/longest > repetitions {
		total = longest * repetitions
	}
	if a.private {
		total = (total + int64(processes) - 1) / int64(processes)
	}
	return total + fileUnit*int64(processes)*or(s.MsgsPer, d.MsgsPer) // parts of a length may differ
}

// stretchFile creates the file and sets its size by a byte at its end. One process does it for all that share it.
func (m *measurer) stretchFile(s *scene, size int64) error {
	return m.byOne(s, func(f mpi.File) error {
		return m.move(s, mpi.FileWriteAt, mpi.Place{Space: s.send.buffer, Length: 1},
			mpi.Place{Space: f, Offset: size - 1, Length: 1})
	}, nil)
}

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
func (x *step) placesOfAll(repetitions int64) {
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
