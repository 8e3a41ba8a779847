package whatif

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/optimize"
	"gonum.org/v1/gonum/stat"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/sim/machine"
	"github.com/effective-bandwidth/beff/sim/model"
)

// Source is a rating that a machine is fitted to, with the name of its file.
type Source struct {
	File string
	*beff.Result
	hosts []int             // number of the host of each process
	steps [][]model.Message // messages of each pattern
	times []timing
}

// timing is the measured time of a loop of a pattern: the best repetition, as in b_eff.
type timing struct {
	pattern, method int // as in the result's lists
	length          int64
	seconds         float64
}

// residual is the difference between a measured time and the time that a machine takes.
type residual struct {
	file, method string
	length       int64   // bytes of a message
	log          float64 // logarithm of the measured time divided by the machine's
}

// fit is the search for the LogGP parameters (package model) that describe measured times best.
type fit struct {
	sources []Source
	guess   machine.Machine
}

// parameter is a parameter of a machine. It is fitted if its first guess isn't 0.
type parameter struct {
	key    string // as in a machine file
	field  func(*machine.Machine) *float64
	needed bool // a machine isn't valid without it
}

var parameters = []parameter{
	{"endpoint.overhead", func(m *machine.Machine) *float64 { return (*float64)(&m.Endpoint.Overhead) }, true},
	{"endpoint.latency", func(m *machine.Machine) *float64 { return (*float64)(&m.Endpoint.Latency) }, true},
	{"endpoint.gap", func(m *machine.Machine) *float64 { return (*float64)(&m.Endpoint.Gap) }, false},
	{"endpoint.bandwidth", func(m *machine.Machine) *float64 { return (*float64)(&m.Endpoint.Bandwidth) }, true},
	{"endpoint.port_bandwidth", func(m *machine.Machine) *float64 { return (*float64)(&m.Endpoint.Port) }, false},
	{"endpoint.scan", func(m *machine.Machine) *float64 { return (*float64)(&m.Endpoint.Scan) }, false},
	{"inside_node.overhead", func(m *machine.Machine) *float64 { return (*float64)(&m.Inside.Overhead) }, false},
	{"inside_node.latency", func(m *machine.Machine) *float64 { return (*float64)(&m.Inside.Latency) }, false},
	{"inside_node.memory", func(m *machine.Machine) *float64 { return (*float64)(&m.Inside.Memory) }, false},
}

// estimate is a fitted parameter, in seconds or bytes per second.
type estimate struct {
	key   string
	value float64
	// Mean distance of measured and computed times, as the logarithm of their ratio, with half of the value and with
	// twice the value, after fitting all other parameters again.
	half, twice float64
	determined  bool // both distances are larger than with the value
}

// newFit returns the fit to ratings of one machine, with a first guess for the nodes of the largest rating.
func newFit(sources []Source) (*fit, error) {
	f := &fit{sources: sources}
	for i := range f.sources {
		if err := f.sources[i].read(); err != nil {
			return nil, fmt.Errorf("%s: %w", f.sources[i].File, err)
		}
	}
	f.guess = *guess(f.sources)
	return f, nil
}

// read takes the times of each pattern, length and method from the result.
func (s *Source) read() (err error) {
	if s.hosts, err = job.Nodes(s.Placement, s.Processes); err != nil {
		return err
	}
	all, err := patterns.BEff(s.Processes, s.Seed)
	if err != nil {
		return err
	}
	g := beff.NewGrid(s.Result)
	for i, p := range s.Patterns {
		k := slices.IndexFunc(all, func(x patterns.Pattern) bool { return x.Name == p.Name })
		if k < 0 {
			return fmt.Errorf("no pattern of %d processes is named %s", s.Processes, p.Name)
		}
		s.steps = append(s.steps, messagesOf(all[k]))
		for l, length := range s.Lengths {
			for m := range s.Methods {
				if b := g.BestOf(i, l, m); !math.IsNaN(b) {
					s.times = append(s.times, timing{i, m, length, float64(length) * float64(p.Messages) / b})
				}
			}
		}
	}
	return nil
}

// messagesOf returns the messages of a pattern.
func messagesOf(p patterns.Pattern) (list []model.Message) {
	p.Each(func(rank int, exchanges []patterns.Exchange) {
		for i, x := range exchanges {
			if x.Dest != patterns.None {
				list = append(list, model.Message{Round: int32(i), From: int32(rank), To: int32(x.Dest)})
			}
		}
	})
	return list
}

// guess returns a machine with the nodes of the source with the most processes, and first guesses from the shortest
// loop and the highest bandwidth of all sources. The network itself never limits, only its ports do.
func guess(sources []Source) *machine.Machine {
	largest := slices.MaxFunc(sources, func(a, b Source) int { return cmp.Compare(a.Processes, b.Processes) })
	least, most := math.Inf(1), 0.0
	for _, s := range sources {
		for _, t := range s.times {
			least, most = min(least, t.seconds), max(most, float64(t.length)/t.seconds)
		}
	}
	m := withHosts(&machine.Machine{Name: "fit-of-" + largest.Host.Name, Note: "fitted to measured results",
		Memory: machine.Bytes(largest.MemoryPerProcess), Topology: machine.Topology{Kind: "full"},
		Link: machine.Link{Bandwidth: machine.Rate(rounded(1000 * most))}}, largest.hosts)
	m.Endpoint = machine.Endpoint{Overhead: machine.Seconds(least / 8), Bandwidth: machine.Rate(2 * most),
		Scan: machine.Seconds(least / 50)}
	if m.Nodes > 1 {
		m.Endpoint.Latency, m.Endpoint.Gap = machine.Seconds(least/2), machine.Seconds(least/8)
	}
	if m.PerNode > 1 {
		m.Inside = machine.Inside{Latency: machine.Seconds(least / 4),
			Memory: machine.Rate(1.5 * most * float64(m.PerNode))}
	}
	if m.Nodes > 1 && m.PerNode > 1 {
		m.Inside.Overhead = m.Endpoint.Overhead
		m.Endpoint.Port = machine.Rate(most * float64(m.PerNode))
	}
	return m
}

// withHosts returns a copy of a machine whose process i is on the host with the number hosts[i].
func withHosts(m *machine.Machine, hosts []int) *machine.Machine {
	here, counts := *m, make([]int, slices.Max(hosts)+1)
	for _, h := range hosts {
		counts[h]++
	}
	here.Nodes, here.PerNode, here.Placement, here.Hosts = len(counts), slices.Max(counts), "list", hosts
	if slices.IsSorted(hosts) && slices.Min(counts[:max(1, len(counts)-1)]) == here.PerNode {
		here.Placement, here.Hosts = "block", nil
	}
	return &here
}

// solve returns the machine whose times are closest to the measured ones, the estimates of its parameters, and the mean
// distance between the times. It minimises the mean absolute residual (Nelder and Mead, A simplex method for function
// minimization, 1965). It doesn't use squares, because LogGP has no protocols, so that a few lengths are far from any
// machine. It returns an error if the first guess isn't a valid machine.
func (f *fit) solve() (m machine.Machine, found []estimate, least float64, err error) {
	if _, err := f.residuals(&f.guess); err != nil {
		return m, nil, 0, err
	}
	free := lists.Where(parameters, func(p parameter) bool { return *p.field(&f.guess) > 0 })
	m, least = f.guess, math.Inf(1)
	for moved := true; moved; {
		for again := true; again; { // from the end point, because a simplex may collapse
			before := least
			m, least = f.descend(m, free, 1e-8)
			again = least < 0.999*before
		}
		found, moved = f.estimates(&m, free, least)
	}
	for _, p := range free {
		without := m
		if *p.field(&without) = 0; !p.needed && f.distance(&without) <= least+1e-5 {
			m = without // the parameter limits nothing
		}
	}
	return m, found, least, nil
}

// estimates returns the free parameters at the minimum m, and the distances with half of each and with twice each. If
// one of these searches finds a lower minimum, estimates moves m there and returns true.
func (f *fit) estimates(m *machine.Machine, free []parameter, least float64) (list []estimate, moved bool) {
	for k, p := range free {
		e := estimate{key: p.key, value: *p.field(m)}
		others := slices.Delete(slices.Clone(free), k, k+1)
		with := func(factor float64) float64 {
			x := *m
			*p.field(&x) *= factor
			x, distance := f.descend(x, others, 1e-5)
			if distance < 0.999*least {
				*m, moved = x, true
			}
			return distance
		}
		e.half, e.twice = with(0.5), with(2)
		e.determined = min(e.half, e.twice) > 1.02*least+1e-4
		list = append(list, e)
	}
	return list, moved
}

// descend moves the free parameters of m to a minimum of the distance, until it changes by no more than tolerance, and
// returns the machine and its distance. Parameters that the times don't determine stay near the first guess.
func (f *fit) descend(m machine.Machine, free []parameter, tolerance float64) (machine.Machine, float64) {
	logarithms := func(m *machine.Machine) []float64 {
		return lists.Each(free, func(p parameter) float64 { return math.Log(*p.field(m)) })
	}
	set := func(x []float64) {
		for k, p := range free {
			*p.field(&m) = rounded(math.Exp(x[k]))
		}
	}
	guess := logarithms(&f.guess)
	best, err := optimize.Minimize(optimize.Problem{Func: func(x []float64) float64 {
		set(x)
		return f.distance(&m) + 1e-5*math.Pow(floats.Distance(x, guess, 2), 2)
	}}, logarithms(&m), &optimize.Settings{FuncEvaluations: 200 * len(free),
		Converger: &optimize.FunctionConverge{Absolute: tolerance, Iterations: 100}},
		&optimize.NelderMead{SimplexSize: 1})
	if best == nil {
		panic(err) // Minimize fails only without parameters
	}
	set(best.X)
	return m, best.F
}

// rounded rounds a value to the five digits that a machine file has.
func rounded(x float64) float64 {
	x, _ = strconv.ParseFloat(strconv.FormatFloat(x, 'g', 5, 64), 64) // formatted as a number
	return x
}

// distance returns the mean absolute residual, or infinity if the machine isn't valid.
func (f *fit) distance(m *machine.Machine) float64 {
	all, err := f.residuals(m)
	if err != nil {
		return math.Inf(1)
	}
	return stat.Mean(lists.Each(all, residual.size), nil)
}

// size returns the absolute value.
func (r residual) size() float64 { return math.Abs(r.log) }

// residuals returns a machine's residuals for all times. It returns an error if the machine isn't valid.
func (f *fit) residuals(m *machine.Machine) (all []residual, err error) {
	for _, s := range f.sources {
		x, err := model.New(withHosts(m, s.hosts), s.Processes, 1)
		if err != nil {
			return nil, err
		}
		steps := lists.Each(s.steps, x.NewStep)
		for _, t := range s.times {
			method, seconds := s.Methods[t.method], 0.0
			switch step := steps[t.pattern]; method {
			case beff.Sendrecv.String():
				seconds = step.InTurn(t.length)
			case beff.Alltoallv.String():
				seconds = step.Together(t.length) + float64(s.Patterns[t.pattern].Processes)*float64(m.Endpoint.Scan)
			default:
				seconds = step.Together(t.length)
			}
			all = append(all, residual{s.File, method, t.length, math.Log(t.seconds / seconds)})
		}
	}
	return all, nil
}

// stretch sets a factor for each message length, so that the machine has the ratings' averages at these lengths.
// Factors account for the library's protocols and for caches, which LogGP doesn't have.
func (f *fit) stretch(m *machine.Machine) error {
	logs := map[int64][]float64{}
	for _, s := range f.sources {
		computed, err := Simulate(withHosts(m, s.hosts), s.Processes,
			beff.Config{Rules: beff.Rules2001, Memory: s.MemoryPerProcess, Seed: s.Seed}, false, nil)
		if err != nil {
			return fmt.Errorf("%s: %w", s.File, err)
		}
		for l, b := range s.Derived.PerLength {
			if k := slices.Index(computed.Lengths, s.Lengths[l]); k >= 0 && b > 0 {
				logs[s.Lengths[l]] = append(logs[s.Lengths[l]], math.Log(computed.Derived.PerLength[k]/b))
			}
		}
	}
	for _, length := range slices.Sorted(maps.Keys(logs)) {
		m.Lengths = append(m.Lengths, machine.Length{Bytes: machine.Bytes(length),
			Factor: rounded(math.Exp(stat.Mean(logs[length], nil)))})
	}
	return nil
}
