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

// source has the times of a result, and the hosts of its processes.
type source struct {
	file  string
	hosts []int // number of the host of each process
	steps [][]model.Message
	times []timing
}

// timing is a measured time of a loop.
type timing struct {
	kernel  int // kernel or method measured, as an index in fit.kernels
	parts   []part
	scans   int // processes of MPI_Alltoallv
	length  int64
	seconds float64
}

// part is a part of a loop: a step's messages with a length.
type part struct {
	step   int // index in source.steps
	inTurn bool
	length int64
}

// kernelTimes has the residuals of a kernel in a file, or of a method of b_eff.
type kernelTimes struct {
	file, name string
	left       []residual
}

// residual is the logarithm of a measured time divided by the machine's.
type residual struct {
	length int64
	left   float64
}

// fit finds the LogGP parameters that describe times best.
type fit struct {
	sources []source
	kernels []kernelTimes // without residuals
	free    []parameter
	guess   machine.Machine
}

// parameter is a parameter of a machine. It is fitted if its first guess isn't 0.
type parameter struct {
	key    string
	in     func(*machine.Machine) *float64
	needed bool // by any machine
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

// finding is a fitted parameter, in seconds or bytes per second.
type finding struct {
	key   string
	value float64
	// Mean distance of measured and computed times, as the logarithm of their ratio, with half of the value and with
	// twice the value, after fitting all other parameters again.
	half, twice float64
	told        bool // both distances are larger than with the value
}

// solve returns the machine whose times are closest to the measured ones, and the mean distance. It minimises the mean
// over the kernels of the mean absolute residual of each kernel (Nelder and Mead, A simplex method for function
// minimization, 1965). It doesn't use squares, because LogGP has no protocols, so that a few lengths are far from any
// machine.
func (f *fit) solve() (*machine.Machine, []finding, float64, error) {
	m, times := f.guess, 0
	for _, of := range f.sources {
		times += len(of.times)
	}
	for _, p := range parameters {
		if *p.in(&m) > 0 {
			f.free = append(f.free, p)
		}
	}
	if times <= len(f.free) {
		return nil, nil, 0, errors.New("fit: too few measurements")
	}
	if _, err := f.left(&m); err != nil {
		return nil, nil, 0, err
	}
	all := lists.Numbers(len(f.free))
	best := f.logarithms(&m)
	least := math.Inf(1)
	var found []finding
	for better := true; better; {
		for better { // restart at the end point, because a simplex may collapse
			before := least
			least = f.descend(best, all, 1e-8)
			better = least < 0.999*before
		}
		found = nil
		for k, p := range f.free {
			others := slices.Delete(slices.Clone(all), k, k+1)
			with := func(factor float64) float64 {
				x := slices.Clone(best)
				x[k] += math.Log(factor)
				distance := f.descend(x, others, 1e-5)
				if distance < 0.999*least {
					best, better = x, true // a better valley
				}
				return distance
			}
			x := finding{key: p.key, value: digits(math.Exp(best[k])), half: with(0.5)}
			x.twice = with(2)
			x.told = min(x.half, x.twice) > 1.02*least+1e-4
			found = append(found, x)
		}
	}
	m = f.at(best)
	for _, p := range f.free {
		if none := m; !p.needed {
			if *p.in(&none) = 0; f.distance(&none) <= least+1e-5 {
				m = none // the parameter limits nothing
			}
		}
	}
	return &m, found, least, nil
}

// logarithms returns the logarithms of the parameters of a machine.
func (f *fit) logarithms(m *machine.Machine) []float64 {
	return lists.Each(f.free, func(p parameter) float64 { return math.Log(*p.in(m)) })
}

// descend moves the selected logarithms to a minimum of the distance, until it changes by no more than enough, and
// returns the distance. Parameters that the times don't determine stay near the first guess.
func (f *fit) descend(x []float64, some []int, enough float64) float64 {
	set := func(of []float64) {
		for i, k := range some {
			x[k] = of[i]
		}
	}
	from, guess := lists.Each(some, func(k int) float64 { return x[k] }), f.logarithms(&f.guess)
	best, err := optimize.Minimize(optimize.Problem{Func: func(of []float64) float64 {
		set(of)
		m := f.at(x)
		return f.distance(&m) + 1e-5*math.Pow(floats.Distance(x, guess, 2), 2)
	}}, from, &optimize.Settings{FuncEvaluations: 200 * len(some),
		Converger: &optimize.FunctionConverge{Absolute: enough, Iterations: 100}},
		&optimize.NelderMead{SimplexSize: 1})
	if best == nil {
		panic(err) // there are parameters
	}
	set(best.X)
	return best.F
}

// at returns the machine whose parameters have these logarithms.
func (f *fit) at(x []float64) machine.Machine {
	m := f.guess
	for k, p := range f.free {
		*p.in(&m) = digits(math.Exp(x[k]))
	}
	return m
}

// digits rounds a value to the digits that a file should have.
func digits(x float64) float64 {
	x, _ = strconv.ParseFloat(strconv.FormatFloat(x, 'g', 5, 64), 64) // formatted as a number
	return x
}

// distance returns the mean distance of a machine, or infinity if the machine isn't valid.
func (f *fit) distance(m *machine.Machine) float64 {
	left, err := f.left(m)
	if err != nil {
		return math.Inf(1)
	}
	return stat.Mean(lists.Each(left, func(list []residual) float64 {
		return stat.Mean(lists.Each(each(list), math.Abs), nil)
	}), nil)
}

// each returns the logarithms of residuals.
func each(list []residual) (all []float64) {
	for _, r := range list {
		all = append(all, r.left)
	}
	return all
}

// left returns the residuals of each kernel for a machine.
func (f *fit) left(m *machine.Machine) ([][]residual, error) {
	left := make([][]residual, len(f.kernels))
	for i := range f.sources {
		of := &f.sources[i]
		x, err := model.New(on(m, of.hosts), len(of.hosts), 1)
		if err != nil {
			return nil, err
		}
		steps := make([]*model.Step, len(of.steps))
		for k, messages := range of.steps {
			steps[k] = x.NewStep(messages)
		}
		for _, t := range of.times {
			seconds := float64(t.scans) * float64(m.Endpoint.Scan)
			for _, p := range t.parts {
				if p.inTurn {
					seconds += steps[p.step].InTurn(p.length)
				} else {
					seconds += steps[p.step].Together(p.length)
				}
			}
			left[t.kernel] = append(left[t.kernel], residual{t.length, math.Log(t.seconds / seconds)})
		}
	}
	return left, nil
}

// on returns a machine whose processes are on given hosts.
func on(m *machine.Machine, hosts []int) *machine.Machine {
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
