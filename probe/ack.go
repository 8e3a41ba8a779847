package probe

import (
	"math"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/stats"
)

// ackPhases is the only phase of Bcast_ack.
func ackPhases(*Kernel) []phase {
	return []phase{{before: (*measurer).timeRoundTrips, times: acknowledged}}
}

// timeRoundTrips measures the empty round trips between the root and each other process of the group, one after the
// other. The root keeps their medians in the scene, and process 0 those of its group in the row. A mean with one
// outlier would take off far too much.
func (m *measurer) timeRoundTrips(s *scene, row *Row) error {
	if s.comm == nil {
		return m.World.Barrier()
	}
	p := &mpi.Program{Comm: s.comm, Start: s.comm}
	exchange := func(peer int) []mpi.Call {
		place := mpi.One(p.Place(mpi.Place{Space: s.send.buffer, Peer: peer}))
		return []mpi.Call{{Op: mpi.Send, Send: place, Tag: tag}, {Op: mpi.Recv, Recv: place, Tag: tag}}
	}
	if s.rank() != root {
		calls := exchange(root)
		p.Call(calls[1], calls[0])
	}
	for i := 1; i < s.size() && s.rank() == root; i++ {
		p.Call(append(exchange(i), mpi.Call{Op: mpi.Lap, Root: i - 1})...)
	}
	runner, err := m.Engine.Compile(p)
	if err != nil {
		return err
	}
	calm(runner)
	got, err := runner.Run(mpi.Loops{Untimed: 1, Timed: m.plan.Settings.Rule().Most, Each: true})
	if err != nil {
		return err
	}
	runner.Close()
	s.roundTrips = nil
	for _, lap := range got.Laps {
		typical := stats.Quantile(stats.Sorted(lap.Each), 0.5)
		s.roundTrips = append(s.roundTrips, rating.Picoseconds(typical))
	}
	row.RoundTrips = s.roundTrips
	return m.World.Barrier()
}

// acknowledged returns the root's time of each repetition.
func acknowledged(s *scene, got mpi.Measurement) []float64 {
	list := make([]float64, got.Loops)
	for i := range list {
		list[i] = math.Inf(-1)
		for k, lap := range got.Laps {
			list[i] = max(list[i], lap.Each[i]-s.roundTrips[k]/2)
		}
	}
	if s.rank() != root {
		clear(list) // it doesn't count
	}
	return list
}
