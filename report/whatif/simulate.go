package whatif

import (
	"fmt"
	"math"
	"time"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/mpi/sim"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/words"
	"github.com/effective-bandwidth/beff/sim/machine"
	"github.com/effective-bandwidth/beff/sim/model"
)

// Progress returns a function for an observer of a simulated rating. show gets the times of the given clock and the
// part of the work that is done, because the machine's simulated time doesn't show how long it takes.
func Progress(e *sim.Engine, plan *beff.Plan, now func() time.Time, show func(rating.Progress)) func(rating.Progress) {
	const perSample = 30 // messages whose routes take as long to find as a sample takes
	began, samples := now(), int64(0)
	messages := lists.SumOf(plan.Patterns, func(p patterns.Pattern) int64 { return p.Messages })
	all := messages + perSample*int64(plan.Measurements())
	if e.Model().Exact { // each pattern's messages are followed for each length, in turn and together
		all = 2 * int64(len(plan.Patterns)*len(plan.Lengths))
	}
	return func(at rating.Progress) {
		done := e.Worked()
		if !e.Model().Exact {
			done += perSample * samples
		}
		samples++
		at.Elapsed, at.Part = now().Sub(began), min(float64(done)/float64(all), 0.99)
		at.Left = time.Duration(float64(at.Elapsed) * (1/max(at.Part, 1e-6) - 1))
		show(at)
	}
}

// Simulate returns the result of a machine, simulated message by message if exact is set. progress may be nil.
func Simulate(m *machine.Machine, ranks int, config beff.Config, exact bool,
	progress func(rating.Progress)) (*beff.Result, error) {
	plan, err := beff.NewPlan(ranks, config)
	if err != nil {
		return nil, err
	}
	x, err := model.New(m, ranks, config.Seed)
	if err != nil {
		return nil, err
	}
	x.Exact = exact
	e := sim.New(x, config.Seed)
	begin := e.Now()
	watch := rating.Observer[beff.Measured]{Now: e.Now}
	if progress != nil {
		watch.Progress = Progress(e, plan, time.Now, progress)
	}
	measured, err := plan.Measure(e, watch)
	if err != nil {
		return nil, err
	}
	return beff.NewResult(plan, measured, rating.Run{Version: rating.Release, Library: e.Library(), Started: begin,
		Model: ModelOf(e), Host: HostOf(e), Layout: *LayoutOf(x)}), nil
}

// rate returns the rating of a machine from one repetition without the details.
func rate(m *machine.Machine, ranks int, seed uint64) (Rated, error) {
	r, err := Simulate(m, ranks, beff.Config{Rules: beff.Rules2001, Memory: int64(m.Memory), Seed: seed, Quick: true,
		Patterns: []string{"ring", "random"}}, false, nil)
	if err != nil {
		return Rated{}, err
	}
	return Rated{Name: m.Name, Processes: ranks, Figures: beff.Figures.Values(r)}, nil
}

// HostOf returns the host that a result of a simulated machine records.
func HostOf(s sim.Simulation) rating.Host { return rating.Host{System: "model", Name: s.Model().Name} }

// ModelOf returns the model that a result records.
func ModelOf(s sim.Simulation) *rating.Model {
	x := s.Model()
	text, err := x.Text()
	if err != nil {
		panic(err) // it was parsed from a text
	}
	return &rating.Model{Machine: text, Nodes: x.Nodes(), Links: x.Links(),
		Sharing: words.Either(x.Exact, "message by message", "busiest link")}
}

// LayoutOf returns the distribution of processes over nodes.
func LayoutOf(x *model.Model) *job.Layout {
	ranks := make([][]int, x.Nodes())
	for p, n := range x.NodeOf {
		ranks[n] = append(ranks[n], p)
	}
	l := &job.Layout{Memory: int64(x.Memory)}
	digits := int(math.Log10(float64(x.Nodes()))) + 1
	for n, on := range ranks {
		if len(on) > 0 {
			l.Placement = append(l.Placement, job.NewPlacement(fmt.Sprintf("node%0*d", digits, n), on))
			l.Ranks = append(l.Ranks, on)
			l.Total += int64(x.Memory) * int64(len(on))
		}
	}
	return l
}
