package sim

import (
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/sim/model"
)

// Recording is what the processes of a communicator did in one run of their programs. Other machines can be asked how
// long they would take for it, without the programs.
type Recording struct {
	// Loops are the timed ones.
	Loops int64
	// Before and Counted are the loops that are followed: those before the ones that count, and these, unless there are
	// more roots.
	Before, Counted int

	entries []entry
	scan    float64 // seconds of the model that the acts are for
}

// Record calls main for each process of a model, as Run does, and returns all runs of programs in their order.
func Record(m *model.Model, main func(mpi.Engine) error) (list []*Recording, err error) {
	w := &world{model: m, noise: m.NewNoise(1)}
	w.record = func(entries []entry) {
		r := &Recording{Before: 4, Counted: 4, entries: slices.Clone(entries), scan: float64(m.Endpoint.Scan)}
		for _, e := range entries {
			r.Loops = max(r.Loops, e.loops.Timed)
		}
		w.mu.Lock()
		defer w.mu.Unlock()
		list = append(list, r)
	}
	err = w.run(main)
	return list, err
}

// Pace is what a process takes for a loop once loops no longer change.
type Pace struct {
	Seconds float64
	Laps    []float64 // seconds of each lap
}

// On returns the pace of each process that took part, on a model with the same processes.
func (r *Recording) On(m *model.Model) ([]Pace, error) {
	if scan := float64(m.Endpoint.Scan); scan != r.scan {
		r.scan = scan
		r.compose(m)
	}
	var scripts []model.Script
	period := 1
	for i := range r.entries {
		if x := r.entries[i].runner; x.calls > 0 {
			period = max(period, x.period)
		}
	}
	count := max(r.Counted, period)
	for i := range r.entries {
		if x := r.entries[i].runner; x.calls > 0 {
			scripts = append(scripts, x.looping(r.Before+count))
		}
	}
	times, err := m.Play(scripts)
	if err != nil {
		return nil, fmt.Errorf("play a recording: %w", err)
	}
	var list []Pace
	for i := range times {
		t := &times[i]
		first := len(t.Ends) - 1 - count
		pace := Pace{Seconds: (t.Ends[first+count] - t.Ends[first]) / float64(count)}
		for _, laps := range t.Laps[first+1 : first+1+count] {
			for k, seconds := range laps {
				if k == len(pace.Laps) {
					pace.Laps = append(pace.Laps, 0)
				}
				pace.Laps[k] += seconds / float64(count)
			}
		}
		list = append(list, pace)
	}
	return list, nil
}

// looping returns what the process does before some loops, and in these.
func (x *play) looping(loops int) model.Script {
	sections := x.program.Sections()
	return model.Script{Process: int32(x.r.all.Rank()), Pieces: 1 + loops, Piece: func(k int) []model.Act {
		section := min(k, 1)
		if x.period == 1 {
			return x.acts[section]
		}
		return x.section(sections[section], int64(max(k-1, 0)))
	}}
}

// compose makes the acts anew: some take times of the model.
func (r *Recording) compose(m *model.Model) {
	for i := range r.entries {
		x := r.entries[i].runner
		x.r.world.model = m
		if x.period == 1 {
			for k, calls := range x.program.Sections() {
				x.acts[k] = x.section(calls, 0)
			}
		}
	}
}
