package method

import (
	"cmp"
	"errors"
	"math"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/stats"
)

// Batches of a guideline's row are as large as its time allows, unless the user gives their size.
const (
	turnsTime = 0.2 // seconds
	maxInTurn = 16  // repetitions of a batch
)

// Guidelines returns the method of guidelines. Batches of both sides alternate within one launch, and the call comes
// first in every other round, so that any disturbance affects both. Two barriers precede each repetition, and the time
// of the slowest process counts. The time of a batch is its median, and the ratio of a round is the ratio of its two
// medians.
func Guidelines() Method {
	m := Guide()
	m.Name, m.Title = settings.ByTurns, "both sides of a guideline in turn"
	m.lengths = func(*kernel.Kernel) []int64 { return []int64{8, 64, 1 << 10, 1 << 13, 1 << 16, 1 << 20} }
	m.noZero, m.Everyone, m.times, m.clock.shifts = true, true, true, false
	m.clock.each = nil
	m.cache = func(Way) int64 { return 0 }
	m.count.most = func(Way, *measured.Block, int64) int64 { return maxInTurn }
	m.unfit = func(w Way) string {
		switch {
		case w.kernel.Class != kernel.CallAndMockUp:
			return "is not a guideline: leave the method out"
		case w.settings.InSeries() || w.settings.CountsTimes():
			return "has no series: leave timing, precision, quantiles and columns out"
		}
		return ""
	}
	m.row = (*Measurer).measureGuideline
	return m
}

// guidelineRow measures a row of a guideline on one process.
type guidelineRow struct {
	*Measurer
	s     *kernel.Setup
	sides [2]*session // of the call and of the mock-up
	n     int64       // repetitions of a batch
}

// measureGuideline measures a row of a guideline. All processes of the world take part.
func (m *Measurer) measureGuideline(t *Table, s *kernel.Setup, row *measured.Row, _ int64) error {
	x := &guidelineRow{Measurer: m, s: s, n: 1}
	if err := x.begin(); err != nil {
		return err
	}
	began := m.Seconds()
	g := &measured.Guideline{}
	for round := range measured.Rounds {
		var took [2]float64
		for i := range took {
			side := (i + round) % 2
			var err error
			if took[side], err = x.runBatch(side); err != nil {
				return err
			}
		}
		patience := cmp.Or(m.Settings.Repetitions.SampleTime, settings.Default.SampleTime)
		late, err := m.Any(m.First() && m.Seconds()-began > patience)
		if err != nil {
			return err
		}
		g.Call = append(g.Call, picoseconds(took[:1])...)
		g.MockUp = append(g.MockUp, picoseconds(took[1:])...)
		if late {
			break
		}
	}
	if err := lists.Try(x.sides[:], func(o *session) error { return o.close(nil) }); err != nil {
		return err
	}
	row.Guideline, row.Repetitions = g, x.n*int64(len(g.Call))
	err := job.Agree(m.World, s.Results.Failure) // of a file call
	if err == nil {
		err = x.check(row)
	}
	if s.Run.Reversed != nil {
		err = errors.Join(err, s.Run.Reversed.Free())
		s.Run.Reversed = nil
	}
	return err
}

// begin makes the programs of both sides. It runs a few repetitions of each, which also warm up the library, to
// determine the size of a batch.
func (x *guidelineRow) begin() (err error) {
	x.s.Run.Series = &kernel.SeriesTiming{Synchronised: true, Inner: 1}
	defer func() { x.s.Run.Series, x.s.Run.MockUp = nil, false }()
	if x.s.Kernel.Builder.Processes.Reverses && x.s.Comm != nil {
		if x.s.Run.Reversed, err = x.s.Comm.Split(0, x.s.Size()-x.s.Rank()); err != nil {
			return err
		}
	}
	for side := range x.sides {
		x.s.Run.MockUp, x.s.Run.Repetitions = side == 1, 1
		if x.sides[side], err = x.open(x.s, false); err != nil {
			return err
		}
		x.sides[side].calm()
	}
	slowest := 0.0
	for range 2 { // the first run includes work that is done only once
		slowest = 0
		for side := range x.sides {
			took, err := x.runBatch(side)
			if err != nil {
				return err
			}
			slowest = max(slowest, took)
		}
	}
	const share = turnsTime / (2 * measured.Rounds)
	x.n = int64(max(1, min(maxInTurn, math.Floor(share/max(slowest, 1e-9))-1)))
	if given := x.Settings.Repetitions.Max; given > 0 {
		x.n = given
	}
	return nil
}

// runBatch runs a batch of a side and returns the seconds of a repetition: the median of the batch, in which each time
// is the slowest process's. The first repetition isn't timed. All processes get the same result.
func (x *guidelineRow) runBatch(side int) (float64, error) {
	took := make([]float64, x.n)
	if x.s.Comm != nil {
		got, err := x.sides[side].run(mpi.Loops{Timed: 1 + x.n, Each: true})
		if err != nil {
			return 0, err
		}
		var b batch
		b.readLaps(got)
		took = b.took[1:]
	}
	if err := x.World.Allreduce(took, mpi.Max); err != nil {
		return 0, err
	}
	return stats.Middle(took), nil
}

// check runs each side once more, and counts the errors in the data that it leaves.
func (x *guidelineRow) check(row *measured.Row) error {
	var r reading
	defer func() { x.s.Run.MockUp, x.s.Run.Single = false, false }()
	x.s.Run.Single = true
	for side := range x.sides {
		x.s.Run.MockUp = side == 1
		if _, err := x.run(x.s, 1, &r); err != nil {
			return err
		}
	}
	return x.count(row, r)
}
