package method

import (
	"math"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/rating"
)

// offset is how far a process's clock is ahead of the root's, with an uncertainty to both sides.
type offset struct {
	At          float64 // time of the process's own clock
	Seconds     float64
	Uncertainty float64
}

// offsetOf returns the offset of a clock from exchanges of empty messages. In each exchange the root reads its clock
// (out) and sends a message. The other process reads its clock on arrival (there) and sends a message back. On its
// arrival the root reads its clock again (back). So the offset lies between there-back and there-out. All exchanges
// together give the narrowest bounds.
func offsetOf(out, there, back []float64) offset {
	low, high := math.Inf(-1), math.Inf(1)
	for i, t := range there {
		low, high = max(low, t-back[i]), min(high, t-out[i])
	}
	return offset{Seconds: (low + high) / 2, Uncertainty: math.Abs(high-low) / 2}
}

// offsets are the offsets of a process's clock before and after a row.
type offsets struct{ Before, After offset }

// Drift returns the change of the offset in seconds per second.
func (c *offsets) Drift() float64 {
	if c.After.At == c.Before.At {
		return 0
	}
	return (c.After.Seconds - c.Before.Seconds) / (c.After.At - c.Before.At)
}

// Ahead returns the offset at a time of the process's own clock, by linear interpolation between the two comparisons.
func (c *offsets) Ahead(at float64) float64 { return c.Before.Seconds + c.Drift()*(at-c.Before.At) }

// Even returns times without the drift of their clock.
func (c *offsets) Even(times []float64) []float64 {
	return lists.Each(times, func(t float64) float64 { return t - c.Drift()*t })
}

// compareClocks returns the offset of this process's clock, after exchanges with the root of its group. The root's
// offset is zero. All processes of the world call it, unless their clock is global.
func (m *Measurer) compareClocks(s *kernel.Setup) (mine offset, err error) {
	if err := m.World.Barrier(); err != nil || s.Comm == nil || s.Size() == 1 {
		return offset{}, err
	}
	got, err := m.Execute(exchanges(s), mpi.Loops{Untimed: 1, Timed: m.Settings.Rule().Max, Each: true})
	if err != nil {
		return offset{}, err
	}
	readings := readingsOf(got)
	all, err := job.GatherNumbers(s.Comm, readings[0]) // the root's own times don't count
	if err != nil {
		return offset{}, err
	}
	found := make([]offset, s.Size())
	for i := 1; i < len(all); i++ {
		found[i] = offsetOf(readings[2*i-2], all[i], readings[2*i-1])
	}
	if err := job.BroadcastNumbers(s.Comm, found); err != nil {
		return offset{}, err
	}
	mine = found[s.Rank()]
	mine.At = got.Begin
	return mine, nil
}

// exchanges returns the program of a process that compares clocks. A loop of the root has an exchange with each other
// process.
func exchanges(s *kernel.Setup) *mpi.Program {
	p := &mpi.Program{Comm: s.Comm, Start: s.Comm}
	if s.Rank() != kernel.Root {
		send, recv := emptyMessages(s, p, kernel.Root)
		p.Call(recv, mpi.Call{Op: mpi.Lap}, send)
		return p
	}
	for i := 1; i < s.Size(); i++ {
		send, recv := emptyMessages(s, p, i)
		p.Call(mpi.Call{Op: mpi.Lap, Root: 2*i - 2}, send, recv, mpi.Call{Op: mpi.Lap, Root: 2*i - 1})
	}
	return p
}

// emptyMessages returns the calls of a program that send an empty message to a process and receive one from it.
func emptyMessages(s *kernel.Setup, p *mpi.Program, peer int) (send, recv mpi.Call) {
	place := mpi.One(p.Place(mpi.Place{Space: s.Send.Buffer, Peer: peer}))
	return mpi.Call{Op: mpi.Send, Send: place, Tag: kernel.Tag}, mpi.Call{Op: mpi.Recv, Recv: place, Tag: kernel.Tag}
}

// readingsOf returns the readings of the clock at the split times of a run: a list of all loops for each split time.
// Split times of a loop are in the order of their numbers.
func readingsOf(got mpi.Measurement) [][]float64 {
	list := make([][]float64, len(got.Laps))
	now := got.Begin
	for i := range got.Loops {
		for lap := range got.Laps {
			now += got.Laps[lap].Each[i]
			list[lap] = append(list[lap], now)
		}
	}
	return list
}

// Gather returns the offsets of all processes in groups, on process 0.
func (c *offsets) Gather(world mpi.Comm, groups [][]int) (*measured.Offsets, error) {
	all, err := job.GatherNumbers(world, []offset{c.Before, c.After})
	if err != nil || all == nil {
		return nil, err
	}
	o := &measured.Offsets{}
	for _, ranks := range groups {
		for _, rank := range ranks {
			c := offsets{all[rank][0], all[rank][1]}
			o.Before.Add(c.Before.At, c.Before.Seconds, c.Before.Uncertainty)
			o.After.Add(c.After.At, c.After.Seconds, c.After.Uncertainty)
			o.Uncertainty = max(o.Uncertainty, rating.Picoseconds(c.Before.Uncertainty),
				rating.Picoseconds(c.After.Uncertainty))
			if d := c.Drift(); math.Abs(d) > math.Abs(o.Drift) {
				o.Drift = d
			}
		}
	}
	return o, nil
}
