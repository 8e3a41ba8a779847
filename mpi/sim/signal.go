package sim

import (
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/sim/model"
)

// Programs with a StopOnSignal call continue until all other programs that are followed with them have ended. The
// messages that announce that end take no time, except for a barrier of the group's processes during each round of
// loops.

// maxFollowed limits the loops that are followed of a program that runs with a program of StopOnSignal calls. Their
// times may keep varying while the loops of the other program run.
const maxFollowed = 1 << 14

// roundBarrier returns the acts after each round of loops: wait for the barrier of the round before, and begin the next
// one.
func (x *play) roundBarrier() []model.Act {
	c := &composer{play: x, requests: map[int]int32{}}
	on := x.program.Comm.(*handle)
	c.members, c.rank, c.size, c.number = on.group.ranks, on.Rank(), on.Size(), on.group.number
	c.round = uint64(len(x.program.Loop)) + 1 // no call of a loop has this number
	c.barrier()
	slot := int32(0)
	for _, a := range x.acts[1] {
		slot = max(slot, a.Slot+1)
	}
	return []model.Act{{Kind: model.Wait, Slot: slot}, {Kind: model.Aside, Slot: slot, Acts: c.acts}}
}

// endless returns the script of a process that continues until all others have ended.
func (x *play) endless() model.Script {
	first, turn := append(x.acts[1][:len(x.acts[1]):len(x.acts[1])], x.barrier[1:]...),
		append(x.acts[1][:len(x.acts[1]):len(x.acts[1])], x.barrier...)
	return model.Script{Process: int32(x.r.all.Rank()), Clocked: 1, Endless: true, Piece: func(k int) []model.Act {
		switch {
		case k == 0:
			return x.acts[0]
		case k == x.round:
			return first
		case k%x.round == 0:
			return turn
		}
		return x.acts[1]
	}}
}

// endlessMeasurement returns the measurement of a program that continued until the others had ended, and the time when
// its last loop ended.
func (x *play) endlessMeasurement(t *model.Played, factor float64) (m mpi.Measurement, took float64) {
	if len(t.Ends) < 2 {
		return m, 0
	}
	begin, end := t.Ends[0], t.Ends[len(t.Ends)-1]
	m = mpi.Measurement{Begin: begin * factor, Seconds: (end - begin) * factor, Loops: int64(len(t.Ends) - 1)}
	m.Laps = make([]mpi.LapTime, x.laps)
	for _, laps := range t.Laps[1:] {
		for i, seconds := range laps {
			m.Laps[i].Seconds += seconds * factor
			m.Laps[i].Last = seconds * factor
		}
	}
	return m, end * factor
}
