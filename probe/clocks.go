package probe

import (
	"encoding/binary"
	"math"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/stats"
)

// Clock holds the properties of the clock that times were read from.
type Clock struct {
	// All processes read the same clock.
	Global bool `json:"global,omitempty"`
	// Seconds between two ticks: of timing root process 0's, else the largest of all processes.
	Resolution float64 `json:"resolution" jsonschema:"minimum=0"`
	// Seconds that a reading takes: the median of two readings in a row, the largest of all processes.
	Reading float64 `json:"reading" jsonschema:"minimum=0"`
}

// Offsets holds the processes' clocks against that of their group's process 0, in the order of the groups and their
// ranks. A positive offset is a clock that is ahead.
type Offsets struct {
	// Before and after the row.
	Before Look `json:"before"`
	After  Look `json:"after"`
	// Largest half width of the intervals that the offsets lie in, seconds.
	Uncertainty float64 `json:"uncertainty" jsonschema:"minimum=0"`
	// Drift that is largest in size, seconds per second.
	Drift float64 `json:"drift,omitempty"`
}

// Look is one look at the clocks.
type Look struct {
	// Seconds on each process' own clock.
	At []float64 `json:"at"`
	// Seconds.
	Offsets []float64 `json:"offsets"`
	// Seconds: half widths of the intervals that the offsets lie in.
	Uncertainties []float64 `json:"uncertainties"`
}

// offset is a process' clock against the root's: ahead of it by seconds, or up to uncertainty more or less.
type offset struct {
	at          float64 // on the process' own clock
	seconds     float64
	uncertainty float64
}

// offsetOf returns the offset of a clock from exchanges of empty messages: the root reads out, the other process reads
// there when the message has come and sends one back, the root reads back when that has come. Each exchange bounds the
// offset: it lies between there-back and there-out. All of them together bound it best.
func offsetOf(out, there, back []float64) offset {
	low, high := math.Inf(-1), math.Inf(1)
	for i, t := range there {
		low, high = max(low, t-back[i]), min(high, t-out[i])
	}
	return offset{seconds: (low + high) / 2, uncertainty: math.Abs(high-low) / 2}
}

// clocks is the offset of a process' clock before and after a row.
type clocks struct{ before, after offset }

// drift returns the change of the offset in seconds per second.
func (c *clocks) drift() float64 {
	if c.after.at == c.before.at {
		return 0
	}
	return (c.after.seconds - c.before.seconds) / (c.after.at - c.before.at)
}

// ahead returns the offset at a time of the process' own clock, on the straight line through the two looks.
func (c *clocks) ahead(at float64) float64 { return c.before.seconds + c.drift()*(at-c.before.at) }

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
// none. All processes of the world call it.
func (m *measurer) lookAtClocks(s *scene) (mine offset, err error) {
	if m.Engine.Clock().Global {
		return offset{}, m.World.Barrier()
	}
	if err := m.World.Barrier(); err != nil || s.comm == nil || s.size() == 1 {
		return offset{}, err
	}
	runner, err := m.Engine.Compile(s.exchanges())
	if err != nil {
		return offset{}, err
	}
	got, err := runner.Run(mpi.Loops{Untimed: 1, Timed: m.plan.Settings.Rule().Most, Each: true})
	if err != nil {
		return offset{}, err
	}
	runner.Close()
	readings := readingsOf(got)
	own := floats(make([]float64, got.Loops))
	if s.rank() != root {
		own = floats(readings[0])
	}
	var all []byte
	if s.rank() == root {
		all = make([]byte, len(own)*s.size())
	}
	if err := s.comm.Gather(own, all, root); err != nil {
		return offset{}, err
	}
	told := make([]float64, 2*s.size())
	for i := 1; i < s.size() && s.rank() == root; i++ {
		o := offsetOf(readings[2*i-2], fromFloats(all[i*len(own):(i+1)*len(own)]), readings[2*i-1])
		told[2*i], told[2*i+1] = o.seconds, o.uncertainty
	}
	data := floats(told)
	if err := s.comm.Bcast(data, root); err != nil {
		return offset{}, err
	}
	told = fromFloats(data)
	return offset{at: got.Begin, seconds: told[2*s.rank()], uncertainty: told[2*s.rank()+1]}, nil
}

// exchanges returns the program of a process that compares clocks. A loop of the root has an exchange with each of the
// others.
func (s *scene) exchanges() *mpi.Program {
	p := &mpi.Program{Comm: s.comm, Start: s.comm}
	with := func(rank int) (send, recv mpi.Call) {
		place := mpi.One(p.Place(mpi.Place{Space: s.send.buffer, Peer: rank}))
		return mpi.Call{Op: mpi.Send, Send: place, Tag: tag}, mpi.Call{Op: mpi.Recv, Recv: place, Tag: tag}
	}
	if s.rank() != root {
		send, recv := with(root)
		p.Call(recv, mpi.Call{Op: mpi.Lap}, send)
		return p
	}
	for i := 1; i < s.size(); i++ {
		send, recv := with(i)
		p.Call(mpi.Call{Op: mpi.Lap, Root: 2*i - 2}, send, recv, mpi.Call{Op: mpi.Lap, Root: 2*i - 1})
	}
	return p
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
func (m *measurer) gatherOffsets(t *table, mine clocks) (*Offsets, error) {
	if m.Engine.Clock().Global {
		return nil, nil
	}
	all, err := m.gathered([]float64{mine.before.at, mine.before.seconds, mine.before.uncertainty, mine.after.at,
		mine.after.seconds, mine.after.uncertainty})
	if err != nil || all == nil {
		return nil, err
	}
	o := &Offsets{}
	for _, ranks := range t.groups {
		for _, rank := range ranks {
			v := all[rank]
			o.Before.add(v[:3])
			o.After.add(v[3:])
			o.Uncertainty = max(o.Uncertainty, rating.Picoseconds(v[2]), rating.Picoseconds(v[5]))
			c := clocks{offset{v[0], v[1], v[2]}, offset{v[3], v[4], v[5]}}
			if d := c.drift(); math.Abs(d) > math.Abs(o.Drift) {
				o.Drift = d
			}
		}
	}
	return o, nil
}

// add adds a process' clock, its offset and its uncertainty.
func (l *Look) add(v []float64) {
	whole := func(seconds float64) float64 { return math.Round(seconds*1e12) / 1e12 }
	l.At, l.Offsets = append(l.At, whole(v[0])), append(l.Offsets, whole(v[1]))
	l.Uncertainties = append(l.Uncertainties, whole(v[2]))
}

// readings is the number of clock readings of which the cost is taken.
const readings = 1000

// readClock measures the cost of a reading of the clock, if there are series.
func (m *measurer) readClock() error {
	if !m.plan.hasSeries() {
		return nil
	}
	p := &mpi.Program{Comm: m.World, Start: m.World, Loop: []mpi.Call{{Op: mpi.Lap}, {Op: mpi.Lap, Root: 1}}}
	runner, err := m.Engine.Compile(p)
	if err != nil {
		return err
	}
	calm(runner)
	got, err := runner.Run(mpi.Loops{Untimed: readings, Timed: readings, Each: true})
	if err != nil {
		return err
	}
	runner.Close()
	cost, _ := stats.Median(stats.Sorted(got.Laps[1].Each), DefaultPrecision.Confidence)
	clock := m.Engine.Clock()
	resolution := clock.Resolution
	if m.plan.Settings.Clocked() == ByRoot && m.World.Rank() != root {
		resolution = 0
	}
	largest := []float64{cost, resolution}
	if err := m.World.Allreduce(largest, mpi.Max); err != nil {
		return err
	}
	m.out.Clock = &Clock{Global: clock.Global, Reading: rating.Picoseconds(largest[0]), Resolution: largest[1]}
	return nil
}

// gathered returns the values of each process of the world on process 0, nil on the others. All pass as many.
func (m *measurer) gathered(values []float64) ([][]float64, error) {
	own := floats(values)
	var all []byte
	if m.World.Rank() == 0 {
		all = make([]byte, len(own)*m.World.Size())
	}
	if err := m.World.Gather(own, all, 0); err != nil || m.World.Rank() != 0 {
		return nil, err
	}
	list := make([][]float64, m.World.Size())
	for i := range list {
		list[i] = fromFloats(all[i*len(own) : (i+1)*len(own)])
	}
	return list, nil
}

// floats returns numbers as bytes, for processes of machines of any kind.
func floats(values []float64) []byte {
	data := make([]byte, 0, 8*len(values))
	for _, v := range values {
		data = binary.LittleEndian.AppendUint64(data, math.Float64bits(v))
	}
	return data
}

// fromFloats returns the numbers of floats.
func fromFloats(data []byte) []float64 {
	list := make([]float64, len(data)/8)
	for i := range list {
		list[i] = math.Float64frombits(binary.LittleEndian.Uint64(data[8*i:]))
	}
	return list
}
