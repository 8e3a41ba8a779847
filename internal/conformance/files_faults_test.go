package conformance

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/internal/fault"
	"github.com/effective-bandwidth/beff/mpi"
)

// another replaces the call op by the call wrong.
func another(op, wrong mpi.Op) func(p *mpi.Program) {
	return func(p *mpi.Program) {
		for i := range p.Loop {
			if p.Loop[i].Op == op {
				p.Loop[i].Op = wrong
			}
		}
	}
}

// astray moves the places in files to wrong offsets.
func astray(p *mpi.Program) {
	for i, place := range p.Places {
		if _, ok := place.Space.(mpi.File); ok {
			p.Places[i].Offset += 8
		}
	}
}

// standstill stops all places from advancing.
func standstill(p *mpi.Program) {
	for i := range p.Places {
		p.Places[i].Advance = 0
	}
}

// everyone spoils the programs of all ranks in the same way.
func everyone(change func(p *mpi.Program)) []fault.Fault {
	return everywhere(func(rank int) fault.Fault { return spoiled(rank, change) })
}

// counted changes the measurements of a rank.
func counted(rank int, change func(m *mpi.Measurement)) []fault.Fault {
	return at(measured(rank, change))
}

// TestFileCasesSeeFaults is TestCasesSeeFaults for files, laps and stop rules.
func TestFileCasesSeeFaults(t *testing.T) {
	for _, c := range []struct {
		name   string
		faults []fault.Fault
	}{
		{"FileSegments", at(spoiled(1, without(mpi.Stamp)))},
		{"FileSegments", at(spoiled(1, without(mpi.FileRead)))},
		{"FileSegments", everyone(without(mpi.FileWriteAll))},
		{"FileSlots", at(fault.WrongByte(2, 9))},
		{"FileSlots", at(spoiled(0, without(mpi.FileWrite)))},
		{"FileOrdered", everyone(another(mpi.FileWriteOrdered, mpi.FileWrite))},
		{"FileOrdered", everyone(another(mpi.FileReadOrdered, mpi.FileRead))},
		{"FileOffsets", at(spoiled(1, astray))},
		{"FileOffsets", at(spoiled(2, another(mpi.FileWriteAt, mpi.FileWrite)))},
		{"FileNonblocking", at(spoiled(1, without(mpi.FileIreadAt)))},
		{"FileSeparate", at(spoiled(1, without(mpi.FileWrite)))},
		{"FileShared", everyone(another(mpi.FileWriteShared, mpi.FileWrite))},
		{"FileShared", everyone(another(mpi.FileReadShared, mpi.FileRead))},
		{"FileSync", at(spoiled(1, without(mpi.FileWriteAt)))},
		{"FileFlip", at(spoiled(2, without(mpi.Check)))},
		{"FileFlip", counted(2, blind)},
		{"FileFlip", counted(2, func(m *mpi.Measurement) { m.Wrong *= 2 })},
		{"FileFlip", counted(1, func(m *mpi.Measurement) { m.Wrong = 1 })},
		{"FileHole", counted(0, func(m *mpi.Measurement) { m.Wrong = 0 })},
		{"FileEnd", counted(2, func(m *mpi.Measurement) { m.Failure = nil })},
		{"FileEnd", counted(0, func(m *mpi.Measurement) { m.Failure = &mpi.Error{} })},
		{"FileEnd", counted(1, func(m *mpi.Measurement) { m.Loops-- })},
		{"FileSplit", at(spoiled(1, without(mpi.Stamp)))},
		{"FileSplit", at(fault.WrongByte(2, 15))},
		{"FileSplitOrdered", at(fault.WrongByte(0, 3))},
		{"FileSplitOrdered", at(spoiled(2, without(mpi.Check)), spoiled(2, without(mpi.Stamp)))},
		{"FileSplitFails", counted(0, func(m *mpi.Measurement) { m.Failure = nil })},
		{"FileBytes", at(spoiled(1, astray))},
		{"FileBytes", at(spoiled(0, without(mpi.FileReadAll)))},
		{"FileReopen", at(spoiled(2, without(mpi.FileWriteAt)))},
		{"FileReopen", at(spoiled(1, astray))},
		{"Decide", counted(1, func(m *mpi.Measurement) { m.Loops++ })},
		{"Decide", counted(1, timeless)},
		{"OwnClock", counted(0, func(m *mpi.Measurement) { m.Loops = 0 })},
		{"Laps", counted(1, func(m *mpi.Measurement) { m.Laps = nil })},
		{"Laps", counted(1, func(m *mpi.Measurement) { m.Laps[0].Seconds += 1000 })},
		{"Laps", counted(1, func(m *mpi.Measurement) { m.Laps[2].Last = 0 })},
		{"Laps", everyone(another(mpi.Lap, mpi.Nop))},
		{"Tally", counted(1, func(m *mpi.Measurement) { m.Laps[1].Tally = nil })},
		{"Tally", counted(0, func(m *mpi.Measurement) { m.Laps[1].Tally.Counts[0]++ })},
		{"Tally", counted(2, func(m *mpi.Measurement) { m.Laps[1].Tally.Slowest[0].Loop++ })},
		{"Sections", at(spoiled(1, func(p *mpi.Program) { p.Before = nil }))},
		{"Sections", at(spoiled(0, func(p *mpi.Program) { p.Before, p.After = p.After, p.Before }))},
		{"Sections", at(spoiled(2, func(p *mpi.Program) { p.Loop, p.After = append(p.Loop, p.After...), nil }))},
		{"SectionMessages", at(fault.WrongByte(1, 0))},
		{"SectionMessages", at(spoiled(2, func(p *mpi.Program) { p.Places[4].Mark.Key++ }))},
		{"SectionTimes", everyone(func(p *mpi.Program) { p.After = nil })},
		{"SectionTimes", counted(1, func(m *mpi.Measurement) { m.Seconds /= 2 })},
		{"Each", counted(1, func(m *mpi.Measurement) { m.Each = nil })},
		{"Each", counted(1, func(m *mpi.Measurement) { m.Each = make([]float64, m.Loops) })},
		{"Each", counted(2, func(m *mpi.Measurement) { m.Seconds += 1e-3 })},
		{"Each", counted(0, func(m *mpi.Measurement) { m.Laps[2].Each = m.Laps[1].Each })},
		{"Blocks", counted(1, func(m *mpi.Measurement) { m.Blocks = nil })},
		{"Blocks", counted(2, func(m *mpi.Measurement) { m.PerBlock++ })},
		{"Blocks", counted(0, func(m *mpi.Measurement) { m.Blocks[0] = 0 })},
		{"Begins", counted(0, func(m *mpi.Measurement) { m.Begin = 0 })},
		{"Begins", counted(2, func(m *mpi.Measurement) { m.Begin -= 1 })},
		{"Advancing", at(spoiled(1, standstill))},
		{"Advancing", at(twice(2))},
		{"AdvancingMessages", at(spoiled(0, standstill))},
		{"AdvancingFile", at(spoiled(1, standstill))},
		{"AdvancingFile", at(spoiled(2, func(p *mpi.Program) { p.Places[0].Advance = 0; p.Places[1].Advance /= 3 }))},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Error(t, runCase(t, c.name, c.faults...))
			passes(t, c.name)
		})
	}
}
