package conformance

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/effective-bandwidth/beff/mpi"
)

// sectionTimes takes 1 ms before the loops, 1 ms in each and 2 ms after them, all between the clock readings.
func sectionTimes(p *process) {
	const ms = time.Millisecond
	work := func(lap int, seconds float64) []mpi.Call {
		return []mpi.Call{{Op: mpi.Compute, Seconds: seconds}, {Op: mpi.Lap, Root: lap}}
	}
	r := p.compile(&mpi.Program{Comm: p.world, Start: p.world, Before: work(0, 1e-3), Loop: work(1, 1e-3),
		After: work(2, 2e-3)})
	for _, each := range []bool{false, true} {
		begin := time.Now()
		m := p.run(r, mpi.Loops{Untimed: 1, Timed: 3, Each: each})
		p.plausible(m.Seconds, 6*ms, time.Since(begin)-4*ms)
		if len(m.Laps) != 3 {
			p.errorf("the laps are %+v", m.Laps)
			continue
		}
		whole := time.Duration(math.Ceil(m.Seconds * 1e9))
		for i, least := range []time.Duration{ms, 3 * ms, 2 * ms} {
			p.plausible(m.Laps[i].Seconds, least, whole-6*ms+least)
		}
		if !each {
			continue
		}
		p.plausible(sum(m.Each), 3*ms, whole-3*ms)
		if len(m.Laps[0].Each) == 3 && (m.Laps[0].Each[0] != m.Laps[0].Seconds ||
			m.Laps[2].Each[2] != m.Laps[2].Seconds) {
			p.errorf("before the first loop and after the last: %+v", m.Laps)
		}
	}
}

func sum(list []float64) (all float64) {
	for _, v := range list {
		all += v
	}
	return all
}

// eachLoop checks that the times of all loops add up to the whole time, and the times of their laps, too.
func eachLoop(p *process) {
	lap := func(i int) mpi.Call { return mpi.Call{Op: mpi.Lap, Root: i} }
	wait := mpi.Call{Op: mpi.Compute, Seconds: 1e-3}
	for _, program := range []*mpi.Program{
		p.loop(lap(0), wait, lap(2)), p.loop(lap(0), wait, lap(2), mpi.Call{Op: mpi.Decide}),
	} {
		r := p.compile(program)
		for _, n := range []mpi.Loops{{Untimed: 2, Timed: 3, Each: true}, {Timed: 7, Each: true}, {Timed: 2},
			{Timed: 1000, Budget: 0.02, Each: true}} {
			m := p.run(r, n)
			p.sumsUp(m, n)
		}
	}
}

// checkBlocks checks that each block's time is the sum of its loops' times, and that only the last loops are in no
// block. A process can lose its processor between two clock readings, so the times need only add up in one of a few
// runs.
func checkBlocks(p *process) {
	lap := func(i int) mpi.Call { return mpi.Call{Op: mpi.Lap, Root: i} }
	const least = 200 * time.Microsecond
	wait := mpi.Call{Op: mpi.Compute, Seconds: least.Seconds()}
	for _, calls := range [][]mpi.Call{{wait}, {wait, lap(0)}, {wait, {Op: mpi.Decide}}} {
		r := p.compile(&mpi.Program{Comm: p.world, Start: p.world, Loop: calls})
		for _, n := range []mpi.Loops{{Untimed: 2, Timed: 3, Blocks: true}, {Timed: 31, Blocks: true}, {Timed: 2},
			{Untimed: 1, Timed: 32, Blocks: true}, {Timed: 70, Blocks: true, Each: true},
			{Timed: 1000, Budget: 0.01, Blocks: true}} {
			lost, most := math.Inf(1), least.Seconds()/2
			for i := 0; i < 4 && p.count(lost > most) > 0; i++ {
				lost = min(lost, p.inBlocks(p.run(r, n), n, least))
			}
			if lost > most {
				p.errorf("%+v: the blocks and their loops differ by %v s", n, lost)
			}
		}
	}
}

// inBlocks returns the largest difference in seconds between a block and its loops, or between all loops and their
// blocks. It checks that each loop of a block takes at least the time least.
func (p *process) inBlocks(m mpi.Measurement, n mpi.Loops, least time.Duration) float64 {
	if !n.Blocks {
		if m.Blocks != nil || m.PerBlock != 0 {
			p.errorf("%+v: blocks that weren't asked for: %v", n, m.Blocks)
		}
		return 0
	}
	want, per := mpi.BlocksOf(m.Loops, func(int64) float64 { return 0 })
	if len(m.Blocks) != len(want) || m.PerBlock != per {
		p.errorf("%+v: %d blocks of %d loops, want %d of %d", n, len(m.Blocks), m.PerBlock, len(want), per)
		return 0
	}
	lost := 0.0
	for i, seconds := range m.Blocks {
		p.plausible(seconds, time.Duration(per)*least, time.Duration(math.Ceil(m.Seconds*1e9)))
		if of := int64(i) * per; n.Each && len(m.Each) >= int(of+per) {
			lost = max(lost, math.Abs(sum(m.Each[of:of+per])-seconds))
		}
	}
	all := sum(m.Blocks)
	if all > m.Seconds+1e-9 {
		p.errorf("%+v: the blocks took %v of %v s", n, all, m.Seconds)
	}
	if m.Loops == per*int64(len(want)) {
		lost = max(lost, m.Seconds-all)
	}
	return lost
}

// sumsUp checks the times of loops of 2 ms, which have laps of 1, 0 and 1 ms.
func (p *process) sumsUp(m mpi.Measurement, n mpi.Loops) {
	type times struct {
		name  string
		all   float64
		least time.Duration
		each  []float64
	}
	list := []times{{"loops", m.Seconds, 2 * time.Millisecond, m.Each}}
	for i, lap := range m.Laps {
		list = append(list, times{fmt.Sprint("lap ", i), lap.Seconds, [3]time.Duration{1e6, 0, 1e6}[i%3], lap.Each})
	}
	for _, x := range list {
		switch {
		case !n.Each && x.each != nil:
			p.errorf("%+v: %s have times that weren't asked for: %v", n, x.name, x.each)
		case n.Each && int64(len(x.each)) != m.Loops:
			p.errorf("%+v: %s: %d times of %d loops", n, x.name, len(x.each), m.Loops)
		case n.Each && math.Abs(sum(x.each)-x.all) > 1e-9*float64(m.Loops):
			p.errorf("%+v: %s: the times %v are not %v together", n, x.name, x.each, x.all)
		}
		for _, seconds := range x.each {
			p.plausible(seconds, x.least, time.Duration(math.Ceil(m.Seconds*1e9)))
		}
	}
}

// begins compares the first clock readings of successive runs on all processes.
func begins(p *process) {
	r := p.compile(p.loop())
	if c := p.Clock(); !(c.Resolution > 0 && c.Resolution < 1e-3) {
		p.errorf("the clock's resolution is %v s", c.Resolution)
	}
	end := 0.0
	for range 3 {
		m := p.run(r, mpi.Loops{Untimed: 1, Timed: 2})
		if m.Begin < end+1e-3 {
			p.errorf("a run began at %v s, with 1 ms untimed, and the one before ended at %v s", m.Begin, end)
		}
		end = m.Begin + m.Seconds
		if !p.Clock().Global {
			continue
		}
		// All processes leave the start barrier after the last one has entered it, which is later than any earlier run.
		last := []float64{end}
		p.must(p.world.Allreduce(last, mpi.Max))
		end = last[0]
	}
}

// tallied checks that the tally of a lap agrees with the times of its loops, and keeps the longest.
func tallied(p *process) {
	wait := mpi.Call{Op: mpi.Compute, Seconds: 2e-5}
	r := p.compile(p.loop(wait, mpi.Call{Op: mpi.Lap, Root: 1, Counts: true}, wait, mpi.Call{Op: mpi.Lap}))
	for _, n := range []mpi.Loops{{Untimed: 2, Timed: 50, Each: true}, {Timed: 3, Each: true}} {
		m := p.run(r, n)
		if len(m.Laps) != 2 || m.Laps[0].Tally != nil || m.Laps[1].Tally == nil {
			p.errorf("%+v: the counted laps are %+v", n, m.Laps)
			continue
		}
		got, want := m.Laps[1].Tally, mpi.NewTally()
		for loop, seconds := range m.Laps[1].Each {
			want.Add(seconds, 1, 0, int64(loop))
		}
		if !slices.Equal(got.Counts, want.Counts) || got.Min != want.Min || got.Max != want.Max ||
			math.Abs(got.Sum-want.Sum) > 1 {
			p.errorf("%+v: from %d to %d ps, %v together, instead of %d to %d, %v", n, got.Min, got.Max, got.Sum,
				want.Min, want.Max, want.Sum)
		}
		p.slowest(&m, want)
	}
}

// slowest checks the longest laps of a tally.
func (p *process) slowest(m *mpi.Measurement, want *mpi.Tally) {
	lap := m.Laps[1]
	if len(lap.Tally.Slowest) != len(want.Slowest) {
		p.errorf("%d slowest laps instead of %d", len(lap.Tally.Slowest), len(want.Slowest))
		return
	}
	for i, l := range lap.Tally.Slowest {
		if l.Seconds != want.Slowest[i].Seconds || l.Loop < 0 || l.Loop >= m.Loops || lap.Each[l.Loop] != l.Seconds ||
			l.End < sum(m.Each[:l.Loop])-1e-6 || l.End > sum(m.Each[:l.Loop+1])+1e-6 {
			p.errorf("slow lap %d is %+v instead of %+v", i, l, want.Slowest[i])
		}
	}
}
