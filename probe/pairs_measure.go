package probe

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/stats"
)

// Each pair is measured in several passes over all pairs, so that a disturbance of the machine, which hits one pass,
// can't be taken for a slow link. A batch is a pair's repetitions in a pass. One repetition before it isn't timed.
const (
	passes     = 3
	mostBatch  = 9 // repetitions, unless the user says how many
	leastBatch = 3 // however long they take
)

// pairing measures a row of pairs on one process.
type pairing struct {
	*measurer
	t      *table
	s      *scene
	rounds patterns.Rounds
	idle   mpi.Runner
	n      int64 // repetitions of a batch
	last   bool  // the pass whose data are checked
	mine   []pairRecord
	index  map[patterns.Pair]int // of process 0: in the row
	sums   [][]pairSum           // of process 0: of each direction and pair
	row    *Row
}

// pairRecord holds the outcome of a batch on one process.
type pairRecord struct {
	Median, Mean, Squares float64 // seconds, and the sum of the squares of the distances from the mean
	Checked, Defects      int64
}

// pairSum holds the batches of a pair so far.
type pairSum struct{ batches []pairRecord }

// pairs measures a row of pairs. All processes of the world take part.
func (m *measurer) pairs(t *table, s *scene, row *Row) error {
	x := &pairing{measurer: m, t: t, s: s, row: row}
	var err error
	if x.rounds, err = m.plan.Settings.rounds(s.ranks); err != nil {
		return err
	}
	if x.idle, err = m.Engine.Compile(&mpi.Program{Start: m.World}); err != nil {
		return err
	}
	if err := x.begin(); err != nil {
		return err
	}
	for pass := range passes {
		x.last = pass == passes-1
		for k := range x.rounds.Count {
			if err := x.round(pass, k); err != nil {
				return err
			}
		}
	}
	x.idle.Close()
	row.Repetitions = passes * x.n
	if m.First() {
		row.Pairs = x.times()
	}
	return nil
}

// begin finds whether the library can express the messages, and how many repetitions a batch has.
func (x *pairing) begin() error {
	first := x.rounds.Of(0)[0]
	for _, measures := range []bool{true, false} {
		x.s.meeting = &meeting{peer: (x.s.rank() + 1) % x.s.size(), measures: measures}
		runner, err := x.Engine.Compile(x.s.program(x.s.kernel.recipe().build(x.s)))
		if err := x.compiled(err); err != nil {
			return err
		}
		runner.Close()
	}
	if x.First() {
		x.sums = make([][]pairSum, len(x.directions()))
		for i := range x.sums {
			x.sums[i] = make([]pairSum, x.rounds.Pairs)
		}
		x.index = make(map[patterns.Pair]int, x.rounds.Pairs)
		for i, p := range x.rounds.All() {
			x.index[p] = i
		}
	}
	if x.n = x.plan.Settings.MsgsPer / passes; x.n > 0 {
		return nil
	}
	x.n = 1
	began := x.Now()
	if _, err := x.batch(x.role([]patterns.Pair{first}, false)); err != nil {
		return err
	}
	seconds, err := x.most(x.Now().Sub(began).Seconds() / 2) // of two repetitions
	slots := x.rounds.Pairs
	if x.plan.Settings.AtOnce {
		slots = x.rounds.Count
	}
	fit := or(x.plan.Settings.SampleTime, DefaultSampleTime) / (passes * float64(slots*len(x.directions())) * seconds)
	x.n = int64(min(max(fit-1, leastBatch), mostBatch))
	return err
}

// directions returns whether the higher rank measures, for each program of a pair.
func (x *pairing) directions() []bool {
	if x.s.kernel.recipe().directed {
		return []bool{false, true}
	}
	return []bool{false}
}

// round measures a pass of the pairs of a round: all at the same time, or one after the other.
func (x *pairing) round(pass, k int) error {
	list := x.rounds.Of(k)
	x.mine = make([]pairRecord, len(x.directions()))
	x.Progress(func(p *rating.Progress) {
		p.Doing = fmt.Sprintf("%s, %s, round %d of %d, pass %d of %d", x.t.block.Name(), rating.Bytes(x.s.bytes), k+1,
			x.rounds.Count, pass+1, passes)
		rows := float64(max(x.plan.Rows(), 1))
		p.Part = (float64(x.done) + float64(pass*x.rounds.Count+k)/float64(passes*x.rounds.Count)) / rows
	})
	slots := [][]patterns.Pair{list}
	if !x.plan.Settings.AtOnce {
		slots = slices.Collect(slices.Chunk(list, 1))
	}
	for _, slot := range slots {
		for i, back := range x.directions() {
			with := x.role(slot, back)
			record, err := x.batch(with)
			if err != nil {
				return err
			}
			if with != nil {
				x.mine[i] = record
			}
		}
	}
	if err := x.collect(list); err != nil {
		return err
	}
	if err := x.Engine.Collect(); err != nil {
		return err
	}
	return x.stopped()
}

// role returns this process' part in pairs that run at the same time, nil if it has none.
func (x *pairing) role(slot []patterns.Pair, back bool) *meeting {
	for _, p := range slot {
		switch x.s.rank() {
		case p.I:
			return &meeting{peer: p.J, measures: !back}
		case p.J:
			return &meeting{peer: p.I, measures: back}
		}
	}
	return nil
}

// batch runs the repetitions of a pair. A process without a part in them runs an empty program, and so meets the others
// in the barrier before them: pairs follow each other.
func (x *pairing) batch(with *meeting) (r pairRecord, err error) {
	if with == nil {
		_, err = x.idle.Run(mpi.Loops{Timed: 1})
		return r, err
	}
	s := x.s
	s.meeting = with
	step := s.kernel.recipe().build(s)
	program := s.program(step)
	program.Start = x.World
	runner, err := x.Engine.Compile(program)
	if err != nil {
		return r, err
	}
	if x.last {
		if err := s.renew(); err != nil {
			return r, err
		}
	}
	calm(runner)
	got, err := runner.Run(mpi.Loops{Untimed: 1, Timed: x.n, Each: true})
	if err != nil {
		return r, err
	}
	runner.Close()
	s.used += x.n + 1
	if with.measures && s.kernel.recipe().lap < len(got.Laps) {
		r = reduced(got.Laps[s.kernel.recipe().lap].Each)
	}
	if x.last {
		var seen reading
		err = seen.check(x.measurer, s)(step)
		r.Checked, r.Defects = seen.checked, seen.defects
	}
	return r, err
}

// reduced returns the figures of a batch of times.
func reduced(times []float64) (r pairRecord) {
	for _, t := range times {
		r.Mean += t / float64(len(times))
	}
	for _, t := range times {
		r.Squares += (t - r.Mean) * (t - r.Mean)
	}
	r.Median = stats.Middle(times)
	return r
}

// collect brings the records of a round to process 0.
func (x *pairing) collect(list []patterns.Pair) error {
	mine, err := binary.Append(nil, binary.LittleEndian, x.mine)
	if err != nil {
		return err
	}
	var all []byte
	if x.First() {
		all = make([]byte, len(mine)*x.World.Size())
	}
	// The row's group is the world, perhaps in another order (-map). Its records come in the group's order.
	if err := x.s.comm.Gather(mine, all, 0); err != nil || !x.First() {
		return err
	}
	records := make([]pairRecord, len(x.mine)*x.World.Size())
	if _, err := binary.Decode(all, binary.LittleEndian, records); err != nil {
		return err
	}
	for _, p := range list {
		for i, back := range x.directions() {
			there, here := records[p.I*len(x.mine)+i], records[p.J*len(x.mine)+i]
			if back {
				there, here = here, there
			}
			x.row.Checked = max(x.row.Checked, there.Checked, here.Checked)
			x.row.Defects += there.Defects + here.Defects
			sum := &x.sums[i][x.index[p]]
			sum.batches = append(sum.batches, there)
		}
	}
	return nil
}

// times returns what the document holds of the row.
func (x *pairing) times() *PairTimes {
	t := &PairTimes{AtOnce: x.plan.Settings.AtOnce}
	if x.rounds.Pairs < patterns.CountPairs(x.s.ranks) {
		for _, p := range x.rounds.All() {
			t.Ranks = append(t.Ranks, [2]int{p.I, p.J})
		}
	}
	t.There = x.samples(x.sums[0])
	if len(x.sums) > 1 {
		back := x.samples(x.sums[1])
		t.Back = &back
	}
	return t
}

// samples returns the times of a direction.
func (x *pairing) samples(sums []pairSum) (p PairSamples) {
	p.Medians = make([][]float64, passes)
	for _, sum := range sums {
		mean, squares, each := 0.0, 0.0, float64(x.n)
		for pass, b := range sum.batches {
			p.Medians[pass] = append(p.Medians[pass], rating.Picoseconds(b.Median))
			mean += b.Mean / passes
		}
		for _, b := range sum.batches {
			squares += b.Squares + each*(b.Mean-mean)*(b.Mean-mean)
		}
		p.Means = append(p.Means, rating.Picoseconds(mean))
		p.Deviations = append(p.Deviations, rating.Picoseconds(math.Sqrt(squares/max(passes*each-1, 1))))
	}
	return p
}
