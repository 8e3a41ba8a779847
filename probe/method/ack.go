package method

import (
	"math"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/stats"
)

func ackPhases(*kernel.Kernel) []phase {
	return []phase{{before: (*Measurer).timeRoundTrips, times: ackTimes}}
}

// timeRoundTrips measures the empty round trips between the root and each other process of the group, one after the
// other. The root keeps their medians in the setup; process 0 also puts the medians of its group into the row. A median
// is used because a single outlier would change a mean too much.
func (m *Measurer) timeRoundTrips(s *kernel.Setup, row *measured.Row) error {
	if s.Comm == nil {
		return m.World.Barrier()
	}
	p := &mpi.Program{Comm: s.Comm, Start: s.Comm}
	if s.Rank() != kernel.Root {
		send, recv := emptyMessages(s, p, kernel.Root)
		p.Call(recv, send)
	}
	for i := 1; i < s.Size() && s.Rank() == kernel.Root; i++ {
		send, recv := emptyMessages(s, p, i)
		p.Call(send, recv, mpi.Call{Op: mpi.Lap, Root: i - 1})
	}
	got, err := m.executeQuietly(p, mpi.Loops{Untimed: 1, Timed: m.Settings.Rule().Max, Each: true})
	if err != nil {
		return err
	}
	s.Results.RoundTrips = nil
	for _, lap := range got.Laps {
		typical := stats.Quantile(stats.Sorted(lap.Each), 0.5)
		s.Results.RoundTrips = append(s.Results.RoundTrips, rating.Picoseconds(typical))
	}
	row.RoundTrips = s.Results.RoundTrips
	return m.World.Barrier()
}

// ackTimes returns the root's times of repetitions, until the last answer, less half of its sender's empty round trip.
func ackTimes(s *kernel.Setup, got mpi.Measurement) []float64 {
	list := make([]float64, got.Loops)
	for i := range list {
		list[i] = math.Inf(-1)
		for k, lap := range got.Laps {
			list[i] = max(list[i], lap.Each[i]-s.Results.RoundTrips[k]/2)
		}
	}
	if s.Rank() != kernel.Root {
		clear(list) // only the root's times count
	}
	return list
}
