package whatif

import (
	"errors"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/optimize"
	"gonum.org/v1/gonum/stat"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/sim/machine"
	"github.com/effective-bandwidth/beff/sim/model"
)

// source holds the measured times of a result file, and the hosts of its processes.
type source struct {
	file  string
	hosts []int             // number of the host of each process
	steps [][]model.Message // messages that are sent in one step of a loop
	times []timing
}

// timing is the measured time of one loop.
type timing struct {
	kernel  int // kernel or method measured, as an index in fit.kernels
	parts   []part
	scanned int   // counts that MPI_Alltoallv looks at, one for each process; 0 in other loops
	length  int64 // bytes of a message
	seconds float64
}

// part is a part of a loop: the messages of a step, sent one after the other or together.
type part struct {
	step   int // index in source.steps
	inTurn bool
	length int64 // bytes of a message
}

// fittedKernel is a kernel of a file, or a method of its b_eff, with its residuals.
type fittedKernel struct {
	file, name string
	residuals  []residual
}

// residual is the difference between a measured time and the time that a machine takes.
type residual struct {
	length int64   // bytes of a message
	log    float64 // logarithm of the measured time divided by the machine's
}

// fit finds the LogGP parameters (package model) that describe measured times best.
type fit struct {
	sources []source
	kernels []fittedKernel // without residuals
	free    []parameter    // parameters to fit
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

// solve returns the machine whose times are closest to the measured ones, the estimates of its parameters, and the mean
// distance between the times. It minimises the mean over the kernels of the mean absolute residual of each kernel
// (Nelder and Mead, A simplex method for function minimization, 1965). It doesn't use squares, because LogGP has no
// protocols, so that a few lengths are far from any machine. It returns an error if there are fewer measurements than
// parameters.
func (f *fit) solve() (*machine.Machine, []estimate, float64, error) {
	times := lists.SumOf(f.sources, func(s source) int { return len(s.times) })
	for _, p := range parameters {
		if *p.field(&f.guess) > 0 {
			f.free = append(f.free, p)
		}
	}
	if times <= len(f.free) {
		return nil, nil, 0, errors.New("fit: too few measurements")
	}
	if _, err := f.residuals(&f.guess); err != nil {
		return nil, nil, 0, err
	}
	best, least := f.logarithms(&f.guess), math.Inf(1)
	var found []estimate
	for moved := true; moved; {
		for again := true; again; { // from the end point, because a simplex may collapse
			before := least
			least = f.descend(best, lists.Numbers(len(best)), 1e-8)
			again = least < 0.999*before
		}
		found, moved = f.estimates(best, least)
	}
	m := f.machineAt(best)
	for _, p := range f.free {
		without := m
		if *p.field(&without) = 0; !p.needed && f.distance(&without) <= least+1e-5 {
			m = without // the parameter limits nothing
		}
	}
	return &m, found, least, nil
}

// estimates returns the parameters at a minimum, with their logarithms in best, and the distances with half of each and
// with twice each. If one of these searches finds a lower minimum, estimates moves best there and returns true.
func (f *fit) estimates(best []float64, least float64) (list []estimate, moved bool) {
	for k, p := range f.free {
		others := slices.Delete(lists.Numbers(len(best)), k, k+1)
		with := func(factor float64) float64 {
			x := slices.Clone(best)
			x[k] += math.Log(factor)
			distance := f.descend(x, others, 1e-5)
			if distance < 0.999*least {
				copy(best, x)
				moved = true
			}
			return distance
		}
		e := estimate{key: p.key, value: rounded(math.Exp(best[k]))}
		e.half, e.twice = with(0.5), with(2)
		e.determined = min(e.half, e.twice) > 1.02*least+1e-4
		list = append(list, e)
	}
	return list, moved
}

// logarithms returns the logarithms of a machine's values of the free parameters.
func (f *fit) logarithms(m *machine.Machine) []float64 {
	return lists.Each(f.free, func(p parameter) float64 { return math.Log(*p.field(m)) })
}

// descend moves the selected logarithms of x to a minimum of the distance, until it changes by no more than tolerance,
// and returns the distance. Parameters that the times don't determine stay near the first guess.
func (f *fit) descend(x []float64, selected []int, tolerance float64) float64 {
	set := func(values []float64) {
		for i, k := range selected {
			x[k] = values[i]
		}
	}
	from, guess := lists.Each(selected, func(k int) float64 { return x[k] }), f.logarithms(&f.guess)
	best, err := optimize.Minimize(optimize.Problem{Func: func(values []float64) float64 {
		set(values)
		m := f.machineAt(x)
		return f.distance(&m) + 1e-5*math.Pow(floats.Distance(x, guess, 2), 2)
	}}, from, &optimize.Settings{FuncEvaluations: 200 * len(selected),
		Converger: &optimize.FunctionConverge{Absolute: tolerance, Iterations: 100}},
		&optimize.NelderMead{SimplexSize: 1})
	if best == nil {
		panic(err) // Minimize fails only without parameters
	}
	set(best.X)
	return best.F
}

// machineAt returns the machine whose free parameters have the logarithms x.
func (f *fit) machineAt(x []float64) machine.Machine {
	m := f.guess
	for k, p := range f.free {
		*p.field(&m) = rounded(math.Exp(x[k]))
	}
	return m
}

// rounded rounds a value to the five digits that a machine file has.
func rounded(x float64) float64 {
	x, _ = strconv.ParseFloat(strconv.FormatFloat(x, 'g', 5, 64), 64) // formatted as a number
	return x
}

// distance returns the mean over the kernels of the mean absolute residual of each, or infinity if the machine isn't
// valid.
func (f *fit) distance(m *machine.Machine) float64 {
	all, err := f.residuals(m)
	if err != nil {
		return math.Inf(1)
	}
	return stat.Mean(lists.Each(all, func(list []residual) float64 {
		return stat.Mean(lists.Each(logsOf(list), math.Abs), nil)
	}), nil)
}

// logsOf returns the logarithms of residuals.
func logsOf(list []residual) (all []float64) {
	for _, r := range list {
		all = append(all, r.log)
	}
	return all
}

// residuals returns a machine's residuals for each kernel. It returns an error if the machine isn't valid.
func (f *fit) residuals(m *machine.Machine) ([][]residual, error) {
	all := make([][]residual, len(f.kernels))
	for i := range f.sources {
		s := &f.sources[i]
		x, err := model.New(withHosts(m, s.hosts), len(s.hosts), 1)
		if err != nil {
			return nil, err
		}
		steps := make([]*model.Step, len(s.steps))
		for k, messages := range s.steps {
			steps[k] = x.NewStep(messages)
		}
		for _, t := range s.times {
			seconds := float64(t.scanned) * float64(m.Endpoint.Scan)
			for _, p := range t.parts {
				if p.inTurn {
					seconds += steps[p.step].InTurn(p.length)
				} else {
					seconds += steps[p.step].Together(p.length)
				}
			}
			all[t.kernel] = append(all[t.kernel], residual{t.length, math.Log(t.seconds / seconds)})
		}
	}
	return all, nil
}

// withHosts returns a copy of a machine whose processes are on the given hosts: hosts has the number of each process's.
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
