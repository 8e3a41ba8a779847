package probe

import (
	"cmp"
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
)

// keepsFiles reports whether all rows of a block use one file. Other policies may have more repetitions than fit.
func keepsFiles(s *Settings, k *kernel.Kernel) bool {
	return k.Component == kernel.IO && MethodOf(s, k).keepsFiles && s.policy() == Dynamic &&
		k.Recipe.Rows != kernel.NoLength
}

// todaysSize returns the bytes of a block's file: of one that is read room for all repetitions of all rows, and of one
// that is written those of today's IMB, the volume of a row or a number of repetitions of the longest length. A private
// file has a process' part.
func todaysSize(a *kernel.FileUse, s *Settings, processes int) int64 {
	const repetitions = 50 // IMB_settings_io.h
	d := Chosen(s).Defaults(kernel.IO)
	longest, volume := d.Longest(), cmp.Or(s.OverallVol, d.OverallVol)
	if len(s.Lengths) > 0 {
		longest = max(1, slices.Max(s.Lengths))
	}
	total := max(longest, volume)
	if !a.Reads && volume/longest > repetitions {
		total = longest * repetitions
	}
	if a.Private {
		total = (total + int64(processes) - 1) / int64(processes)
	}
	return total + kernel.FileUnit*int64(processes)*cmp.Or(s.MsgsPer, d.MsgsPer) // parts of a length may differ
}

// stretchFile creates the file and sets its size by a byte at its end. One process does it for all that share it.
func (m *Measurer) stretchFile(s *kernel.Scene, size int64) error {
	return m.byOne(s, func(f mpi.File) error {
		return m.move(s, mpi.FileWriteAt, mpi.Place{Space: s.Send.Buffer, Length: 1},
			mpi.Place{Space: f, Offset: size - 1, Length: 1})
	}, nil)
}
