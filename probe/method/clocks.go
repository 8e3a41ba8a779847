package method

import (
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/stats"
)

// offset is a process' clock against the root's: ahead of it by seconds, or up to uncertainty more or less.
type offset struct {
	At          float64 // on the process' own clock
	Seconds     float64
	Uncertainty float64
}

// offsetOf returns the offset of a clock from exchanges of empty messages: the root reads out, the other process reads
// there when the message has come and sends one back, the root reads back when that has come. Each exchange bounds the
// offset: it lies between there-back and there-out. All of them together bound it best.
func offsetOf(out, there, back []float64) offset {
	low, high := math.Inf(-1), math.Inf(1)
	for i, t := range there {
		low, high = max(low, t-back[i]), min(high, t-out[i])
	}
	return offset{Seconds: (low + high) / 2, Uncertainty: math.Abs(high-low) / 2}
}

// clocks is the offset of a process' clock before and after a row.
type clocks struct{ before, after offset }

// drift returns the change of the offset in seconds per second.
func (c *clocks) drift() float64 {
	if c.after.At == c.before.At {
		return 0
	}
	return (c.after.Seconds - c.before.Seconds) / (c.after.At - c.before.At)
}

// ahead returns the offset at a time of the process' own clock, on the straight line through the two looks.
func (c *clocks) ahead(at float64) float64 { return c.before.Seconds + c.drift()*(at-c.before.At) }

// onRoots returns a batch with its times on the root's clock.
func (c *clocks) onRoots(b batch) batch {
	on := b
	drift := c.drift()
	on.begin -= c.ahead(b.begin)
	on.start, on.end = slowed(b.start, drift), slowed(b.end, drift)
	return on
}

// slowed returns times without the drift of their clock.
func slowed(times []float64, drift float64) []float64 {
	list := make([]float64, len(times))
	for i, t := range times {
		list[i] = t - drift*t
	}
	return list
}

// lookAtClocks returns the offset of this process' clock, after exchanges with the root of its group. The root's own is
// none. All processes of the world call it, unless their clock is global.
func (m *Measurer) lookAtClocks(s *kernel.Scene) (mine offset, err error) {
	if err := m.World.Barrier(); err != nil || s.Comm == nil || s.Size() == 1 {
		return offset{}, err
	}
	got, err := m.Execute(exchanges(s), mpi.Loops{Untimed: 1, Timed: m.Settings.Rule().Most, Each: true})
	if err != nil {
		return offset{}, err
	}
	readings := readingsOf(got)
	all, err := job.Gathered(s.Comm, readings[0]) // the root's own don't count
	if err != nil {
		return offset{}, err
	}
	told := make([]offset, s.Size())
	for i := 1; i < len(all); i++ {
		told[i] = offsetOf(readings[2*i-2], all[i], readings[2*i-1])
	}
	if err := job.Broadcast(s.Comm, told); err != nil {
		return offset{}, err
	}
	mine = told[s.Rank()]
	mine.At = got.Begin
	return mine, nil
}

// exchanges returns the program of a process that compares clocks. A loop of the root has an exchange with each of the
// others.
func exchanges(s *kernel.Scene) *mpi.Program {
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
func emptyMessages(s *kernel.Scene, p *mpi.Program, peer int) (send, recv mpi.Call) {
	place := mpi.One(p.Place(mpi.Place{Space: s.Send.Buffer, Peer: peer}))
	return mpi.Call{Op: mpi.Send, Send: place, Tag: kernel.Tag}, mpi.Call{Op: mpi.Recv, Recv: place, Tag: kernel.Tag}
}

// readingsOf returns the clock's readings at the laps of a run, for each lap those of all loops. Laps of a loop are in
// the order of their numbers.
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

// gatherOffsets returns the offsets of all processes in groups, on process 0.
func (m *Measurer) gatherOffsets(t *Table, mine clocks) (*measured.Offsets, error) {
	all, err := job.Gathered(m.World, []offset{mine.before, mine.after})
	if err != nil || all == nil {
		return nil, err
	}
	o := &measured.Offsets{}
	for _, ranks := range t.groups {
		for _, rank := range ranks {
			c := clocks{all[rank][0], all[rank][1]}
			o.Before.Add(c.before.At, c.before.Seconds, c.before.Uncertainty)
			o.After.Add(c.after.At, c.after.Seconds, c.after.Uncertainty)
			o.Uncertainty = max(o.Uncertainty, rating.Picoseconds(c.before.Uncertainty),
				rating.Picoseconds(c.after.Uncertainty))
			if d := c.drift(); math.Abs(d) > math.Abs(o.Drift) {
				o.Drift = d
			}
		}
	}
	return o, nil
}

// readings is the number of clock readings of which the cost is taken.
const readings = 1000

// readClock measures the cost of a reading of the clock, if there are series or pairs.
func (m *Measurer) readClock(kernels []*kernel.Kernel) error {
	times := func(k *kernel.Kernel) bool { return m.Way(k).times }
	if !slices.ContainsFunc(kernels, times) {
		return nil
	}
	p := &mpi.Program{Comm: m.World, Start: m.World, Loop: []mpi.Call{{Op: mpi.Lap}, {Op: mpi.Lap, Root: 1}}}
	got, err := m.calmly(p, mpi.Loops{Untimed: readings, Timed: readings, Each: true})
	if err != nil {
		return err
	}
	cost, _ := stats.Median(stats.Sorted(got.Laps[1].Each), settings.DefaultPrecision.Confidence)
	clock := m.Engine.Clock()
	resolution := clock.Resolution
	if m.Settings.Clocked() == settings.ByRoot && m.World.Rank() != kernel.Root {
		resolution = 0
	}
	largest := []float64{cost, resolution}
	if err := m.World.Allreduce(largest, mpi.Max); err != nil {
		return err
	}
	m.Out.Clock = &measured.Clock{Global: clock.Global, Reading: rating.Picoseconds(largest[0]), Resolution: largest[1]}
	return nil
}
